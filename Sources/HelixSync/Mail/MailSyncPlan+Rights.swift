import HelixModel
import HelixStore

extension MailSyncPlan {
    /// The local changes in one mailbox that the server does not allow.
    struct Refused: Hashable {
        /// Messages whose flags, labels, move or deletion were undone locally.
        var undone = 0
        /// Messages that stay local, because the server accepts none.
        var kept = 0
    }

    /// Drops changes that the server does not allow, and undoes them locally: each sync would try them again, and be refused.
    /// Messages that were put into a mailbox which accepts none stay local.
    ///
    /// - Returns: the number of changes by mailbox.
    mutating func limit(_ deltas: [MailboxDelta]) -> [Int: Refused] {
        let denied = deltas.map { MailboxRights.all.subtracting($0.mailbox.rights) }
        guard denied.contains(where: { !$0.isEmpty }) else { return [:] }
        var refused: [Int: Refused] = [:]
        limitFlags(deltas, denied, &refused)
        limitMoves(denied, &refused)
        let removals = removalsThere
        removalsThere = []
        for place in removals {
            guard denied[place.box].contains(.remove) else {
                removalsThere.append(place)
                continue
            }
            fetchAgain(place)
            refused[place.box, default: Refused()].undone += 1
        }
        appends.removeAll { append in
            guard denied[append.box].contains(.insert) else { return false }
            refused[append.box, default: Refused()].kept += 1
            return true
        }
        return refused
    }

    private mutating func fetchAgain(_ place: Place) {
        let message = place.message
        fetches[place.box, default: []].append(
            MailboxDelta.Arrival(
                uid: message.uid, flags: ServerFlags(flags: message.flags, labels: message.labels), key: message.key))
    }

    private mutating func limitFlags(
        _ deltas: [MailboxDelta], _ denied: [MailboxRights], _ refused: inout [Int: Refused]
    ) {
        let asked = flagsThere
        flagsThere = []
        var here = Dictionary(
            flagsHere.enumerated().map { ($0.element.place, $0.offset) }, uniquingKeysWith: { first, _ in first })
        for (place, has, gets) in asked {
            let denied = denied[place.box]
            guard !denied.isDisjoint(with: [.keepSeen, .keepFlags]) else {
                flagsThere.append((place, has, gets))
                continue
            }
            // A read message stays read locally, without a note: a server that does not store the flag leaves it to its clients.
            var (sent, stays) = (denied.contains(.keepFlags) ? has : gets, denied.contains(.keepFlags) ? has : gets)
            sent.setSeen(denied.contains(.keepSeen) ? has : gets)
            stays.setSeen(gets)
            if denied.contains(.keepFlags), !stays.isSame(gets) { refused[place.box, default: Refused()].undone += 1 }
            if !sent.isSame(has) { flagsThere.append((place, has, sent)) } else { serverFlags[place] = has }
            if let index = here[place] {
                flagsHere[index].flags = stays
            } else {
                here[place] = flagsHere.count
                flagsHere.append((place, stays))
            }
        }
        // A difference in the seen flag alone is not recorded, now or by later syncs.
        var ours: [Place: ServerFlags] = [:]
        for (box, delta) in deltas.enumerated() where denied[box].contains(.keepSeen) {
            for change in delta.local.changed {
                ours[Place(box: box, message: change.former)] = ServerFlags(flags: change.flags, labels: change.labels)
            }
        }
        if ours.isEmpty { return }
        flagsHere.removeAll { entry in
            guard let has = serverFlags[entry.place], let local = ours[entry.place] else { return false }
            let base = ServerFlags(flags: entry.place.message.flags, labels: entry.place.message.labels)
            return has.isSame(base) && entry.flags.isSame(local)
        }
    }

    private mutating func limitMoves(_ denied: [MailboxRights], _ refused: inout [Int: Refused]) {
        let moves = movesThere
        movesThere = []
        for move in moves {
            if denied[move.from.box].contains(.remove) {
                // The message stays in its mailbox on the server, and the local copy is added to the target mailbox.
                fetchAgain(move.from)
                appends.append((move.box, move.local))
                refused[move.from.box, default: Refused()].undone += 1
            } else if denied[move.box].contains(.insert) {
                var back = move.from
                back.message.file = move.local.file
                var moved = move.from.message
                (moved.uid, moved.file) = (0, move.local.file)
                movesHere.append((Place(box: move.box, message: moved), back))
                refused[move.box, default: Refused()].undone += 1
            } else {
                movesThere.append(move)
            }
        }
    }
}

extension ServerFlags {
    /// Copies the seen flag from others.
    fileprivate mutating func setSeen(_ other: ServerFlags) {
        if other.flags.contains(.seen) { flags.insert(.seen) } else { flags.remove(.seen) }
    }
}
