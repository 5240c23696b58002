import HelixModel

/// Time entries in the JSON of `helix time log` and `helix time export`.
public enum TimeLogFormat {
    /// Reads the entries; nil for another file.
    public static func read(_ bytes: [UInt8]) -> [ForeignTimeEntry]? {
        guard let value = try? JSONText(bytes), value["schema"]?.text?.hasPrefix("helix.time.log/") == true,
            let items = value["items"]?.elements
        else { return nil }
        return items.compactMap { item in
            guard let start = item["start"]?.text.flatMap(ISO8601Reader.instant) else { return nil }
            var foreign = ForeignTimeEntry(start: start, end: item["end"]?.text.flatMap(ISO8601Reader.instant))
            foreign.entry.title = item["title"]?.text.flatMap { $0.isEmpty ? nil : $0 }
            foreign.entry.tags = item["tags"]?.elements?.compactMap(\.text) ?? []
            foreign.entry.note = item["note"]?.text
            if case .bool(true)? = item["billable"] { foreign.entry.isBillable = true }
            (foreign.project, foreign.customer) = (item["project"]?.text, item["customer"]?.text)
            foreign.task = item["task"]?.text.flatMap { EntityID($0) }
            foreign.id = item["id"]?.text.flatMap { EntityID($0) }
            return foreign
        }
    }
}
