import HelixSQLite
import Testing

@testable import HelixStore

/// Reminders are found by the occurrences around them, and those that are far from theirs by an index.
@Suite struct ReminderTests {
    private static let text = [
        "TRIGGER:-PT15M": "event", "TRIGGER:-P1D": "event", "TRIGGER;RELATED=END:PT1H": "event",
        "TRIGGER:-P40D": "far", "TRIGGER:-P6W": "far", "TRIGGER:-PT1000H": "far", "TRIGGER:P1DT99H": "event",
        "TRIGGER;VALUE=DATE-TIME:20261201T100000Z": "far", "TRIGGER:20261201T100000Z": "far",
        "TRIGGER:-PT44640M": "far", "TRIGGER:-PT90000S": "far",
    ]

    /// Each trigger that may be more than a month from its occurrence has the mark.
    @Test func triggersFarFromTheirOccurrenceAreMarked() throws {
        let database = try Database(path: ":memory:")
        for (trigger, kind) in Self.text where kind == "far" {
            let isMarked = try Bool.fetchOne(
                database,
                sql: "SELECT \(Schema.hasFarAlarm) FROM (SELECT ?1 AS text)",
                arguments: ["BEGIN:VEVENT\nBEGIN:VALARM\n\(trigger)\nEND:VALARM\n"])
            #expect(isMarked == true, "\(trigger)")
        }
    }
}
