import Foundation
import HelixModel
import HelixSQLite
import HelixTerminal

/// `HELIX_TRACE` and `--verbose`: what is said to servers and to the database, for reports of bugs.
enum TraceOutput {
    /// Begins to record if somebody asked for it: on standard error, or in the file that `HELIX_TRACE_FILE` names.
    /// - Throws: ``HelixError`` of code `configuration` for a name that is nothing to record, and a file that cannot be written.
    static func begin(_ environment: [String: String], isVerbose: Bool) throws {
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
                throw HelixError(.configuration, "HELIX_TRACE is '\(name)'", hint: "It takes \(known) and all.")
            }
        }
        var descriptor = STDERR_FILENO
        if let path = environment["HELIX_TRACE_FILE"], !path.isEmpty {
            descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw HelixError(
                    .configuration,
                    "the file of HELIX_TRACE_FILE cannot be written: \(String(cString: strerror(errno)))")
            }
        }
        let target = descriptor
        // Whoever asks for details of one kind gets more of each.
        Trace.begin(kinds, longest: names.isEmpty ? 200 : 4000) { line in
            _ = Terminal.write("helix: " + line + "\n", to: target)
        }
        if kinds.contains(.sql) {
            Database.observer = { text, seconds in
                let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                Trace.note(.sql, String(format: "%.3f ms ", seconds * 1000) + line)
            }
        }
    }
}
