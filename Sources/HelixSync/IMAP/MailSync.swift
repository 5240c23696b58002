import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// Keeps an account's Maildir and an IMAP server the same.
///
/// What changed on both sides is found out first, then what to do (``MailSyncPlan``), then it is done: new mail first, and
/// each step is written down when it is done, so that a sync which is broken off anywhere goes on where it stopped.
final class MailSync {
    let store: Store
    let account: MailAccount
    let server: MailServer
    let options: SyncOptions
    let progress: (String) -> Void
    var outcome: SyncOutcome
    /// The mailboxes, with what is different.
    var deltas: [MailboxDelta] = []
    /// How those stand on the server, if they were opened.
    var states: [Int: MailServer.MailboxState] = [:]
    /// What mailboxes are for.
    var roles: [Int: Mailbox.Role] = [:]
    /// Mailboxes in which something could not be done; what is known of them stays as it was, so that it is tried again.
    var unfinished: Set<Int> = []

    init(
        _ store: Store, _ account: MailAccount, _ server: MailServer, _ options: SyncOptions,
        _ outcome: SyncOutcome, progress: @escaping (String) -> Void
    ) {
        self.store = store
        self.account = account
        self.server = server
        self.options = options
        self.progress = progress
        self.outcome = outcome
    }

    /// Does it all.
    /// - Throws: ``HelixError``; what was done until then is done.
    func run() throws {
        do {
            try store.indexMail(account: account.id, waits: true)
            var directory = MailboxDirectory(self)
            try directory.match()
            try gather(directory)
            var plan = MailSyncPlan(deltas)
            try brake(&plan)
            if options.isDryRun {
                describe(plan)
                for entry in directory.entries where entry.base.wish == .delete && entry.server != nil {
                    outcome.add(.there, "remove mailbox", 1, store.mailboxName(entry.base.path))
                }
            } else {
                try perform(plan)
                if options.isFull { try fetchMissing() }
                try directory.finish()
            }
            outcome.roundTrips = server.session.roundTrips
        } catch let refusal as IMAPRefusal {
            throw MailServer.problem(refusal, refusal.command)
        }
    }

    /// Fetches the rest of messages of which only the head is here, where they are wanted whole by now.
    private func fetchMissing() throws {
        let policy = account.settings.bodyPolicy
        let wanted = try store.partialMessages(of: account).filter {
            policy.isWhole(try store.message($0).date, at: store.now)
        }
        if wanted.isEmpty { return }
        let count = try BodyFetch(store).run(wanted, of: account, server: server) {
            progress("\(account.name): the rest of \($0) of \(wanted.count)")
        }
        outcome.add(.here, "complete", count, account.name)
    }

    /// The name of a mailbox for people.
    func label(_ box: Int) -> String { store.mailboxName(deltas[box].mailbox.path) }

    /// Finds out what is different in all mailboxes.
    private func gather(_ directory: MailboxDirectory) throws {
        for entry in directory.entries {
            let base = entry.base
            var delta = MailboxDelta(mailbox: base)
            delta.local = try store.localMailChanges(base, in: account)
            guard let box = entry.server else {
                // The mailbox is gone from the server, and its messages with it.
                delta.gone = Array(try store.remoteMessages(base).values)
                deltas.append(delta)
                continue
            }
            roles[deltas.count] = box.role ?? Mailbox.Role(name: box.label)
            let isSame =
                box.uidValidity == base.uidValidity && box.uidNext == base.uidNext && box.count == base.count
                && box.modSeq != nil && box.modSeq == base.modSeq
            if !isSame || options.isFull {
                progress("\(account.name): looking at \(box.label)")
                var asked = base
                if options.isFull { asked.modSeq = nil }
                let changes = try server.changes(since: asked) { Set(try store.remoteMessages(base).keys) }
                try take(changes, into: &delta)
                if roles[deltas.count] == .drafts { try tellVersionsApart(&delta) }
                states[deltas.count] = changes.state
            }
            deltas.append(delta)
        }
    }

    /// Takes what a server says is different in a mailbox.
    private func take(_ changes: MailServer.Changes, into delta: inout MailboxDelta) throws {
        var base = delta.mailbox
        let isAnew = changes.state.uidValidity != base.uidValidity
        if isAnew {
            // All numbers mean something else now. What was there is looked for by what it is.
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
                let flags = visible(flags, former)
                if !flags.isSame(ServerFlags(flags: former.flags, labels: former.labels)) {
                    delta.changed.append((former, flags))
                }
            }
        }
        guard changes.state.uidNext > base.uidNext || isAnew, changes.state.count > 0 else { return }
        // Only where something may have been moved is it worth asking what each message is.
        let found = try server.heads(from: base.uidNext)
        let known = isAnew ? [:] : try store.remoteMessages(base, found.map(\.uid))
        for message in found where known[message.uid] == nil {
            delta.arrivals.append(
                MailboxDelta.Arrival(
                    uid: message.uid, flags: message.flags ?? ServerFlags(flags: [], labels: []),
                    key: RemoteMessage.key(message.messageID, size: message.size ?? -1, date: message.date),
                    isNamed: message.messageID != nil, date: message.date))
        }
    }

    /// Two versions of a draft may have the same Message-ID and as many bytes: what they say tells them apart.
    private func tellVersionsApart(_ delta: inout MailboxDelta) throws {
        for local in delta.local.new {
            for index in delta.arrivals.indices where delta.arrivals[index].key == local.key && local.key != nil {
                guard RemoteDelivery.uid(of: local.file, in: delta.mailbox) != delta.arrivals[index].uid,
                    let ours = try store.messageBytes(local, in: delta.mailbox, of: account)
                else { continue }
                var theirs: [UInt8] = []
                try server.fetch(
                    [[delta.arrivals[index].uid]], piece: { theirs += $0 }, { theirs += $0.body ?? [] },
                    batchEnd: { _ in })
                if theirs != ours {
                    delta.arrivals[index].key = RemoteMessage.key(content: theirs)
                }
            }
        }
    }

    /// A server that takes no keywords, or not these, has no say in labels.
    func visible(_ flags: ServerFlags, _ former: RemoteMessage) -> ServerFlags {
        var flags = flags
        if !server.takesKeywords {
            flags.labels = former.labels
        } else {
            flags.labels += former.labels.filter { !ServerFlags.isKeyword($0) && !flags.labels.contains($0) }
        }
        return flags
    }

    /// Takes removals out of the plan if a side misses so much that it may have lost it.
    private func brake(_ plan: inout MailSyncPlan) throws {
        if options.allowsMassDelete { return }
        let total = try store.remoteCount(account)
        if MassDeletion.isSuspicious(plan.removalsHere.count, of: total) {
            outcome.problems.append(MassDeletion.message(plan.removalsHere.count, total, isServer: true))
            unfinished.formUnion(plan.removalsHere.map(\.box))
            plan.removalsHere = []
        }
        if MassDeletion.isSuspicious(plan.removalsThere.count, of: total) {
            outcome.problems.append(MassDeletion.message(plan.removalsThere.count, total, isServer: false))
            unfinished.formUnion(plan.removalsThere.map(\.box))
            plan.removalsThere = []
        }
    }

    /// Writes down what would be done.
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

    /// Writes down what becomes of messages that are here.
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
                "\(count) message\(count == 1 ? "" : "s") moved on both sides lie\(count == 1 ? "s" : "") where you moved it"
            )
        }
    }

    /// Whether flags are others here than they were.
    private func isNews(_ place: MailSyncPlan.Place, _ flags: ServerFlags) -> Bool {
        let change = deltas[place.box].local.changed.first { $0.former.uid == place.message.uid }
        let ours = change.map { ServerFlags(flags: $0.flags, labels: $0.labels) }
        return !flags.isSame(ours ?? ServerFlags(flags: place.message.flags, labels: place.message.labels))
    }
}
