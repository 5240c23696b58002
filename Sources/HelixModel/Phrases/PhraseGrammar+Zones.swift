/// Zones in a phrase.
extension PhraseGrammar {
    /// `Europe/Rome`, `EST`, `UTC+2`, `New York time`, after a time or at the end.
    func zones(at index: Int) -> [PhrasePiece] {
        guard tokens[index].kind == .word else { return [] }
        let start = has(.in, index) ? index + 1 : index
        guard start < tokens.count, tokens[start].kind == .word else { return [] }
        func piece(_ zone: Zone, _ end: Int, isWeak: Bool, offset: Int? = nil) -> PhrasePiece {
            var parts = PhraseParts()
            parts.zone = zone
            parts.zoneOffset = offset
            return PhrasePiece(
                end: end, parts: parts, weight: weight(index..<end) + 5, conditions: isWeak ? .afterPiece : [],
                isWeak: isWeak && wordEnd(end).map { $0 < tokens.count } ?? true, kind: .zone)
        }
        if let end = pathEnd(start) {
            let name = String(line[tokens[start].range.lowerBound..<tokens[end - 1].range.upperBound])
            return ZoneDatabase.zone(typed: name).map { [piece($0, end, isWeak: false)] } ?? []
        }
        let typed = line[tokens[start].range]
        // Anywhere on earth: the last zone in which a day ends.
        if typed == "AoE" { return [piece(Zone(fixedOffset: -12 * 3600), start + 1, isWeak: true)] }
        if typed.utf8.count <= 5, typed.allSatisfy({ $0.isASCII && $0.isUppercase }) {
            if typed == "UTC" || typed == "GMT" {
                guard isJoined(start + 1), let (seconds, end) = offset(start + 1) else {
                    return isJoined(start + 1) && wordEnd(start + 1) == nil
                        ? [] : [piece(.utc, start + 1, isWeak: true)]
                }
                return [piece(Zone(fixedOffset: seconds), end, isWeak: false)]
            }
            // The local zone is meant if it uses this abbreviation in one half of the year.
            let year = parser.today.year
            for day in [CivilDate(year: year, month: 1, day: 15), CivilDate(year: year, month: 7, day: 15)] {
                let state = parser.zone.state(at: parser.zone.startOfDay(day))
                if state.abbreviation == typed {
                    return [piece(parser.zone, start + 1, isWeak: true, offset: state.offset)]
                }
            }
            guard let known = ZoneAbbreviation.all[String(typed)], let zone = ZoneDatabase.zone(named: known.zone)
            else {
                return []
            }
            return [piece(zone, start + 1, isWeak: true, offset: known.offset)]
        }
        // `15:00 Eastern`
        if let known = ZoneAbbreviation.spoken[tokens[start].text], !has(.zone, start + 1), !isPlainWord(start + 1),
            let zone = ZoneDatabase.zone(named: known), index == start
        {
            var found = piece(zone, start + 1, isWeak: true)
            found.conditions = [.afterPiece, .afterTime]
            return [found]
        }
        return cityTime(index, start).map { [piece($0.zone, $0.end, isWeak: true)] } ?? []
    }

    /// The city after a piece of the reading that is either the place or the zone, if the clocks there show another time:
    /// `8pm in New York`.
    func cityBehind(_ reading: PhraseReading, on day: CivilDate) -> String? {
        for span in reading.spans where has(.in, span.piece.end) && isCapital(span.piece.end + 1) {
            let start = span.piece.end + 1
            for end in [start + 3, start + 2, start + 1] where end <= tokens.count {
                guard (start..<end).allSatisfy({ isCapital($0) && ($0 == start || !isJoined($0)) }) else { continue }
                let name = String(line[place(start..<end)])
                guard let zone = ZoneDatabase.zone(typed: name) else { continue }
                let noon = parser.zone.instant(CivilDateTime(day) + 43_200)
                return zone.offset(at: noon) == parser.zone.offset(at: noon) ? nil : name
            }
        }
        return nil
    }

    /// Whether an unknown word may begin the name of a zone.
    func mayBeZone(_ index: Int) -> Bool {
        if ZoneAbbreviation.spoken[tokens[index].text] != nil || tokens[index].text == "aoe" { return true }
        if tokens[index].length <= 5, line[tokens[index].range].allSatisfy(\.isUppercase) { return true }
        return sign("/", index + 1) || (1...3).contains { has(.zone, index + $0) }
    }

    /// The end of a name with a slash: `America/New_York`.
    private func pathEnd(_ index: Int) -> Int? {
        guard sign("/", index + 1), isJoined(index + 1), isJoined(index + 2), tokens[index + 2].kind == .word,
            ZoneAbbreviation.areas.contains(tokens[index].text)
        else { return nil }
        var end = index + 3
        while isJoined(end), wordEnd(end) == nil { end += 1 }
        return end
    }

    /// `New York time`, `Tokyo time`, `Eastern time`.
    private func cityTime(_ index: Int, _ start: Int) -> (zone: Zone, end: Int)? {
        for count in 1...3 {
            guard tokens.indices.contains(start + count), tokens[start + count - 1].kind == .word else { return nil }
            guard has(.zone, start + count) else { continue }
            let text = line[tokens[start].range.lowerBound..<tokens[start + count - 1].range.upperBound]
            let name = text.lowercased()
            if let known = ZoneAbbreviation.spoken[name] {
                return ZoneDatabase.zone(named: known).map { ($0, start + count + 1) }
            }
            // `5pm london time`: directly after a time.
            let isBehindClock =
                start > 0 && (tokens[start - 1].kind == .number || has(.am, start - 1) || has(.pm, start - 1))
            guard text.first?.isUppercase == true || index < start || isBehindClock else { return nil }
            return ZoneDatabase.zone(typed: String(text)).map { ($0, start + count + 1) }
        }
        return nil
    }
}

/// Zones by their abbreviations and colloquial names.
enum ZoneAbbreviation {
    /// The zone of each abbreviation, with its offset; nil if the abbreviation is used all year.
    /// Ambiguous ones, such as IST, are left out.
    static let all: [String: (zone: String, offset: Int?)] = [
        "EST": ("America/New_York", -5 * 3600), "EDT": ("America/New_York", -4 * 3600), "ET": ("America/New_York", nil),
        "CST": ("America/Chicago", -6 * 3600), "CDT": ("America/Chicago", -5 * 3600), "CT": ("America/Chicago", nil),
        "MST": ("America/Denver", -7 * 3600), "MDT": ("America/Denver", -6 * 3600), "MT": ("America/Denver", nil),
        "PST": ("America/Los_Angeles", -8 * 3600), "PDT": ("America/Los_Angeles", -7 * 3600),
        "PT": ("America/Los_Angeles", nil), "AKST": ("America/Anchorage", -9 * 3600),
        "AKDT": ("America/Anchorage", -8 * 3600), "HST": ("Pacific/Honolulu", -10 * 3600),
        "BST": ("Europe/London", 3600), "WET": ("Europe/Lisbon", 0), "WEST": ("Europe/Lisbon", 3600),
        "CET": ("Europe/Brussels", 3600), "CEST": ("Europe/Brussels", 7200), "MEZ": ("Europe/Berlin", 3600),
        "MESZ": ("Europe/Berlin", 7200), "EET": ("Europe/Athens", 7200), "EEST": ("Europe/Athens", 10_800),
        "MSK": ("Europe/Moscow", 10_800), "JST": ("Asia/Tokyo", nil), "KST": ("Asia/Seoul", nil),
        "SGT": ("Asia/Singapore", nil), "HKT": ("Asia/Hong_Kong", nil), "AWST": ("Australia/Perth", nil),
        "AEST": ("Australia/Sydney", 36_000), "AEDT": ("Australia/Sydney", 39_600),
        "NZST": ("Pacific/Auckland", 43_200), "NZDT": ("Pacific/Auckland", 46_800),
    ]

    /// Abbreviations used by several zones.
    static let ambiguous: Set<String> = ["IST", "AST", "GST", "SST", "AMT", "WST", "PYT", "CLT"]

    static let spoken: [String: String] = [
        "eastern": "America/New_York", "central": "America/Chicago", "mountain": "America/Denver",
        "pacific": "America/Los_Angeles", "central european": "Europe/Brussels",
    ]

    /// The first components of the names in the system's database.
    static let areas: Set<String> = [
        "africa", "america", "antarctica", "arctic", "asia", "atlantic", "australia", "brazil", "canada", "chile",
        "etc", "europe", "indian", "mexico", "pacific", "us",
    ]
}
