import HelixModel

extension EntityDescriptor {
    /// Tasks.
    static let task = EntityDescriptor(
        .task,
        JournaledTable(
            kind: .task, name: "task", columns: TaskRecord.layout.journaled, textColumns: ["title", "tags", "notes"],
            stamp: "modified_at", didWrite: { _, _, _ in }, willDelete: { _, _, _ in }),
        title: "e.title", isAddressed: true, isLarge: true, isLinkable: true, isCounted: true, replicaOrder: 7,
        search: EntitySearch(order: 1, word: "task", aspects: [.time, .person, .tag, .project]) {
            store, db, query, zone, limit in
            try store.take(db, .task, try store.tasks(query.tasks, zone: zone), limit) { row in
                row.isNull(2) ? nil : Store.moment(row.integer(2), isDay: row.integer(3) != 0)
            }
        },
        rules: JournalRules(
            words: [
                "column_id": .title(.column), "project": .title(.project), "parent": .title(.task), "tags": .list,
                "priority": .custom { plain, _ in Int(plain).flatMap(TaskPriority.init(rawValue:))?.name ?? plain },
                "estimate": .duration, "due": .moment(day: "due_day"), "scheduled": .moment(day: "scheduled_day"),
                "hidden_until": .moment(day: "hidden_day"), "created_at": .moment(), "started_at": .moment(),
                "completed_at": .moment(),
            ],
            hidden: ["rank", "source", "due_day", "scheduled_day", "hidden_day"],
            usual: ["created at": nil, "kind": "task", "state": "open"]))

    /// Boards.
    static let board = EntityDescriptor(
        .board, JournaledTable(.board, "board", ["name", "is_default", "position"]), isAddressed: true,
        replicaOrder: 1,
        rules: JournalRules(words: ["is_default": .flag], usual: ["is default": "no", "position": nil]))

    /// Columns of boards.
    static let column = EntityDescriptor(
        .column, JournaledTable(.column, "board_column", ["board", "name", "position", "wip_limit", "is_done"]),
        isAddressed: true, replicaOrder: 2,
        rules: JournalRules(
            words: ["board": .title(.board), "is_done": .flag], usual: ["is done": "no", "position": nil]))

    /// Links between entities.
    static let link = EntityDescriptor(
        .link, JournaledTable(.link, "link", ["a", "b", "kind"]), title: "e.kind", replicaOrder: 13)

    /// Saved filters of tasks.
    static let view = EntityDescriptor(
        .view, JournaledTable(.view, "saved_view", ["name", "filter"]), replicaOrder: 14)
}
