import HelixModel
import HelixSQLite

extension HelixError {
    /// A database error as a message for the user.
    static func store(_ error: any Error, path: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.code {
        case .busy, .locked:
            return HelixError(
                .busy, "the store is in use by another program", hint: "Try again when it has finished.")
        case .full:
            return HelixError(
                .io, "the disk is full; nothing was changed", hint: "Free some space for \(path) and try again.")
        case .readOnly:
            return HelixError(
                .io, "the store at \(path) is read-only; nothing was changed",
                hint: "Get write permission, or set HELIX_HOME to another folder.")
        case .corrupt, .notADatabase:
            return HelixError(
                .io, "the store at \(path) is damaged (\(error.message ?? "no database"))",
                hint: "'helix doctor' shows the damage; 'helix restore FILE' replaces the store with a backup.")
        case .authorization:
            // The second guard of a confined store: a query that the views do not cover.
            return HelixError(
                .notAllowed, "the profile does not see what was asked for (\(error.message ?? "no reason"))",
                hint: "This is a gap in helix: nothing was shown that the profile hides, but something may be missing.")
        case .cannotOpen, .permission:
            return HelixError(
                .io, "cannot open the store at \(path)", hint: "Check the permissions of the file and its folder.")
        case .inputOutput:
            return HelixError(.io, "cannot read or write the store at \(path)", hint: "Check the disk for errors.")
        case .constraint:
            return damaged(path, "its rows are inconsistent: \(error.message ?? "a constraint failed")")
        case .other where error.message?.contains("fts5") ?? false:
            return damaged(path, "its full-text index cannot be read")
        case .other where error.message?.hasPrefix("no such ") ?? false:
            return damaged(path, error.message ?? "a part is missing")
        default:
            return HelixError(.unexpected, "the store failed: \(error.message ?? "error \(error.code)")")
        }
    }

    private static func damaged(_ path: String, _ reason: String) -> HelixError {
        HelixError(
            .io, "the store at \(path) is damaged: \(reason)",
            hint:
                "Save the current state with 'helix backup', then run 'helix doctor --repair' to repair it."
        )
    }

    /// The message of a store error for a command that has made other changes: "nothing was changed" is true only of the store
    /// and is removed.
    public static func reason(_ error: any Error) -> String {
        let message = (error as? HelixError)?.message ?? "\(error)"
        return message.replacing("; nothing was changed", with: "")
    }
}
