import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite
import HelixTerminal

/// `HELIX_TRACE` and `--verbose`: traces of the traffic with servers and the database, for bug reports.
enum TraceOutput {
    /// Begins to trace if requested: to standard error, or to the file that `HELIX_TRACE_FILE` names.
    /// - Throws: ``HelixError`` of code `configuration` for an unknown kind of trace, and a file that cannot be written.
    static func begin(_ invocation: Invocation, isVerbose: Bool) throws {
        // A trace shows what a profile hides, and its file could be any.
        guard invocation.agent == nil else { return }
        let environment = invocation.environment
        let names = (environment["HELIX_TRACE"] ?? "").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
        guard isVerbose || !names.isEmpty else { return }
        var kinds: Set<Trace.Kind> = isVerbose ? Set(Trace.Kind.allCases).subtracting([.sql]) : []
        for name in names {
            if name == "all" {
                kinds.formUnion(Trace.Kind.allCases)
            } else if let kind = Trace.Kind(rawValue: name) {
                kinds.insert(kind)
            } else {
                let known = Trace.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw HelixError(.configuration, "unknown kind '\(name)' in HELIX_TRACE", hint: "Use \(known) or all.")
            }
        }
        var descriptor = invocation.console.errors
        if let path = environment["HELIX_TRACE_FILE"], !path.isEmpty {
            descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw HelixError(
                    .configuration,
                    "the file of HELIX_TRACE_FILE cannot be written: \(String(cString: strerror(errno)))")
            }
        }
        let target = descriptor
        // If kinds are named, longer records are written of each.
        Trace.begin(kinds, longest: names.isEmpty ? 200 : 4000) { line in
            _ = Terminal.write("helix: " + line + "\n", to: target)
        }
        if kinds.contains(.sql) {
            Database.observer = { text, seconds in
                let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                Trace.note(.sql, DigitWriter.decimal(seconds * 1000, places: 3) + " ms " + line)
            }
        }
    }
}
