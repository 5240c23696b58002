import HelixModel
import HelixStore

/// A mailbox with the changes of both sides since the last sync.
struct MailboxDelta {
    /// A message of the server that is not known locally.
    struct Arrival: Hashable {
        var uid: UInt32
        var flags: ServerFlags
        /// The key that identifies it.
        var key: Int64?
        /// Whether it has a Message-ID: messages without one may look alike.
        var isNamed = true
        /// When the server received it.
        var date: Instant?
    }

    var mailbox: RemoteMailbox
    /// Whether all UIDs are invalid: the mailbox was recreated on the server.
    var isAnew = false
    var arrivals: [Arrival] = []
    /// Messages whose flags changed on the server.
    var changed: [(former: RemoteMessage, flags: ServerFlags)] = []
    /// Messages that were removed on the server.
    var gone: [RemoteMessage] = []
    /// The local changes.
    var local = LocalMailChanges()
}

/// The steps that sync both sides. The plan depends only on the changes: it needs no server, store or clock.
struct MailSyncPlan {
    /// A message and its mailbox, the latter as an index into the list.
    struct Place: Hashable {
        var box: Int
        var message: RemoteMessage
    }

    /// Messages to fetch, by mailbox.
    var fetches: [Int: [MailboxDelta.Arrival]] = [:]
    /// Messages that both sides already have: they are only recorded.
    var adopted: [Place] = []
    /// Messages that were moved on the server, with their new places.
    var movesHere: [(from: Place, to: Place)] = []
    /// Messages that were moved locally, with their target mailboxes and present state.
    var movesThere: [(from: Place, box: Int, local: LocalMessage)] = []
    /// Messages whose local flags change, with the new flags.
    var flagsHere: [(place: Place, flags: ServerFlags)] = []
    /// Messages whose flags on the server change, with the present and the new flags.
    var flagsThere: [(place: Place, has: ServerFlags, gets: ServerFlags)] = []
    /// Messages that were removed on the server.
    var removalsHere: [Place] = []
    /// Messages that were removed locally.
    var removalsThere: [Place] = []
    /// Messages to add on the server.
    var appends: [(box: Int, local: LocalMessage)] = []
    /// Messages that were removed on both sides.
    var forgotten: [Place] = []
    /// The server's flags of messages whose local flags differ, because the server does not allow those.
    var serverFlags: [Place: ServerFlags] = [:]
    /// Messages that were moved to different mailboxes on both sides: the local move wins.
    var contested: [Place] = []

    init() {}

    /// Creates the plan for some mailboxes.
    init(_ deltas: [MailboxDelta]) {
        var sides = Sides(deltas)
        for (box, delta) in deltas.enumerated() {
            for arrival in delta.arrivals { place(arrival, box, &sides) }
        }
        for (box, delta) in deltas.enumerated() {
            for local in delta.local.new where sides.new[local.file] == box { place(local, box, &sides) }
        }
        for (box, delta) in deltas.enumerated() {
            for message in delta.local.gone where sides.localDeletions[message.file] == box {
                let place = Place(box: box, message: message)
                if sides.remoteDeletions.contains(place) {
                    forgotten.append(place)
                } else {
                    removalsThere.append(place)
                }
            }
            for message in delta.gone {
                let place = Place(box: box, message: message)
                if sides.remoteDeletions.contains(place), sides.localDeletions[message.file] != box {
                    removalsHere.append(place)
                }
            }
            mergeFlags(delta, box, sides)
        }
    }

    /// Whether there is nothing to do.
    var isEmpty: Bool {
        fetches.isEmpty && adopted.isEmpty && movesHere.isEmpty && movesThere.isEmpty && flagsHere.isEmpty
            && flagsThere.isEmpty && removalsHere.isEmpty && removalsThere.isEmpty && appends.isEmpty
            && forgotten.isEmpty
    }

    /// The changes of both sides that are not matched yet.
    private struct Sides {
        /// New local files: their mailboxes by file name.
        var new: [String: Int] = [:]
        var newByKey: [Int64: [(box: Int, local: LocalMessage)]] = [:]
        var locals: [String: LocalMessage] = [:]
        /// Files that were removed locally from their mailboxes.
        var localDeletions: [String: Int] = [:]
        var goneHereMessages: [String: RemoteMessage] = [:]
        /// Messages that were removed on the server.
        var remoteDeletions: Set<Place> = []
        var goneThereByKey: [Int64: [Place]] = [:]
        /// Mailboxes that were recreated on the server.
        var anew: Set<Int> = []

        init(_ deltas: [MailboxDelta]) {
            for (box, delta) in deltas.enumerated() {
                if delta.isAnew { anew.insert(box) }
                for local in delta.local.new {
                    new[local.file] = box
                    locals[local.file] = local
                    if let uid = RemoteDelivery.uid(of: local.file, in: delta.mailbox) {
                        named[Named(box: box, uid: uid)] = local.file
                    }
                    if let key = local.key { newByKey[key, default: []].append((box, local)) }
                }
                for message in delta.local.gone {
                    localDeletions[message.file] = box
                    goneHereMessages[message.file] = message
                }
                for message in delta.gone {
                    let place = Place(box: box, message: message)
                    remoteDeletions.insert(place)
                    if let key = message.key { goneThereByKey[key, default: []].append(place) }
                }
            }
        }

        /// Claims the new local file that is this message of the server.
        mutating func takeNew(_ arrival: MailboxDelta.Arrival, _ box: Int) -> LocalMessage? {
            if let file = named[Named(box: box, uid: arrival.uid)], let local = takeNew(file) { return local }
            guard let key = arrival.key, let place = newByKey[key]?.firstIndex(where: { $0.box == box }),
                let found = newByKey[key]?.remove(at: place)
            else { return nil }
            return takeNew(found.local.file)
        }

        mutating func takeNew(_ file: String) -> LocalMessage? {
            guard new.removeValue(forKey: file) != nil, let local = locals[file] else { return nil }
            if let key = local.key { newByKey[key]?.removeAll { $0.local.file == file } }
            return local
        }

        struct Named: Hashable {
            var box: Int
            var uid: UInt32
        }

        /// New files whose names contain the UID of their message.
        var named: [Named: String] = [:]

        /// Claims a message that was removed on the server from its place and may be this one.
        ///
        /// In the same mailbox it is another version of a draft, unless the mailbox was recreated, or the message was moved
        /// locally.
        mutating func claimRemoteDeletion(_ arrival: MailboxDelta.Arrival, _ box: Int) -> Place? {
            let candidates = (arrival.key.flatMap { goneThereByKey[$0] } ?? []).filter {
                remoteDeletions.contains($0)
                    && ($0.box != box || anew.contains(box) || localDeletions[$0.message.file] == box)
            }
            .filter {
                // A draft that was sent may have another text of the same size.
                $0.message.flags.contains(.draft) == arrival.flags.flags.contains(.draft)
            }
            guard let found = candidates.first, arrival.isNamed || candidates.count == 1 else { return nil }
            remoteDeletions.remove(found)
            return found
        }

        /// Claims the message that was removed locally from its place and is this file.
        mutating func claimLocalDeletion(_ local: LocalMessage) -> Place? {
            // Only by its name: a file of another name may be another version of it.
            guard let box = localDeletions[local.file], let message = goneHereMessages[local.file] else { return nil }
            localDeletions[local.file] = nil
            return Place(box: box, message: message)
        }
    }

    /// Identifies a message of the server that is not known locally.
    private mutating func place(_ arrival: MailboxDelta.Arrival, _ box: Int, _ sides: inout Sides) {
        func written(_ file: String, _ flags: ServerFlags) -> Place {
            Place(
                box: box,
                message: RemoteMessage(
                    uid: arrival.uid, file: file, flags: flags.flags, labels: flags.labels, key: arrival.key))
        }
        // It was fetched or sent before, and the record of that was lost.
        if let local = sides.takeNew(arrival, box) {
            adopted.append(written(local.file, arrival.flags))
            // It may have come from another mailbox: then both sides moved it to this one.
            if let former = sides.claimLocalDeletion(local) {
                if sides.remoteDeletions.remove(former) != nil {
                    forgotten.append(former)
                } else {
                    removalsThere.append(former)
                }
            }
            push(local, has: arrival.flags, at: written(local.file, arrival.flags))
            return
        }
        guard let former = sides.claimRemoteDeletion(arrival, box) else {
            fetches[box, default: []].append(arrival)
            return
        }
        let file = former.message.file
        guard sides.localDeletions[file] == former.box else {
            movesHere.append((former, written(file, arrival.flags)))
            return
        }
        guard let target = sides.new[file], let local = sides.takeNew(file) else {
            // Deleted locally and moved on the server: the message is kept.
            sides.localDeletions[file] = nil
            forgotten.append(former)
            fetches[box, default: []].append(arrival)
            return
        }
        // Moved on both sides, to different mailboxes.
        sides.localDeletions[file] = nil
        forgotten.append(former)
        adopted.append(written(file, arrival.flags))
        contested.append(former)
        movesThere.append((written(file, arrival.flags), target, local))
    }

    /// Identifies a local file that the server is not known to have.
    private mutating func place(_ local: LocalMessage, _ box: Int, _ sides: inout Sides) {
        _ = sides.takeNew(local.file)
        guard let former = sides.claimLocalDeletion(local) else {
            appends.append((box, local))
            return
        }
        if sides.remoteDeletions.remove(former) != nil {
            // Deleted on the server and moved locally: the message is kept.
            forgotten.append(former)
            appends.append((box, local))
        } else {
            movesThere.append((former, box, local))
        }
    }

    /// Plans the flags to send for a message that the server has already.
    private mutating func push(_ local: LocalMessage, has: ServerFlags, at place: Place) {
        let gets = ServerFlags(flags: local.flags, labels: local.labels)
        if gets.flags != has.flags || Set(gets.labels) != Set(has.labels) { flagsThere.append((place, has, gets)) }
    }

    /// Merges the flags that changed on either side since the last sync, one by one.
    private mutating func mergeFlags(_ delta: MailboxDelta, _ box: Int, _ sides: Sides) {
        var here: [UInt32: ServerFlags] = [:]
        for change in delta.local.changed {
            here[change.former.uid] = ServerFlags(flags: change.flags, labels: change.labels)
        }
        var there: [UInt32: ServerFlags] = [:]
        var formers: [UInt32: RemoteMessage] = [:]
        for change in delta.changed {
            there[change.former.uid] = change.flags
            formers[change.former.uid] = change.former
        }
        for change in delta.local.changed { formers[change.former.uid] = change.former }
        let removed = Set(delta.gone.map(\.uid)).union(delta.local.gone.map(\.uid))
        for (uid, former) in formers.sorted(by: { $0.key < $1.key }) where !removed.contains(uid) {
            let base = ServerFlags(flags: former.flags, labels: former.labels)
            let (ours, theirs) = (here[uid] ?? base, there[uid] ?? base)
            let merged = ServerFlags.merge(base: base, ours, theirs)
            let place = Place(box: box, message: former)
            if !merged.isSame(ours) || !ours.isSame(base) || !theirs.isSame(base) {
                flagsHere.append((place, merged))
            }
            if !merged.isSame(theirs) { flagsThere.append((place, theirs, merged)) }
        }
    }
}

extension ServerFlags {
    func isSame(_ other: ServerFlags) -> Bool { flags == other.flags && Set(labels) == Set(other.labels) }

    /// The merged flags: each flag and label as the side that changed it has it.
    static func merge(base: ServerFlags, _ ours: ServerFlags, _ theirs: ServerFlags) -> ServerFlags {
        let changed = ours.flags.symmetricDifference(base.flags).union(theirs.flags.symmetricDifference(base.flags))
        let (before, mine, yours) = (Set(base.labels), Set(ours.labels), Set(theirs.labels))
        let added = mine.subtracting(before).union(yours.subtracting(before))
        let taken = before.subtracting(mine).union(before.subtracting(yours))
        var labels = base.labels.filter { !taken.contains($0) }
        labels += (ours.labels + theirs.labels).filter { added.contains($0) && !before.contains($0) }.uniqued
        return ServerFlags(flags: base.flags.symmetricDifference(changed), labels: labels)
    }
}
