import Foundation
import HelixCrypto
import HelixGatewayLogs
import HelixModel
import HelixPostgres
import HelixStore
import TestSupport
import Testing

@testable import HelixGatewayStore

/// The app for field work on the gateway's database, and what apps' functions have in common with helix.
@Suite(.enabled(if: PostgresSite.isInstalled, "needs the server postgresql")) struct AppFieldTests {
    @Test func fieldWorkReachesAStore() throws {
        let database = try AppDatabase()
        let ana = try database.user()
        let place = UUID().uuidString.lowercased()
        try ana.run(

            """
            INSERT INTO helix_field.projects (id, title, customer_name, start_date, assigned_user_id) VALUES
            ('\(place)', 'Bath', 'Ms Q', '2026-12-01', '\(ana.subject)')
            """
        )
        #expect(
            try ana.rows("SELECT status FROM helix_field.projects WHERE assigned_user_id = '\(ana.subject)'") == [
                "to plan"
            ])
        try ana.run("UPDATE helix_field.projects SET status = 'In progress' WHERE assigned_user_id = '\(ana.subject)'")
        for (number, title) in ["tile the wall", "grout", "key under the mat"].enumerated() {
            try ana.run(

                """
                INSERT INTO helix_field.project_tasks (project_id, block_title, task_description,
                is_info_block, order_index) VALUES ('\(place)', 'Walls', E'\(title)\\nwith notes', \(number
                    == 2), \(number))
                """
            )
        }
        try ana.run("UPDATE helix_field.project_tasks SET is_completed = true WHERE task_description LIKE 'tile%'")
        try ana.run("UPDATE helix_field.project_tasks SET is_completed = true WHERE task_description LIKE 'grout%'")
        try ana.run("UPDATE helix_field.project_tasks SET is_completed = false WHERE task_description LIKE 'grout%'")
        try ana.run(

            """
            INSERT INTO helix_field.time_registrations (project_id, start_time, end_time, break_duration,
            description) VALUES ('\(place)', '2026-11-20 07:00Z', '2026-11-20 16:00Z', 45, 'tiling')
            """
        )
        try ana.run(

            """
            INSERT INTO helix_field.project_materials (project_id, material_name, quantity, unit_price,
            supplier) VALUES ('\(place)', 'tiles', 12.50, 3.99, 'Shop')
            """
        )
        // A device makes its store of the log.
        let user = try database.owner.rows("SELECT id FROM helix.\"user\"").first?[0] ?? ""
        let home = try HelixHome()
        let store = try Store(path: home.folder.appendingPathComponent("ana.db").path, now: Instant(1_795_700_000))
        let pool = PostgresPool(
            try PostgresTarget(database.target.shown.replacingOccurrences(of: "app@", with: "helix@")), size: 1)
        let logged = LoggedStore(store: store, log: UserLog(EntityID(stored: user), PostgresUserLogs(pool)))
        let (projects, tasks, entries) = try logged.perform { store in
            (
                try store.projects(), try store.boards(),
                try store.timeEntries(in: TimeRange(start: Instant(0), end: .distantFuture), zone: .utc)
            )
        }
        #expect(projects.map(\.name) == ["Bath"] && projects[0].customer == "Ms Q" && projects[0].status == .active)
        #expect(projects[0].blocks == ["Walls"] && projects[0].assignee == "me")
        #expect(tasks.first?.columns.map(\.name) == ["todo", "doing", "review", "done"])
        let worked = entries.reduce(0) { $0 + $1.entry.range(at: Instant(1_795_700_000)).duration }
        #expect(worked == 495 * 60)
        #expect(try store.materials(of: projects[0].id).map(\.name) == ["tiles"])
        let bought = try #require(try store.materials(of: projects[0].id).first)
        #expect("\(bought.quantity) \(bought.unitPrice)" == "12.5 3.99")
        // What the device changes is in the app at once.
        try logged.perform { store in
            try store.change("complete", from: .sync) { change in
                var project = projects[0]
                project.status = .done
                try change.saveProject(project)
            }
        }
        #expect(try ana.rows("SELECT status FROM helix_field.projects") == ["done"])
        #expect(try ana.rows("SELECT break_duration, description FROM helix_field.time_registrations") == ["tiling|45"])
        #expect(
            try ana.rows(

                """
                SELECT split_part(task_description, E'\\n', 1) AS t FROM helix_field.project_tasks ORDER BY
                order_index
                """
            ) == ["key under the mat", "grout", "tile the wall"])
        #expect(try ana.rows("SELECT block_title FROM helix_field.project_tasks WHERE is_info_block") == ["Walls"])
        // And the other way round again.
        try ana.run("UPDATE helix_field.time_registrations SET break_duration = 0")
        try ana.run("DELETE FROM helix_field.projects")
        let rest = try logged.perform { store in
            (
                try store.projects().count,
                try store.timeEntries(in: TimeRange(start: Instant(0), end: .distantFuture), zone: .utc)
            )
        }
        #expect(rest.0 == 0 && rest.1.count == 1 && rest.1[0].project == nil)
        #expect(try ana.rows("SELECT id FROM helix_field.project_materials").isEmpty)
    }

    @Test func whatAStoreCannotHoldIsRefused() throws {
        let database = try AppDatabase()
        let ana = try database.user()
        let place = UUID().uuidString.lowercased()
        try ana.run("INSERT INTO helix_field.projects (id, title) VALUES ('\(place)', 'Bath')")
        try ana.run("INSERT INTO helix_field.project_tasks (project_id, task_description) VALUES ('\(place)', 'paint')")
        try ana.run(

            """
            INSERT INTO helix_field.time_registrations (start_time, end_time) VALUES ('2026-11-20 07:00Z',
            '2026-11-20 09:00Z')
            """
        )
        let log = "SELECT max(seq)::text FROM helix.user_log"
        let before: String? = try database.owner.rows(log).first?[0]
        for (status, sql) in [
            (409, "INSERT INTO helix_field.projects (title) VALUES ('BATH')"),
            (400, "INSERT INTO helix_field.projects (title) VALUES (E'two\\nlines')"),
            (400, "INSERT INTO helix_field.projects (customer_name) VALUES ('x')"),
            (400, "INSERT INTO helix_field.projects (title, status) VALUES ('x', 'sunny')"),
            (404, "INSERT INTO helix_field.projects (title, assigned_user_id) VALUES ('x', gen_random_uuid())"),
            (400, "INSERT INTO helix_field.project_tasks (project_id) VALUES ('\(place)')"),
            (
                404,
                "INSERT INTO helix_field.project_tasks (project_id, task_description) VALUES (gen_random_uuid(), 'x')"
            ),
            (400, "UPDATE helix_field.project_tasks SET order_index = 7"),
            (400, "UPDATE helix_field.project_tasks SET project_id = gen_random_uuid()"),
            (
                409,

                """
                INSERT INTO helix_field.time_registrations (start_time, end_time) VALUES ('2026-11-20
                08:00Z', '2026-11-20 10:00Z')
                """
            ),
            (
                400,

                """
                INSERT INTO helix_field.time_registrations (start_time, end_time) VALUES ('2026-11-21
                08:00Z', '2026-11-21 08:00Z')
                """
            ),
            (
                400,

                """
                INSERT INTO helix_field.time_registrations (start_time, end_time, break_duration) VALUES
                ('2026-11-21 08:00Z', '2026-11-21 09:00Z', 60)
                """
            ),
            (400, "INSERT INTO helix_field.time_registrations (end_time) VALUES ('2026-11-21 08:00Z')"),
            (
                400,

                """
                INSERT INTO helix_field.project_materials (project_id, material_name, quantity) VALUES
                ('\(place)', 'x', -1)
                """
            ),
            (
                400,

                """
                INSERT INTO helix_field.project_materials (project_id, material_name, quantity) VALUES
                ('\(place)', 'x', 'NaN')
                """
            ),
            (
                404,

                """
                INSERT INTO helix_field.project_materials (project_id, material_name, receipt_photo_path)
                VALUES ('\(place)', 'x', 'a.jpg')
                """
            ),
            (
                400,

                """
                INSERT INTO helix_field.media_files (project_id, file_path, metadata) VALUES ('\(place)',
                'a.jpg', '{\"sha256\": \"00\"}')
                """
            ),
            (400, "INSERT INTO helix_field.projects (title, start_date) VALUES ('x', 'infinity')"),
            (400, "INSERT INTO helix_field.projects (title, start_date) VALUES ('x', '20000-01-01')"),
            (400, "INSERT INTO helix_field.projects (title) VALUES (E'\\u200B')"),
            (
                400,
                """
                INSERT INTO helix_field.time_registrations (start_time, end_time) VALUES ('9999-12-31', '10000-01-02')
                """
            ),
            (
                400,
                """
                INSERT INTO helix_field.time_registrations (start_time, end_time) VALUES ('0044-01-01 BC', '0043-01-01 BC')
                """
            ),
            (
                409,
                """
                INSERT INTO helix_field.time_registrations (id, start_time, end_time)
                    VALUES ('\(place)', '2026-11-22 08:00Z', '2026-11-22 09:00Z')
                """
            ),
            (400, "INSERT INTO helix_field.project_materials (project_id, material_name) VALUES ('\(place)', '  ')"),
        ] { ana.refuses(status, sql) }
        #expect(try database.owner.rows(log).first?[0] == before)
        // The same entity again is the one that is there.
        try ana.run("INSERT INTO helix_field.projects (id, title) VALUES ('\(place)', 'Kitchen')")
        #expect(try ana.rows("SELECT title FROM helix_field.projects") == ["Bath"])
    }

    @Test func identitiesVersionsAndNamesAreThoseOfHelix() throws {
        let database = try AppDatabase()
        var random = SeededGenerator(seed: 26)
        let owner = database.owner
        for _ in 0..<200 {
            let id = EntityID(using: &random).text
            let row = try owner.rows("SELECT helix.uuid_of(?1)::text, helix.id_of(helix.uuid_of(?1))", [id]).first
            #expect(row?[1] == id)
            // Version 8, and the variant of RFC 9562.
            let uuid: String = row?[0] ?? ""
            #expect(uuid.dropFirst(14).first == "8" && uuid.dropFirst(19).first == "8", "\(uuid)")
            let bytes = (0..<12).map { _ in UInt8.random(in: 0...255, using: &random) }
            let hash = bytes.map { String(format: "%02x", $0) }.joined()
            #expect(
                try owner.rows("SELECT helix.id_of_digest(decode(?, 'hex'))", [hash]).first?[0]
                    == EntityID(digest: bytes).text)
        }
        let signs = Array(
            "abzAZ01lI|5\"\\/\u{1}\u{8}\u{9}\u{A}\u{C}\u{D}\u{1F}\u{7F} é😀ÄßıİсоеΑαβ\u{301}\u{200B}rnvvcl'")
        for _ in 0..<400 {
            let word = String(
                (0..<Int.random(in: 0...9, using: &random)).map { _ in signs.randomElement(using: &random) ?? "x" })
            let fields: JSONText = [
                "b": .string(word), "a": .integer(Int.random(in: -9...9, using: &random)), "z": .null,
            ]
            #expect(
                try owner.rows("SELECT helix.record_version(?::jsonb)", [fields.compact]).first?[0]
                    == ReplicaRecord.version(fields),
                "\(word.debugDescription)")
            let shape: String? = try owner.rows("SELECT helix.name_shape(?)", [word]).first?[0]
            #expect(shape == UserName.shape(word), "\(word.debugDescription)")
        }
    }
}
