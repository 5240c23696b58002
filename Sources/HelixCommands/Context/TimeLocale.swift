/// The regional conventions for weeks and hours, from LC_ALL, LC_TIME or LANG (POSIX, XBD 8.2).
struct TimeLocale {
    /// The default settings that follow from the locale.
    let defaults: [ConfigurationKey: String]

    init(_ environment: [String: String]) {
        let name = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        // `en_US.UTF-8@euro` is English in the United States.
        let plain = name.prefix { $0 != "." && $0 != "@" }
        let parts = plain.split(separator: "_").map(String.init)
        guard parts.count == 2 else {
            defaults = [:]
            return
        }
        var found: [ConfigurationKey: String] = [:]
        if TimeLocale.has(TimeLocale.sunday, parts[1]) { found[.firstWeekday] = "sunday" }
        if TimeLocale.has(TimeLocale.saturday, parts[1]) { found[.firstWeekday] = "saturday" }
        if TimeLocale.has(TimeLocale.twelveHours, parts[1]), plain != "fr_CA" { found[.clock] = "12" }
        defaults = found
    }

    // Territories (ISO 3166) from the week and time data of the Unicode CLDR; the rest begin weeks on Monday and use 24 hours.
    private static let sunday =
        "AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK"
        + " PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW"
    private static let saturday =
        "AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY"
    private static let twelveHours =
        "AE AG AL AS AU BB BH BM BS BT CA CO DJ DM DO EG ER FJ FM GD GH GM GU GY HK IN JM JO KH KI KN KR KW KY LB LC LR LS LY"
        + " MH MO MP MW MY NZ OM PA PG PH PK PR PS PW QA SA SB SD SG SL SO SS SY SZ TC TO TT TW UM US VC VE VG VI VU WS YE"
        + " ZM"

    private static func has(_ list: String, _ territory: String) -> Bool {
        list.split(separator: " ").contains { $0 == territory }
    }
}
