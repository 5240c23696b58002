import HelixModel

/// Collects the entries of Timewarrior's exports and data files.
struct TimewarriorReader {
    private(set) var entries: [ForeignTimeEntry] = []
    private(set) var defects: [ForeignDefect] = []
    /// The tags of several words.
    private var spaced: Set<String> = []

    static let unknownFile = HelixError(
        .badInput, "the file is neither a Timewarrior export nor a Timewarrior data file")

    var isEmpty: Bool { entries.isEmpty && defects.isEmpty }

    /// The defects of tags that helix has in another form.
    var spacedTags: [ForeignDefect] {
        spaced.sorted().map {
            ForeignDefect(
                "tag '\($0)'", "tags are single words; imported as '\(ForeignTags.word($0))'", isPartial: true)
        }
    }

    /// Reads the JSON of `timew export`.
    /// - Throws: ``HelixError`` of code `badInput` for other content.
    mutating func readExport(_ bytes: [UInt8]) throws {
        let value: JSONText
        do { value = try JSONText(bytes) } catch let defect as JSONText.Defect {
            throw HelixError(
                .badInput, "the file is not JSON: \(defect.reason) at byte \(defect.offset)", hint: "It may be cut off."
            )
        }
        guard let list = value.elements else { throw Self.unknownFile }
        for (number, object) in list.enumerated() { read(object, place: "entry \(number + 1)") }
    }

    private mutating func read(_ object: JSONText, place: String) {
        guard let start = TaskwarriorFormat.time(object["start"]) else {
            defects.append(ForeignDefect(place, "it has no start"))
            return
        }
        if let end = object["end"], TaskwarriorFormat.time(end) == nil {
            // Without its end it would be a running entry.
            defects.append(ForeignDefect(place, "its end \(end.compact) is no time"))
            return
        }
        if let own = object["helix"], let entry = TimewarriorFormat.written(start, object, own) {
            entries.append(entry)
            return
        }
        let tags = object["tags"]?.elements?.compactMap(\.text) ?? []
        for (name, isRead) in [
            ("tags", object["tags"].map { $0.elements?.count == tags.count } ?? true),
            ("annotation", object["annotation"].map { $0.text != nil } ?? true),
        ] where !isRead {
            let reason = "its \(name) \(object[name]?.compact ?? "") cannot be read"
            defects.append(ForeignDefect(place, reason, isPartial: true))
        }
        add(start, TaskwarriorFormat.time(object["end"]), tags, object["annotation"]?.text)
    }

    /// Reads the lines of a data file.
    /// - Throws: ``HelixError`` of code `badInput` if the file is not text.
    mutating func readDataFile(_ bytes: [UInt8]) throws {
        let file = try ForeignText(bytes)
        defects = file.defects
        let lines = file.text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
        for (number, line) in lines.enumerated() { read(line, place: "line \(number + 1)") }
    }

    /// Reads a line: `inc 20261103T080000Z - 20261103T082000Z # email "two words" # annotation`.
    private mutating func read(_ line: Substring, place: String) {
        guard line.hasPrefix("inc ") else {
            if line.contains(where: { !$0.isWhitespace }) {
                defects.append(ForeignDefect(place, "it is no interval"))
            }
            return
        }
        let parts = line.dropFirst(4).split(separator: "#", maxSplits: 2).map { String($0).trimmingBlanks() }
        let times = (parts.first ?? "").split(separator: " ").filter { $0 != "-" }.map {
            TaskwarriorFormat.time(.string(String($0)))
        }
        guard let start = times.first ?? nil else {
            defects.append(ForeignDefect(place, "it has no start"))
            return
        }
        guard times.count < 3, times.count < 2 || times[1] != nil else {
            defects.append(ForeignDefect(place, "its end is no time"))
            return
        }
        let tags = parts.count > 1 ? TimewarriorFormat.words(parts[1]) : []
        let note = parts.count > 2 ? TimewarriorFormat.words(parts[2]).joined(separator: " ") : nil
        add(start, times.count > 1 ? times[1] : nil, tags, note)
    }

    private mutating func add(_ start: Instant, _ end: Instant?, _ tags: [String], _ note: String?) {
        spaced.formUnion(tags.filter { $0.contains(where: \.isWhitespace) })
        entries.append(TimewarriorFormat.entry(start, end, tags, note))
    }
}
