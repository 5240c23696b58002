import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// Syncs an account's Maildir with a mail server.
///
/// Finds the changes on both sides, plans the steps (``MailSyncPlan``) and performs them, new mail first. Each step is recorded
/// once it is done, so that an interrupted sync resumes where it stopped.
final class MailSync {
    let store: Store
    let account: Account
    let server: any MailRemote
    let options: SyncOptions
    let progress: (String) -> Void
    var outcome: SyncOutcome
    /// The mailboxes, with their changes.
    var deltas: [MailboxDelta] = []
    /// The mailboxes as of the last sync.
    var formers: [RemoteMailbox] = []
    /// The server's state of those mailboxes that were opened.
    var states: [Int: MailboxState] = [:]
    /// The flags and labels that the opened mailboxes store.
    var support: [Int: FlagSupport] = [:]
    /// The roles of mailboxes.
    var roles: [Int: Mailbox.Role] = [:]
    /// Mailboxes in which a step failed; their sync state stays as it was, so that the next sync tries again.
    var unfinished: Set<Int> = []
    /// Whether some change of the server was not applied locally. A change that failed on the server shows up again by itself.
    var isLeftThere = false

    init(
        _ store: Store, _ account: Account, _ server: any MailRemote, _ options: SyncOptions,
        _ outcome: SyncOutcome, progress: @escaping (String) -> Void
    ) {
        self.store = store
        self.account = account
        self.server = server
        self.options = options
        self.progress = progress
        self.outcome = outcome
    }

    /// Runs the sync.
    /// - Throws: ``HelixError``; the steps completed until then persist.
    func run() throws {
        do {
            try store.indexMail(account: account.id, waits: true)
            var directory = MailboxDirectory(self)
            try directory.match()
            try gather(directory)
            sayEmpty(directory)
            var plan = MailSyncPlan(deltas)
            note(refused: plan.limit(deltas))
            try keepMoved(&plan, to: directory.unseen)
            try guardDeletions(&plan)
            if options.isDryRun {
                describe(plan)
                for entry in directory.entries where entry.base.pending == .delete && entry.server != nil {
                    outcome.add(.there, "remove mailbox", 1, store.mailboxName(entry.base.path))
                }
            } else {
                try perform(plan)
                if options.isFull { try fetchMissing() }
                try directory.finish()
                try server.settle(isComplete: !isLeftThere)
            }
            // A first sync lists the changes twice.
            outcome.notes += server.notes.filter { !outcome.notes.contains($0) }
            outcome.roundTrips = server.roundTrips
        } catch let refusal as ServerRefusal {
            throw ServerRefusal.problem(refusal, refusal.command)
        }
    }

    /// Notes that the server claims to have no message at all: that may be the wrong account.
    private func sayEmpty(_ directory: MailboxDirectory) {
        guard directory.isFirst, !states.isEmpty, states.values.allSatisfy({ $0.count == 0 }),
            deltas.allSatisfy(\.arrivals.isEmpty)
        else { return }
        outcome.notes.append(
            "the server reports that there is no message in any of its \(states.count) mailboxes; it was asked twice")
    }

    /// Reports files that cannot be read: their messages stay unchanged on the server.
    private func say(unread: [String], in base: RemoteMailbox) {
        guard let first = unread.first else { return }
        let count = unread.count == 1 ? "1 message" : "\(unread.count) messages"
        outcome.problems.append(
            "\(count) in '\(store.mailboxName(base.path))' cannot be read locally, and stay\(unread.count == 1 ? "s" : "") on the server:"
                + " \(first); 'helix mail index' shows why")
    }

    /// Reports local changes that the server does not allow.
    private func note(refused: [Int: MailSyncPlan.Refused]) {
        for (box, counts) in refused.sorted(by: { $0.key < $1.key }) {
            func changes(_ count: Int) -> String { "\(count) change\(count == 1 ? "" : "s")" }
            if counts.undone > 0 {
                let verb = options.isDryRun ? "would be undone" : counts.undone == 1 ? "is undone" : "are undone"
                outcome.notes.append(
                    "the server does not allow \(changes(counts.undone)) made in '\(label(box))'; \(verb) locally")
            }
            if counts.kept > 0 {
                outcome.notes.append(
                    "the server accepts no messages in '\(label(box))': \(counts.kept) stay\(counts.kept == 1 ? "s" : "") only"
                        + " on this machine")
            }
        }
    }

    /// Fetches the bodies of messages stored with headers only, where the settings now want them complete.
    private func fetchMissing() throws {
        let policy = account.settings.bodyPolicy
        let wanted = try store.partialMessages(of: account).filter {
            policy.isWhole(try store.message($0).date, at: store.now)
        }
        if wanted.isEmpty { return }
        let count = try BodyFetch(store).run(wanted, of: account, server: server) {
            progress("\(account.name): bodies, \($0) of \(wanted.count)")
        }
        outcome.add(.here, "complete", count, account.name)
    }

    /// The display name of a mailbox.
    func label(_ box: Int) -> String { store.mailboxName(deltas[box].mailbox.path) }

    /// Finds the changes in all mailboxes.
    private func gather(_ directory: MailboxDirectory) throws {
        for entry in directory.entries {
            let base = entry.base
            var delta = MailboxDelta(mailbox: base)
            formers.append(base)
            delta.local = try store.localMailChanges(base, in: account)
            say(unread: delta.local.unread, in: base)
            if let box = entry.server {
                delta.mailbox.delimiter = box.delimiter
                delta.mailbox.rights = box.rights ?? base.rights
            }
            guard let box = entry.server else {
                // The mailbox was deleted on the server, and its messages with it.
                delta.gone = Array(try store.remoteMessages(base).values)
                deltas.append(delta)
                continue
            }
            roles[deltas.count] = box.role ?? Mailbox.Role(name: box.label)
            let isSame =
                box.uidValidity == base.uidValidity && (box.uidNext ?? base.uidNext) == base.uidNext
                && (box.count ?? base.count) == base.count && box.modSeq != nil && box.modSeq == base.modSeq
            if !isSame || options.isFull {
                progress("\(account.name): checking \(box.label)")
                var asked = base
                if options.isFull { asked.modSeq = nil }
                var changes = try server.changes(since: asked) { Set(try store.remoteMessages(base).keys) }
                // STATUS may have returned it if SELECT does not.
                changes.state.uidNext = changes.state.uidNext ?? box.uidNext
                support[deltas.count] = FlagSupport(storable: server.storable, takesLabels: server.takesKeywords)
                if box.rights == nil {
                    // Where the server lists no rights, a refusal is remembered until the next full sync.
                    let isTold = changes.state.hasNamedRights || options.isFull
                    delta.mailbox.rights =
                        isTold ? changes.state.rights : changes.state.rights.intersection(base.rights)
                } else {
                    delta.mailbox.rights.formIntersection(changes.state.rights)
                }
                try take(&changes, into: &delta, listed: box.count)
                if roles[deltas.count] == .drafts { try tellVersionsApart(&delta) }
                states[deltas.count] = changes.state
            }
            deltas.append(delta)
        }
    }

    /// Reads the changes of a mailbox that a server returned.
    ///
    /// - Parameter listed: the number of messages in the server's list of mailboxes.
    private func take(
        _ changes: inout MailboxChanges, into delta: inout MailboxDelta, listed: Int?
    ) throws {
        var base = delta.mailbox
        let isAnew = changes.state.uidValidity != base.uidValidity
        if isAnew {
            // All UIDs are invalid. Known messages are matched by their keys.
            delta.gone = Array(try store.remoteMessages(base).values)
            base.uidValidity = changes.state.uidValidity
            (base.uidNext, base.modSeq) = (1, nil)
            delta.mailbox = base
            delta.isAnew = true
        } else {
            let known = try store.remoteMessages(base, changes.gone)
            delta.gone = changes.gone.compactMap { known[$0] }
            let formers = try store.remoteMessages(base, Array(changes.flags.keys))
            for (uid, flags) in changes.flags {
                guard let former = formers[uid] else { continue }
                let flags = visible(flags, former, deltas.count)
                if !flags.isSame(ServerFlags(flags: former.flags, labels: former.labels)) {
                    delta.changed.append((former, flags))
                }
            }
        }
        // Identifying each message pays only if some may have been moved.
        let mayHaveMore = changes.state.uidNext.map { $0 > base.uidNext } ?? true
        var found = mayHaveMore || isAnew ? try server.heads(from: base.uidNext) : []
        let known = isAnew ? [:] : try store.remoteMessages(base, found.map(\.uid))
        found.removeAll { known[$0.uid] != nil }
        found += try missed(changes.state, listed, found, gone: delta.gone.count, base, isAnew: isAnew)
        if let last = found.map(\.uid).max(), changes.state.uidNext ?? 0 <= last { changes.state.uidNext = last + 1 }
        for message in found {
            delta.arrivals.append(
                MailboxDelta.Arrival(
                    uid: message.uid, flags: message.flags ?? ServerFlags(flags: [], labels: []),
                    key: RemoteMessage.key(message.messageID, size: message.size ?? -1, date: message.date),
                    isNamed: message.messageID != nil, date: message.date))
        }
    }

    /// The messages that a mailbox must contain, since it reports more than it has listed.
    ///
    /// Asks for them in another way, because UIDs may be missing, or lower than those before. An empty answer is asked for twice,
    /// too. The count of messages that the server still does not list is reported as a problem.
    private func missed(
        _ state: MailboxState, _ listed: Int?, _ found: [FetchedMessage], gone: Int, _ base: RemoteMailbox,
        isAnew: Bool
    ) throws -> [FetchedMessage] {
        // A recreated mailbox holds no known message.
        let held = isAnew ? 0 : try store.remoteCount(base) - gone
        let claimed = max(state.count, listed ?? 0)
        let isSecondAnswerMissing = claimed == 0 && held == 0 && listed == nil
        guard held + found.count < claimed || isSecondAnswerMissing else { return [] }
        let present = Set(try server.numbers())
        let known = isAnew ? [] : Set(try store.remoteMessages(base).keys)
        let rest = present.subtracting(known).subtracting(found.map(\.uid))
        let more = rest.isEmpty ? [] : try server.heads(of: rest.sorted())
        let named = held + found.count + more.count
        // A message that was removed meanwhile is no difference: the mailbox is opened once more before anything is reported.
        if named < claimed, try server.count(in: base.name) > named {
            outcome.problems.append(
                "the server reports \(claimed) messages in '\(store.mailboxName(base.path))', but lists \(named)")
        }
        return more
    }

    /// Distinguishes by their content two versions of a draft with the same Message-ID and size.
    private func tellVersionsApart(_ delta: inout MailboxDelta) throws {
        for local in delta.local.new {
            for index in delta.arrivals.indices where delta.arrivals[index].key == local.key && local.key != nil {
                guard RemoteDelivery.uid(of: local.file, in: delta.mailbox) != delta.arrivals[index].uid,
                    let ours = try store.messageBytes(local, in: delta.mailbox, of: account)
                else { continue }
                var theirs: [UInt8] = []
                try server.fetch(
                    [[delta.arrivals[index].uid]], isWhole: true, piece: { theirs += $0 }, { theirs += $0.body ?? [] },
                    batchEnd: { _ in })
                if theirs != ours {
                    delta.arrivals[index].key = RemoteMessage.key(content: theirs)
                }
            }
        }
    }

    /// The server's flags and labels; those that the server does not store come from the last sync.
    func visible(_ flags: ServerFlags, _ former: RemoteMessage, _ box: Int) -> ServerFlags {
        var flags = flags
        let support = support[box] ?? FlagSupport(storable: server.storable, takesLabels: server.takesKeywords)
        let unstorable = ServerFlags.unstorable(support.storable)
        // A server may change the case of keywords: `Work` and `work` are equal.
        flags.labels = flags.labels.map { label in
            former.labels.first { $0.lowercased() == label.lowercased() } ?? label
        }
        flags.flags = flags.flags.subtracting(unstorable).union(former.flags.intersection(unstorable))
        if !support.takesLabels {
            flags.labels = former.labels
        } else {
            flags.labels += former.labels.filter {
                !server.isStorable(label: $0) && !flags.labels.contains($0)
            }
        }
        return flags
    }

    /// Keeps messages on the server that were moved locally to a mailbox which this sync skips. They would look deleted, and be
    /// removed from the server without having arrived anywhere.
    private func keepMoved(_ plan: inout MailSyncPlan, to unseen: [RemoteMailbox]) throws {
        for mailbox in unseen where !plan.removalsThere.isEmpty {
            let new = try store.localMailChanges(mailbox, in: account).new
            let (files, keys) = (Set(new.map(\.file)), Set(new.compactMap(\.key)))
            let kept = plan.removalsThere.filter { place in
                files.contains(place.message.file) || place.message.key.map(keys.contains) ?? false
            }
            if kept.isEmpty { continue }
            plan.removalsThere.removeAll(where: kept.contains)
            unfinished.formUnion(kept.map(\.box))
            let (count, verb) = kept.count == 1 ? ("1 message", "stays") : ("\(kept.count) messages", "stay")
            outcome.problems.append(
                "\(count) moved to '\(store.mailboxName(mailbox.path))' \(verb) in the former mailbox on the server until"
                    + " '\(store.mailboxName(mailbox.path))' is synced")
        }
    }

    /// The mass-deletion guard: drops removals from the plan if a side lacks so many messages that it may have lost them.
    private func guardDeletions(_ plan: inout MailSyncPlan) throws {
        if options.allowsMassDelete { return }
        let total = try store.remoteCount(account)
        if MassDeletion.isSuspicious(plan.removalsHere.count, of: total) {
            outcome.problems.append(MassDeletion.message(plan.removalsHere.count, total, isServer: true))
            unfinished.formUnion(plan.removalsHere.map(\.box))
            isLeftThere = true
            plan.removalsHere = []
        }
        if MassDeletion.isSuspicious(plan.removalsThere.count, of: total) {
            outcome.problems.append(MassDeletion.message(plan.removalsThere.count, total, isServer: false))
            unfinished.formUnion(plan.removalsThere.map(\.box))
            plan.removalsThere = []
        }
    }

    /// Records the steps that would be taken, for a dry run.
    private func describe(_ plan: MailSyncPlan) {
        for (box, arrivals) in plan.fetches.sorted(by: { $0.key < $1.key }) {
            outcome.add(.here, "fetch", arrivals.count, label(box))
        }
        describeHere(plan)
        if account.settings.isReadOnly == true { return }
        for append in plan.appends { outcome.add(.there, "file", 1, label(append.box)) }
        for move in plan.movesThere { outcome.add(.there, "move", 1, label(move.box)) }
        for flag in plan.flagsThere { outcome.add(.there, "flag", 1, label(flag.place.box)) }
        for place in plan.removalsThere { outcome.add(.there, "remove", 1, label(place.box)) }
    }

    /// Records the changes to local messages.
    func describeHere(_ plan: MailSyncPlan) {
        for move in plan.movesHere where move.from.box != move.to.box {
            outcome.add(.here, "move", 1, label(move.to.box))
        }
        for flag in plan.flagsHere where isNews(flag.place, flag.flags) {
            outcome.add(.here, "flag", 1, label(flag.place.box))
        }
        for place in plan.removalsHere { outcome.add(.here, "remove", 1, label(place.box)) }
        if !plan.contested.isEmpty {
            let count = plan.contested.count
            outcome.notes.append(
                "\(count) message\(count == 1 ? "" : "s") moved on both sides stay\(count == 1 ? "s" : "") where you moved it"
            )
        }
    }

    /// Whether the flags differ from the local ones.
    private func isNews(_ place: MailSyncPlan.Place, _ flags: ServerFlags) -> Bool {
        let change = deltas[place.box].local.changed.first { $0.former.uid == place.message.uid }
        let ours = change.map { ServerFlags(flags: $0.flags, labels: $0.labels) }
        return !flags.isSame(ours ?? ServerFlags(flags: place.message.flags, labels: place.message.labels))
    }
}
