import Foundation
import HelixCrypto
import HelixModel
import HelixPostgres
import TestSupport
import Testing

@testable import HelixGatewayStore

/// Statements of a gateway read one partition of each table, so that the tables can be spread over several machines by user and
/// by conversation. The server logs the plan of every statement, those inside of functions included, with what was executed.
@Suite(.enabled(if: PostgresSite.isInstalled, "needs the server postgresql")) struct PartitionTests {
    /// The statements that may read more partitions of a table, by a part of their text, with the reason.
    private static let exceptions: [(text: String, reason: String)] = [
        ("FROM user_conversation uc", "a user's conversations are in many partitions: one is read for each"),
        ("conversation_json(page.id", "a user's conversations, one partition for each"),
        ("FROM user_conversation c", "the members of a user's conversations, one partition for each"),
        ("user_conversation uc ON", "who may come into a conversation, one partition for each of theirs"),
        ("k.kind = 'name'", "names are found by name, users by identity"),
        ("FROM user_key", "keys are found by key"),
        ("FROM push_target t", "the targets of a conversation's members, one partition for each member"),
        ("FROM block", "both users of a pair"),
        ("b.\"user\"", "both users of a pair"),
        ("WHERE is_admin = 1", "administrators are few, and asked for when one is removed"),
        ("FROM \"user\" LIMIT 1", "whether there is any user"),
        ("SELECT id, name, is_admin", "lists of users, for administrators and the directory"),
        ("SELECT u.*", "the directory"),
        ("FROM session WHERE token", "tokens of earlier versions do not name their user"),
        ("FROM pairing WHERE made_at", "pairing requests of all users, for administrators"),
        ("kind = $1 AND address", "a telephone's token belongs to whoever registered it last"),
        ("UPDATE push_target", "the outcome of a delivery is noted by target"),
        ("FROM signin_failure", "an address, a network and a name"),
        ("FROM audit", "the latest entries of all users"),
        ("DELETE FROM audit", "maintenance"),
        ("DELETE FROM signin_failure", "maintenance"),
        ("DELETE FROM upload", "maintenance"),
        ("DELETE FROM message_file", "maintenance"),
        ("NOT EXISTS (SELECT 1 FROM upload", "maintenance"),
        ("FROM invitation WHERE id", "an invitation is revoked by its identity, which is rare"),
        ("FROM invitation WHERE token", "a link does not name its conversation"),
        ("DELETE FROM invitation", "expired invitations"),
        ("m.changed::text::bigint", "the look for what other gateways changed: a few index ranges of each partition"),
        ("c.changed::text::bigint", "the same look"),
        ("h.changed::text::bigint", "the same look"),
        ("NOT h.is_told", "the same look: the few users whose changes by apps are not shared yet, by an index"),
        ("helix_assistant.", "an app: the conversations of a user, and the names of what it shows"),
        ("helix_people.", "the same"),
        ("helix_field.", "the names of what it shows"),
        ("UPDATE account_lease SET until", "a gateway that stops gives back its rights for all users"),
        ("SELECT DISTINCT l.\"user\" FROM user_log l", "users who have accounts or assign something: by index"),
        ("INSERT INTO helix.upload", "a preparation of this test"),
    ]

    @Test func aStatementReadsOnePartitionOfATable() throws {
        let server = try PostgresSite.start([
            "session_preload_libraries=auto_explain", "auto_explain.log_min_duration=0",
            "auto_explain.log_analyze=on", "auto_explain.log_timing=off", "auto_explain.log_nested_statements=on",
            "auto_explain.log_format=json", "track_functions=all",
        ])
        let uri = "postgresql://helix@127.0.0.1:\(server.ports[0])/postgres"
        let admin = try PostgresConnection(try PostgresTarget(uri), application: "test")
        // The gateway has the rights that it needs, and no others.
        _ = try PostgresAdministration.migrate(try PostgresTarget(uri), isRehearsal: false)
        try admin.script("CREATE ROLE gateway LOGIN IN ROLE \(PostgresAdministration.gatewayRole)")
        let target = try PostgresTarget(uri.replacingOccurrences(of: "helix@", with: "gateway@"))
        let log = server.folder.appendingPathComponent("log.txt")
        let start = try Data(contentsOf: log).count
        try Walk(target).run()
        try AppWalk(database: try AppDatabase(uri)).run()
        let gateway = try PostgresConnection(target, application: "test")
        for sql in [
            "DROP TABLE helix.message", "ALTER TABLE helix.member ADD COLUMN x int", "CREATE TABLE helix.x (n int)",
            "UPDATE helix.setting SET value = 'x'",
            "CREATE OR REPLACE FUNCTION helix.fail_not_member(text) RETURNS void AS '' LANGUAGE sql",
            "TRUNCATE helix.message", "CREATE ROLE other",
        ] {
            let error = #expect(throws: PostgresError.self, "\(sql)") { try gateway.script(sql) }
            #expect(error?.state == "42501", "\(sql)")
        }
        let text = String(decoding: try Data(contentsOf: log).dropFirst(start), as: UTF8.self)
        let plans = PartitionTests.plans(text)
        #expect(plans.count > 300)
        var problems: [String: Int] = [:]
        for plan in plans {
            let query = (plan["Query Text"] as? String) ?? ""
            var partitions: [String: Set<String>] = [:]
            PartitionTests.collect(plan["Plan"], &partitions)
            for (table, used) in partitions where used.count > 1 {
                guard !PartitionTests.exceptions.contains(where: { query.contains($0.text) }) else { continue }
                problems["\(table): \(query)", default: 0] = max(used.count, problems["\(table): \(query)"] ?? 0)
            }
        }
        for (problem, count) in problems { Issue.record("\(count) partitions of \(problem)") }
        // Every function was called.
        let silent = try admin.rows(
            """
            SELECT p.proname FROM pg_proc p LEFT JOIN pg_stat_user_functions s ON s.funcid = p.oid
            WHERE p.pronamespace = 'helix'::regnamespace AND p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'plpgsql')
                AND coalesce(s.calls, 0) = 0 AND p.proname NOT LIKE 'fail%' AND p.proname <> 'keep_row' ORDER BY 1
            """
        ).map { $0[0] as String }
        #expect(silent.isEmpty, "functions that no request called: \(silent)")
    }

    /// The plans in a log of auto_explain.
    private static func plans(_ log: String) -> [[String: Any]] {
        var found: [[String: Any]] = []
        var lines: [Substring] = []
        for line in log.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.contains("LOG:  duration:") && line.hasSuffix("plan:") {
                lines = []
            } else if line == "\t}" {
                lines.append("}")
                let data = Data(lines.map { $0.drop { $0 == "\t" } }.joined(separator: "\n").utf8)
                if let plan = try? JSONSerialization.jsonObject(with: data) as? [String: Any] { found.append(plan) }
                lines = []
            } else if line.hasPrefix("\t") {
                lines.append(line)
            }
        }
        return found
    }

    /// Collects the partitions that were read, by table.
    private static func collect(_ node: Any?, _ partitions: inout [String: Set<String>]) {
        guard let node = node as? [String: Any] else { return }
        let loops = (node["Actual Loops"] as? Int) ?? 1
        if loops > 0, let name = node["Relation Name"] as? String, let cut = name.lastIndex(of: "_"),
            Int(name[name.index(after: cut)...]) != nil
        {
            partitions[String(name[..<cut]), default: []].insert(name)
        }
        for child in (node["Plans"] as? [Any]) ?? [] where loops > 0 { collect(child, &partitions) }
    }
}

/// A use of each method of the store.
private struct Walk {
    private let store: PostgresGatewayStore
    private let logs: PostgresUserLogs
    private let events: PostgresEvents
    private let leases: PostgresAccountLeases
    private let now = Instant(1_795_255_200)

    init(_ target: PostgresTarget) throws {
        store = try PostgresGatewayStore(target)
        let pool = PostgresPool(target, size: 1)
        (logs, events) = (PostgresUserLogs(pool), PostgresEvents(target, pool))
        leases = PostgresAccountLeases(pool)
    }

    func run() throws {
        let users = try (0..<24).map { try store.addUser("user\($0)", hash: "x", isAdmin: false, now: now).id }
        try accounts(users)
        let groups = try (0..<8).map { number in
            try store.beginConversation(
                EntityID(), .group, name: "group \(number)", others: (1..<20).map { "user\($0)" }, by: users[0],
                now: now
            ).id
        }
        for (place, group) in groups.enumerated() {
            for number in 0..<5 {
                _ = try store.say(
                    ChatDraft(id: EntityID(), content: "\(number)"), in: group, by: users[place], asAssistant: false,
                    now: now)
            }
        }
        try conversations(users, groups)
        try messages(users, groups[0])
        try files(users[0], groups[1])
        try invitations(users, groups[2])
        try entities(users[3])
        for body: () throws -> Void in [
            { _ = try store.conversation(groups[0], of: users[23]) },
            { _ = try store.invitedGroup(token: "none", now: now) },
        ] { expect(.notFound, body) }
        _ = try store.secret()
        let mark = try store.audited(since: nil).mark
        try store.setAdmin(true, user: users[7], now: now)
        #expect(try store.audited(since: mark).users == [users[7]])
        try store.sweepAudit(now: now)
        try store.sweepFiles(now: now + 200_000)
        try store.endAccount(of: users[5], now: now)
    }

    private func accounts(_ users: [EntityID]) throws {
        _ = try (store.users(), store.user(named: "USER1"), store.user(users[2]), store.hasUsers())
        _ = try store.passwordHash(ofUser: "user1")
        try store.setPassword(of: users[1], hash: "y", keeping: nil, now: now)
        try store.setAdmin(true, user: users[1], now: now)
        try store.setAdmin(false, user: users[1], now: now)
        try store.setDisabled(true, user: users[23], now: now)
        _ = try store.signUp("zoe@example.org", hash: "x", now: now)
        _ = try store.changeProfile(
            of: users[1], ProfileChange(displayName: "Una", email: "una@example.org", status: "here"), now: now)
        _ = try store.userName(ofEmail: "una@example.org")
        _ = try (store.profile(of: users[1]), store.avatar(of: users[1]))
        for scope in DirectoryScope.allCases { _ = try store.people(for: users[1], in: scope) }
        _ = try store.setBlocked(true, "user22", by: users[21], now: now)
        let device = GatewayDevice(
            id: "d", publicKey: "k", name: "n", platform: "linux", scopes: ["operator.read"], createdAt: now,
            seenAt: now)
        _ = try store.requestPairing(device, user: users[1], remote: "::1", now: now)
        _ = try store.pairings(of: users[1], now: now)
        _ = try store.answer(pairing: "d", of: nil, admits: true, scopes: nil, now: now)
        try store.admit(device, user: users[2], remote: "::1", now: now)
        let epoch = try store.user(users[2])?.epoch ?? 0
        let token = try store.makeToken(for: "d", user: users[2], epoch: epoch, now: now)
        #expect(try store.holder(ofToken: token, now: now)?.user == users[2])
        try store.noteSeen("d", name: nil, user: users[2], now: now)
        _ = try (store.devices(of: users[2]), store.device("d", of: users[2]))
        let push = try store.savePushTarget(
            PushTarget(
                user: users[2], device: "d", kind: .webhook, address: "https://example.org/x", condition: .always,
                createdAt: now))
        _ = try store.pushTargets(of: users[2])
        try store.notePush(push.id, problem: "gone")
        _ = try store.removePushTarget(push.id, of: users[2])
        _ = try store.revoke("d", user: users[1], now: now)
        let share = GatewayShare(
            owner: users[1], kind: .task, entity: EntityID(), member: users[2], copy: EntityID(), base: nil)
        try store.saveShare(share)
        _ = try (store.share(of: share.entity, owner: users[1]), store.share(ofCopy: share.copy, member: users[2]))
        _ = try store.sharedEntities(of: users[1])
        try store.removeShare(of: share.entity, owner: users[1])
        _ = try store.assignee(named: "user2", of: users[1], in: .members)
        try store.noteSignInFailure(["address ::1", "name user1"], now: now)
        _ = try store.signInFailures(["address ::1"], now: now)
        try store.forgetSignInFailures(["name user1"])
    }

    private func conversations(_ users: [EntityID], _ groups: [EntityID]) throws {
        let direct = try store.beginConversation(
            EntityID(), .direct, name: "x", others: ["user1"], by: users[0], now: now
        ).id
        _ = try store.say(
            ChatDraft(id: EntityID(), content: "hi"), in: direct, by: users[0], asAssistant: false, now: now)
        expect(.notAllowed) {
            _ = try store.beginConversation(EntityID(), .direct, name: "x", others: ["user22"], by: users[21], now: now)
        }
        _ = try store.makeMainConversation(of: users[0], former: EntityID(), now: now)
        _ = try store.makeMainConversation(of: users[0], former: EntityID(), now: now)
        _ = try store.mainConversation(of: users[0])
        try store.setSessionKey("agent:x:main", of: groups[0], by: users[0])
        _ = try store.conversations(
            of: users[1], matching: ConversationFilter(search: "group", since: now), limit: 5)
        _ = try store.changeConversation(
            groups[0], by: users[1], ConversationChange(isMuted: true, delivered: 3, read: 2), now: now)
        _ = try store.changeConversation(
            groups[0], by: users[0], ConversationChange(name: "new", description: "text"), now: now)
        _ = try store.invite("user20", to: groups[0], as: .member, seesAll: true, by: users[0], now: now)
        _ = try store.setRole(.admin, of: users[2], in: groups[0], by: users[0])
        _ = try store.remove(users[3], from: groups[0], by: users[0], now: now)
        _ = try store.clearConversation(groups[0], by: users[4])
        try store.forgetConversation(groups[3], by: users[6], now: now)
        let page = try store.chatPage(for: users[0], since: nil, seen: nil, limit: 3)
        _ = try store.chatPage(for: users[0], since: page.cursor, seen: page.cursor, limit: 500)
        _ = try store.chatCursor()
        _ = try store.pushTargets(in: groups[0], from: users[0])
        expect(.notFound) {
            _ = try store.say(
                ChatDraft(id: EntityID(), content: "x"), in: groups[0], by: users[3], asAssistant: false, now: now)
        }
    }

    private func messages(_ users: [EntityID], _ group: EntityID) throws {
        let draft = ChatDraft(id: EntityID(), content: "first")
        let said = try store.say(draft, in: group, by: users[1], asAssistant: false, now: now).message
        _ = try store.say(draft, in: group, by: users[1], asAssistant: false, now: now)
        _ = try store.say(
            ChatDraft(id: EntityID(), content: "answer", replyTo: said.id), in: group, by: users[2],
            asAssistant: false, now: now)
        _ = try store.edit(said.id, content: "second", by: users[1], now: now)
        _ = try store.react("👍", isOn: true, to: said.id, by: users[2], now: now)
        _ = try store.react("👍", isOn: false, to: said.id, by: users[2], now: now)
        _ = try store.pin(true, said.id, by: users[0], now: now)
        _ = try store.messages(of: group, for: users[1], before: nil, limit: 50)
        _ = try store.pushTarget(EntityID(), for: said.id, in: group, from: users[0])
        _ = try events.messages([1, 2], in: group)
        _ = try store.edit(said.id, content: nil, by: users[0], now: now)
        let snapshot: String = try store.session.perform {
            try $0.rows("SELECT '1-' || pg_current_snapshot()::text").first?[0] ?? ""
        }
        _ = try store.edit(
            try store.say(
                ChatDraft(id: EntityID(), content: "x"), in: group, by: users[1], asAssistant: false, now: now
            )
            .message.id, content: "y", by: users[1], now: now)
        _ = try store.session.perform { try $0.rows("SELECT line FROM changes_since(?, true)", [snapshot]) }
    }

    private func files(_ user: EntityID, _ group: EntityID) throws {
        let bytes = [UInt8](repeating: 7, count: 300_000)
        let hash = SHA256.hash(bytes).hexadecimal
        _ = try store.take(Array(bytes[..<100_000]), at: 0, of: hash, size: bytes.count, from: user, now: now)
        _ = try store.take(Array(bytes[100_000...]), at: 100_000, of: hash, size: bytes.count, from: user, now: now)
        _ = try store.received(hash, size: bytes.count, from: user)
        let file = ChatAttachment(id: EntityID(), name: "x", type: "y", size: bytes.count, sha256: hash)
        let said = try store.say(
            ChatDraft(id: EntityID(), content: "", files: [file]), in: group, by: user, asAssistant: false, now: now
        ).message
        #expect(said.files == [file])
        let piece = try store.piece(of: hash, in: said.id, for: user, at: 262_000, most: 1_000)
        #expect(piece.bytes == Array(bytes[262_000..<263_000]))
    }

    private func invitations(_ users: [EntityID], _ group: EntityID) throws {
        let made = try store.createInvitation(
            token: "t", to: group, seesAll: false, uses: 5, until: now + 3600, by: users[0], now: now)
        _ = try store.invitations(to: group, by: users[0], now: now)
        _ = try store.invitedGroup(token: "t", now: now)
        _ = try store.join(token: "t", by: users[22], now: now)
        try store.revokeInvitation(made.id, by: users[0])
    }

    private func entities(_ user: EntityID) throws {
        let entries = (0..<20).map { number in
            LogEntry(
                kind: .project, id: EntityID(), version: "\(number)", fields: ["name": .string("p\(number)")],
                changedAt: now)
        }
        let end = try #require(try logs.append(entries, toLogOf: user, after: .start, device: "laptop"))
        #expect(try logs.append(entries, toLogOf: user, after: .start, device: "phone") == nil)
        #expect(try logs.append([entries[0]], toLogOf: user, after: end, device: "phone") != nil)
        _ = try logs.end(ofLogOf: user)
        #expect(try logs.contains(end, inLogOf: user))
        #expect(try logs.page(ofLogOf: user, after: 0, skipsDeleted: 0, limit: 7).total == 20)
        try keeping(user)
    }

    /// Accounts that gateways keep: one of them at a time.
    private func keeping(_ user: EntityID) throws {
        let lease = try #require(try leases.take(user, for: "one", pause: 0))
        #expect(try leases.take(user, for: "two", pause: 0) == nil)
        let account = EntityID()
        #expect(try leases.save((account, "[]"), of: user, lease: lease))
        #expect(try leases.take(user, for: "one", pause: 60) == nil)
        try leases.release("one")
        let next = try #require(try leases.take(user, for: "two", pause: 0))
        #expect(next != lease)
        // What the first one writes late is refused.
        #expect(try !leases.save((account, "late"), of: user, lease: lease))
        #expect(try leases.state(of: account, user) == "[]")
        let bytes = [UInt8](repeating: 7, count: 600_000)
        let hash = SHA256.hash(bytes).hexadecimal
        try logs.keep(bytes, sha256: hash, of: user)
        #expect(try logs.bytes(ofFile: hash, of: user) == bytes)
        let id = EntityID()
        func entry(_ version: String, _ fields: JSONText?) -> LogEntry {
            LogEntry(kind: .outgoing, id: id, version: version, fields: fields, changedAt: now)
        }
        #expect(try logs.replace(entry("a", ["sha256": .string(hash)]), base: nil, inLogOf: user))
        #expect(try !logs.replace(entry("b", ["sha256": .string(hash)]), base: "x", inLogOf: user))
        #expect(try logs.replace(entry("", nil), base: "a", inLogOf: user))
        #expect(try logs.bytes(ofFile: hash, of: user) == nil)
        #expect(try leases.usersWithAccounts().isEmpty)
    }
}
