import HelixModel

/// Time entries in CSV files: helix's own, and the detailed reports of Toggl Track and Clockify.
public struct TimeTableFormat {
    /// The order of day and month in dates with slashes or dots.
    public enum DateOrder: String, Sendable, CaseIterable {
        case dmy
        case mdy
    }

    private let zone: Zone
    private let order: DateOrder?

    /// - Parameters:
    ///   - zone: the time zone of times without an offset.
    ///   - order: the order of day and month, if the file does not show it.
    public init(zone: Zone, order: DateOrder? = nil) {
        (self.zone, self.order) = (zone, order)
    }

    /// Reads the entries of a table.
    /// - Throws: ``HelixError``: `badInput` for an unknown table, `usage` for dates whose order cannot be known.
    public func read(_ table: CSVTable) throws -> (entries: [ForeignTimeEntry], defects: [ForeignDefect]) {
        if table.has("start", "end", "title") { return own(table) }
        guard table.has("start date", "start time") else {
            throw HelixError(
                .badInput, "unknown CSV columns: \(table.columns.prefix(6).joined(separator: ", "))",
                hint: "Toggl's and Clockify's detailed reports are read, and what 'helix time export' writes.")
        }
        let order = try order(table)
        var (entries, defects) = ([ForeignTimeEntry](), table.surplus)
        var tags = ForeignTags()
        let users = Set(table.records.map { $0["user"] }).subtracting([""]).sorted()
        if users.count > 1 {
            let names = users.prefix(3).joined(separator: ", ") + (users.count > 3 ? ", …" : "")
            defects.append(
                ForeignDefect(
                    "the file", "it has the time of \(users.count) people (\(names)); all is imported", isPartial: true)
            )
        }
        for record in table.records {
            if let entry = entry(record, order, &tags, &defects) { entries.append(entry) }
        }
        return (entries, defects + tags.defects)
    }

    /// Reads a row of a report of Toggl Track or Clockify.
    private func entry(
        _ record: CSVTable.Record, _ order: DateOrder, _ tags: inout ForeignTags, _ defects: inout [ForeignDefect]
    ) -> ForeignTimeEntry? {
        func tell(_ reason: String, isPartial: Bool = true) {
            defects.append(ForeignDefect("line \(record.line)", reason, isPartial: isPartial))
        }
        guard let start = moment(record["start date"], record["start time"], order) else {
            tell("unknown start '\(record["start date"]) \(record["start time"])'", isPartial: false)
            return nil
        }
        let length = record["duration"].isEmpty ? record["duration (h)"] : record["duration"]
        let seconds = Self.seconds(length)
        let said = moment(record["end date"], record["end time"], order)
        guard let end = said ?? seconds.map({ start + $0 }) else {
            tell("it has neither an end nor a duration", isPartial: false)
            return nil
        }
        if end == start {
            tell("its duration is 0", isPartial: false)
            return nil
        }
        if let seconds, abs(end - start - seconds) > 60 {
            tell("its duration '\(length)' is not that of its times, which count")
        }
        var foreign = ForeignTimeEntry(start: start, end: end)
        let title = [record["description"], record["task"], record["project"]].first { !$0.isEmpty }
        foreign.entry.title = title
        if !record["task"].isEmpty, record["task"] != title { foreign.entry.note = "Task: " + record["task"] }
        foreign.project = record["project"].isEmpty ? nil : record["project"]
        foreign.customer = record["client"].isEmpty ? nil : record["client"]
        foreign.entry.isBillable = ["yes", "true", "1"].contains(record["billable"].lowercased())
        if !["", "yes", "no", "true", "false", "1", "0"].contains(record["billable"].lowercased()) {
            tell("unknown billable '\(record["billable"])'; imported as not billable")
        }
        if said == nil, !record["end time"].isEmpty {
            tell("unknown end '\(record["end date"]) \(record["end time"])'; its duration is used")
        }
        foreign.entry.tags = tags.words(record["tags"].split(separator: ",").map(String.init))
        return foreign
    }

    private func own(_ table: CSVTable) -> (entries: [ForeignTimeEntry], defects: [ForeignDefect]) {
        var (entries, defects) = ([ForeignTimeEntry](), table.surplus)
        func instant(_ text: String) -> Instant? {
            // A day alone is one of the user's zone.
            ISO8601Reader.date(text).map(zone.startOfDay) ?? ISO8601Reader.instant(text)
        }
        for record in table.records {
            func wrong(_ reason: String) {
                defects.append(ForeignDefect("line \(record.line)", reason, isPartial: true))
            }
            guard let start = instant(record["start"]) else {
                defects.append(ForeignDefect("line \(record.line)", "unknown start '\(record["start"])'"))
                continue
            }
            let end = instant(record["end"])
            if end == nil, !record["end"].isEmpty {
                defects.append(ForeignDefect("line \(record.line)", "unknown end '\(record["end"])'"))
                continue
            }
            func text(_ column: String) -> String? {
                record.whole(column).map(CSVField.value).flatMap { $0.isEmpty ? nil : $0 }
            }
            if let end, !record["seconds"].isEmpty, Int(record["seconds"]).map({ abs($0 - (end - start)) > 1 }) ?? true
            {
                wrong("its seconds '\(record["seconds"])' are not those of its times, which count")
            }
            var foreign = ForeignTimeEntry(start: start, end: end)
            foreign.entry.title = text("title")
            foreign.entry.tags = text("tags")?.split(separator: " ").map(String.init) ?? []
            foreign.entry.note = text("note")
            foreign.entry.isBillable = ["yes", "true", "1"].contains(record["billable"].lowercased())
            if !["", "yes", "no", "true", "false", "1", "0"].contains(record["billable"].lowercased()) {
                wrong("unknown billable '\(record["billable"])', which is yes or no")
            }
            (foreign.project, foreign.customer) = (text("project"), text("customer"))
            foreign.task = EntityID(record["task"])
            if foreign.task == nil, !record["task"].isEmpty { wrong("unknown task '\(record["task"])'") }
            if foreign.project == nil, foreign.customer != nil {
                wrong("the customer '\(record["customer"])' has no project; it is left out")
            }
            foreign.id = EntityID(record["id"])
            entries.append(foreign)
        }
        return (entries, defects)
    }

    // MARK: Dates

    /// The order of day and month: as asked, or as a day after the 12th shows.
    private func order(_ table: CSVTable) throws -> DateOrder {
        if let order { return order }
        var isAmbiguous = false
        var example = ""
        for record in table.records {
            for text in [record["start date"], record["end date"]] {
                guard let parts = Self.parts(text), parts[0] < 1000 else { continue }
                if parts[0] > 12 { return .dmy }
                if parts[1] > 12 { return .mdy }
                if parts[0] != parts[1] { (isAmbiguous, example) = (true, text) }
            }
        }
        guard isAmbiguous else { return .dmy }
        throw HelixError(
            .usage, "'\(example)' has two meanings, and no other date of the file shows which",
            hint: "Pass --dates dmy (day first) or --dates mdy (month first).")
    }

    private static func parts(_ date: String) -> [Int]? {
        let parts = date.split(omittingEmptySubsequences: false) { "/.-".contains($0) }.map { Int($0) }
        return parts.count == 3 && parts.allSatisfy { $0 != nil } ? parts.compactMap { $0 } : nil
    }

    private func moment(_ date: String, _ time: String, _ order: DateOrder) -> Instant? {
        guard let parts = Self.parts(date), let seconds = Self.clock(time) else { return nil }
        // A year of four digits below 1000 is no day: 0001-01-06.
        if parts[0] < 1000, date.prefix(while: \.isNumber).count > 2 { return nil }
        let (year, month, day) =
            parts[0] >= 1000
            ? (parts[0], parts[1], parts[2])
            : order == .dmy ? (parts[2], parts[1], parts[0]) : (parts[2], parts[0], parts[1])
        guard let civil = CivilDate(validYear: year < 100 ? 2000 + year : year, month: month, day: day) else {
            return nil
        }
        return zone.instant(CivilDateTime(civil, secondOfDay: seconds))
    }

    /// `09:30`, `09:30:15`, `9:30 PM`, in seconds of the day.
    private static func clock(_ text: String) -> Int? {
        let upper = text.uppercased()
        let isAfternoon = upper.hasSuffix("PM")
        let isHalf = isAfternoon || upper.hasSuffix("AM")
        let digits = (isHalf ? String(upper.dropLast(2)) : upper).trimmingBlanks()
        let parts = digits.split(separator: ":").map { Int($0) }
        guard (2...3).contains(parts.count), var hour = parts[0], let minute = parts[1],
            let second = parts.count > 2 ? parts[2] : 0, (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        if isHalf {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        return (0..<24).contains(hour) ? hour * 3600 + minute * 60 + second : nil
    }

    /// `01:30:00`, in seconds.
    private static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: ":").map { Int($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2],
            (0...1_000_000).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds)
        else { return nil }
        let sum = hours * 3600 + minutes * 60 + seconds
        return sum > 0 ? sum : nil
    }
}
