import Foundation
import HelixCrypto
import HelixGatewayLogs
import HelixModel
import HelixPostgres
import HelixStore
import TestSupport
import Testing

@testable import HelixGatewayStore

/// The family's apps on the gateway's database (docs/apps.md), as they use it through PostgREST: with the role `helix_app`,
/// and the claims of a token.
@Suite(.enabled(if: PostgresSite.isInstalled, "needs the server postgresql")) struct AppTests {
    @Test func eachUserSeesTheirOwnAlone() throws {
        let database = try AppDatabase()
        let (ana, bo) = (try database.user(#", "name": "Ana""#), try database.user(#", "name": "Bo""#))
        for (user, word) in [(ana, "ana"), (bo, "bo")] {
            try user.run(
                "INSERT INTO helix_assistant.session_messages (session_key, content) VALUES ('main', 'of \(word)')")
            try user.run("INSERT INTO helix_people.conversations (name) VALUES ('group of \(word)')")
            try user.run(
                "INSERT INTO helix_people.messages (conversation_id, content) SELECT id, 'to \(word)' FROM helix_people.conversations"
            )
            try user.run("INSERT INTO helix_field.projects (title) VALUES ('house of \(word)')")
            try user.run(
                "INSERT INTO helix_field.project_tasks (project_id, task_description) SELECT id, 'paint' FROM helix_field.projects"
            )
            try user.run(
                "INSERT INTO helix_field.time_registrations (project_id, start_time, end_time) SELECT id, now() - interval '2 hours', now() - interval '1 hour' FROM helix_field.projects"
            )
            try user.run(
                "INSERT INTO helix_field.project_materials (project_id, material_name) SELECT id, 'nails' FROM helix_field.projects"
            )
        }
        for (user, word) in [(ana, "ana"), (bo, "bo")] {
            #expect(try user.rows("SELECT content FROM helix_assistant.session_messages") == ["of \(word)"])
            #expect(try user.rows("SELECT name FROM helix_people.conversations") == ["group of \(word)"])
            #expect(try user.rows("SELECT content FROM helix_people.messages") == ["to \(word)"])
            #expect(try user.rows("SELECT name FROM helix_people.users") == [word.capitalized])
            #expect(try user.rows("SELECT title FROM helix_field.projects") == ["house of \(word)"])
            for table in ["project_tasks", "time_registrations", "project_materials"] {
                #expect(try user.rows("SELECT id FROM helix_field.\(table)").count == 1, "\(table)")
            }
            #expect(try user.rows("SELECT DISTINCT user_id FROM helix_assistant.conversations") == [user.subject])
        }
        // Another user's rows are as if there were none: nothing is changed, and nothing is written in their name.
        let theirs = try bo.text("SELECT id::text FROM helix_people.conversations")
        for table in [
            "helix_assistant.session_messages", "helix_assistant.conversations", "helix_people.messages",
            "helix_people.conversations", "helix_field.projects", "helix_field.project_tasks",
        ] {
            let id = try bo.text("SELECT id::text FROM \(table)")
            #expect(try ana.rows("SELECT id FROM \(table) WHERE id = '\(id)'").isEmpty)
            try ana.run("DELETE FROM \(table) WHERE id = '\(id)'")
            #expect(try bo.rows("SELECT id FROM \(table) WHERE id = '\(id)'") == [id])
        }
        ana.refuses(404, "INSERT INTO helix_people.messages (conversation_id, content) VALUES ('\(theirs)', 'x')")
        ana.refuses(404, "INSERT INTO helix_people.typing_indicators (conversation_id) VALUES ('\(theirs)')")
        ana.refuses(
            404,
            "INSERT INTO helix_people.conversation_participants (conversation_id, user_id) VALUES ('\(theirs)', '\(ana.subject)')"
        )
        ana.refuses(
            403,
            "INSERT INTO helix_assistant.session_messages (session_key, user_id, content) VALUES ('main', '\(bo.subject)', 'x')"
        )
        ana.refuses(403, "INSERT INTO helix_people.users (id, name) VALUES ('\(bo.subject)', 'x')")
        let project = try bo.text("SELECT id::text FROM helix_field.projects")
        ana.refuses(
            404, "INSERT INTO helix_field.project_tasks (project_id, task_description) VALUES ('\(project)', 'x')")
        // Without a token there is nothing.
        let nobody = try PostgresConnection(database.target, application: "app")
        #expect(try nobody.rows("SELECT * FROM helix_people.messages").isEmpty)
        let error = #expect(throws: PostgresError.self) {
            try nobody.script("INSERT INTO helix_field.projects (title) VALUES ('x')")
        }
        #expect(error?.state == "PT401")
    }

    @Test func theRoleHasNoRightsButOnViews() throws {
        let database = try AppDatabase()
        let user = try database.user()
        for sql in [
            "SELECT * FROM helix.message", "SELECT * FROM helix.\"user\"", "SELECT * FROM helix.user_log_0",
            "SELECT helix.secret_identity('key', 'x', 'y')", "SELECT helix.app_make_user('{}', 'x')",
            "INSERT INTO helix.user_key VALUES ('subject', 'x', 'y')", "DROP VIEW helix_people.messages",
            "CREATE VIEW helix_people.x AS SELECT 1",
        ] {
            let error = #expect(throws: PostgresError.self, "\(sql)") { try user.run(sql) }
            #expect(error?.state == "42501", "\(sql)")
        }
        // A function in a condition is not given rows of others.
        let other = try database.user()
        try other.run("INSERT INTO helix_assistant.session_messages (session_key, content) VALUES ('main', 'secret')")
        try database.owner.script(
            "CREATE SCHEMA probe; GRANT USAGE, CREATE ON SCHEMA probe TO app; CREATE TABLE probe.seen (word text); GRANT ALL ON probe.seen TO app"
        )
        try user.run(
            """
            CREATE FUNCTION probe.look(word text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS
                $$ BEGIN INSERT INTO probe.seen VALUES (word); RETURN true; END $$
            """)
        for view in ["helix_assistant.session_messages", "helix_people.messages"] {
            try user.run("SELECT * FROM \(view) WHERE probe.look(content)")
        }
        #expect(try database.owner.rows("SELECT * FROM probe.seen").isEmpty)
        // A disabled user is nobody.
        try database.owner.script("UPDATE helix.\"user\" SET is_disabled = 1")
        #expect(try other.rows("SELECT * FROM helix_assistant.session_messages").isEmpty)
        other.refuses(403, "INSERT INTO helix_assistant.session_messages (session_key, content) VALUES ('main', 'x')")
    }

    @Test func aMessageIsStoredOnceUnderItsReference() throws {
        let database = try AppDatabase()
        let ana = try database.user()
        let insert = """
            INSERT INTO helix_assistant.session_messages (id, session_key, content, client_id, "timestamp", metadata)
                VALUES ('%', 'agent:main:trip', 'plan it', 'c-1', '2026-11-26 10:00:00.123456+00', '{"place": "Rome"}') RETURNING id::text
            """
        let (first, second) = (UUID().uuidString.lowercased(), UUID().uuidString.lowercased())
        #expect(try ana.text(insert.replacingOccurrences(of: "%", with: first)) == first)
        #expect(try ana.text(insert.replacingOccurrences(of: "%", with: second)) == first)
        #expect(try ana.rows("SELECT client_id, content FROM helix_assistant.session_messages").count == 1)
        #expect(
            try ana.text(
                "SELECT to_char(\"timestamp\" AT TIME ZONE 'UTC', 'HH24:MI:SS.US') FROM helix_assistant.session_messages"
            ) == "10:00:00.123456")
        #expect(try ana.text("SELECT metadata::text FROM helix_assistant.session_messages") == #"{"place": "Rome"}"#)
        // Many at once.
        nonisolated(unsafe) let threads = (0..<4).map { _ in try? AppSession(database.target, ana.subject) }
        DispatchQueue.concurrentPerform(iterations: 4) { place in
            for number in 0..<20 {
                try? threads[place]?.run(
                    "INSERT INTO helix_assistant.session_messages (session_key, content, client_id) VALUES ('agent:main:trip', 'm\(number)', 'm\(number)')"
                )
            }
        }
        #expect(try ana.rows("SELECT content FROM helix_assistant.session_messages").count == 21)
        #expect(try ana.rows("SELECT message_count FROM helix_assistant.conversations") == ["21"])
    }

    @Test func listsHaveTheOrderThatAppsExpect() throws {
        let database = try AppDatabase()
        let ana = try database.user()
        for number in 0..<120 {
            try ana.run(
                "INSERT INTO helix_assistant.session_messages (session_key, role, content) VALUES ('agent:x:\(number % 3)', '\(number % 2 == 0 ? "user" : "assistant")', '\(number)')"
            )
        }
        // The newest 50, and the 50 before them: none is missing, none twice.
        var (found, before) = ([String](), "infinity")
        while true {
            let page = try ana.connection.rows(
                """
                SELECT content, "timestamp"::text FROM helix_assistant.session_messages
                WHERE session_key = 'agent:x:1' AND "timestamp" < ?::timestamptz ORDER BY "timestamp" DESC LIMIT 15
                """, [before]
            ).map { ($0[0] as String, $0[1] as String) }
            if page.isEmpty { break }
            found += page.map(\.0)
            before = page[page.count - 1].1
        }
        #expect(found == stride(from: 1, to: 120, by: 3).map(String.init).reversed())
        func order() throws -> [String] {
            try ana.rows("SELECT session_key FROM helix_assistant.conversations ORDER BY updated_at DESC")
        }
        #expect(try order().first == "agent:x:2")
        try ana.run(
            "INSERT INTO helix_assistant.session_messages (session_key, content, \"timestamp\") VALUES ('agent:x:0', 'late', now() + interval '1 second')"
        )
        #expect(try order().first == "agent:x:0")
        // The apps set it themselves; it follows from the messages.
        try ana.run(
            "UPDATE helix_assistant.conversations SET updated_at = now(), title = 'Trip' WHERE session_key = 'agent:x:1'"
        )
        #expect(try order().first == "agent:x:0")
        #expect(
            try ana.text("SELECT title FROM helix_assistant.conversations WHERE session_key = 'agent:x:1'") == "Trip")
        // An assistant's answer grows while it is written.
        try ana.run(
            "UPDATE helix_assistant.session_messages SET content = '1, and more', thinking = 'hm' WHERE session_key = 'agent:x:1' AND content = '1'"
        )
        #expect(
            try ana.rows("SELECT thinking FROM helix_assistant.session_messages WHERE content = '1, and more'") == [
                "hm"
            ])
        try ana.run("DELETE FROM helix_assistant.session_messages WHERE content = '1, and more'")
        #expect(
            try ana.rows("SELECT content FROM helix_assistant.session_messages WHERE session_key = 'agent:x:1'").count
                == 39)
        try ana.run("DELETE FROM helix_assistant.conversations WHERE session_key = 'agent:x:1'")
        #expect(try order().count == 2)
    }

    @Test func peopleWriteToEachOther() throws {
        let database = try AppDatabase()
        let (ana, bo, cy) = (
            try database.user(#", "name": "Ana""#), try database.user(#", "name": "Bo""#),
            try database.user(#", "name": "Cy""#)
        )
        for user in [bo, cy] { try user.run("INSERT INTO helix_people.users DEFAULT VALUES") }
        let place = UUID().uuidString.lowercased()
        try ana.run("INSERT INTO helix_people.conversations (id, name) VALUES ('\(place)', 'Team')")
        try ana.run(
            "INSERT INTO helix_people.conversation_participants (conversation_id, user_id) VALUES ('\(place)', '\(bo.subject)')"
        )
        try ana.run("INSERT INTO helix_people.messages (conversation_id, content) VALUES ('\(place)', 'hello')")
        #expect(try bo.rows("SELECT sender_name, content FROM helix_people.messages") == ["hello|Ana"])
        try bo.run(
            "INSERT INTO helix_people.messages (conversation_id, content, reply_to_id) SELECT conversation_id, 'hi', id FROM helix_people.messages"
        )
        #expect(try ana.rows("SELECT content FROM helix_people.messages ORDER BY created_at") == ["hello", "hi"])
        // A reference is one author's: the other's text with the same one is stored, a repetition is not.
        for (author, words) in [(ana, "of ana"), (bo, "of bo"), (ana, "again"), (bo, "again")] {
            try author.run(
                "INSERT INTO helix_people.messages (conversation_id, content, client_id) VALUES ('\(place)', '\(words)', 'c1')"
            )
        }
        #expect(
            try bo.rows("SELECT content FROM helix_people.messages WHERE client_id = 'c1' ORDER BY content")
                == ["of ana", "of bo"])
        try ana.run("DELETE FROM helix_people.messages WHERE client_id = 'c1' AND content = 'of ana'")
        try bo.run("DELETE FROM helix_people.messages WHERE client_id = 'c1' AND content = 'of bo'")
        // Read marks and typing.
        try ana.run(
            "INSERT INTO helix_people.read_receipts (message_id) SELECT id FROM helix_people.messages WHERE content = 'hi'"
        )
        #expect(
            try bo.rows(
                "SELECT r.user_id FROM helix_people.read_receipts r JOIN helix_people.messages m ON m.id = r.message_id WHERE m.content = 'hi' AND r.user_id = '\(ana.subject)'"
            ) == [ana.subject])
        try bo.run("INSERT INTO helix_people.typing_indicators (conversation_id) VALUES ('\(place)')")
        #expect(try ana.rows("SELECT user_id FROM helix_people.typing_indicators") == [bo.subject])
        try bo.run("DELETE FROM helix_people.typing_indicators WHERE conversation_id = '\(place)'")
        #expect(try ana.rows("SELECT user_id FROM helix_people.typing_indicators").isEmpty)
        // The rules of the gateway.
        bo.refuses(
            403,
            "INSERT INTO helix_people.conversation_participants (conversation_id, user_id) VALUES ('\(place)', '\(cy.subject)')"
        )
        bo.refuses(403, "UPDATE helix_people.conversations SET name = 'mine'")
        bo.refuses(404, "UPDATE helix_people.messages SET content = 'forged' WHERE content = 'hello'")
        bo.refuses(
            403,
            "UPDATE helix_people.conversation_participants SET last_read_at = now() WHERE user_id = '\(ana.subject)'")
        bo.refuses(400, "INSERT INTO helix_people.messages (conversation_id, content) VALUES ('\(place)', '  ')")
        bo.refuses(400, "UPDATE helix_people.messages SET sender_id = '\(ana.subject)' WHERE content = 'hi'")
        let known = try ana.text("SELECT id::text FROM helix_people.messages WHERE content = 'hello'")
        bo.refuses(
            409, "INSERT INTO helix_people.messages (id, conversation_id, content) VALUES ('\(known)', '\(place)', 'x')"
        )
        try ana.run("UPDATE helix_people.conversation_participants SET role = 'admin' WHERE user_id = '\(bo.subject)'")
        try bo.run(
            "INSERT INTO helix_people.conversation_participants (conversation_id, user_id) VALUES ('\(place)', '\(cy.subject)')"
        )
        #expect(try cy.rows("SELECT id FROM helix_people.messages").isEmpty)
        try bo.run("DELETE FROM helix_people.conversation_participants WHERE user_id = '\(cy.subject)'")
        #expect(try cy.rows("SELECT id FROM helix_people.conversations").isEmpty)
        // Two users have one direct conversation.
        let direct = UUID().uuidString.lowercased()
        try ana.run("INSERT INTO helix_people.conversations (id, is_group) VALUES ('\(direct)', false)")
        try ana.run(
            "INSERT INTO helix_people.conversation_participants (conversation_id, user_id) VALUES ('\(direct)', '\(ana.subject)'), ('\(direct)', '\(bo.subject)')"
        )
        #expect(try bo.rows("SELECT name FROM helix_people.conversations WHERE NOT is_group") == ["Ana"])
        ana.refuses(
            400,
            "INSERT INTO helix_people.conversation_participants (conversation_id, user_id) VALUES ('\(direct)', '\(cy.subject)')"
        )
        let twin = UUID().uuidString.lowercased()
        try bo.run("INSERT INTO helix_people.conversations (id, is_group) VALUES ('\(twin)', false)")
        bo.refuses(
            409,
            "INSERT INTO helix_people.conversation_participants (conversation_id, user_id) VALUES ('\(twin)', '\(ana.subject)')"
        )
        // Profiles.
        try bo.run(
            "UPDATE helix_people.users SET name = 'Bo Berg', email = 'bo@example.org', push_token = '\(String(repeating: "ab", count: 32))' WHERE id = '\(bo.subject)'"
        )
        #expect(try ana.rows("SELECT name FROM helix_people.users WHERE id = '\(bo.subject)'") == ["Bo Berg"])
        #expect(
            try ana.rows("SELECT email FROM helix_people.users WHERE id = '\(bo.subject)' AND email IS NOT NULL")
                .isEmpty)
        #expect(try database.owner.rows("SELECT address FROM helix.push_target").count == 1)
        bo.refuses(403, "UPDATE helix_people.users SET name = 'x' WHERE id = '\(ana.subject)'")
        bo.refuses(409, "UPDATE helix_people.users SET name = 'An\u{430}' WHERE id = '\(bo.subject)'")
        bo.refuses(400, "UPDATE helix_people.users SET push_token = 'x' WHERE id = '\(bo.subject)'")
        bo.refuses(
            400, "UPDATE helix_people.users SET avatar = 'data:image/png;base64,AAAA' WHERE id = '\(bo.subject)'")
        cy.refuses(409, "UPDATE helix_people.users SET email = 'BO@example.org' WHERE id = '\(cy.subject)'")
        let picture = "data:image/png;base64,iVBORw0KGgoAAAAA"
        try bo.run("UPDATE helix_people.users SET avatar = '\(picture)' WHERE id = '\(bo.subject)'")
        #expect(try ana.rows("SELECT avatar FROM helix_people.users WHERE id = '\(bo.subject)'") == [picture])
    }

    @Test func whatIsNotAnAppsIsNotTouched() throws {
        let database = try AppDatabase()
        let (ana, bo) = (try database.user(#", "name": "Ana""#), try database.user(#", "name": "Bo""#))
        try bo.run("INSERT INTO helix_people.users DEFAULT VALUES")
        try ana.run("INSERT INTO helix_people.conversations (name) VALUES ('Team')")
        let place = try ana.text("SELECT id::text FROM helix_people.conversations")
        try ana.run(
            """
            INSERT INTO helix_people.conversation_participants (conversation_id, user_id) VALUES ('\(place)', '\(bo.subject)')
            """)
        // A reference that is the identity of the conversation, and a UUID for it.
        let identity: String = try database.owner.rows("SELECT helix.id_of(?::uuid)", [place]).first?[0] ?? ""
        let fresh = UUID().uuidString.lowercased()
        try bo.run(
            """
            INSERT INTO helix_people.messages (id, conversation_id, content, client_id)
                VALUES ('\(fresh)', '\(place)', 'x', '\(identity)')
            """)
        #expect(try ana.rows("SELECT id FROM helix_people.conversations") == [place])
        // An answer to a message that has a reference and an id of its own; the same id is the same message.
        try ana.run(
            """
            INSERT INTO helix_people.messages (conversation_id, content, reply_to_id) VALUES ('\(place)', 're', '\(fresh)')
            """)
        try bo.run(
            "INSERT INTO helix_people.messages (id, conversation_id, content) VALUES ('\(fresh)', '\(place)', 'y')")
        #expect(try ana.rows("SELECT content FROM helix_people.messages WHERE id = '\(fresh)'") == ["x"])
        try bo.run("DELETE FROM helix_people.messages WHERE id = '\(fresh)'")
        let insert = "INSERT INTO helix_people.messages (conversation_id, content"
        for (status, sql) in [
            (409, "\(insert), client_id) VALUES ('\(place)', 'z', '\(identity)')"),
            (400, "\(insert), created_at) VALUES ('\(place)', 'ancient', '4000-01-01 BC')"),
            (400, "\(insert), created_at) VALUES ('\(place)', 'x', 'infinity')"),
            (400, "UPDATE helix_people.conversations SET name = NULL"),
            (400, "UPDATE helix_people.messages SET created_at = now()"),
            (400, "DELETE FROM helix_people.users"), (400, "DELETE FROM helix_people.read_receipts"),
            (400, "UPDATE helix_people.users SET avatar = 'data:image/png;base64,AAAAA' WHERE id = '\(bo.subject)'"),
        ] { bo.refuses(status, sql) }
        ana.refuses(
            400,
            """
            INSERT INTO helix_people.conversation_participants (conversation_id, user_id, role)
                VALUES ('\(place)', '\(bo.subject)', 'king')
            """)
        // A telephone whose clock is ahead does not write later than now.
        try bo.run("\(insert), created_at) VALUES ('\(place)', 'late', now() + interval '5 years')")
        #expect(
            try ana.rows("SELECT content FROM helix_people.messages WHERE created_at > now() + interval '1 minute'")
                .isEmpty)
        for claims in ["notjson", #"{"sub": 5}"#, #"{"sub": "\u0000"}"#, #"{"sub": "\ud800"}"#, "[]", "null", ""] {
            _ = try bo.connection.rows("SELECT set_config('request.jwt.claims', ?, false)", [claims])
            #expect(try bo.rows("SELECT id FROM helix_people.messages").isEmpty, "\(claims)")
            bo.refuses(401, "INSERT INTO helix_field.projects (title) VALUES ('x')")
        }
    }

    @Test func sessionsHaveAnyKey() throws {
        let database = try AppDatabase()
        let ana = try database.user()
        let insert = "INSERT INTO helix_assistant.session_messages (session_key, role, content, client_id) VALUES"
        for key in ["agent:main:0123456789abcdef", "a b", "chat"] {
            try ana.run("\(insert) ('\(key)', 'assistant', 'h1', 'c1')")
            try ana.run("UPDATE helix_assistant.session_messages SET content = 'h2' WHERE session_key = '\(key)'")
            try ana.run(
                "UPDATE helix_assistant.conversations SET title = 'T', synthesis_insights = 'x' WHERE session_key = '\(key)'"
            )
            #expect(
                try ana.rows("SELECT content FROM helix_assistant.session_messages WHERE session_key = '\(key)'") == [
                    "h2"
                ])
            try ana.run(
                "UPDATE helix_assistant.conversations SET synthesis_insights = NULL WHERE session_key = '\(key)'")
        }
        #expect(
            try ana.rows("SELECT id FROM helix_assistant.conversations WHERE synthesis_insights IS NULL").count == 3)
        ana.refuses(400, "UPDATE helix_assistant.session_messages SET platform = 'x'")
        ana.refuses(400, "UPDATE helix_assistant.conversations SET title = NULL")
        ana.refuses(400, "\(insert) (E'a\\nb', 'user', 'x', NULL)")
        ana.refuses(400, "\(insert) (' ', 'user', 'x', NULL)")
        try ana.run("DELETE FROM helix_assistant.session_messages")
        try ana.run("DELETE FROM helix_assistant.conversations")
        #expect(try ana.rows("SELECT id FROM helix_assistant.conversations").isEmpty)
    }
}
