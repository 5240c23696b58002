import Foundation

/// A fresh home for the built program, gone when the test ends.
public final class HelixHome {
    /// What a run gave.
    public struct Result: Sendable {
        /// Standard output.
        public let output: String
        /// Standard error.
        public let errors: String
        /// The exit status; of a process that was killed, 128 and the signal.
        public let status: Int32

        /// A result.
        public init(output: String, errors: String, status: Int32) {
            (self.output, self.errors, self.status) = (output, errors, status)
        }

        /// Standard output as JSON.
        public func json() throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
            guard let object = value as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
            return object
        }

        /// The items of a report.
        public func items() throws -> [[String: Any]] { try json()["items"] as? [[String: Any]] ?? [] }
    }

    /// The folder.
    public let folder: URL
    /// The environment of the runs.
    public var environment: [String: String]

    /// A home with the clock at `now`, in `zone`.
    public init(now: String = "2026-11-18T10:20:00", zone: String = "Europe/Rome") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("helix-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        environment = [
            "HELIX_HOME": folder.appendingPathComponent("home").path, "HELIX_NOW": now, "TZ": zone, "LANG": "C.UTF-8",
            // What leaves in the background would go on when the test is over.
            "HELIX_BACKGROUND": "off",
            // Mail leaves by the syncs of a test, unless it says otherwise.
            "HELIX_MAIL_SEND": "queue",
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": folder.path,
        ]
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The built program.
    public static let binary: URL = {
        // The tests' own program lies beside it.
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = tests.appendingPathComponent("helix")
        if FileManager.default.isExecutableFile(atPath: beside.path) { return beside }
        return Corpora.packageDirectory.appendingPathComponent(".build/debug/helix")
    }()

    /// The database.
    public var store: String { folder.path + "/home/helix.db" }

    /// Runs helix.
    @discardableResult
    public func run(_ arguments: String..., input: String? = nil) throws -> Result {
        try run(arguments, input: input)
    }

    /// Runs helix.
    @discardableResult
    public func run(_ arguments: [String], input: String? = nil) throws -> Result {
        try run(program: HelixHome.binary.path, arguments, input: input)
    }

    /// Runs any program in the same environment.
    public func run(program: String, _ arguments: [String], input: String? = nil) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder
        let output = folder.appendingPathComponent("out-\(UUID().uuidString)")
        let errors = folder.appendingPathComponent("err-\(UUID().uuidString)")
        for file in [output, errors] { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        if let input {
            let file = folder.appendingPathComponent("in-\(UUID().uuidString)")
            try Data(input.utf8).write(to: file)
            process.standardInput = try FileHandle(forReadingFrom: file)
        } else {
            process.standardInput = FileHandle.nullDevice
        }
        try process.run()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        return Result(
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self), status: status)
    }

    /// Writes a file into the folder, with CRLF line ends for calendars.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let path = folder.appendingPathComponent(name).path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Writes a calendar of these lines, each component of which is a text of its own.
    @discardableResult
    public func calendar(_ components: String..., name: String = "test.ics") throws -> String {
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//test//EN"] + components + ["END:VCALENDAR", ""]
        return try write(lines.joined(separator: "\n").replacingOccurrences(of: "\n", with: "\r\n"), to: name)
    }
}

/// A VEVENT with these properties besides UID and DTSTAMP.
public func vevent(_ uid: String, _ properties: String...) -> String {
    (["BEGIN:VEVENT", "UID:\(uid)", "DTSTAMP:20260101T000000Z"] + properties + ["END:VEVENT"]).joined(separator: "\n")
}

extension String {
    /// The text with single blanks between words, and without addresses such as ` <bo@example.org>` behind names.
    public var flattened: String {
        replacingOccurrences(of: " <[^>]+>", with: "", options: .regularExpression)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
