import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's time zones, each read on first use.
public enum ZoneDatabase {
    private static let cache = Mutex<[String: Zone?]>([:])

    /// The directory of the system's zones: `TZDIR`, or `/usr/share/zoneinfo`.
    public static var directory: String {
        getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    }

    /// The zone with that exact IANA name, or nil if the system has none.
    public static func zone(named name: String) -> Zone? {
        if name == "UTC" || name == "Z" { return .utc }
        return cache.withLock { cache in
            if let known = cache[name] { return known }
            let zone = isSafe(name) ? load(name) : nil
            cache[name] = .some(zone)
            return zone
        }
    }

    /// The IANA zone of a calendar file's TZID: an IANA name, one behind a path (`/mozilla.org/…/Europe/Rome`)
    /// or a prefix, a Windows name, or `UTC+2`. Nil if it is unknown.
    public static func zone(tzid: String) -> Zone? {
        let name = tzid.trimmingBlanks()
        if let zone = zone(named: name) { return zone }
        if let windows = WindowsZoneNames.iana[name] ?? WindowsZoneNames.iana[name.replacingDSTWords()] {
            return zone(named: windows)
        }
        // Anything before the last one to three components is a vendor's path.
        let words = name.split(separator: "/")
        for count in stride(from: min(3, words.count), through: 1, by: -1)
        where count < words.count || name.hasPrefix("/") {
            if let zone = zone(named: words.suffix(count).joined(separator: "/")), count > 1 || zone.isUTC {
                return zone
            }
        }
        if name.hasPrefix("US-"), let zone = zone(named: "US/" + name.dropFirst(3)) { return zone }
        return displayed(name) ?? fixedOffset(name)
    }

    /// The zone of a display name of Outlook: `(UTC-05:00) Eastern Time (US & Canada)`,
    /// `(GMT+10:00) Canberra, Melbourne, Sydney`. One of the places must have that offset as its standard time.
    private static func displayed(_ name: String) -> Zone? {
        guard name.hasPrefix("("), let close = name.firstIndex(of: ")"),
            let offset = fixedOffset(String(name[name.index(after: name.startIndex)..<close]).filter { $0 != " " })
        else { return nil }
        let rest = String(name[name.index(after: close)...]).trimmingBlanks()
        let american = [
            "Eastern Time": "America/New_York", "Central Time": "America/Chicago", "Mountain Time": "America/Denver",
            "Pacific Time": "America/Los_Angeles", "Alaska": "America/Anchorage", "Hawaii": "Pacific/Honolulu",
            "Atlantic Time": "America/Halifax", "Dublin, Edinburgh": "Europe/London", "Greenwich Mean": "Europe/London",
        ]
        if let known = american.first(where: { rest.hasPrefix($0.key) }) { return zone(named: known.value) }
        let all = names()
        for place in rest.split(separator: ",") {
            let city = "/" + String(place).trimmingBlanks().replacing(" ", with: "_")
            for candidate in all where candidate.hasSuffix(city) {
                let found = zone(named: candidate)
                if found?.rule?.standard.offset ?? found?.initial.offset == offset.initial.offset { return found }
            }
        }
        return offset
    }

    /// The zone for a name that a user typed: as in a file, but also in any case, or by its city alone (`rome`).
    public static func zone(typed name: String) -> Zone? {
        if let zone = zone(tzid: name) { return zone }
        let wanted = name.lowercased().map { $0 == " " ? "_" : $0 }
        let lower = String(wanted)
        let all = names()
        if let same = all.first(where: { $0.lowercased() == lower }) { return zone(named: same) }
        let cities = all.filter { $0.lowercased().hasSuffix("/" + lower) }
        // `America/Buenos_Aires` is an old name of `America/Argentina/Buenos_Aires`.
        let zones = cities.compactMap { zone(named: $0) }
        guard let first = zones.first else { return nil }
        return zones.allSatisfy { $0.transitions == first.transitions && $0.rule == first.rule } ? first : nil
    }

    /// The names of the system's zones, from its own table; empty if it has none.
    public static func names() -> [String] {
        guard let bytes = ZoneFile.bytes(at: directory + "/tzdata.zi") else { return [] }
        var names: Set<String> = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first == "Z", words.count > 1 { names.insert(String(words[1])) }
            if words.first == "L", words.count > 2 { names.insert(String(words[2])) }
        }
        return names.sorted()
    }

    /// The zone of this process: from `TZ`, then from the system's setting, then UTC.
    ///
    /// - Parameter variable: the value of `TZ`, if set.
    /// - Returns: nil if the variable names no zone.
    public static func local(_ variable: String?) -> Zone? {
        if let variable, !variable.isEmpty {
            let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
            if let zone = zone(tzid: name) { return zone }
            if let rule = PosixZoneRule(name) {
                return Zone(identifier: name, initial: rule.standard, transitions: [], rule: rule)
            }
            if name.hasPrefix("/"), let bytes = ZoneFile.bytes(at: name),
                let zone = ZoneFile.zone(bytes, identifier: name)
            {
                return zone
            }
            return nil
        }
        if let target = linkTarget("/etc/localtime"), let found = target.range(of: "/zoneinfo/"),
            let zone = zone(named: String(target[found.upperBound...]))
        {
            return zone
        }
        if let bytes = ZoneFile.bytes(at: "/etc/timezone"),
            let zone = zone(named: String(decoding: bytes, as: UTF8.self).trimmingBlanks())
        {
            return zone
        }
        return .utc
    }

    private static func load(_ name: String) -> Zone? {
        ZoneFile.bytes(at: directory + "/" + name).flatMap { ZoneFile.zone($0, identifier: name) }
    }

    /// True if the name cannot lead outside the zone directory: names also come from files of strangers.
    private static func isSafe(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= 64, name.first != "/", name.first != ".", name.last != "/" else {
            return false
        }
        let isPlain = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || [0x2B, 0x2D, 0x2F, 0x5F].contains(byte)
        }
        return isPlain && name.first?.isLowercase == false
    }

    /// `UTC+02:00`, `GMT-5`, `+0530`.
    private static func fixedOffset(_ name: String) -> Zone? {
        var rest = Substring(name)
        for prefix in ["UTC", "GMT"] where rest.hasPrefix(prefix) { rest = rest.dropFirst(3) }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let digits = rest.dropFirst().filter { $0 != ":" }
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), (1...4).contains(digits.count),
            let number = Int(digits)
        else { return nil }
        let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
        guard hours <= 14, minutes < 60 else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return Zone(fixedOffset: sign == "-" ? -seconds : seconds, identifier: name)
    }

    private static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = buffer.withUnsafeMutableBufferPointer { space in
            space.withMemoryRebound(to: CChar.self) { chars in
                chars.baseAddress.map { readlink(path, $0, chars.count) } ?? -1
            }
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}

extension String {
    fileprivate func replacingDSTWords() -> String {
        hasSuffix(" Daylight Time") ? dropLast(14) + " Standard Time" : self
    }

    fileprivate func range(of needle: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
            start = index(after: start)
        }
        return nil
    }
}
