import HelixCalendar
import HelixModel

/// The data files of calcurse: `apts` with appointments and events, `todo`, and a file for each note.
public enum CalcurseFormat {
    /// Whether a text is a file of appointments: one of the first lines is `11/20/2026 @ 10:00 -> 11/20/2026 @ 11:00 |Title`, and
    /// none is one of iCalendar.
    public static func isAppointments(_ bytes: [UInt8]) -> Bool {
        for line in bytes.prefix(8000).split(separator: 0x0A).prefix(20) {
            if line.starts(with: "BEGIN:".utf8) { return false }
            var scanner = Scanner(String(decoding: line.prefix(500), as: UTF8.self))
            guard scanner.date() != nil else { continue }
            scanner.skipBlanks()
            if scanner.rest.hasPrefix("@ ") || scanner.rest.hasPrefix("[") { return true }
        }
        return false
    }

    /// Reads appointments and events as iCalendar.
    ///
    /// - Parameter note: the text of a note with a name.
    public static func calendar(_ bytes: [UInt8], note: (String) -> String?) -> ConvertedCalendar {
        var calendar = ConvertedCalendar()
        var met: [String: Int] = [:]
        for (number, line) in String(guessing: bytes).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() where !line.allSatisfy(\.isWhitespace) {
            let text = String(line)
            guard
                var event = event(
                    text,
                    { name in
                        let found = note(name)
                        if found == nil {
                            calendar.defects.append(
                                ForeignDefect(
                                    "line \(number + 1)", "its note \(name) cannot be read and is left out",
                                    isPartial: true))
                        }
                        return found
                    })
            else {
                calendar.defects.append(ForeignDefect("line \(number + 1)", "not an appointment of calcurse"))
                continue
            }
            met[text, default: 0] += 1
            let copy = met[text] ?? 1
            event.uid = ForeignUID.of(text, "calcurse") + (copy == 1 ? "" : "-\(copy)")
            calendar.add(event, line: number + 1)
        }
        calendar.end()
        return calendar
    }

    private static func event(_ line: String, _ note: (String) -> String?) -> PlainEvent? {
        var scanner = Scanner(line)
        guard let date = scanner.date() else { return nil }
        scanner.skipBlanks()
        var span: PlainEvent.Span
        let isAppointment = scanner.take("@")
        if isAppointment {
            guard let start = scanner.clock(), scanner.take("->"), let endDate = scanner.date(), scanner.take("@"),
                let end = scanner.clock()
            else { return nil }
            span = .times(CivilDateTime(date, secondOfDay: start), CivilDateTime(endDate, secondOfDay: end))
        } else {
            guard scanner.take("["), scanner.number() != nil, scanner.take("]") else { return nil }
            span = .days(date, date)
        }
        var event = PlainEvent(uid: "", title: "", span: span)
        scanner.skipBlanks()
        if scanner.take("{") {
            guard let rule = scanner.recurrence(span) else { return nil }
            (event.rule, event.exceptions) = rule
        }
        scanner.skipBlanks()
        if scanner.take(">") { event.notes = note(scanner.word()) }
        scanner.skipBlanks()
        if isAppointment {
            // Only a marked appointment is announced.
            event.hasReminder = scanner.take("!")
            guard event.hasReminder || scanner.take("|") else { return nil }
        }
        event.title = String(scanner.rest).trimmingBlanks()
        return event.title.isEmpty ? nil : event
    }

    /// Reads the tasks: `[3] Title`, with a minus for done ones and `>NAME` for a note.
    /// - Throws: ``HelixError`` of code `badInput` if it is not text.
    public static func tasks(_ bytes: [UInt8], now: Instant, note: (String) -> String?) throws -> ForeignTasks {
        if bytes.contains(0) { throw HelixError(.badInput, "the file is not text: it contains NUL bytes") }
        var found = ForeignTasks()
        var met: [String: Int] = [:]
        for (number, line) in String(guessing: bytes).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).enumerated() where !line.allSatisfy(\.isWhitespace) {
            var scanner = Scanner(String(line))
            guard scanner.take("[") else {
                found.defects.append(ForeignDefect("line \(number + 1)", "it is no task of calcurse"))
                continue
            }
            let isDone = scanner.take("-")
            guard let priority = scanner.number(), scanner.take("]") else {
                found.defects.append(ForeignDefect("line \(number + 1)", "it has no priority"))
                continue
            }
            var notes: String?
            if scanner.take(">") {
                let name = scanner.word()
                notes = note(name)
                if notes == nil {
                    found.defects.append(
                        ForeignDefect(
                            "line \(number + 1)", "its note \(name) cannot be read and is left out", isPartial: true))
                }
            }
            let title = String(scanner.rest).trimmingBlanks()
            guard !title.isEmpty else {
                found.defects.append(ForeignDefect("line \(number + 1)", "it has no title"))
                continue
            }
            var foreign = ForeignTask(title: title, createdAt: now)
            foreign.task.notes = notes
            if !(0...9).contains(priority) {
                found.defects.append(
                    ForeignDefect(
                        "line \(number + 1)", "its priority \(priority) is none from 0 to 9; imported without it",
                        isPartial: true))
            }
            // 1 is the highest of 9; 0 is none.
            foreign.task.priority =
                switch priority {
                case 1, 2: .critical
                case 3, 4: .high
                case 5, 6: .medium
                case 7...9: .low
                default: nil
                }
            if isDone {
                foreign.task.state = .done
                foreign.task.completedAt = now
            }
            met[title, default: 0] += 1
            foreign.task.uid = "calcurse " + title + (met[title] == 1 ? "" : " \(met[title] ?? 0)")
            found.tasks.append(foreign)
        }
        return found
    }

    /// Reads the parts of a line.
    private struct Scanner {
        var rest: Substring

        init(_ line: String) { rest = line[...] }

        mutating func skipBlanks() { rest = rest.drop { $0 == " " } }

        mutating func take(_ sign: String) -> Bool {
            let next = rest.drop { $0 == " " }
            guard next.hasPrefix(sign) else { return false }
            rest = next.dropFirst(sign.count)
            return true
        }

        mutating func number() -> Int? {
            skipBlanks()
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "-" && rest.first == "-") }
            guard let number = Int(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            return number
        }

        /// `11/20/2026`
        mutating func date() -> CivilDate? {
            guard let month = number(), take("/"), let day = number(), take("/"), let year = number() else {
                return nil
            }
            return CivilDate(validYear: year, month: month, day: day)
        }

        mutating func clock() -> Int? {
            guard let hour = number(), take(":"), let minute = number(), (0..<24).contains(hour),
                (0..<60).contains(minute)
            else { return nil }
            return hour * 3600 + minute * 60
        }

        mutating func word() -> String {
            let word = rest.prefix { $0 != " " }
            rest = rest.dropFirst(word.count)
            return String(word)
        }

        private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

        /// `2W -> 03/01/2027 w1 w6 !12/05/2026}`: a period, its end, days of the month, weekdays (in a month by the seven:
        /// `w16` is the second Tuesday), months, and exceptions.
        mutating func recurrence(_ span: PlainEvent.Span) -> (rule: String, exceptions: [CivilDate])? {
            guard let count = number(), count > 0, let unit = rest.first,
                let frequency = ["D": "DAILY", "W": "WEEKLY", "M": "MONTHLY", "Y": "YEARLY"][unit]
            else { return nil }
            rest = rest.dropFirst()
            var parts = ["FREQ=" + frequency]
            if count > 1 { parts.append("INTERVAL=\(count)") }
            if take("->") {
                guard let until = date() else { return nil }
                let end: ICalendarTime =
                    if case .times = span { .floating(CivilDateTime(until, hour: 23, minute: 59, second: 59)) } else {
                        .date(until)
                    }
                parts.append("UNTIL=" + end.text)
            }
            var lists: [String: [String]] = [:]
            var exceptions: [CivilDate] = []
            while !take("}") {
                if take("d"), let day = number() {
                    lists["BYMONTHDAY", default: []].append("\(day)")
                } else if take("w"), let code = number() {
                    let (week, day) = (abs(code) / 7, abs(code) % 7)
                    let ordinal = week == 0 ? "" : code < 0 ? "-\(week)" : "\(week)"
                    lists["BYDAY", default: []].append(ordinal + Self.weekdays[day])
                } else if take("m"), let month = number() {
                    lists["BYMONTH", default: []].append("\(month)")
                } else if take("!"), let day = date() {
                    exceptions.append(day)
                } else {
                    return nil
                }
            }
            for name in ["BYMONTH", "BYMONTHDAY", "BYDAY"] {
                if let list = lists[name] { parts.append("\(name)=" + list.joined(separator: ",")) }
            }
            return (parts.joined(separator: ";"), exceptions)
        }
    }
}
