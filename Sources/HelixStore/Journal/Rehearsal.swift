import FoundationEssentials
import HelixModel
import HelixSQLite
import HelixSystem

extension Store {
    /// Starts a dry run: all further changes are made in one transaction that is never committed, and files are not changed.
    /// Reads see the results of the changes.
    /// - Throws: ``HelixError`` if the store is read-only or busy.
    public func rehearse(keeping keeps: Bool = false) throws {
        guard !isRehearsal else { return }
        if isReadOnly {
            throw HelixError(
                .io, "cannot make a dry run: the store at \(path) is read-only",
                hint: "Give yourself write permission, or set HELIX_HOME to another folder.")
        }
        do { try database.rehearse(keeping: keeps) } catch { throw readable(error) }
        isRehearsal = true
        scratch = TemporaryFolder.path + "/helix-dry-run-" + EntityID().text
    }

    /// Ends the dry run and rolls back its changes.
    public func endRehearsal() {
        guard isRehearsal else { return }
        database.endRehearsal()
        files.discardScratch()
        (isRehearsal, scratch, branch) = (false, nil, nil)
    }

    /// Makes changes in a dry run of their own, to find out whether they can be made.
    /// - Throws: the error of `body`, and ``HelixError`` if the store is read-only or busy.
    public func rehearsing(_ body: () throws -> Void) throws {
        guard !isRehearsal else { return try trying(body) }
        try rehearse()
        defer { endRehearsal() }
        try body()
    }

    /// Makes changes in a part of a dry run, and rolls them back.
    private func trying(_ body: () throws -> Void) throws {
        struct Tried: Error {}
        do {
            try database.savepoint {
                try body()
                throw Tried()
            }
        } catch is Tried {}
    }

    /// Whether a change set can be undone now, as a dry run shows.
    public func canUndo(_ id: EntityID) -> Bool {
        guard !isRehearsal, (try? rehearse()) != nil else { return false }
        defer { endRehearsal() }
        return (try? undo(id)) != nil
    }
}
