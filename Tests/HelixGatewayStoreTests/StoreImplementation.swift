import HelixModel
import HelixPostgres
import Synchronization
import TestSupport
import Testing

@testable import HelixGatewayStore

/// An implementation of a gateway's store. Each test of this target runs with every one.
struct StoreImplementation: Sendable, CustomTestStringConvertible {
    /// The name of the database.
    let name: String
    /// Opens the store of a folder.
    let open: @Sendable (_ folder: String) throws -> any GatewayStore

    var testDescription: String { name }

    /// All implementations; a new one is a line here. PostgreSQL is left out where it is not installed.
    static let all =
        [StoreImplementation(name: "SQLite") { try GatewayFolder($0).open() }]
        + (PostgresSite.isInstalled
            ? [StoreImplementation(name: "PostgreSQL") { try PostgresDatabases.open($0) }] : [])
}

/// Databases for tests: copies of one that is prepared.
enum PostgresDatabases {
    private static let template = Result {
        let admin = try connection("postgres")
        try admin.script("CREATE DATABASE template_helix")
        try PostgresSchema.migrate(try connection("template_helix"))
        return "template_helix"
    }
    private static let made = Mutex<[String: String]>([:])

    static func connection(_ database: String) throws -> PostgresConnection {
        try PostgresConnection(try PostgresTarget(try PostgresSite.uri(database)), application: "test")
    }

    /// The database of a folder, made if there is none.
    static func name(_ folder: String) throws -> String {
        try made.withLock { all in
            if let known = all[folder] { return known }
            let name = PostgresSite.freshName()
            try connection("postgres").script("CREATE DATABASE \(name) TEMPLATE \(template.get())")
            // A copy is another database: cursors of one are unknown to the others.
            try connection(name).script(
                "UPDATE helix.setting SET value = substr(md5(gen_random_uuid()::text), 1, 12) WHERE name = 'generation'"
            )
            all[folder] = name
            return name
        }
    }

    /// Opens the store in the database of a folder.
    static func open(_ folder: String) throws -> any GatewayStore {
        try PostgresGatewayStore(try PostgresTarget(try PostgresSite.uri(try name(folder))))
    }
}

/// An empty gateway's store in a folder of its own, with users.
final class TestGatewayStore {
    let home: HelixHome
    let store: any GatewayStore
    let folder: String
    private let implementation: StoreImplementation
    /// 2026-11-18 10:00 UTC.
    var now = Instant(1_795_255_200)

    init(_ implementation: StoreImplementation) throws {
        self.implementation = implementation
        home = try HelixHome()
        folder = home.folder.path + "/gateway"
        store = try implementation.open(folder)
    }

    /// A second connection to the same store, as another process has one.
    func another() throws -> any GatewayStore { try implementation.open(folder) }

    /// Adds a user; the hash of their password is not one.
    @discardableResult
    func user(_ name: String, isAdmin: Bool = false) throws -> EntityID {
        try store.addUser(name, hash: "hash of \(name)", isAdmin: isAdmin, now: now).id
    }

    /// A device with a name.
    func device(_ name: String, scopes: [String] = ["operator.read", "operator.write"]) -> GatewayDevice {
        GatewayDevice(
            id: "id of \(name)", publicKey: "key of \(name)", name: name, platform: "linux", scopes: scopes,
            createdAt: now, seenAt: now)
    }

    /// A group of users, the first of whom owns it.
    func group(_ name: String, of owner: EntityID, _ others: [String]) throws -> EntityID {
        try store.beginConversation(EntityID(), .group, name: name, others: others, by: owner, now: now).id
    }

    /// Says something in a conversation.
    @discardableResult
    func say(_ text: String, in conversation: EntityID, by user: EntityID) throws -> GatewayMessage {
        try store.say(
            ChatDraft(id: EntityID(), content: text), in: conversation, by: user, asAssistant: false, now: now
        ).message
    }

    /// Everything that a user's devices receive since a cursor, page by page.
    func pages(of user: EntityID, since cursor: ChatCursor? = nil, limit: Int = 500) throws -> [ChatPage] {
        var (pages, next) = ([ChatPage](), cursor)
        while true {
            let page = try store.chatPage(for: user, since: next, seen: next, limit: limit)
            pages.append(page)
            next = page.cursor
            if !page.hasMore { return pages }
        }
    }
}

/// Expects a ``HelixError`` of a code.
func expect(_ code: HelixError.Code, _ body: () throws -> Void, at location: SourceLocation = #_sourceLocation) {
    do {
        try body()
        Issue.record("no error of code \(code)", sourceLocation: location)
    } catch let error as HelixError {
        #expect(error.code == code, "\(error.message)", sourceLocation: location)
    } catch { Issue.record("\(error)", sourceLocation: location) }
}
