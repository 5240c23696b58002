/// An error with its message and a hint on how to fix it.
///
/// `HelixError(.notFound, "no event 'k3f7'", hint: "helix cal agenda lists them.")`
public struct HelixError: Error, Hashable, Sendable {
    /// The class of an error; it decides the exit status.
    public enum Code: String, Sendable, CaseIterable {
        case unexpected = "UNEXPECTED"
        case usage = "USAGE"
        case badInput = "BAD_INPUT"
        case notFound = "NOT_FOUND"
        case ambiguous = "AMBIGUOUS"
        case offline = "OFFLINE"
        case cannotCreate = "CANNOT_CREATE"
        case io = "IO_ERROR"
        case busy = "BUSY"
        case `protocol` = "PROTOCOL"
        case notAllowed = "NOT_ALLOWED"
        case authentication = "AUTH_FAILED"
        case locked = "LOCKED"
        case configuration = "CONFIGURATION"
        case conflict = "CONFLICT"
        case syncConflict = "SYNC_CONFLICT"

        /// The class of the problem, for people and agents.
        public var summary: String {
            switch self {
            case .unexpected: "unexpected error (a bug)"
            case .usage: "invalid command or option"
            case .badInput: "invalid input data"
            case .notFound: "no such file or item"
            case .ambiguous: "an ambiguous id"
            case .offline: "server unreachable"
            case .cannotCreate: "cannot create a file"
            case .io: "input or output error"
            case .busy: "store busy, try again"
            case .protocol: "the server violated the protocol"
            case .notAllowed: "not allowed"
            case .authentication: "not signed in"
            case .locked: "helix is locked"
            case .configuration: "invalid setting, or a missing library"
            case .conflict: "rejected because of a conflict"
            case .syncConflict: "unresolved sync conflict"
            }
        }

        /// The process's exit status, from sysexits.h where that has one.
        public var exitStatus: Int32 {
            switch self {
            case .unexpected: 1
            case .usage: 64
            case .badInput: 65
            case .notFound, .ambiguous: 66
            case .offline: 69
            case .cannotCreate: 73
            case .io: 74
            case .busy: 75
            case .protocol: 76
            case .notAllowed, .authentication, .locked: 77
            case .configuration: 78
            case .conflict: 80
            case .syncConflict: 81
            }
        }
    }

    /// The class of the error.
    public var code: Code
    /// The problem and its subject: a sentence without a capital or a full stop.
    public var message: String
    /// The remedy: one or more full sentences.
    public var hint: String?

    /// Creates an error of class `code`.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

extension HelixError {
    /// The value that `body` finds; nil if it is not there. A store or a disk that cannot be read is no absence: its error is thrown.
    public static func ifFound<Value>(_ body: () throws -> Value) throws -> Value? {
        do { return try body() } catch let error as HelixError where error.code == .notFound { return nil }
    }
}
