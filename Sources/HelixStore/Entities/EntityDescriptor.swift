import HelixModel
import HelixSQLite

/// A kind of entity: its table, title and place in searches, links and replication.
///
/// `show`, `search`, `link`, `history`, `doctor`, `backup`, the `entity` view and replication are made of the list of kinds. Each
/// kind is described in the folder of its domain, and listed once, in ``of(_:)``.
public struct EntityDescriptor: Sendable {
    /// The kind.
    public let kind: EntityKind
    /// The table of its rows, and their journaled columns.
    let table: JournaledTable
    /// The title of a row `e` of the table, as an SQL expression.
    let title: String
    /// Whether the start of an ID finds it; other kinds have names, or belong to another entity.
    let isAddressed: Bool
    /// Whether its table grows with use, and must be searched by an index.
    let isLarge: Bool
    /// Whether it can be linked, and shown by `helix show`.
    public let isLinkable: Bool
    /// Whether `helix doctor` and backups count it.
    public let isCounted: Bool
    /// The position in replication, in which no kind refers to a later one; nil if it is not replicated.
    public let replicaOrder: Int?
    /// The search for it; nil if `helix search` does not look for it.
    let search: EntitySearch?
    /// The rules of the kind in the journal.
    let rules: JournalRules

    init(
        _ kind: EntityKind, _ table: JournaledTable, title: String = "e.name", isAddressed: Bool = false,
        isLarge: Bool = false, isLinkable: Bool = false, isCounted: Bool = false, replicaOrder: Int? = nil,
        search: EntitySearch? = nil, rules: JournalRules = JournalRules()
    ) {
        self.kind = kind
        self.table = table
        self.title = title
        self.isAddressed = isAddressed
        self.isLarge = isLarge
        self.isLinkable = isLinkable
        self.isCounted = isCounted
        self.replicaOrder = replicaOrder
        self.search = search
        self.rules = rules
    }

    /// The description of a kind. A command touches few kinds, so each is made when it is first needed.
    public static func of(_ kind: EntityKind) -> EntityDescriptor {
        switch kind {
        case .calendar: calendar
        case .event: event
        case .task: task
        case .timeEntry: timeEntry
        case .board: board
        case .column: column
        case .project: project
        case .link: link
        case .view: view
        case .material: material
        case .file: file
        case .conversation: conversation
        case .chatMessage: chatMessage
        case .chatAttachment: chatAttachment
        case .account: account
        case .message: message
        case .search: savedSearch
        case .rule: mailRule
        case .outgoing: outgoing
        case .addressBook: addressBook
        case .contact: contact
        case .invoice: invoice
        }
    }

    /// The descriptions of all kinds.
    public static var all: [EntityDescriptor] { EntityKind.allCases.map(of) }

    /// The view of all entities that the start of an ID finds.
    static var viewDefinition: String {
        "DROP VIEW IF EXISTS entity;\nCREATE VIEW entity AS\n" + viewQuery
    }

    /// The same as a temporary view: over other temporary views, if tables are hidden behind them.
    static var temporaryViewDefinition: String { "CREATE TEMP VIEW entity AS\n" + viewQuery }

    private static var viewQuery: String {
        all.filter(\.isAddressed).map { "SELECT id, '\($0.kind.rawValue)' AS kind FROM \($0.table.name)" }
            .joined(separator: "\nUNION ALL ")
    }
}

/// The search of `helix search` for entities of a kind.
struct EntitySearch: Sendable {
    /// A condition that not all kinds can meet.
    enum Aspect: Sendable {
        case time
        case person
        case tag
        case project
    }

    /// The position of the kind in results.
    let order: Int
    /// Its word in `kind:`, with others that mean the same: `mail|message`.
    let word: String
    /// The conditions that it can meet.
    let aspects: Set<Aspect>
    /// The best matches in a store, at most as many as the limit.
    let find: @Sendable (Store, Database, SearchQuery, Zone, Int) throws -> [EntityCandidate]

    init(
        order: Int, word: String, aspects: Set<Aspect> = [],
        _ find: @escaping @Sendable (Store, Database, SearchQuery, Zone, Int) throws -> [EntityCandidate]
    ) {
        self.order = order
        self.word = word
        self.aspects = aspects
        self.find = find
    }

    /// The search of a small table, which is scanned with the tokenizer of the full-text indexes.
    static func scanning(
        _ kind: EntityKind, order: Int, word: String, aspects: Set<Aspect> = [], columns: [String], orderedBy: String
    ) -> EntitySearch {
        EntitySearch(order: order, word: word, aspects: aspects) { store, db, query, _, limit in
            let asked = query.plain(of: kind, columns: columns)
            let descriptor = EntityDescriptor.of(kind)
            let sql =
                "SELECT id, \(descriptor.title) FROM \(descriptor.table.name) e WHERE \(asked.sql) ORDER BY \(orderedBy)"
            return try store.take(db, kind, (sql, asked.arguments.map { .string($0) }), limit) { _ in nil }
        }
    }
}
