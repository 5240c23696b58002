import HelixModel
import HelixStore
import HelixTasks

/// Time entries as CSV (RFC 4180).
enum TimeCSV {
    static func text(_ entries: [TimeEntryDetails], now: Instant, zone: Zone) -> String {
        var lines = ["start,end,seconds,title,project,customer,tags,billable,note,task,id"]
        for details in entries {
            let entry = details.entry
            lines.append(
                [
                    ISO8601.text(entry.start, in: zone), entry.end.map { ISO8601.text($0, in: zone) } ?? "",
                    "\(entry.duration(at: now))", details.title, details.project ?? "", details.customer ?? "",
                    entry.tags.joined(separator: " "), entry.isBillable ? "yes" : "no", entry.note ?? "",
                    entry.task?.text ?? "", entry.id.text,
                ].map(CSVField.text).joined(separator: ","))
        }
        return lines.map { $0 + "\r\n" }.joined()
    }
}
