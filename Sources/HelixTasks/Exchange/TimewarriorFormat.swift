import HelixModel

/// Timewarrior data: the JSON of `timew export`, or the lines of its data files.
public enum TimewarriorFormat {
    /// Parses an export or a data file.
    /// - Throws: ``HelixError`` of code `badInput` if it is neither.
    public static func read(_ bytes: [UInt8]) throws -> (entries: [ForeignTimeEntry], defects: [ForeignDefect]) {
        var reader = TimewarriorReader()
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
            try reader.readExport(bytes)
        } else {
            try reader.readDataFile(bytes)
            if reader.isEmpty, first != nil { throw TimewarriorReader.unknownFile }
        }
        return (reader.entries, reader.defects + reader.spacedTags)
    }

    static func entry(
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
    static func written(_ start: Instant, _ object: JSONText, _ own: JSONText) -> ForeignTimeEntry? {
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

    static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var (isQuoted, isEscaped) = (false, false)
        for character in text {
            if isEscaped {
                // Timewarrior escapes quotes and backslashes; any other backslash is text.
                word += character == "\"" || character == "\\" ? "\(character)" : "\\\(character)"
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if isEscaped { word += "\\" }
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
