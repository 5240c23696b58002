extension RawComponent {
    private static let times: Set<String> = ["DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "EXDATE", "RDATE"]

    /// Adds a zone to its floating times (`X-WR-TIMEZONE`), so that its text is self-contained.
    public mutating func bindFloatingTimes(to tzid: String) {
        var out: [UInt8] = []
        out.reserveCapacity(text.count + 64)
        var depth = 0
        for line in text.split(separator: 0x0A) {
            if line.starts(with: "BEGIN:".utf8) { depth += 1 }
            if line.starts(with: "END:".utf8) { depth -= 1 }
            let first = line.first ?? 0
            if depth == 1, first == 0x44 || first == 0x45 || first == 0x52 || first >= 0x61,
                var property = ICalendarProperty(line), RawComponent.times.contains(property.name),
                property["TZID"] == nil, property.value.contains("T"), !property.value.contains("Z")
            {
                property.parameters.append(.init("TZID", [tzid]))
                out.append(contentsOf: Array(property.line.utf8))
                usesCalendarZone = true
            } else {
                out.append(contentsOf: line)
            }
            out.append(0x0A)
        }
        text = out
        if usesCalendarZone { event = nil }
    }

    /// Removes UIDs without a value, which identify nothing: one that is derived takes their place.
    mutating func removeEmptyUIDs() {
        let isNumbered = !lineNumbers.isEmpty
        var out: [UInt8] = []
        var numbers: [Int] = []
        var depth = 0
        for (index, line) in text.split(separator: 0x0A).enumerated() {
            if line.starts(with: "BEGIN:".utf8) { depth += 1 }
            if line.starts(with: "END:".utf8) { depth -= 1 }
            if depth == 1, line.first.map({ $0 | 0x20 == 0x75 }) ?? false, ICalendarProperty(line)?.name == "UID" {
                continue
            }
            out.append(contentsOf: line)
            out.append(0x0A)
            if isNumbered, lineNumbers.indices.contains(index) { numbers.append(lineNumbers[index]) }
        }
        text = out
        lineNumbers = numbers
    }
}
