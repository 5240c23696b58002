import GRDB
import HelixModel

extension HelixError {
    /// What an error of the database means to a person.
    static func store(_ error: any Error, path: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return HelixError(
                .busy, "the store is in use by another program", hint: "Try again when that one has finished.")
        case .SQLITE_FULL:
            return HelixError(
                .io, "the disk is full; nothing was changed", hint: "Free some space for \(path) and try again.")
        case .SQLITE_READONLY:
            return HelixError(
                .io, "the store at \(path) is read-only; nothing was changed",
                hint: "Give yourself the right to write it, or name another place with HELIX_HOME.")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return HelixError(
                .io, "the store at \(path) is damaged (\(error.message ?? "no database"))",
                hint: "'helix doctor' says how much; 'helix restore FILE' puts a backup in its place.")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            return HelixError(
                .io, "the store at \(path) cannot be opened", hint: "Look at the rights of the file and its folder.")
        case .SQLITE_IOERR:
            return HelixError(.io, "the store at \(path) cannot be read or written", hint: "Is the disk in order?")
        default:
            return HelixError(.unexpected, "the store failed: \(error.message ?? "error \(error.resultCode)")")
        }
    }
}
