import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

extension MailSync {
    /// The number of messages that one command fetches.
    private static let batchCount = 100
    /// The number of messages that are flushed to disk and recorded at once.
    private static let settleCount = 500

    /// Performs the plan.
    func perform(_ plan: MailSyncPlan) throws {
        for delta in deltas where delta.isAnew {
            try store.writeRemoteMail(account) { writer in
                try writer.forgetMessages(of: delta.mailbox)
                try writer.save(delta.mailbox)
            }
        }
        for box in deltas.indices {
            guard let arrivals = plan.fetches[box] else { continue }
            // Drafts are always fetched complete: they are edited.
            let policy = roles[box] == .drafts ? .all : account.settings.bodyPolicy
            let whole = arrivals.filter { policy.isWhole($0.date, at: store.now) }
            try fetch(whole, box)
            let rest = Set(arrivals).subtracting(whole)
            if !rest.isEmpty { try fetch(arrivals.filter(rest.contains), box, isWhole: false) }
        }
        try writeHere(plan)
        describeHere(plan)
        if account.settings.isReadOnly != true { try writeThere(plan) }
        for box in deltas.indices {
            var base = deltas[box].mailbox
            if let state = states[box], !unfinished.contains(box) {
                (base.uidValidity, base.uidNext, base.count, base.modSeq) = (
                    state.uidValidity, max(state.uidNext ?? base.uidNext, base.uidNext), state.count, state.modSeq
                )
            }
            let known = base
            if known != formers[box] { try store.writeRemoteMail(account) { _ = try $0.save(known) } }
        }
    }

    /// Fetches new messages, the newest first.
    private func fetch(_ arrivals: [MailboxDelta.Arrival], _ box: Int, isWhole: Bool = true) throws {
        if arrivals.isEmpty { return }
        let mailbox = deltas[box].mailbox
        let keys = Dictionary(arrivals.map { ($0.uid, $0.key) }, uniquingKeysWith: { first, _ in first })
        try server.open(mailbox.name)
        let delivery = try RemoteDelivery(mailbox, in: account)
        defer { delivery.abandon() }
        var pending: [RemoteMessage] = []
        var labelled: [RemoteMessage] = []
        var done = 0
        var count = 0
        func settle() throws {
            if pending.isEmpty { return }
            try delivery.settle()
            let found = pending
            try store.writeRemoteMail(account) { writer in
                for message in found { try writer.save(message, in: mailbox) }
            }
            labelled += found.filter { !$0.labels.isEmpty }
            outcome.add(.here, "fetch", found.count, label(box))
            count += found.count
            pending = []
        }
        try server.fetch(
            batches(of: arrivals), isWhole: isWhole, into: delivery,
            { message in
                let flags = message.flags ?? ServerFlags(flags: [], labels: [])
                let file = try delivery.end(message.uid, date: message.date ?? store.now, flags: flags.flags)
                pending.append(
                    RemoteMessage(
                        uid: message.uid, file: file, flags: flags.flags, labels: flags.labels,
                        key: keys[message.uid] ?? nil))
            },
            batchEnd: { batch in
                done += batch.count
                progress("\(account.name): \(label(box)) \(done) of \(arrivals.count)")
                if pending.count >= Self.settleCount { try settle() }
            })
        try settle()
        // A message that the server listed but did not return is requested again by the next sync, if it still exists.
        if count < arrivals.count {
            unfinished.insert(box)
            isLeftThere = true
        }
        try store.indexMail(account: account.id, waits: true)
        if !labelled.isEmpty {
            let found = labelled
            try store.writeRemoteMail(account) { writer in
                for message in found {
                    try writer.setFlags(message.flags, message.labels, of: message.file, in: mailbox)
                }
            }
        }
    }

    /// The UIDs of the arrivals in the order of fetching, as many at once as one command fetches.
    private func batches(of arrivals: [MailboxDelta.Arrival]) -> [[UInt32]] {
        // UIDs of IMAP grow with time; those of JMAP do not.
        let isByDate = account.kind == .jmap
        let uids =
            isByDate
            ? arrivals.sorted { ($0.date ?? Instant(0)) > ($1.date ?? Instant(0)) }.map(\.uid)
            : arrivals.map(\.uid).sorted(by: >)
        return stride(from: 0, to: uids.count, by: Self.batchCount).map {
            Array(uids[$0..<min($0 + Self.batchCount, uids.count)])
        }
    }

    /// Applies the server's changes locally.
    private func writeHere(_ plan: MailSyncPlan) throws {
        try store.writeRemoteMail(account) { writer in
            for place in plan.forgotten { try forget(place, writer) }
            for (from, to) in plan.movesHere {
                try forget(from, writer)
                var message = to.message
                // Flags may have been changed locally meanwhile.
                let base = ServerFlags(flags: from.message.flags, labels: from.message.labels)
                let change = deltas[from.box].local.changed.first { $0.former.uid == from.message.uid }
                let ours = change.map { ServerFlags(flags: $0.flags, labels: $0.labels) } ?? base
                let theirs = visible(
                    ServerFlags(flags: to.message.flags, labels: to.message.labels), from.message, to.box)
                // A recreated mailbox does not show which flags were changed: the flags of both sides stay.
                let isAnew = deltas[from.box].isAnew && from.box == to.box
                let nothing = ServerFlags(flags: [], labels: [])
                let merged = ServerFlags.merge(base: isAnew ? nothing : base, ours, theirs)
                if from.box != to.box {
                    let file = try writer.move(from.message.file, from: mailbox(from), to: mailbox(to))
                    message.file = file ?? message.file
                }
                try writer.setFlags(merged.flags, merged.labels, of: message.file, in: mailbox(to))
                // Flags that the server does not have yet are sent with the next sync.
                (message.flags, message.labels) = (theirs.flags, theirs.labels)
                try writer.save(message, in: mailbox(to))
            }
            for place in plan.adopted { try writer.save(place.message, in: mailbox(place)) }
            let sent = Dictionary(plan.flagsThere.map { ($0.place, $0.has) }, uniquingKeysWith: { first, _ in first })
            for (place, flags) in plan.flagsHere {
                try writer.setFlags(flags.flags, flags.labels, of: place.message.file, in: mailbox(place))
                var message = place.message
                let theirs = sent[place] ?? plan.serverFlags[place] ?? flags
                (message.flags, message.labels) = (theirs.flags, theirs.labels)
                try writer.save(message, in: mailbox(place))
            }
            for place in plan.removalsHere {
                try writer.putAside(place.message.file, in: mailbox(place))
                try forget(place, writer)
            }
        }
    }

    /// Removes a message's sync record; in a recreated mailbox that was done before.
    private func forget(_ place: MailSyncPlan.Place, _ writer: RemoteMailWriter) throws {
        if !deltas[place.box].isAnew { try writer.forget(place.message.uid, in: mailbox(place)) }
    }

    func mailbox(_ place: MailSyncPlan.Place) -> RemoteMailbox { deltas[place.box].mailbox }

    /// Applies the local changes to the server.
    private func writeThere(_ plan: MailSyncPlan) throws {
        for box in deltas.indices {
            try sendFlags(plan.flagsThere.filter { $0.place.box == box }, box)
            try sendMoves(plan.movesThere.filter { $0.from.box == box }, box)
            let removals = plan.removalsThere.filter { $0.box == box }
            if !removals.isEmpty {
                try attempt("remove \(removals.count) messages from \(label(box))", box, needs: .remove) {
                    try server.open(deltas[box].mailbox.name)
                    try server.expunge(removals.map(\.message.uid))
                    try store.writeRemoteMail(account) { writer in
                        for place in removals { try writer.forget(place.message.uid, in: mailbox(place)) }
                    }
                    outcome.add(.there, "remove", removals.count, label(box))
                }
            }
        }
        for (box, local) in plan.appends {
            try attempt("send a message to \(label(box))", box, needs: .insert) {
                if try append(local, box) { outcome.add(.there, "file", 1, label(box)) }
            }
        }
    }

    /// Performs a step whose refusal does not stop the rest.
    ///
    /// - Parameter needs: the rights in that mailbox that are missing if the server refuses for lack of rights.
    private func attempt(
        _ what: String, _ box: Int, needs: MailboxRights = [], _ body: () throws -> Void
    ) throws {
        do { try body() } catch let refusal as ServerRefusal {
            outcome.problems.append("the server refuses to \(what): \(refusal.text)")
            unfinished.insert(box)
            // The next sync undoes the change locally, and does not try it again.
            if ["NOPERM", "READ-ONLY", "CANNOT"].contains(refusal.code) { deltas[box].mailbox.rights.subtract(needs) }
        }
    }

    private func sendFlags(
        _ changes: [(place: MailSyncPlan.Place, has: ServerFlags, gets: ServerFlags)], _ box: Int,
        isOwnStep: Bool = true
    ) throws {
        if changes.isEmpty { return }
        // Messages with equal changes share one command.
        var groups: [[String]: [(place: MailSyncPlan.Place, has: ServerFlags, gets: ServerFlags)]] = [:]
        try attempt("mark messages in \(label(box))", box, needs: [.keepSeen, .keepFlags]) {
            try server.open(deltas[box].mailbox.name)
            for change in changes {
                let (has, gets) = (words(change.has), words(change.gets))
                let key = gets.subtracting(has).sorted() + ["-"] + has.subtracting(gets).sorted()
                groups[key, default: []].append(change)
            }
            for group in groups.values {
                let (has, gets) = (words(group[0].has), words(group[0].gets))
                for part in stride(from: 0, to: group.count, by: 1000).map({ group[$0..<min($0 + 1000, group.count)] })
                {
                    try server.store(
                        part.map(\.place.message.uid), adding: gets.subtracting(has).sorted(),
                        removing: has.subtracting(gets).sorted())
                    try store.writeRemoteMail(account) { writer in
                        for change in part {
                            var message = change.place.message
                            (message.flags, message.labels) = (change.gets.flags, change.gets.labels)
                            try writer.save(message, in: mailbox(change.place))
                        }
                    }
                    if isOwnStep { outcome.add(.there, "flag", part.count, label(box)) }
                }
            }
        }
    }

    /// The flags and keywords that the open mailbox can store.
    private func words(_ flags: ServerFlags) -> Set<String> {
        let kept = flags.flags.subtracting(ServerFlags.unstorable(server.storable))
        return Set(ServerFlags.words(kept, server.takesKeywords ? flags.labels.filter(server.isStorable) : []))
    }

    private func sendMoves(_ moves: [(from: MailSyncPlan.Place, box: Int, local: LocalMessage)], _ box: Int) throws {
        for target in Set(moves.map(\.box)).sorted() {
            let own = moves.filter { $0.box == target }
            try attempt("move messages from \(label(box)) to \(label(target))", box) {
                try server.open(deltas[box].mailbox.name)
                let changes = own.compactMap {
                    move -> (place: MailSyncPlan.Place, has: ServerFlags, gets: ServerFlags)? in
                    let has = ServerFlags(flags: move.from.message.flags, labels: move.from.message.labels)
                    let gets = ServerFlags(flags: move.local.flags, labels: move.local.labels)
                    return gets.isSame(has) ? nil : (move.from, has, gets)
                }
                try sendFlags(changes, box, isOwnStep: false)
                let uids = own.map(\.from.message.uid)
                let numbers = try making(target) { try server.move(uids, to: deltas[target].mailbox.name) }
                try store.writeRemoteMail(account) { writer in
                    for move in own {
                        try writer.forget(move.from.message.uid, in: mailbox(move.from))
                        // If the server does not return the UID, the next sync matches the message by its Message-ID.
                        guard let uid = numbers[move.from.message.uid] else { continue }
                        if try isHeld(uid, besides: move.local, target, writer) { continue }
                        try writer.save(
                            RemoteMessage(
                                uid: uid, file: move.local.file, flags: move.local.flags, labels: move.local.labels,
                                key: move.local.key), in: deltas[target].mailbox)
                    }
                }
                outcome.add(.there, "move", own.count, label(target))
            }
        }
    }

    /// Sets a file aside if its message is already in that mailbox as another file: a JMAP message exists once per mailbox.
    /// - Returns: whether it was.
    private func isHeld(
        _ uid: UInt32, besides local: LocalMessage, _ box: Int, _ writer: RemoteMailWriter
    ) throws -> Bool {
        let mailbox = deltas[box].mailbox
        guard let other = try store.remoteMessages(mailbox, [uid])[uid], other.file != local.file else { return false }
        try writer.putAside(local.file, in: mailbox)
        return true
    }

    /// Runs a step on a mailbox of the server, which is created again if it was deleted there: it is needed locally.
    private func making<Value>(_ box: Int, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let refusal as ServerRefusal where refusal.code == "TRYCREATE" {
            try server.recreate(deltas[box].mailbox.name)
            outcome.add(.there, "create", 1, label(box))
            return try body()
        }
    }

    /// Replaces a sent message by the copy that the server has filed itself, as Gmail and Exchange do: its size differs, because
    /// they add headers.
    /// - Returns: whether there is one.
    private func takeServersCopy(_ local: LocalMessage, _ bytes: [UInt8], _ box: Int) throws -> Bool {
        guard account.settings.sentCopy == nil, let text = (try? MIMEMessage(bytes))?.header("message-id"),
            let id = MessageIDs.first(text)
        else { return false }
        let mailbox = deltas[box].mailbox
        let found = try server.find(id)
        let known = try store.remoteMessages(mailbox, found)
        // One of the same size is a second, intended message.
        guard let uid = found.first(where: { known[$0].map { $0.key != local.key } ?? true }) else { return false }
        try store.writeRemoteMail(account) { try $0.putAside(local.file, in: mailbox) }
        if known[uid] != nil { return true }
        let heads = try server.heads(of: [uid])
        let arrivals = heads.map { head in
            MailboxDelta.Arrival(
                uid: uid, flags: head.flags ?? ServerFlags(flags: [], labels: []),
                key: RemoteMessage.key(head.messageID, size: head.size ?? -1, date: head.date), date: head.date)
        }
        try fetch(arrivals, box)
        return true
    }

    /// - Returns: whether a message was sent.
    private func append(_ local: LocalMessage, _ box: Int) throws -> Bool {
        let mailbox = deltas[box].mailbox
        guard let bytes = try store.messageBytes(local, in: mailbox, of: account) else { return false }
        if PartialMessage.isMarked(bytes) {
            outcome.problems.append(
                "only the headers of a message in \(label(box)) are stored, and the server has lost the rest;"
                    + " delete it, if it is of no use")
            return false
        }
        try? server.open(mailbox.name)
        if roles[box] == .sent, try takeServersCopy(local, bytes, box) { return false }
        let flags = ServerFlags.words(local.flags, server.takesKeywords ? local.labels.filter(server.isStorable) : [])
        let place = try making(box) { try server.append(bytes, to: mailbox.name, flags: flags, date: local.date) }
        guard let place, place.uidValidity == mailbox.uidValidity else { return true }
        try store.writeRemoteMail(account) { writer in
            if try isHeld(place.uid, besides: local, box, writer) { return }
            try writer.save(
                RemoteMessage(
                    uid: place.uid, file: local.file, flags: local.flags, labels: local.labels, key: local.key),
                in: mailbox)
        }
        return true
    }
}
