import HelixModel
import HelixStore

/// A mailbox with what is different on both sides since they agreed.
struct MailboxDelta {
    /// A message that the server has and nobody here knew.
    struct Arrival: Hashable {
        var uid: UInt32
        var flags: ServerFlags
        /// What it is known by.
        var key: Int64?
        /// Whether it has a Message-ID: of what has none, several may look the same.
        var isNamed = true
        /// When the server got it.
        var date: Instant?
    }

    var mailbox: RemoteMailbox
    /// Whether all numbers mean something else than they did: the mailbox was made anew on the server.
    var isAnew = false
    var arrivals: [Arrival] = []
    /// Messages whose flags are others on the server.
    var changed: [(former: RemoteMessage, flags: ServerFlags)] = []
    /// Messages that the server has no more.
    var gone: [RemoteMessage] = []
    /// What is different here.
    var local = LocalMailChanges()
}

/// What has to be done so that both sides are the same. It is found out from what changed alone, without a server, a store
/// or a clock.
struct MailSyncPlan {
    /// A message of a mailbox, the latter by its place in the list.
    struct Place: Hashable {
        var box: Int
        var message: RemoteMessage
    }

    /// Messages to be fetched, by mailbox.
    var fetches: [Int: [MailboxDelta.Arrival]] = [:]
    /// Messages that are on both sides already: written down, nothing else.
    var adopted: [Place] = []
    /// Messages that the server moved, with where they are now.
    var movesHere: [(from: Place, to: Place)] = []
    /// Messages that somebody moved here, with the mailbox they go to and what they are like now.
    var movesThere: [(from: Place, box: Int, local: LocalMessage)] = []
    /// Messages that get other flags here, with those they get.
    var flagsHere: [(place: Place, flags: ServerFlags)] = []
    /// Messages that get other flags on the server: what it has, and what it gets.
    var flagsThere: [(place: Place, has: ServerFlags, gets: ServerFlags)] = []
    /// Messages that are gone from the server.
    var removalsHere: [Place] = []
    /// Messages that are gone here.
    var removalsThere: [Place] = []
    /// Messages that the server gets.
    var appends: [(box: Int, local: LocalMessage)] = []
    /// Messages that are gone on both sides.
    var forgotten: [Place] = []
    /// The flags that the server keeps of messages that have others here, because it does not allow these.
    var serverFlags: [Place: ServerFlags] = [:]
    /// Messages that both sides moved, to different mailboxes: ours stands.
    var contested: [Place] = []

    init() {}

    /// The plan for some mailboxes.
    init(_ deltas: [MailboxDelta]) {
        var sides = Sides(deltas)
        for (box, delta) in deltas.enumerated() {
            for arrival in delta.arrivals { place(arrival, box, &sides) }
        }
        for (box, delta) in deltas.enumerated() {
            for local in delta.local.new where sides.new[local.file] == box { place(local, box, &sides) }
        }
        for (box, delta) in deltas.enumerated() {
            for message in delta.local.gone where sides.goneHere[message.file] == box {
                let place = Place(box: box, message: message)
                if sides.goneThere.contains(place) { forgotten.append(place) } else { removalsThere.append(place) }
            }
            for message in delta.gone {
                let place = Place(box: box, message: message)
                if sides.goneThere.contains(place), sides.goneHere[message.file] != box { removalsHere.append(place) }
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

    /// What is not explained yet, on both sides.
    private struct Sides {
        /// New files here, by name: the mailbox they lie in.
        var new: [String: Int] = [:]
        var newByKey: [Int64: [(box: Int, local: LocalMessage)]] = [:]
        var locals: [String: LocalMessage] = [:]
        /// Files that are gone from their mailboxes here.
        var goneHere: [String: Int] = [:]
        var goneHereMessages: [String: RemoteMessage] = [:]
        /// Messages that are gone on the server.
        var goneThere: Set<Place> = []
        var goneThereByKey: [Int64: [Place]] = [:]
        /// Mailboxes that were made anew on the server.
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
                    goneHere[message.file] = box
                    goneHereMessages[message.file] = message
                }
                for message in delta.gone {
                    let place = Place(box: box, message: message)
                    goneThere.insert(place)
                    if let key = message.key { goneThereByKey[key, default: []].append(place) }
                }
            }
        }

        /// A new file here that is this message of the server.
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

        /// New files whose names say which message of the server they are.
        var named: [Named: String] = [:]

        /// A message that is gone on the server from where it was, and may be this one.
        ///
        /// In the same mailbox it is another version of a draft, unless the mailbox was made anew, or the message lies
        /// elsewhere here by now.
        mutating func takeGoneThere(_ arrival: MailboxDelta.Arrival, _ box: Int) -> Place? {
            let candidates = (arrival.key.flatMap { goneThereByKey[$0] } ?? []).filter {
                goneThere.contains($0) && ($0.box != box || anew.contains(box) || goneHere[$0.message.file] == box)
            }
            .filter {
                // A draft that was sent may say something else in as many bytes.
                $0.message.flags.contains(.draft) == arrival.flags.flags.contains(.draft)
            }
            guard let found = candidates.first, arrival.isNamed || candidates.count == 1 else { return nil }
            goneThere.remove(found)
            return found
        }

        /// A message that is gone here from where it was, and is this file.
        mutating func takeGoneHere(_ local: LocalMessage) -> Place? {
            // Only by its name: under another one may be another version of it.
            guard let box = goneHere[local.file], let message = goneHereMessages[local.file] else { return nil }
            goneHere[local.file] = nil
            return Place(box: box, message: message)
        }
    }

    /// Finds out what a message is that the server has and nobody knew.
    private mutating func place(_ arrival: MailboxDelta.Arrival, _ box: Int, _ sides: inout Sides) {
        func written(_ file: String, _ flags: ServerFlags) -> Place {
            Place(
                box: box,
                message: RemoteMessage(
                    uid: arrival.uid, file: file, flags: flags.flags, labels: flags.labels, key: arrival.key))
        }
        // It was fetched or sent before, and what became of that was lost.
        if let local = sides.takeNew(arrival, box) {
            adopted.append(written(local.file, arrival.flags))
            // It may have come from another mailbox: then both sides moved it there.
            if let former = sides.takeGoneHere(local) {
                if sides.goneThere.remove(former) != nil {
                    forgotten.append(former)
                } else {
                    removalsThere.append(former)
                }
            }
            push(local, has: arrival.flags, at: written(local.file, arrival.flags))
            return
        }
        guard let former = sides.takeGoneThere(arrival, box) else {
            fetches[box, default: []].append(arrival)
            return
        }
        let file = former.message.file
        guard sides.goneHere[file] == former.box else {
            movesHere.append((former, written(file, arrival.flags)))
            return
        }
        guard let target = sides.new[file], let local = sides.takeNew(file) else {
            // It was deleted here and moved there: what somebody still wanted is kept.
            sides.goneHere[file] = nil
            forgotten.append(former)
            fetches[box, default: []].append(arrival)
            return
        }
        // Both sides moved it, to different places.
        sides.goneHere[file] = nil
        forgotten.append(former)
        adopted.append(written(file, arrival.flags))
        contested.append(former)
        movesThere.append((written(file, arrival.flags), target, local))
    }

    /// Finds out what a file is that the server is not known to have.
    private mutating func place(_ local: LocalMessage, _ box: Int, _ sides: inout Sides) {
        _ = sides.takeNew(local.file)
        guard let former = sides.takeGoneHere(local) else {
            appends.append((box, local))
            return
        }
        if sides.goneThere.remove(former) != nil {
            // Deleted there and moved here: it is wanted.
            forgotten.append(former)
            appends.append((box, local))
        } else {
            movesThere.append((former, box, local))
        }
    }

    /// What the server must be told of a message that it has already.
    private mutating func push(_ local: LocalMessage, has: ServerFlags, at place: Place) {
        let gets = ServerFlags(flags: local.flags, labels: local.labels)
        if gets.flags != has.flags || Set(gets.labels) != Set(has.labels) { flagsThere.append((place, has, gets)) }
    }

    /// Flags that changed on either side since both agreed, each by itself.
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

    /// What both sides want: each flag and each label as the side has it that changed it.
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

extension [String] {
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
