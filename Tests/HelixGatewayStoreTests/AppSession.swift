import Foundation
import HelixPostgres
import TestSupport
import Testing

@testable import HelixGatewayStore

/// A connection with the rights of the family's apps and the claims of one user, as PostgREST makes it.
final class AppSession {
    let connection: PostgresConnection
    /// The UUID of the user at the service that issues tokens.
    let subject: String

    /// - Parameter target: a database whose role `app` is a member of `helix_app`.
    init(_ target: PostgresTarget, _ subject: String, _ claims: String = "") throws {
        connection = try PostgresConnection(target, application: "app")
        // As PostgREST does for the role that it takes on.
        _ = try connection.rows(
            """
            SELECT set_config(split_part(word, '=', 1), split_part(word, '=', 2), false)
            FROM pg_db_role_setting s, unnest(s.setconfig) word WHERE s.setrole = 'helix_app'::regrole
            """)
        self.subject = subject
        _ = try connection.rows(
            "SELECT set_config('request.jwt.claims', ?, false)",
            ["{\"iss\": \"https://issuer.example.org\", \"sub\": \"\(subject)\", \"role\": \"helix_app\"\(claims)}"])
    }

    /// The rows of a statement, each with its values between bars.
    @discardableResult
    func rows(_ sql: String) throws -> [String] {
        try connection.rows(
            "SELECT concat_ws('|', VARIADIC ARRAY(SELECT value FROM jsonb_each_text(to_jsonb(x)))) FROM (\(sql)) x"
        )
        .map { $0[0] }
    }

    /// Runs a statement that returns one text.
    func text(_ sql: String) throws -> String { try connection.rows(sql).first?[0] ?? "" }

    func run(_ sql: String) throws { try connection.script(sql) }

    /// Expects that a statement is refused with the status of HTTP that PostgREST makes of it, and changes nothing.
    func refuses(_ status: Int, _ sql: String, _ location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: PostgresError.self, "\(sql)", sourceLocation: location) {
            try connection.script(sql)
        }
        #expect(error?.state == "PT\(status)", "\(sql): \(error?.message ?? "")", sourceLocation: location)
    }
}

/// A database with the apps' schemas, and the role `app` that has their rights.
struct AppDatabase {
    let target: PostgresTarget
    let owner: PostgresConnection

    /// - Parameter uri: an empty database; nil for one of its own.
    init(_ uri: String? = nil) throws {
        let address: String
        if let uri {
            address = uri
        } else {
            let name = PostgresSite.freshName()
            try PostgresSite.make(name)
            address = try PostgresSite.uri(name)
        }
        _ = try PostgresAdministration.migrate(try PostgresTarget(address), isRehearsal: false)
        owner = try PostgresConnection(try PostgresTarget(address), application: "test")
        try owner.script(
            """
            DO $$ BEGIN CREATE ROLE app LOGIN IN ROLE \(AppSchema.role);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
            """)
        target = try PostgresTarget(address.replacingOccurrences(of: "helix@", with: "app@"))
    }

    /// A user of the apps.
    func user(_ claims: String = "") throws -> AppSession {
        try AppSession(target, UUID().uuidString.lowercased(), claims)
    }
}

/// A use of each view of the apps, and of each change that it allows.
struct AppWalk {
    let database: AppDatabase

    func run() throws {
        let (ana, bo) = (try database.user(#", "name": "Ana""#), try database.user(#", "name": "Bo""#))
        let (place, direct, house) = (UUID().uuidString, UUID().uuidString, UUID().uuidString)
        try bo.run("INSERT INTO helix_people.users DEFAULT VALUES")
        try write(
            ana,
            [

                """
                INSERT INTO helix_assistant.conversations (session_key, title, synthesis_insights) VALUES
                ('agent:x:1', 'Trip', 'x')
                """,
                "UPDATE helix_assistant.conversations SET description = 'y', synthesis_insights = 'z'",

                """
                INSERT INTO helix_assistant.session_messages (session_key, role, content, client_id) VALUES
                ('agent:x:1', 'assistant', 'a', 'c'), ('main', 'user', 'b', NULL)
                """,
                "UPDATE helix_assistant.session_messages SET content = 'c', thinking = 'd' WHERE content = 'a'",
                "DELETE FROM helix_assistant.session_messages WHERE content = 'c'",
                "DELETE FROM helix_assistant.conversations WHERE session_key = 'agent:x:1'",

                """
                UPDATE helix_people.users SET name = 'Ylva', email = 'ylva@example.org', push_token =
                '\(String(repeating: "0", count: 64))' WHERE id = '\(ana.subject)'
                """,
                "INSERT INTO helix_people.conversations (id, name, description) VALUES ('\(place)', 'g', 'd')",
                "INSERT INTO helix_people.conversations (id, is_group) VALUES ('\(direct)', false)",
                "UPDATE helix_people.conversations SET name = 'h' WHERE id = '\(place)'",

                """
                INSERT INTO helix_people.conversation_participants (conversation_id, user_id) VALUES
                ('\(place)', '\(bo.subject)'), ('\(direct)', '\(bo.subject)')
                """,

                """
                UPDATE helix_people.conversation_participants SET role = 'admin' WHERE user_id =
                '\(bo.subject)' AND conversation_id = '\(place)'
                """,

                """
                INSERT INTO helix_people.messages (id, conversation_id, content) VALUES (gen_random_uuid(),
                '\(place)', 'a'), (NULL, '\(direct)', 'b')
                """,
                "UPDATE helix_people.messages SET content = 'c' WHERE content = 'a'",
                "INSERT INTO helix_people.typing_indicators (conversation_id) VALUES ('\(place)')",
                "INSERT INTO helix_people.read_receipts (message_id) SELECT id FROM helix_people.messages",

                """
                UPDATE helix_people.conversation_participants SET last_read_at = now() WHERE user_id =
                '\(ana.subject)'
                """,

                """
                INSERT INTO helix_field.chat_messages_queue (channel_id, content, temp_id) VALUES
                ('\(place)', 'q', 't')
                """,
                "DELETE FROM helix_field.chat_messages_queue WHERE content = 'q'",
                "DELETE FROM helix_people.messages WHERE content = 'c'",

                """
                INSERT INTO helix_field.projects (id, title, start_date, assigned_user_id) VALUES
                ('\(house)', 'p', '2026-12-01', '\(bo.subject)')
                """,
                "UPDATE helix_field.projects SET status = 'active'",

                """
                INSERT INTO helix_field.project_tasks (project_id, block_title, task_description) VALUES
                ('\(house)', 'b', 't')
                """,
                "UPDATE helix_field.project_tasks SET is_completed = true, block_title = 'c'",

                """
                INSERT INTO helix_field.time_registrations (project_id, start_time, end_time,
                break_duration) VALUES ('\(house)', '2026-11-20 07:00Z', '2026-11-20 16:00Z', 45)
                """,
                "UPDATE helix_field.time_registrations SET break_duration = 0",
                "INSERT INTO helix_field.project_materials (project_id, material_name) VALUES ('\(house)', 'm')",
                "UPDATE helix_field.project_materials SET quantity = 2",
            ])
        let hash = String(repeating: "ab", count: 32)
        try database.owner.script(

            """
            INSERT INTO helix.upload (\"user\", sha256, size, is_whole, made_at) SELECT id, '\(hash)', 5, 1,
            0 FROM helix.\"user\" WHERE display_name = 'Ylva'
            """
        )
        try write(
            ana,
            [

                """
                INSERT INTO helix_field.media_files (project_id, file_path, metadata) VALUES ('\(house)',
                'a.jpg', '{\"sha256\": \"\(hash)\"}')
                """
            ])
        #expect(throws: PostgresError.self) { try ana.run("DELETE FROM helix_people.users") }
        for user in [ana, bo] {
            for view in [
                "helix_assistant.conversations", "helix_assistant.session_messages", "helix_people.users",
                "helix_people.conversations", "helix_people.conversation_participants", "helix_people.messages",
                "helix_people.typing_indicators", "helix_people.read_receipts", "helix_field.projects",
                "helix_field.project_tasks", "helix_field.time_registrations", "helix_field.project_materials",
                "helix_field.media_files", "helix_field.chat_messages_queue",
            ] { try user.run("SELECT * FROM \(view)") }
        }
        try write(
            ana,
            [
                "UPDATE helix_field.media_files SET upload_status = 'x'",
                "UPDATE helix_field.chat_messages_queue SET sync_status = 'x'",
                "DELETE FROM helix_field.media_files", "DELETE FROM helix_field.project_materials",
                "DELETE FROM helix_field.time_registrations", "DELETE FROM helix_field.project_tasks",
                "DELETE FROM helix_field.projects", "DELETE FROM helix_people.typing_indicators",

                """
                DELETE FROM helix_people.conversation_participants WHERE user_id = '\(bo.subject)' AND
                conversation_id = '\(place)'
                """,
                "DELETE FROM helix_people.conversations",
            ])
    }

    private func write(_ user: AppSession, _ statements: [String]) throws {
        for sql in statements { try user.run(sql) }
    }
}
