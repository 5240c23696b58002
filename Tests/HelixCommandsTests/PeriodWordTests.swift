import TestSupport
import Testing

/// A time of day where a day or a range is expected is refused: it would have no effect, or nothing would be in it.
@Suite struct PeriodWordTests {
    private static let ranges: [[String]] = [
        ["time", "report"], ["time", "log"], ["cal", "agenda"], ["cal", "list"], ["cal", "stats"], ["cal", "free"],
        ["cal", "conflicts"], ["mail", "stats"],
    ]
    private static let days: [[String]] = [["cal", "day"], ["cal", "week"], ["cal", "month"], ["cal", "year"]]

    @Test(arguments: ranges + days) func aMomentIsRefused(_ command: [String]) throws {
        let home = try HelixHome()
        for phrase in ["18:00", "9am", "1800", "tomorrow 14:00", "2026-11-20 8:15", "now"] {
            // A day is the day of `now`, but a range of it is empty.
            if phrase == "now", Self.days.contains(command) { continue }
            let outcome = try home.perform(command + [phrase])
            #expect(outcome.status == 64, "\(command) \(phrase): \(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("expected") && outcome.errors.contains(phrase), "\(outcome.errors)")
        }
    }

    @Test(arguments: ranges + days) func daysAndRangesAreTaken(_ command: [String]) throws {
        let home = try HelixHome()
        let ranges = Self.days.contains(command) ? [] : ["today 9:00 to 18:00", "18:00 for 2h", "9-17", "mon..fri"]
        for phrase in ["today", "tomorrow", "fri", "2026-11-20", "nov", "2027", "next week"] + ranges {
            let outcome = try home.perform(command + [phrase])
            #expect(outcome.status == 0, "\(command) \(phrase): \(outcome.errors)")
        }
    }
}
