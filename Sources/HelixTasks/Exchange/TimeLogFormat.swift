import HelixModel

/// Time entries in the JSON of `helix time log` and `helix time export`.
public enum TimeLogFormat {
    /// Reads the entries; nil for another file.
    public static func read(_ bytes: [UInt8]) -> (entries: [ForeignTimeEntry], defects: [ForeignDefect])? {
        guard let value = try? JSONText(bytes), value["schema"]?.text?.hasPrefix("helix.time.log/") == true,
            let items = value["items"]?.elements
        else { return nil }
        var (entries, defects): ([ForeignTimeEntry], [ForeignDefect]) = ([], [])
        if case .bool(true)? = value["truncated"] {
            defects.append(
                ForeignDefect("the file", "it is a part of a list: more entries were left out of it", isPartial: true))
        }
        for (number, item) in items.enumerated() {
            guard let start = item["start"]?.text.flatMap(ISO8601Reader.instant) else {
                defects.append(ForeignDefect("entry \(number + 1)", "it has no start"))
                continue
            }
            let end = item["end"]?.text.flatMap(ISO8601Reader.instant)
            if end == nil, let given = item["end"], !given.isNull {
                // Without its end it would be a running entry.
                defects.append(
                    ForeignDefect("entry \(number + 1)", "its end '\(given.text ?? given.compact)' is no time"))
                continue
            }
            defects += unread(item, length: end.map { $0 - start }).map {
                ForeignDefect("entry \(number + 1)", $0, isPartial: true)
            }
            var foreign = ForeignTimeEntry(start: start, end: end)
            foreign.entry.title = item["title"]?.text.flatMap { $0.isEmpty ? nil : $0 }
            foreign.entry.tags = item["tags"]?.elements?.compactMap(\.text) ?? []
            foreign.entry.note = item["note"]?.text
            if case .bool(true)? = item["billable"] { foreign.entry.isBillable = true }
            (foreign.project, foreign.customer) = (item["project"]?.text, item["customer"]?.text)
            foreign.task = item["task"]?.text.flatMap { EntityID($0) }
            foreign.id = item["id"]?.text.flatMap { EntityID($0) }
            entries.append(foreign)
        }
        return (entries, defects)
    }

    /// The fields of an entry that are none, or that contradict its times, as phrases.
    private static func unread(_ item: JSONText, length: Int?) -> [String] {
        (item.fields ?? []).compactMap { field in
            let value = field.value
            if value.isNull { return nil }
            let isRead: Bool
            switch field.name {
            case "kind", "id", "start", "end", "running", "links": isRead = true
            case "title", "note", "project", "customer": isRead = value.text != nil
            case "task": isRead = value.text.flatMap { EntityID($0) } != nil
            case "tags": isRead = value.elements?.allSatisfy { $0.text != nil } ?? false
            case "billable": if case .bool = value { isRead = true } else { isRead = false }
            case "duration":
                guard let length, value.integer != Int64(length) else { return nil }
                return "its duration \(value.compact) is not that of its times, which count"
            default: return "its \(field.name) is unknown and is left out"
            }
            return isRead ? nil : "its \(field.name) \(value.compact.prefix(60)) cannot be read and is left out"
        }
    }
}
