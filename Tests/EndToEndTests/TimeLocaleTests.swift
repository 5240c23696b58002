import Foundation
import TestSupport
import Testing

/// Weeks and hours are written as people do where they live, unless they say otherwise.
@Suite struct TimeLocaleTests {
    @Test(arguments: [
        ("en_US.UTF-8", "sunday", "12"), ("en_GB.UTF-8", "monday", "24"), ("de_DE", "monday", "24"),
        ("ar_EG.UTF-8", "saturday", "12"), ("ja_JP.eucJP", "sunday", "24"), ("fr_CA.UTF-8", "sunday", "24"),
        ("C", "monday", "24"), ("nonsense", "monday", "24"),
    ])
    func weeksAndHoursFollowTheLocale(_ locale: String, _ day: String, _ clock: String) throws {
        let home = try HelixHome()
        home.environment["LC_ALL"] = nil
        home.environment["LC_TIME"] = locale
        #expect(try home.run("config", "get", "calendar.first-weekday").output.contains(day))
        #expect(try home.run("config", "get", "time.clock").output.contains(clock))
    }

    @Test func aSettingAndLCAllGoBefore() throws {
        let home = try HelixHome()
        home.environment["LANG"] = "en_US.UTF-8"
        #expect(try home.run("cal", "month").output.contains("wk Sun"))
        home.environment["LC_ALL"] = "de_DE.UTF-8"
        #expect(try home.run("cal", "month").output.contains("wk Mon"))
        home.environment["LC_ALL"] = nil
        try home.run("config", "set", "calendar.first-weekday", "monday")
        #expect(try home.run("cal", "month").output.contains("wk Mon"))
    }
}
