import HelixModel
import HelixTasks

/// The mapping between a time entry and its row.
enum TimeRecord {
    private typealias Column = RecordColumn<TimeEntry>

    /// The columns of a time entry.
    static let layout = RecordLayout<TimeEntry> {
        Column.instant("start") {
            $0.start
        } read: {
            $0.start = $1 ?? Instant(0)
        }
        Column.instant("end") {
            $0.end
        } read: {
            $0.end = $1
        }
        Column.text("title") {
            $0.title
        } read: {
            $0.title = $1
        }
        Column.id("task") {
            $0.task
        } read: {
            $0.task = $1
        }
        Column.id("project") {
            $0.project
        } read: {
            $0.project = $1
        }
        Column.text("tags") {
            TaskRecord.tags($0.tags)
        } read: {
            $0.tags = $1?.split(separator: " ").map(String.init) ?? []
        }
        Column.flag("is_billable") {
            $0.isBillable
        } read: {
            $0.isBillable = $1
        }
        Column.text("note") {
            $0.note
        } read: {
            $0.note = $1
        }
        Column.id("origin") {
            $0.origin
        } read: {
            $0.origin = $1
        }
    }
}

extension EntityDescriptor {
    /// Time entries.
    static let timeEntry = EntityDescriptor(
        .timeEntry, JournaledTable(.timeEntry, "time_entry", TimeRecord.layout.journaled),
        title: "coalesce(e.title, (SELECT t.title FROM task t WHERE t.id = e.task), '')", isAddressed: true,
        isLarge: true, isLinkable: true, isCounted: true, replicaOrder: 8,
        search: EntitySearch(order: 6, word: "time", aspects: [.time, .tag, .project]) {
            store, db, query, zone, limit in
            let asked = TimeFilterSQL(query.timeEntries, now: store.now, zone: zone)
            let sql = """
                SELECT e.id, coalesce(e.title, t.title, ''), e.start FROM \(Store.tables)
                WHERE \(asked.text) ORDER BY e.start DESC
                """
            return try store.take(db, .timeEntry, (sql, asked.arguments), limit, Store.instant)
        },
        rules: JournalRules(
            words: [
                "start": .moment(), "end": .moment(), "task": .title(.task), "project": .title(.project), "tags": .list,
                "is_billable": .flag,
            ], usual: ["is billable": "no"]))
}
