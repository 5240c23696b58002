import HelixModel
import HelixSQLite
import HelixTasks

extension Change {
    /// Imports time entries of another program.
    ///
    /// - Returns: the numbers of created and existing entries, and the entries that overlap others.
    /// - Throws: ``HelixError``.
    public func importEntries(
        _ entries: [TimeEntry]
    ) throws -> (created: Int, unchanged: Int, taken: [TimeEntry]) {
        let before = try Statement(
            db, "SELECT start, \"end\", title FROM time_entry WHERE start <= ?1 ORDER BY start DESC LIMIT 1")
        let after = try Statement(db, "SELECT MIN(start) FROM time_entry WHERE start > ?1")
        let insert = try Statement(
            db,
            """
            INSERT INTO time_entry (id, start, "end", title, tags, is_billable, note) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        var result = (created: 0, unchanged: 0, taken: [TimeEntry]())
        for entry in entries.sorted(by: { $0.start < $1.start }) {
            let end = entry.end?.seconds ?? .max
            guard end > entry.start.seconds else {
                result.taken.append(entry)
                continue
            }
            var isTaken = false
            var isKnown = false
            before.bind(1, entry.start.seconds)
            while try before.step() {
                let otherEnd = before.isNull(1) ? Int64.max : before.integer(1)
                isTaken = otherEnd > entry.start.seconds
                isKnown = before.integer(0) == entry.start.seconds && otherEnd == end && before.text(2) == entry.title
            }
            after.bind(1, entry.start.seconds)
            while try after.step() { if !after.isNull(0), after.integer(0) < end { isTaken = true } }
            if isKnown {
                result.unchanged += 1
                continue
            }
            if isTaken {
                result.taken.append(entry)
                continue
            }
            insert.bind(1, entry.id.text)
            insert.bind(2, entry.start.seconds)
            insert.bind(3, entry.end?.seconds)
            insert.bind(4, entry.title)
            insert.bind(5, TaskRecord.tags(entry.tags))
            insert.bind(6, (entry.isBillable ? 1 : 0) as Int64)
            insert.bind(7, entry.note)
            try insert.run()
            try didCreate(.timeEntry, entry.id)
            result.created += 1
        }
        return result
    }
}
