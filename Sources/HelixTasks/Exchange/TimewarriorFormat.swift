import HelixModel

/// Timewarrior data: the JSON of `timew export`, or the lines of its data files.
public enum TimewarriorFormat {
    /// Parses an export or a data file.
    /// - Throws: ``HelixError`` of code `badInput` if it is neither.
    public static func read(_ bytes: [UInt8]) throws -> (entries: [ForeignTimeEntry], defects: [ForeignDefect]) {
        var entries: [ForeignTimeEntry] = []
        var defects: [ForeignDefect] = []
        var spaced: Set<String> = []
        func joined() -> [ForeignDefect] {
            spaced.sorted().map {
                ForeignDefect(
                    "tag '\($0)'", "tags are single words; imported as '\(ForeignTags.word($0))'", isPartial: true)
            }
        }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
            let value: JSONText
            do { value = try JSONText(bytes) } catch let defect as JSONText.Defect {
                throw HelixError(
                    .badInput, "the file is not JSON: \(defect.reason) at byte \(defect.offset)",
                    hint: "It may be cut off.")
            }
            guard let list = value.elements else {
                throw HelixError(.badInput, "the file is neither a Timewarrior export nor a Timewarrior data file")
            }
            for (number, object) in list.enumerated() {
                guard let start = TaskwarriorFormat.time(object["start"]) else {
                    defects.append(ForeignDefect("entry \(number + 1)", "it has no start"))
                    continue
                }
                if let end = object["end"], TaskwarriorFormat.time(end) == nil {
                    // Without its end it would be a running entry.
                    defects.append(ForeignDefect("entry \(number + 1)", "its end \(end.compact) is no time"))
                    continue
                }
                if let own = object["helix"], let entry = written(start, object, own) {
                    entries.append(entry)
                    continue
                }
                let tags = object["tags"]?.elements?.compactMap(\.text) ?? []
                for (name, isRead) in [
                    ("tags", object["tags"].map { $0.elements?.count == tags.count } ?? true),
                    ("annotation", object["annotation"].map { $0.text != nil } ?? true),
                ] where !isRead {
                    defects.append(
                        ForeignDefect(
                            "entry \(number + 1)", "its \(name) \(object[name]?.compact ?? "") cannot be read",
                            isPartial: true))
                }
                spaced.formUnion(tags.filter { $0.contains(where: \.isWhitespace) })
                entries.append(
                    entry(start, TaskwarriorFormat.time(object["end"]), tags, object["annotation"]?.text))
            }
            return (entries, defects + joined())
        }
        let file = try ForeignText(bytes)
        defects = file.defects
        for (number, line) in file.text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }
        ).enumerated() {
            // inc 20261103T080000Z - 20261103T082000Z # email "two words" # annotation
            guard line.hasPrefix("inc ") else {
                if line.contains(where: { !$0.isWhitespace }) {
                    defects.append(ForeignDefect("line \(number + 1)", "it is no interval"))
                }
                continue
            }
            let parts = line.dropFirst(4).split(separator: "#", maxSplits: 2).map { String($0).trimmingBlanks() }
            let times = (parts.first ?? "").split(separator: " ").filter { $0 != "-" }.map {
                TaskwarriorFormat.time(.string(String($0)))
            }
            guard let start = times.first ?? nil else {
                defects.append(ForeignDefect("line \(number + 1)", "it has no start"))
                continue
            }
            guard times.count < 3, times.count < 2 || times[1] != nil else {
                defects.append(ForeignDefect("line \(number + 1)", "its end is no time"))
                continue
            }
            let tags = parts.count > 1 ? words(parts[1]) : []
            spaced.formUnion(tags.filter { $0.contains(where: \.isWhitespace) })
            let note = parts.count > 2 ? words(parts[2]).joined(separator: " ") : nil
            entries.append(entry(start, times.count > 1 ? times[1] : nil, tags, note))
        }
        if entries.isEmpty && defects.isEmpty {
            let isEmpty = bytes.allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
            if !isEmpty {
                throw HelixError(.badInput, "the file is neither a Timewarrior export nor a Timewarrior data file")
            }
        }
        return (entries, defects + joined())
    }

    private static func entry(
        _ start: Instant, _ end: Instant?, _ tags: [String], _ note: String?
    ) -> ForeignTimeEntry {
        var foreign = ForeignTimeEntry(start: start, end: end)
        // In Timewarrior, tags describe the work and may have several words; in helix, a tag is one word.
        foreign.entry.title = tags.isEmpty ? note : tags.joined(separator: " ")
        foreign.entry.tags = tags.map(ForeignTags.word).filter { !$0.isEmpty }
        foreign.entry.note = tags.isEmpty ? nil : note
        return foreign
    }

    /// The entry that helix wrote, if its tags are still those that it stands for.
    private static func written(_ start: Instant, _ object: JSONText, _ own: JSONText) -> ForeignTimeEntry? {
        var foreign = ForeignTimeEntry(start: start, end: TaskwarriorFormat.time(object["end"]))
        foreign.entry.title = own["title"]?.text
        foreign.entry.tags = own["tags"]?.elements?.compactMap(\.text) ?? []
        foreign.entry.note = object["annotation"]?.text
        if case .bool(true)? = own["billable"] { foreign.entry.isBillable = true }
        (foreign.project, foreign.customer) = (own["project"]?.text, own["customer"]?.text)
        foreign.task = own["task"]?.text.flatMap { EntityID($0) }
        foreign.id = own["id"]?.text.flatMap { EntityID($0) }
        let tags = object["tags"]?.elements?.compactMap(\.text) ?? []
        let names = tagNames(foreign.entry.title ?? "", foreign.entry.tags, foreign.project)
        return tags == names ? foreign : nil
    }

    /// The tags that stand for an entry: its title, its tags, and its project.
    private static func tagNames(_ title: String, _ tags: [String], _ project: String?) -> [String] {
        var names = tags
        let words = names.joined(separator: " ")
        let isTitle = title == words || title.replacing(" ", with: "-") == names.joined(separator: "-")
        if !isTitle, !title.isEmpty { names.insert(title, at: 0) }
        if let project, !names.contains(project) { names.append(project) }
        return names
    }

    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    /// Entries as `timew export` writes them; the latest has id 1.
    public static func text(_ entries: [TimeEntryDetails]) -> String {
        var lines: [String] = []
        for (index, details) in entries.enumerated() {
            let entry = details.entry
            var fields = [
                JSONText.Field(name: "id", value: .number("\(entries.count - index)")),
                JSONText.Field(name: "start", value: .string(TaskwarriorFormat.stamp(entry.start))),
            ]
            if let end = entry.end {
                fields.append(JSONText.Field(name: "end", value: .string(TaskwarriorFormat.stamp(end))))
            }
            let tags = tagNames(details.title, entry.tags, details.project)
            if !tags.isEmpty {
                fields.append(JSONText.Field(name: "tags", value: .array(tags.map { .string($0) })))
            }
            if let note = entry.note { fields.append(JSONText.Field(name: "annotation", value: .string(note))) }
            // Timewarrior ignores fields that it does not know.
            var own = [
                JSONText.Field(name: "id", value: .string(entry.id.text)),
                JSONText.Field(name: "title", value: .string(details.title)),
                JSONText.Field(name: "tags", value: .array(entry.tags.map { .string($0) })),
            ]
            for (name, text) in [
                ("project", details.project), ("customer", details.customer), ("task", entry.task?.text),
            ] {
                if let text { own.append(JSONText.Field(name: name, value: .string(text))) }
            }
            if entry.isBillable { own.append(JSONText.Field(name: "billable", value: .bool(true))) }
            fields.append(JSONText.Field(name: "helix", value: .object(own)))
            lines.append(JSONText.object(fields).compact)
        }
        return "[\n" + lines.joined(separator: ",\n") + (lines.isEmpty ? "]\n" : "\n]\n")
    }
}
