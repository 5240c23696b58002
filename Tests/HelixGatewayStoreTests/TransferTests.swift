import Foundation
import HelixCrypto
import HelixModel
import HelixPostgres
import HelixStore
import TestSupport
import Testing

@testable import HelixGatewayLogs
@testable import HelixGatewayStore

/// A gateway's store goes from SQLite to PostgreSQL and back; skipped where that is not installed.
@Suite(.enabled(if: PostgresSite.isInstalled, "needs the server postgresql")) struct TransferTests {
    /// What a user sees, without the versions, which are a store's own.
    private struct View: Equatable {
        var conversations: [String: [String]] = [:]
        var messages: [String: [GatewayMessage]] = [:]

        init(_ store: any GatewayStore, _ user: EntityID) throws {
            let found = try store.conversations(of: user, matching: ConversationFilter(), limit: 100)
            for (conversation, last) in found.list {
                let members = conversation.members.map {
                    "\($0.name) \($0.role?.rawValue ?? "") \($0.read) \($0.first)"
                }
                conversations[conversation.id.text] =
                    [conversation.name, conversation.description, "\(last?.content ?? "")"] + members
                messages[conversation.id.text] = try store.messages(
                    of: conversation.id, for: user, before: nil, limit: 1_000
                ).map { message in
                    var message = message
                    message.version = 0
                    return message
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3])
    func everythingGoesThereAndBack(_ seed: UInt64) throws {
        let test = try TestGatewayStore(StoreImplementation.all[0])
        var random = SeededGenerator(seed: seed)
        let users = try fill(test, &random)
        let target = try PostgresTarget(try PostgresSite.uri(try PostgresDatabases.name(test.folder)))
        let transfer = GatewayTransfer(folder: test.folder, target: target, now: test.now) { _ in }
        #expect(try !transfer.compare().allSatisfy(\.isEqual))
        // A second copy replaces the first one.
        for _ in 0..<2 { try transfer.importAll() }
        for part in try transfer.compare() { #expect(part.isEqual, "\(part.name)") }
        let database = try PostgresGatewayStore(target)
        for user in users { #expect(try View(test.store, user) == View(database, user)) }
        #expect(try database.secret() == test.store.secret())
        #expect(try database.users() == test.store.users())

        // Contents that are not those of their version are found.
        let owner = try PostgresConnection(target, application: "test")
        try owner.script(
            """
            UPDATE helix.user_log SET fields = fields || '{"extra": "changed behind its version"}'
            WHERE is_current AND fields IS NOT NULL
            """)
        #expect(try transfer.compare().filter { !$0.isEqual }.map(\.name) == ["entities"])
        try owner.script("INSERT INTO helix.app_message (conversation, seq, author) VALUES ('gone', 1, 'gone')")
        try transfer.importAll()
        for part in try transfer.compare() { #expect(part.isEqual, "\(part.name)") }
        #expect(try owner.rows("SELECT 1 FROM helix.app_message").isEmpty)
        // Tables of another version are not read as if they were known; then no folder is made.
        try owner.script("UPDATE helix.setting SET value = '99' WHERE name = 'version'")
        let untouched = test.home.folder.path + "/untouched"
        let early = GatewayTransfer(folder: untouched, target: target, now: test.now) { _ in }
        expect(.configuration) { try early.exportAll() }
        expect(.configuration) { _ = try transfer.compare() }
        expect(.configuration) { try transfer.importAll() }
        #expect(!FileManager.default.fileExists(atPath: untouched))
        try owner.run(
            "UPDATE helix.setting SET value = ? WHERE name = 'version'", [String(PostgresSchema.migrations.count)])

        // Work goes on there.
        let place = try #require(
            try database.conversations(of: users[0], matching: ConversationFilter(kind: .group), limit: 1).list.first)
        _ = try database.say(
            ChatDraft(id: EntityID(), content: "from PostgreSQL"), in: place.conversation.id, by: users[0],
            asAssistant: false, now: test.now)
        let back = test.home.folder.path + "/back"
        let export = GatewayTransfer(folder: back, target: target, now: test.now) { _ in }
        try export.exportAll()
        for part in try export.compare() { #expect(part.isEqual, "\(part.name)") }
        expect(.cannotCreate) { try export.exportAll() }
        let again = try GatewayFolder(back).open()
        for user in users { #expect(try View(database, user) == View(again, user)) }
        let before = try again.chatCursor()
        let said = try again.say(
            ChatDraft(id: EntityID(), content: "and back"), in: place.conversation.id, by: users[0],
            asAssistant: false, now: test.now)
        let page = try again.chatPage(for: users[0], since: before, seen: before, limit: 10)
        #expect(!page.isReset && page.messages.map(\.id) == [said.message.id])
        // Whoever has left the group does not see its file.
        let file = try again.conversations(of: users[0], matching: ConversationFilter(), limit: 99).list.lazy
            .flatMap { try again.messages(of: $0.conversation.id, for: users[0], before: nil, limit: 1_000) }
            .first { !$0.files.isEmpty }
        guard let file else { return }
        let attachment = file.files[0]
        let bytes = try again.piece(
            of: attachment.sha256, in: file.id, for: users[0], at: 0, most: attachment.size
        ).bytes
        #expect(SHA256.hash(bytes).hexadecimal == attachment.sha256)
    }

    /// Fills a store by chance: users, conversations, messages, a file, and entities of users.
    private func fill(_ test: TestGatewayStore, _ random: inout SeededGenerator) throws -> [EntityID] {
        let names = ["ana", "bo", "cy", "di"]
        let users = try names.map { try test.user($0) }
        _ = try test.store.changeProfile(
            of: users[0],
            ProfileChange(
                displayName: "Ana Rossi", email: "ana@example.org",
                avatar: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1]), now: test.now)
        try test.store.admit(test.device("phone"), user: users[1], remote: "::1", now: test.now)
        _ = try test.store.makeToken(for: "id of phone", user: users[1], epoch: 0, now: test.now)
        var groups = try (0..<3).map { try test.group("group \($0) 'x' 👋", of: users[$0], names) }
        groups.append(
            try test.store.beginConversation(
                EntityID(), .direct, name: "x", others: ["bo"], by: users[0], now: test.now
            ).id)
        _ = try test.store.makeMainConversation(of: users[0], former: EntityID(), now: test.now)
        _ = try test.store.setBlocked(true, "di", by: users[2], now: test.now)
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let hash = SHA256.hash(bytes).hexadecimal
        _ = try test.store.take(bytes, at: 0, of: hash, size: bytes.count, from: users[0], now: test.now)
        let file = ChatAttachment(id: EntityID(), name: "plan", type: "a/b", size: bytes.count, sha256: hash)
        _ = try test.store.say(
            ChatDraft(id: EntityID(), content: "file", files: [file]), in: groups[0], by: users[0], asAssistant: false,
            now: test.now)
        var said: [EntityID] = []
        for step in 0..<200 {
            test.now = test.now + 1
            let user = users.randomElement(using: &random) ?? users[0]
            let group = groups.randomElement(using: &random) ?? groups[0]
            do {
                switch Int.random(in: 0..<12, using: &random) {
                case 0:
                    guard let id = said.randomElement(using: &random) else { continue }
                    _ = try test.store.edit(
                        id, content: Bool.random(using: &random) ? "edited" : nil, by: user, now: test.now)
                case 1:
                    guard let id = said.randomElement(using: &random) else { continue }
                    _ = try test.store.react("👍", isOn: true, to: id, by: user, now: test.now)
                case 2 where step % 3 == 0: _ = try test.store.remove(user, from: group, by: user, now: test.now)
                case 3:
                    _ = try test.store.changeConversation(
                        group, by: user, ConversationChange(read: .random(in: 0..<50, using: &random)), now: test.now)
                default: said.append(try test.say("message \(step)\n\u{1F600}", in: group, by: user).id)
                }
            } catch is HelixError { continue }
        }
        for user in users.prefix(2) {
            let store = try Store(path: GatewayFolder(test.folder).storePath(of: user), now: test.now)
            let changes = (0..<50).map { number in
                ReplicaChange(
                    ReplicaRecord(
                        kind: .project, id: EntityID(),
                        fields: [
                            "name": .string("p\(number)"), "status": "active", "blocks": "[]",
                            "created_at": .integer(test.now.seconds),
                        ]), base: nil)
            }
            #expect(try store.push(changes, from: "laptop").outcomes.allSatisfy { $0 == .applied })
        }
        return users
    }
}
