import HelixModel
import HelixSQLite

/// Merges the flags and labels of a message, each of which is set and removed by itself: a message that was read since does not
/// stand in the way of a reply.
enum MessageMerge {
    /// The former and the proposed values, with the flags and labels that were changed since included in both.
    static func merged(
        _ base: JournalFields, _ present: JournalFields, _ proposed: JournalFields
    ) -> (base: JournalFields, proposed: JournalFields) {
        var (base, proposed) = (base, proposed)
        if case .int64(let old)? = base.values["flags"], case .int64(let now)? = present.values["flags"],
            case .int64(let new)? = proposed.values["flags"]
        {
            proposed.values["flags"] = .int64(now ^ (old ^ new) & ~(old ^ now))
            base.values["flags"] = .int64(now)
        }
        if let new = proposed.values["labels"], let now = present.values["labels"] {
            let (old, own) = (words(base.values["labels"]), words(new))
            var labels = list(now)
            labels.removeAll { old.contains($0) && !own.contains($0) }
            labels += list(new).filter { !old.contains($0) && !labels.contains($0) }
            proposed.values["labels"] = MessageState.labelText(labels).databaseValue
            base.values["labels"] = now
        }
        return (base, proposed)
    }

    private static func list(_ value: DatabaseValue?) -> [String] {
        guard case .string(let text)? = value else { return [] }
        return text.split(separator: " ").map(String.init)
    }

    private static func words(_ value: DatabaseValue?) -> Set<String> { Set(list(value)) }
}
