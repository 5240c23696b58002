import HelixModel
import HelixStore
import TestSupport
import Testing

@testable import HelixSync

/// Two sides that change at random, without a server: after the plan both are the same, and nothing is lost or doubled.
struct MailSyncPlanTests {
    private struct Message: Hashable {
        var box: Int
        var flags: MessageFlags
        var key: Int64
    }

    private struct Address: Hashable {
        var box: Int
        var uid: UInt32
    }

    /// Both sides, and what they were like when they last agreed.
    private struct World {
        var here: [String: Message] = [:]
        var there: [Address: Message] = [:]
        var base: [Address: RemoteMessage] = [:]
        var next: [UInt32] = [1, 1, 1]
        var serial: Int64 = 0

        mutating func number(_ box: Int) -> UInt32 {
            defer { next[box] += 1 }
            return next[box]
        }

        func deltas() -> [MailboxDelta] {
            (0..<3).map { box in
                var delta = MailboxDelta(
                    mailbox: RemoteMailbox(number: Int64(box + 1), name: "\(box)", path: "\(box)", uidValidity: 1))
                let known = base.filter { $0.key.box == box }
                for (address, message) in known {
                    if let now = there[address] {
                        if now.flags != message.flags {
                            delta.changed.append((message, ServerFlags(flags: now.flags, labels: [])))
                        }
                    } else {
                        delta.gone.append(message)
                    }
                    if let now = here[message.file], now.box == box {
                        if now.flags != message.flags { delta.local.changed.append((message, now.flags, [])) }
                    } else {
                        delta.local.gone.append(message)
                    }
                }
                for (address, message) in there where address.box == box && base[address] == nil {
                    delta.arrivals.append(
                        MailboxDelta.Arrival(
                            uid: address.uid, flags: ServerFlags(flags: message.flags, labels: []), key: message.key))
                }
                let files = Set(known.values.map(\.file))
                for (file, message) in here where message.box == box && !files.contains(file) {
                    delta.local.new.append(
                        LocalMessage(
                            file: file, flags: message.flags, labels: [], key: message.key, date: Instant(0)))
                }
                return delta
            }
        }

        /// Does what the plan says, as a server and a Maildir would.
        mutating func perform(_ plan: MailSyncPlan, _ deltas: [MailboxDelta]) {
            func at(_ place: MailSyncPlan.Place) -> Address { Address(box: place.box, uid: place.message.uid) }
            for (box, arrivals) in plan.fetches {
                for arrival in arrivals {
                    serial += 1
                    let file = "f\(serial)"
                    here[file] = Message(box: box, flags: arrival.flags.flags, key: arrival.key ?? 0)
                    base[Address(box: box, uid: arrival.uid)] = RemoteMessage(
                        uid: arrival.uid, file: file, flags: arrival.flags.flags, key: arrival.key)
                }
            }
            for place in plan.forgotten { base[at(place)] = nil }
            for (from, to) in plan.movesHere {
                base[at(from)] = nil
                here[from.message.file]?.box = to.box
                base[at(to)] = to.message
            }
            for place in plan.adopted { base[at(place)] = place.message }
            for (place, flags) in plan.flagsHere {
                here[place.message.file]?.flags = flags.flags
                base[at(place)]?.flags = plan.flagsThere.first { $0.place == place }?.has.flags ?? flags.flags
            }
            for place in plan.removalsHere {
                here[place.message.file] = nil
                base[at(place)] = nil
            }
            for (place, _, gets) in plan.flagsThere {
                there[at(place)]?.flags = gets.flags
                base[at(place)]?.flags = gets.flags
            }
            for (from, box, local) in plan.movesThere {
                guard var message = there.removeValue(forKey: at(from)) else { continue }
                base[at(from)] = nil
                (message.box, message.flags) = (box, local.flags)
                let uid = number(box)
                there[Address(box: box, uid: uid)] = message
                base[Address(box: box, uid: uid)] = RemoteMessage(
                    uid: uid, file: local.file, flags: local.flags, key: local.key)
            }
            for place in plan.removalsThere {
                there[at(place)] = nil
                base[at(place)] = nil
            }
            for (box, local) in plan.appends {
                let uid = number(box)
                there[Address(box: box, uid: uid)] = Message(box: box, flags: local.flags, key: local.key ?? 0)
                base[Address(box: box, uid: uid)] = RemoteMessage(
                    uid: uid, file: local.file, flags: local.flags, key: local.key)
            }
        }
    }

    /// Changes one side a little.
    private static func change(
        _ world: inout World, here isHere: Bool, _ random: inout SeededGenerator, _ deleted: inout Set<Int64>
    ) {
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let flag = [MessageFlags.seen, .flagged, .answered].randomElement(using: &random) ?? .seen
            let box = Int.random(in: 0..<3, using: &random)
            let kind = Int.random(in: 0..<5, using: &random)
            if kind == 0 {
                world.serial += 1
                let message = Message(box: box, flags: [], key: 1000 + world.serial)
                if isHere {
                    world.here["n\(world.serial)"] = message
                } else {
                    world.there[Address(box: box, uid: world.number(box))] = message
                }
                continue
            }
            if isHere {
                guard let file = world.here.keys.sorted().randomElement(using: &random), var message = world.here[file]
                else { continue }
                if kind == 1 {
                    world.here[file] = nil
                    deleted.insert(message.key)
                } else {
                    if kind == 2 { message.box = box } else { message.flags.formSymmetricDifference(flag) }
                    world.here[file] = message
                }
            } else {
                let places = world.there.keys.sorted { ($0.box, $0.uid) < ($1.box, $1.uid) }
                guard let place = places.randomElement(using: &random), var message = world.there[place] else {
                    continue
                }
                if kind == 1 {
                    world.there[place] = nil
                    deleted.insert(message.key)
                } else if kind == 2 {
                    world.there[place] = nil
                    message.box = box
                    world.there[Address(box: box, uid: world.number(box))] = message
                } else {
                    message.flags.formSymmetricDifference(flag)
                    world.there[place] = message
                }
            }
        }
    }

    @Test(arguments: 1...400) func bothSidesComeToTheSameState(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) &* 7919)
        var world = World()
        for number in 1...8 {
            let box = number % 3
            let uid = world.number(box)
            let message = Message(box: box, flags: number % 2 == 0 ? .seen : [], key: Int64(number))
            world.here["b\(number)"] = message
            world.there[Address(box: box, uid: uid)] = message
            world.base[Address(box: box, uid: uid)] = RemoteMessage(
                uid: uid, file: "b\(number)", flags: message.flags, key: message.key)
        }
        for _ in 0..<3 {
            var deleted: Set<Int64> = []
            Self.change(&world, here: true, &random, &deleted)
            Self.change(&world, here: false, &random, &deleted)
            let wanted = Set(world.here.values.map(\.key)).union(world.there.values.map(\.key)).subtracting(deleted)
            var rounds = 0
            while true {
                let deltas = world.deltas()
                let plan = MailSyncPlan(deltas)
                if plan.isEmpty { break }
                world.perform(plan, deltas)
                rounds += 1
                #expect(rounds < 5, "seed \(seed)")
                if rounds >= 5 { return }
            }
            let here = world.here.values.sorted { $0.key < $1.key }
            let there = world.there.values.sorted { $0.key < $1.key }
            #expect(here == there, "seed \(seed)")
            #expect(Set(here.map(\.key)).count == here.count, "seed \(seed): something is there twice")
            #expect(wanted.isSubset(of: Set(here.map(\.key))), "seed \(seed): something is lost")
        }
    }
}
