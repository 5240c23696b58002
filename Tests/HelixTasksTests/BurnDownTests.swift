import HelixModel
import HelixTasks
import TestSupport
import Testing

@Suite struct BurnDownTests {
    private let zone = Zone.utc
    private let day = 86_400

    /// Each day counts what a look at all tasks at its end counts.
    @Test(arguments: 0..<30) func aDayIsWhatWasOpenAtItsEnd(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        let now = Instant(Int64(1_790_000_000 + random(0...100_000)))
        let weights = (0..<40).map { _ in random(0...5) }
        let column = EntityID()
        let tasks = (0..<40).map { _ -> TaskHistory in
            let created = now - random(-3...60) * day - random(0...80_000)
            let closed: Instant? = random(0...1) == 0 ? nil : created + random(0...20) * day
            return TaskHistory(
                id: EntityID(), createdAt: created, completedAt: closed, state: closed == nil ? .open : .done, due: nil,
                startedAt: nil, firstColumn: column, moves: [])
        }
        let weight = Dictionary(uniqueKeysWithValues: zip(tasks.map(\.id), weights))
        let start = zone.date(now) + random(-70...0)
        let due = random(0...2) == 0 ? nil : zone.date(now) + random(-80...40)
        let line = BurnDown(tasks, start: start, due: due, now: now, zone: zone) { weight[$0] ?? 0 }
        #expect(line.days.first?.date == start)
        #expect(line.days.last?.date == max(start, zone.date(now), due ?? start))
        for point in line.days {
            guard let open = point.open else {
                #expect(point.date > zone.date(now))
                continue
            }
            let end = min(zone.startOfDay(point.date + 1), now + 1)
            let expected = tasks.reduce(0) { sum, task in
                let isOpen = task.createdAt < end && !(task.completedAt.map { $0 < end } ?? false)
                return sum + (isOpen ? weight[task.id] ?? 0 : 0)
            }
            #expect(open == expected, "\(point.date)")
        }
        // The plan begins with the first work, and ends at the due date.
        if let due, let first = line.days.firstIndex(where: { $0.added > 0 }), line.days[first].date < due {
            #expect(line.days[first].planned == Double(line.days[first].added))
            #expect(line.days.first { $0.date == due }?.planned == 0)
            #expect(line.days.allSatisfy { ($0.planned == nil) == ($0.date < line.days[first].date || $0.date > due) })
        }
    }
}
