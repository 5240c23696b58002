import HelixModel

/// An Org file: its headings, with planning, properties, clocked time and text (https://orgmode.org/org-syntax.html).
public struct OrgDocument {
    /// A timestamp: `<2026-11-20 Fri 10:00-11:00 +1w>`; inactive in square brackets.
    public struct Timestamp {
        /// The day.
        public var date: CivilDate
        /// The time of day in seconds; nil for a whole day.
        public var time: Int?
        /// The end of a range of hours, in seconds of the day.
        public var endTime: Int?
        /// The last timestamp of a range `<…>--<…>`.
        public var lastDate: CivilDate?
        /// The repeater: `+1w`, `++1m`, `.+2d`.
        public var repeater: String?
        /// Whether it is shown in agendas.
        public var isActive: Bool
        /// A time of day that is none: `25:00`.
        var unreadable: String?
        /// Words without a meaning for helix: the longest pause of a habit, the period of a warning, or what is none of these.
        var omitted: [String] = []

        /// The time on the clock of `zone`, or the day.
        public func taskTime(in zone: Zone) -> TaskTime {
            time.map { .moment(zone.instant(CivilDateTime(date, secondOfDay: $0))) } ?? .date(date)
        }
    }

    /// A heading.
    public struct Clock {
        /// The line of the file.
        public var line: Int
        /// The start, which has a time.
        public var start: Timestamp
        /// The end; nil while it runs.
        public var end: Timestamp?
        /// The length in minutes that stands after `=>`; nil if it cannot be read.
        public var minutes: Int?
        /// The text after `=>`.
        public var length: String?
    }

    /// A heading with what stands below it.
    public struct Heading {
        /// The line of the file.
        public var line: Int
        /// The number of stars.
        public var level: Int
        /// The keyword, such as `TODO`.
        public var keyword: String?
        /// Whether the keyword means that nothing is left to do.
        public var isClosed = false
        /// The letter of `[#A]`.
        public var priority: Character?
        /// The title, without keyword, priority and tags.
        public var title: String
        /// The tags, including those of the headings above.
        public var tags: [String]
        /// SCHEDULED, DEADLINE and CLOSED.
        public var planning: [String: Timestamp] = [:]
        /// The properties of the drawer, with names in upper case.
        public var properties: [String: String] = [:]
        /// The clocked time.
        public var clocks: [Clock] = []
        /// Active timestamps of the title and the text.
        public var timestamps: [Timestamp] = []
        /// The check boxes.
        public var steps: [ChecklistItem] = []
        /// The text.
        public var text: [String] = []
        /// The index of the heading above.
        public var parent: Int?
    }

    /// The headings, in the order of the file.
    public private(set) var headings: [Heading] = []
    /// Lines that were not understood.
    public private(set) var defects: [ForeignDefect] = []

    private var open: Set<String> = ["TODO", "NEXT", "STARTED", "DOING", "WAITING", "WAIT", "HOLD", "PROJ", "SOMEDAY"]
    private var closed: Set<String> = ["DONE", "CANCELLED", "CANCELED", "KILL"]
    private var fileTags: [String] = []

    /// Whether a file is probably one: its first heading or keyword line.
    public static func isFormat(_ bytes: [UInt8]) -> Bool {
        for line in String(decoding: bytes.prefix(4000), as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("#+") || heading(line) != nil { return true }
            if !line.hasPrefix("#"), !line.allSatisfy(\.isWhitespace) { return false }
        }
        return false
    }

    /// Parses a file.
    /// - Throws: ``HelixError`` of code `badInput` if it is not text.
    public init(_ bytes: [UInt8]) throws {
        let file = try ForeignText(bytes)
        defects = file.defects
        var drawer: String?
        let lines = file.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in lines where line.uppercased().hasPrefix("#+") { readSetting(String(line)) }
        for (number, line) in lines.enumerated() {
            let text = String(line).trimmingBlanks()
            if let found = Self.heading(line) {
                drawer = nil
                addHeading(found.level, String(found.rest), line: number + 1)
            } else if headings.isEmpty || text.hasPrefix("#+") || text == "#" || text.hasPrefix("# ") {
                continue
            } else if let name = drawer {
                if text.uppercased() == ":END:" { drawer = nil } else { readDrawer(name, text, number + 1) }
            } else if text.hasPrefix(":"), text.hasSuffix(":"), text.count > 2,
                !text.dropFirst().dropLast().contains(" ")
            {
                drawer = text.dropFirst().dropLast().uppercased()
            } else {
                readBody(String(line), text, number + 1)
            }
        }
    }

    private static func heading(_ line: Substring) -> (level: Int, rest: Substring)? {
        let level = line.prefix { $0 == "*" }.count
        guard level > 0, line.dropFirst(level).first == " " else { return nil }
        return (level, line.dropFirst(level + 1))
    }

    /// Reads `#+TODO: A B | C` and `#+FILETAGS: :x:y:`.
    private mutating func readSetting(_ line: String) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = String(line[line.index(after: colon)...])
        switch line[..<colon].uppercased() {
        case "#+TODO", "#+SEQ_TODO", "#+TYP_TODO":
            // `WAIT(w@/!)` names a key and what is logged.
            let halves = value.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map { half in
                half.split(separator: " ").map { String($0.prefix { $0 != "(" }) }
            }
            if halves.count == 2 {
                open.formUnion(halves[0])
                closed.formUnion(halves[1])
            } else if let last = halves[0].last {
                open.formUnion(halves[0].dropLast())
                closed.insert(last)
            }
        case "#+FILETAGS": fileTags += value.split { $0 == ":" || $0 == " " }.map(String.init)
        default: break
        }
    }

    private mutating func addHeading(_ level: Int, _ rest: String, line: Int) {
        var words = rest.split(separator: " ", omittingEmptySubsequences: true).map(String.init)[...]
        var heading = Heading(line: line, level: level, title: "", tags: [])
        if let word = words.first, open.contains(word) || closed.contains(word) {
            (heading.keyword, heading.isClosed) = (word, closed.contains(word))
            words = words.dropFirst()
        }
        if let word = words.first, word.count == 4, word.hasPrefix("[#"), word.hasSuffix("]") {
            heading.priority = word.dropFirst(2).first
            words = words.dropFirst()
        }
        var tags: [String] = []
        if let word = words.last, word.count > 2, word.hasPrefix(":"), word.hasSuffix(":") {
            tags = word.split(separator: ":").map(String.init)
            words = words.dropLast()
        }
        let whole = words.joined(separator: " ")
        heading.timestamps = activeTimestamps(whole, line)
        heading.title = Self.withoutTimestamps(whole)
        // The nearest heading of a lower level.
        if level > 1 { heading.parent = headings.indices.last { headings[$0].level < level } }
        let inherited = heading.parent.map { headings[$0].tags } ?? fileTags
        heading.tags = inherited + tags.filter { !inherited.contains($0) }
        headings.append(heading)
    }

    private mutating func readDrawer(_ name: String, _ text: String, _ line: Int) {
        if name == "PROPERTIES", text.hasPrefix(":"), let end = text.dropFirst().firstIndex(of: ":") {
            let key = text[text.index(after: text.startIndex)..<end].uppercased()
            headings[headings.count - 1].properties[key] = String(text[text.index(after: end)...]).trimmingBlanks()
        } else if text.hasPrefix("CLOCK:") {
            readClock(text, line)
        }
    }

    private mutating func readClock(_ text: String, _ line: Int) {
        let stamps = Self.timestamps(text)
        guard let start = stamps.first, start.time != nil else {
            defects.append(ForeignDefect("line \(line)", "the clock has no start: \(text)"))
            return
        }
        var end: Timestamp?
        if let last = start.lastDate { end = Timestamp(date: last, time: start.endTime, isActive: false) }
        var clock = Clock(line: line, start: start, end: end ?? (stamps.count > 1 ? stamps[1] : nil))
        if let arrow = text.firstRange(of: "=>") {
            let length = String(text[arrow.upperBound...]).trimmingBlanks()
            let parts = length.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
            if parts.count == 2, let hours = parts[0], let minutes = parts[1], (-100_000...100_000).contains(hours),
                (0..<60).contains(minutes)
            {
                clock.minutes = length.hasPrefix("-") ? hours * 60 - minutes : hours * 60 + minutes
            }
            clock.length = length
        }
        headings[headings.count - 1].clocks.append(clock)
    }

    private mutating func readBody(_ line: String, _ text: String, _ number: Int) {
        let place = headings.count - 1
        if text.hasPrefix("CLOCK:") { return readClock(text, number) }
        var isPlanning = false
        for key in ["SCHEDULED", "DEADLINE", "CLOSED"] {
            guard let found = text.firstRange(of: key + ":") else { continue }
            guard let stamp = Self.timestamps(String(text[found.upperBound...])).first else {
                defects.append(ForeignDefect("line \(number)", "\(key) has no date: \(text)", isPartial: true))
                continue
            }
            isPlanning = true
            defects += Self.defects(of: stamp, line: number)
            headings[place].planning[key] = stamp
        }
        if isPlanning { return }
        headings[place].timestamps += activeTimestamps(text, number)
        if let bullet = text.first, "-+*".contains(bullet) || bullet.isNumber, let box = text.firstRange(of: "["),
            let close = text[box.upperBound...].firstIndex(of: "]"),
            text.distance(from: box.upperBound, to: close) == 1,
            text[..<box.lowerBound].allSatisfy({ "-+*.) ".contains($0) || $0.isNumber })
        {
            let step = String(text[text.index(after: close)...]).trimmingBlanks()
            let mark = text[box.upperBound]
            if " X-".contains(mark), !step.isEmpty {
                headings[place].steps.append(ChecklistItem(step, done: mark == "X"))
                return
            }
        }
        headings[place].text.append(line)
    }

    // MARK: Timestamps

    /// The active timestamps of a line, with defects of those that are none.
    private mutating func activeTimestamps(_ text: String, _ line: Int) -> [Timestamp] {
        let openings: [Substring] = Array(text.split(separator: "<", omittingEmptySubsequences: false).dropFirst())
        for opening in openings {
            guard let close = opening.firstIndex(of: ">") else { continue }
            let inner = opening[..<close]
            let isDate = inner.prefix(4).count { $0.isASCII && $0.isNumber } == 4 && inner.dropFirst(4).first == "-"
            guard isDate || inner.hasPrefix("%%("), Self.stamp(String(inner), isActive: true) == nil else { continue }
            defects.append(ForeignDefect("line \(line)", "the timestamp <\(inner)> is not understood", isPartial: true))
        }
        let found = Self.timestamps(text).filter(\.isActive)
        for stamp in found { defects += Self.defects(of: stamp, line: line) }
        return found
    }

    private static func defects(of stamp: Timestamp, line: Int) -> [ForeignDefect] {
        let rest = stamp.time == nil ? "a whole day" : "a time without an end"
        let unreadable = stamp.unreadable.map { "'\($0)' is no time of day; read as \(rest)" }
        let omitted = stamp.omitted.map { word in
            word.hasPrefix("/")
                ? "the longest pause '\(word.dropFirst())' of a habit is omitted"
                : word.hasPrefix("-")
                    ? "the warning period '\(word)' is omitted" : "'\(word)' in a timestamp is not understood"
        }
        return ([unreadable].compactMap { $0 } + omitted).map { ForeignDefect("line \(line)", $0, isPartial: true) }
    }

    private static func withoutTimestamps(_ text: String) -> String {
        var out = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let inner = String(rest[rest.index(after: open)..<close])
            out += rest[..<open]
            if stamp(inner, isActive: true) == nil {
                out += "<" + inner + ">"
            } else if out.hasSuffix("--") {
                out.removeLast(2)
            }
            rest = rest[rest.index(after: close)...]
        }
        let words = (out + rest).split(separator: " ")
        return words.joined(separator: " ")
    }

    /// The timestamps in a text; a range is one.
    static func timestamps(_ text: String) -> [Timestamp] {
        var found: [Timestamp] = []
        var rest = text[...]
        var isRange = false
        while let open = rest.firstIndex(where: { $0 == "<" || $0 == "[" }) {
            let sign: Character = rest[open] == "<" ? ">" : "]"
            guard let close = rest[open...].firstIndex(of: sign) else { break }
            let inner = String(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            guard let stamp = stamp(inner, isActive: sign == ">") else {
                isRange = false
                continue
            }
            if isRange, let last = found.indices.last {
                found[last].lastDate = stamp.date
                if found[last].time != nil { found[last].endTime = stamp.time }
            } else {
                found.append(stamp)
            }
            isRange = rest.hasPrefix("--")
        }
        return found
    }

    /// `2026-11-20 Fri 10:00-11:00 +1w -2d`
    private static func stamp(_ text: String, isActive: Bool) -> Timestamp? {
        let words = text.split(separator: " ").map(String.init)
        guard let date = words.first.flatMap(ISO8601Reader.date) else { return nil }
        var stamp = Timestamp(date: date, isActive: isActive)
        for word in words.dropFirst() {
            if word.first?.isNumber == true, word.contains(":") {
                let times = word.split(separator: "-").map { clock(String($0)) }
                stamp.time = times.first ?? nil
                if times.count > 1 { stamp.endTime = times[1] }
                if times.contains(where: { $0 == nil }) || times.count > 2 { stamp.unreadable = word }
            } else if word.hasPrefix("+") || word.hasPrefix(".+") {
                // A habit's `.+2d/4d` names the longest pause, too.
                stamp.repeater = String(word.prefix { $0 != "/" })
                if let slash = word.firstIndex(of: "/") { stamp.omitted.append(String(word[slash...])) }
            } else if word.contains(where: \.isNumber) {
                // A weekday has no digits.
                stamp.omitted.append(word)
            }
        }
        return stamp
    }

    private static func clock(_ text: String) -> Int? {
        let parts = text.split(separator: ":").map { Int($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        return hour * 3600 + minute * 60
    }

    /// The unit and number of a repeater: `.+2d` is 2 days.
    static func period(_ repeater: String) -> (unit: Character, count: Int)? {
        let text = repeater.drop { $0 == "." || $0 == "+" }
        guard let unit = text.last, "hdwmy".contains(unit), let count = Int(text.dropLast()), (1...1000).contains(count)
        else { return nil }
        return (unit, count)
    }

    /// The rule of RFC 5545 with a period.
    static func rule(_ repeater: String) -> String? {
        guard let (unit, count) = period(repeater) else { return nil }
        let frequency: [Character: String] = [
            "h": "HOURLY", "d": "DAILY", "w": "WEEKLY", "m": "MONTHLY", "y": "YEARLY",
        ]
        return "FREQ=\(frequency[unit] ?? "DAILY")" + (count == 1 ? "" : ";INTERVAL=\(count)")
    }

    /// The indices of the headings above a heading, the nearest first.
    func path(to heading: Heading) -> [Int] {
        Array(
            sequence(first: heading.parent) { $0.flatMap { self.headings[$0].parent } }.prefix { $0 != nil }.compactMap
            { $0 })
    }

    /// The project of a heading: the topmost heading above it, if that has no keyword.
    public func project(of heading: Heading) -> String? {
        path(to: heading).last.flatMap {
            headings[$0].keyword == nil && !headings[$0].title.isEmpty ? headings[$0].title : nil
        }
    }
}
