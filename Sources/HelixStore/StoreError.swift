import HelixModel
import HelixSQLite

extension HelixError {
    /// What an error of the database means to a person.
    static func store(_ error: any Error, path: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.code {
        case .busy, .locked:
            return HelixError(
                .busy, "the store is in use by another program", hint: "Try again when that one has finished.")
        case .full:
            return HelixError(
                .io, "the disk is full; nothing was changed", hint: "Free some space for \(path) and try again.")
        case .readOnly:
            return HelixError(
                .io, "the store at \(path) is read-only; nothing was changed",
                hint: "Give yourself the right to write it, or name another place with HELIX_HOME.")
        case .corrupt, .notADatabase:
            return HelixError(
                .io, "the store at \(path) is damaged (\(error.message ?? "no database"))",
                hint: "'helix doctor' says how much; 'helix restore FILE' puts a backup in its place.")
        case .cannotOpen, .permission, .authorization:
            return HelixError(
                .io, "the store at \(path) cannot be opened", hint: "Look at the rights of the file and its folder.")
        case .inputOutput:
            return HelixError(.io, "the store at \(path) cannot be read or written", hint: "Is the disk in order?")
        case .constraint:
            return damaged(path, "its rows contradict each other: \(error.message ?? "a rule of its tables")")
        case .other where error.message?.contains("fts5") ?? false:
            return damaged(path, "the words for searches cannot be read")
        default:
            return HelixError(.unexpected, "the store failed: \(error.message ?? "error \(error.code)")")
        }
    }

    private static func damaged(_ path: String, _ reason: String) -> HelixError {
        HelixError(
            .io, "the store at \(path) is damaged: \(reason)",
            hint:
                "'helix doctor --repair' puts right as much as it can; 'helix backup' before it keeps the present state."
        )
    }

    /// The message of an error of the store for a command that has done something besides: what the store says of itself
    /// is not true of that.
    public static func reason(_ error: any Error) -> String {
        let message = (error as? HelixError)?.message ?? "\(error)"
        return message.replacing("; nothing was changed", with: "")
    }
}
