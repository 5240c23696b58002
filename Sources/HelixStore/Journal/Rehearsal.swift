import Foundation
import HelixModel
import HelixSQLite

extension Store {
    /// Begins to only try what is done from now on: all changes are made in one transaction that is never committed, and
    /// files stay as they are. What is read meanwhile is as it would be afterwards.
    /// - Throws: ``HelixError``: the store is read-only or busy.
    public func rehearse() throws {
        guard !isRehearsal else { return }
        if isReadOnly {
            throw HelixError(
                .io, "the store at \(path) is read-only, so nothing can be tried in it",
                hint: "Give yourself the right to write it, or name another place with HELIX_HOME.")
        }
        do { try database.rehearse() } catch { throw readable(error) }
        isRehearsal = true
        scratch = FileManager.default.temporaryDirectory.path + "/helix-dry-run-" + EntityID().text
    }

    /// Takes back what was tried.
    public func endRehearsal() {
        guard isRehearsal else { return }
        database.endRehearsal()
        files.discardScratch()
        (isRehearsal, scratch) = (false, nil)
    }
}
