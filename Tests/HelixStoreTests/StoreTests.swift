import Foundation
import HelixCalendar
import HelixModel
import HelixStore
import HelixTasks
import TestSupport
import Testing

/// A store in a folder of its own, at noon of 18 November 2026 in Rome.
final class TestStore {
    let home: HelixHome
    let store: Store
    let rome = ZoneDatabase.zone(named: "Europe/Rome") ?? .utc
    let now: Instant

    init() throws {
        home = try HelixHome()
        now = rome.instant(CivilDateTime(CivilDate(year: 2026, month: 11, day: 18), hour: 12))
        store = try Store(path: home.store, now: now)
    }

    @discardableResult
    func add(_ title: String, day: Int, rule: String? = nil, calendar: String = "personal") throws -> EntityID {
        try store.change("add \(title)", command: "test") { change in
            let known = try? change.calendar(named: calendar)
            let target = try known ?? change.addCalendar(calendar)
            var changes = EventChanges()
            changes.title = title
            let start = CivilDateTime(CivilDate(year: 2026, month: 11, day: day), hour: 9)
            changes.start = .zoned(start, rome)
            changes.end = .zoned(start + 3600, rome)
            changes.rule = rule
            let uid = EntityID().text
            return try change.createEvent([.event(uid: uid, now: now, changes)], uid: uid, zones: nil, in: target.id)
        }
    }

    func titles(from day: Int, to end: Int) throws -> [String] {
        let range = rome.range(
            from: CivilDate(year: 2026, month: 11, day: day), to: CivilDate(year: 2026, month: 11, day: end))
        return try store.occurrences(in: range, zone: rome).map(\.title)
    }
}

@Suite struct StoreTests {
    @Test func undoAndRedoGoBackAndForthOverManyChanges() throws {
        let test = try TestStore()
        for day in 19...22 { try test.add("Day \(day)", day: day) }
        for expected in [3, 2, 1, 0] {
            let next = try #require(try test.store.undoable(limit: 1).first)
            try test.store.undo(next.id)
            #expect(try test.titles(from: 18, to: 30).count == expected)
        }
        #expect(try test.store.undoable(limit: 1).isEmpty)
        for expected in [1, 2, 3, 4] {
            let next = try #require(try test.store.redoable(limit: 1).first)
            try test.store.redo(next.id)
            #expect(try test.titles(from: 18, to: 30).count == expected)
        }
        #expect(try test.store.redoable(limit: 1).isEmpty)
    }

    @Test func aNewChangeEndsWhatCanBeRedone() throws {
        let test = try TestStore()
        try test.add("One", day: 19)
        try test.store.undo(try #require(try test.store.undoable(limit: 1).first).id)
        try test.add("Two", day: 20)
        #expect(try test.store.redoable(limit: 1).isEmpty)
    }

    @Test func anUndoThatWouldLoseALaterChangeIsRefused() throws {
        let test = try TestStore()
        let id = try test.add("One", day: 19)
        let first = try #require(try test.store.undoable(limit: 1).first)
        var changes = EventChanges()
        changes.title = "Changed"
        let event = try test.store.event(id)
        var editor = EventEditor(event.components, zones: nil, now: test.now)
        try editor.edit(changes, scope: .all)
        try test.store.change("edit", command: "test") { try $0.updateEvent(id, editor.components) }
        let second = try #require(try test.store.undoable(limit: 1).first)
        var other = EventEditor(editor.components, zones: nil, now: test.now)
        changes.title = "Changed again"
        try other.edit(changes, scope: .all)
        try test.store.change("edit", command: "test") { try $0.updateEvent(id, other.components) }
        #expect(throws: HelixError.self) { try test.store.undo(second.id) }
        #expect(try test.titles(from: 18, to: 30) == ["Changed again"])
        #expect(first.id != second.id)
    }

    @Test func aChangeThatFailsLeavesNothingBehind() throws {
        let test = try TestStore()
        try test.add("Keep", day: 19)
        #expect(throws: HelixError.self) {
            try test.store.change("break", command: "test") { change in
                _ = try change.addCalendar("other")
                throw HelixError(.conflict, "no")
            }
        }
        #expect(try test.store.calendars().map(\.name) == ["personal"])
        #expect(try test.store.history(limit: 10).count == 1)
    }

    @Test func idsAreFoundByTheirPrefixAndShortIDsAreUnique() throws {
        let test = try TestStore()
        let ids = try (0..<200).map { try test.add("E\($0)", day: 19 + $0 % 5) }
        let short = try test.store.shortIDs(ids)
        #expect(Set(short.values).count == ids.count)
        for id in ids {
            let prefix = try #require(short[id])
            #expect(prefix.count >= 4)
            #expect(try test.store.entity(EntityPrefix(prefix), kinds: [.event]).id == id)
            #expect(try test.store.entity(EntityPrefix(prefix.uppercased()), kinds: [.event]).id == id)
        }
        #expect(throws: HelixError.self) { try test.store.entity(EntityPrefix("zz"), kinds: [.event]) }
    }

    @Test func anEndlessSeriesIsSeenInAnyYear() throws {
        let test = try TestStore()
        try test.add("Weekly", day: 18, rule: "FREQ=WEEKLY")
        for year in [2026, 2028, 2031, 2060, 9990] {
            let first = CivilDate(year: year, month: 12, day: 1)
            let found = try test.store.occurrences(in: test.rome.range(from: first, to: first + 14), zone: test.rome)
            #expect(found.count == 2, "\(year)")
            #expect(found.allSatisfy { test.rome.civil($0.start(in: test.rome)).hour == 9 })
        }
        #expect(try test.store.health().problems.isEmpty)
    }

    @Test func hiddenCalendarsAreLeftOutAndDeletedOnesComeBack() throws {
        let test = try TestStore()
        try test.add("Home", day: 19)
        try test.add("Work", day: 19, calendar: "work")
        let work = try test.store.calendar(named: "WORK")
        try test.store.change("hide", command: "test") { try $0.hideCalendar(work.id, true) }
        #expect(try test.titles(from: 18, to: 30) == ["Home"])
        try test.store.change("show", command: "test") { try $0.hideCalendar(work.id, false) }
        try test.store.change("delete", command: "test") { try $0.deleteCalendar(work.id) }
        #expect(try test.titles(from: 18, to: 30) == ["Home"])
        try test.store.undo(try #require(try test.store.undoable(limit: 1).first).id)
        #expect(Set(try test.titles(from: 18, to: 30)) == ["Home", "Work"])
        #expect(
            try test.store.searchEvents(EventQuery.words("work"), calendars: .all, zone: test.rome, limit: 5).hits.count
                == 1)
    }

    @Test func theTwoWaysToFindConflictsAgree() throws {
        let test = try TestStore()
        for day in 19...22 {
            try test.add("A\(day)", day: day, rule: day == 19 ? "FREQ=DAILY;COUNT=3" : nil)
            try test.add("B\(day)", day: day, calendar: "work")
        }
        let range = test.rome.range(
            from: CivilDate(year: 2026, month: 11, day: 18), to: CivilDate(year: 2026, month: 11, day: 30))
        let policy = ConflictPolicy(zone: test.rome)
        let stored = try test.store.conflicts(in: range, policy: policy).conflicts
        let shown = try test.store.occurrences(in: range, zone: test.rome).conflicts(policy: policy).conflicts
        func key(_ conflict: Conflict) -> String {
            [conflict.a.title, conflict.b.title].sorted().joined()
                + "\(conflict.overlap.start.seconds)\(conflict.severity)"
        }
        #expect(Set(stored.map(key)) == Set(shown.map(key)))
        #expect(stored.count == 8)
    }

    /// SQLite gives the number of the last row again once that row is gone.
    @Test func wordsOfADeletedTaskGoEvenIfAnotherTakesItsPlace() throws {
        let test = try TestStore()
        let dates = DatePhraseParser(now: test.now, zone: test.rome)
        func add(_ title: String, _ change: Change) throws -> EntityID {
            var changes = TaskChanges()
            changes.title = title
            return try change.addTask(changes, dates: dates)
        }
        let old = try test.store.change("add", command: "test") { try add("Elephant", $0) }
        try test.store.change("replace", command: "test") { change in
            try change.deleteTask(old)
            _ = try add("Giraffe", change)
        }
        #expect(try test.store.search(SearchQuery.words("elephant"), zone: .utc, limit: 5).isEmpty)
        #expect(try test.store.search(SearchQuery.words("giraffe"), zone: .utc, limit: 5).count == 1)
        let last = try #require(try test.store.undoable(limit: 1).first)
        try test.store.undo(last.id)
        #expect(try test.store.search(SearchQuery.words("elephant"), zone: .utc, limit: 5).count == 1)
        #expect(try test.store.search(SearchQuery.words("giraffe"), zone: .utc, limit: 5).isEmpty)
    }
}
