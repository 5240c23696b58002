import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// Matches local mailboxes with those on the server. New ones are created and renamed ones renamed on the other side.
struct MailboxDirectory {
    /// A local mailbox and its mailbox on the server, if that still exists.
    struct Entry {
        var base: RemoteMailbox
        var server: ServerMailbox?
    }

    private let sync: MailSync
    private var selection: CollectionSelection? { sync.account.settings.mailboxSelection }
    private(set) var entries: [Entry] = []
    /// Whether this is the first sync with the server.
    private(set) var isFirst = false
    /// The server's mailboxes that this sync skips: they are deselected, or cannot be opened.
    private(set) var unseen: [RemoteMailbox] = []

    init(_ sync: MailSync) { self.sync = sync }

    /// Matches the mailboxes of both sides.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    mutating func match() throws {
        sync.progress("\(sync.account.name): listing mailboxes")
        var found = try sync.server.mailboxes(asksSubscriptions: selection?.usesSubscriptions ?? false)
        if try renameThere(found) {
            found = try sync.server.mailboxes(asksSubscriptions: selection?.usesSubscriptions ?? false)
        }
        var bases = try sync.store.remoteMailboxes(sync.account)
        isFirst = bases.isEmpty
        try renameHere(found, &bases)
        // On some servers, mailboxes share a UIDVALIDITY: then it does not identify them.
        let validities =
            (found.map(\.uidValidity)
            + bases.filter { base in !found.contains { $0.name == base.name } }
            .map(\.uidValidity)).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        // The inbox comes first.
        let order = found.sorted { ($0.role == .inbox ? 0 : 1, $0.label) < ($1.role == .inbox ? 0 : 1, $1.label) }
        let names = Set(found.map(\.name))
        var omissions = MailboxOmissions()
        for box in order {
            let isKnown = bases.contains { $0.name == box.name }
            guard box.isSelected(by: selection, isKnown: isKnown) else {
                if selection == nil { omissions.addDeselected(box) }
                leaveOut(box, &bases)
                continue
            }
            if let refusal = box.refusal {
                // Its sync state stays as it is.
                leaveOut(box, &bases)
                omissions.add(box, refusal)
                continue
            }
            if let base = try base(of: box, &bases, names, validities) {
                entries.append(Entry(base: base, server: box))
            }
        }
        for base in bases { entries.append(Entry(base: base, server: nil)) }
        omissions.report(to: sync, showsDeselected: isFirst || sync.options.isFull)
        try makeThere(found)
    }

    /// The local mailbox of one on the server: the known one, a renamed one, or a new one; nil if it cannot be created.
    ///
    /// - Parameters:
    ///   - bases: the known mailboxes without one on the server so far.
    ///   - names: the names of all mailboxes on the server.
    ///   - validities: the number of mailboxes with each UIDVALIDITY.
    private func base(
        of box: ServerMailbox, _ bases: inout [RemoteMailbox], _ names: Set<String>, _ validities: [UInt32: Int]
    ) throws -> RemoteMailbox? {
        if let place = bases.firstIndex(where: { $0.name == box.name }) {
            return try identify(bases.remove(at: place), box)
        }
        if let place = bases.firstIndex(where: {
            !names.contains($0.name) && ($0.objectID == nil || box.objectID == nil)
                && $0.uidValidity == box.uidValidity && validities[box.uidValidity] == 2
                && $0.uidNext <= box.uidNext ?? 0 && $0.uidNext > 1
        }) {
            // The UIDs are still valid: it was renamed.
            return try rename(bases.remove(at: place), to: box)
        }
        do {
            let former = Set(bases.filter { !names.contains($0.name) }.map(\.path))
            let taken = Set((entries.map(\.base) + bases).map(\.path))
            if former.contains(try sync.store.folder(forMailbox: box.label, in: sync.account)) {
                // A former mailbox of the same name, deleted on the server, is removed first.
                sync.outcome.notes.append("the mailbox '\(box.label)' is new on the server; the next sync fetches it")
                return nil
            }
            return try make(box, taken: taken)
        } catch let error as HelixError where error.code == .usage {
            // One invalid folder name does not stop the others from being fetched.
            sync.outcome.notes.append("the mailbox '\(box.label)' is not synced: \(error.message)")
            return nil
        }
    }

    /// Records the server's id of a mailbox as soon as the server returns one.
    private func identify(_ base: RemoteMailbox, _ box: ServerMailbox) throws -> RemoteMailbox {
        // One that was deleted and recreated under its name has other UIDs, and other messages.
        guard let id = box.objectID, base.objectID != id, !sync.options.isDryRun else { return base }
        var base = base
        base.objectID = id
        let new = base
        return try sync.store.writeRemoteMail(sync.account) { try $0.save(new) }
    }

    /// Renames local mailboxes as on the server, where that identifies mailboxes by id (JMAP, RFC 8474).
    private func renameHere(_ found: [ServerMailbox], _ bases: inout [RemoteMailbox]) throws {
        guard let first = found.first else { return }
        let isNamedByID = sync.server.name(of: first.label, like: found) == nil
        guard isNamedByID || found.contains(where: { $0.objectID != nil }) else { return }
        func isSame(_ base: RemoteMailbox, _ box: ServerMailbox) -> Bool {
            if isNamedByID { return box.name == base.name }
            return box.objectID != nil && box.objectID == base.objectID && box.name != base.name
        }
        var pending: [Int: (box: ServerMailbox, path: String)] = [:]
        for place in bases.indices where bases[place].pending == nil {
            guard let box = found.first(where: { isSame(bases[place], $0) }), box.refusal == nil,
                box.isSelected(by: selection, isKnown: true),
                let path = try? sync.store.folder(forMailbox: box.label, in: sync.account), path != bases[place].path
            else { continue }
            // If a deleted mailbox still has the name, the messages are fetched into its replacement.
            let isTaken = bases.contains { base in base.name == box.name && !found.contains { isSame(base, $0) } }
            if isTaken, !isNamedByID { continue }
            pending[place] = (box, path)
        }
        for place in pending.keys.sorted() {
            guard let (box, path) = pending.removeValue(forKey: place) else { continue }
            // A mailbox that has the name gets a temporary one first: two may have swapped names.
            if let other = pending.keys.first(where: { bases[$0].path == path }), var room = pending[other]?.box {
                if !isNamedByID { room.name = "\u{1}" + EntityID().text }
                room.label = sync.store.mailboxName(bases[other].path) + " " + EntityID().text.prefix(6)
                bases[other] = try rename(bases[other], to: room, isForGood: false)
            }
            bases[place] = try rename(bases[place], to: box)
        }
    }

    /// Leaves a mailbox unchanged on both sides.
    private mutating func leaveOut(_ box: ServerMailbox, _ bases: inout [RemoteMailbox]) {
        let known = bases.filter { $0.name == box.name }
        unseen += known
        // JMAP servers report the changes of all mailboxes at once: a mailbox skipped now is listed completely later.
        if sync.account.kind == .jmap, !sync.options.isDryRun {
            for var base in known where base.modSeq != nil {
                base.modSeq = nil
                let left = base
                _ = try? sync.store.writeRemoteMail(sync.account) { try $0.save(left) }
            }
        }
        if known.isEmpty, let path = try? sync.store.folder(forMailbox: box.label, in: sync.account) {
            unseen.append(RemoteMailbox(name: box.name, path: path, uidValidity: 0))
        }
        bases.removeAll { $0.name == box.name }
    }

    /// Creates a local mailbox for one on the server.
    private func make(_ box: ServerMailbox, taken: Set<String>) throws -> RemoteMailbox {
        var base = RemoteMailbox(
            name: box.name, path: try sync.store.folder(forMailbox: box.label, in: sync.account),
            uidValidity: box.uidValidity, objectID: box.objectID)
        guard !taken.contains(base.path) else {
            throw HelixError(.usage, "the name of another mailbox differs only in case")
        }
        if sync.options.isDryRun { return base }
        let new = base
        base = try sync.store.writeRemoteMail(sync.account) { writer in
            try writer.place(new, called: box.label, role: box.role)
            return try writer.save(new)
        }
        return base
    }

    private func rename(
        _ former: RemoteMailbox, to box: ServerMailbox, isForGood: Bool = true
    ) throws -> RemoteMailbox {
        var base = former
        base.name = box.name
        base.path = try sync.store.folder(forMailbox: box.label, in: sync.account)
        if isForGood { sync.outcome.add(.here, "rename", 1, box.label) }
        if sync.options.isDryRun { return former }
        let (new, root) = (base, sync.account.path)
        let isFree = !FileManager.default.fileExists(atPath: root + "/" + new.path)
        if isFree, !former.path.isEmpty, Glibc.rename(root + "/" + former.path, root + "/" + new.path) == 0 {
            try sync.store.writeRemoteMail(sync.account) { writer in
                try writer.renamePath(from: former.path, to: new.path, called: box.label, role: box.role)
                try writer.save(new)
            }
            return new
        }
        // A local mailbox of that name exists: the messages are moved into it one by one.
        try sync.store.writeRemoteMail(sync.account) { writer in try writer.forget(former) }
        return try make(box, taken: Set(entries.map(\.base.path)))
    }

    /// Renames mailboxes on the server as they were renamed locally.
    /// - Returns: whether one was renamed.
    private func renameThere(_ found: [ServerMailbox]) throws -> Bool {
        if sync.account.settings.isReadOnly == true { return false }
        let own = try sync.store.mailboxes().filter { $0.account == sync.account.name }.map(\.mailbox)
        var bases = try sync.store.remoteMailboxes(sync.account)
        let pending = bases.indices.filter { bases[$0].pending == .rename }.sorted {
            // Parents come first: the names of their children change with them.
            bases[$0].path.count < bases[$1].path.count
        }
        if pending.isEmpty { return false }
        var names = Set(found.map(\.name))
        let delimiter = found.compactMap(\.delimiter).first ?? "/"
        /// Renames one on the server, and in the sync state with those below it.
        func rename(_ place: Int, to label: String) throws {
            let former = bases[place].name
            let name = try sync.server.rename(former, to: label, like: found)
            func renamed(_ old: String) -> String {
                old == former || old.hasPrefix(former + delimiter) ? name + old.dropFirst(former.count) : old
            }
            for index in bases.indices { bases[index].name = renamed(bases[index].name) }
            names = Set(names.map(renamed))
            let known = bases
            try sync.store.writeRemoteMail(sync.account) { writer in for base in known { try writer.save(base) } }
        }
        var isDone = false
        for place in pending {
            guard let mailbox = own.first(where: { $0.path == bases[place].path }) else { continue }
            let name = sync.server.name(of: mailbox.name, like: found)
            let isNamedSo =
                name.map { $0 == bases[place].name }
                ?? found.contains { $0.name == bases[place].name && $0.label == mailbox.name }
            // If it was renamed on the server meanwhile, that name wins.
            if !isNamedSo, names.contains(bases[place].name) {
                if sync.options.isDryRun {
                    sync.outcome.add(.there, "rename", 1, mailbox.name)
                    continue
                }
                do {
                    // A mailbox that has the name gets a temporary one first: two may swap names.
                    if let name, let other = pending.first(where: { bases[$0].name == name }), other != place {
                        try rename(other, to: mailbox.name + " " + EntityID().text.prefix(6))
                    }
                    try rename(place, to: mailbox.name)
                } catch let refusal as ServerRefusal {
                    if try keepName(mailbox, bases[place], found, refusal) {
                        bases = try sync.store.remoteMailboxes(sync.account)
                    }
                    continue
                }
                isDone = true
                sync.outcome.add(.there, "rename", 1, mailbox.name)
            }
            if sync.options.isDryRun { continue }
            bases[place].pending = nil
            let known = bases[place]
            try sync.store.writeRemoteMail(sync.account) { _ = try $0.save(known) }
        }
        return isDone
    }

    /// Restores the server's name of a local mailbox: each sync would try to rename it again.
    /// - Returns: whether it was restored.
    private func keepName(
        _ mailbox: Mailbox, _ base: RemoteMailbox, _ found: [ServerMailbox], _ refusal: ServerRefusal
    ) throws -> Bool {
        let problem = "the server does not rename '\(base.name)' to '\(mailbox.name)': \(refusal.text)"
        guard !refusal.isPassing, let box = found.first(where: { $0.name == base.name }),
            (try? sync.store.renameMailbox(mailbox, of: sync.account, to: box.label, checksRights: false)) != nil
        else {
            sync.outcome.problems.append(problem)
            return false
        }
        sync.outcome.problems.append(problem + "; the local rename was undone")
        let known = try sync.store.remoteMailboxes(sync.account)
        try sync.store.writeRemoteMail(sync.account) { writer in
            for var base in known where base.name == box.name {
                base.pending = nil
                try writer.save(base)
            }
        }
        return true
    }

    /// Deletes a mailbox on the server that was deleted locally, unless a message has arrived in it.
    private func removeThere(_ entry: Entry, _ box: ServerMailbox) throws {
        var base = entry.base
        let isBack = try sync.store.mailboxes().contains {
            $0.account == sync.account.name && $0.mailbox.path == base.path
        }
        let label = sync.store.mailboxName(base.path)
        if isBack || sync.account.settings.isReadOnly == true {
            base.pending = nil
            let known = base
            return try sync.store.writeRemoteMail(sync.account) { _ = try $0.save(known) }
        }
        guard try sync.store.remoteMessages(base).isEmpty else { return }
        do {
            guard try sync.server.count(in: box.name) == 0 else { return }
            try sync.server.delete(box.name)
        } catch let refusal as ServerRefusal {
            let isBack = !refusal.isPassing
            sync.outcome.problems.append(
                "the server keeps the mailbox '\(label)': \(refusal.text)"
                    + (isBack ? "; the next sync restores it locally" : ""))
            if isBack { try sync.store.writeRemoteMail(sync.account) { try $0.forget(base) } }
            return
        }
        try sync.store.writeRemoteMail(sync.account) { try $0.forget(base) }
        sync.outcome.add(.there, "remove mailbox", 1, label)
    }

    /// Creates mailboxes on the server that were created locally.
    private mutating func makeThere(_ found: [ServerMailbox]) throws {
        let known = Set(entries.map(\.base.path) + unseen.map(\.path))
        let own = try sync.store.mailboxes().filter { $0.account == sync.account.name }.map(\.mailbox)
        for mailbox in own where !known.contains(mailbox.path) {
            if sync.account.settings.isReadOnly == true { continue }
            if let selection, !selection.usesSubscriptions, !selection.includes(mailbox.name) { continue }
            if sync.options.isDryRun {
                sync.outcome.add(.there, "create", 1, mailbox.name)
                // Messages moved into it count as moved.
                let base = RemoteMailbox(name: mailbox.name, path: mailbox.path, uidValidity: 0)
                entries.append(Entry(base: base, server: nil))
                continue
            }
            if let sign = sync.server.foreignDelimiter(in: mailbox.name, like: found) {
                sync.outcome.problems.append(
                    "cannot create the mailbox '\(mailbox.name)': the server separates levels by '\(sign)'; rename it:"
                        + " helix mail mailboxes rename '\(mailbox.name)' '\(mailbox.name.replacing(sign, with: "-"))'")
                continue
            }
            let name: String
            do {
                name = try sync.server.create(mailbox.name, like: found)
            } catch let refusal as ServerRefusal {
                sync.outcome.problems.append(
                    "cannot create the mailbox '\(mailbox.name)': \(refusal.text); move its messages elsewhere")
                continue
            }
            sync.outcome.add(.there, "create", 1, mailbox.name)
            guard
                var box = try sync.server.mailboxes(asksSubscriptions: selection?.usesSubscriptions ?? false).first(
                    where: { $0.name == name })
            else { continue }
            box.label = mailbox.name
            var base = RemoteMailbox(name: name, path: mailbox.path, uidValidity: box.uidValidity)
            let new = base
            base = try sync.store.writeRemoteMail(sync.account) { try $0.save(new) }
            entries.append(Entry(base: base, server: box))
        }
    }

    /// Removes empty mailboxes that were deleted on the other side.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    mutating func finish() throws {
        for (place, entry) in entries.enumerated() where entry.base.pending == .delete {
            guard let box = entry.server, !sync.unfinished.contains(place) else { continue }
            try removeThere(entry, box)
        }
        for (place, entry) in entries.enumerated() where entry.server == nil && !sync.unfinished.contains(place) {
            let left = try sync.store.localMailChanges(entry.base, in: sync.account)
            let folder = sync.account.path + "/" + entry.base.path
            guard left.new.isEmpty, try sync.store.remoteMessages(entry.base).isEmpty, !entry.base.path.isEmpty else {
                // The remaining messages are kept: the next sync creates the mailbox again.
                try sync.store.writeRemoteMail(sync.account) { try $0.forget(entry.base) }
                continue
            }
            try sync.store.writeRemoteMail(sync.account) { writer in
                try writer.forget(entry.base)
                try writer.removeMailbox(entry.base.path)
            }
            for part in ["/cur", "/new", "/tmp", ""] { rmdir(folder + part) }
            sync.outcome.add(.here, "remove mailbox", 1, sync.store.mailboxName(entry.base.path))
        }
    }
}
