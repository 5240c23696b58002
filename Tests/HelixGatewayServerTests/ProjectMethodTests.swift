import HelixGateway
import HelixModel
import Testing

@testable import HelixGatewayServer

/// `projects.*`, in the names of the family's app for field work, and the error codes that the apps know.
@Suite struct ProjectMethodTests {
    @Test func aProjectHasBlocksTasksMaterialsAndTime() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana")
        let made = try await ana.call(
            "projects.create",
            [
                "title": "Villa", "customer_name": "Rossi", "status": "to plan", "assigned_user_id": "ana",
                "start_date": "2026-12-01T00:00:00Z",
            ])
        let id = try #require(made["id"])
        #expect(made["status"]?.text == "planned" && made["start_date"]?.text == "2026-12-01")
        try await ana.call("projects.create", ["title": "Garden", "assigned_user_id": "bo"])
        #expect(try await ana.call("projects.list").elements?.count == 2)
        #expect(
            try await ana.call("projects.list", ["assigned_user_id": "me"]).elements?.first?["title"]?.text == "Villa")
        #expect(try await ana.call("projects.list", ["status": "done"]).elements?.isEmpty == true)
        let active = try await ana.call("projects.update", ["id": id, "status": "active", "customer_name": nil])
        #expect(active["status"]?.text == "active" && active["customer_name"] == JSONText.string("Rossi"))

        try await ana.call("projects.blocks.create", ["project_id": id, "title": "Roof"])
        let blocks = try await ana.call("projects.blocks.create", ["project_id": id, "title": "Walls"])
        #expect(blocks.elements?.map { $0["title"]?.text } == ["Roof", "Walls"])
        try await ana.call("projects.blocks.rename", ["project_id": id, "title": "Walls", "new_title": "Paint"])
        let left = try await ana.call("projects.blocks.delete", ["project_id": id, "title": "Roof"])
        #expect(left.elements?.map { $0["title"]?.text } == ["Paint"])

        let pipe = try await ana.call(
            "projects.materials.create",
            ["project_id": id, "material_name": "Pipe", "quantity": .number("2.5"), "unit": "m", "unit_price": "12.40"])
        #expect(
            pipe["quantity"]?.text == "2.5" && pipe["unit_price"]?.text == "12.4" || pipe["unit_price"]?.text == "12.40"
        )
        #expect(try await ana.call("projects.materials.list", ["project_id": id]).elements?.count == 1)
        let stone = try #require(pipe["id"], "no id")
        try await ana.call("projects.materials.delete", ["project_id": id, "id": stone])
        #expect(try await ana.call("projects.materials.list", ["project_id": id]).elements?.isEmpty == true)
        #expect(try await ana.call("projects.media.list", ["project_id": id]).elements?.isEmpty == true)
        #expect(try await ana.call("projects.tasks.list", ["project_id": id]).elements?.isEmpty == true)
        #expect(try await ana.call("projects.time.list", ["project_id": id]).elements?.isEmpty == true)
        #expect(try await ana.call("projects.delete", ["id": id])["deleted"]?.bool == true)
        // Another user has none of it.
        let bo = try await gateway.client("bo")
        #expect(try await bo.call("projects.list").elements?.isEmpty == true)
    }

    @Test func theDayOfAProjectIsOneRegistrationWithItsBreaks() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana")
        let project = EntityID()
        let day = TestGateway.now.seconds - TestGateway.now.seconds % 86_400
        func entry(_ start: Int64, _ end: Int64, _ title: String) -> JSONText {
            [
                "kind": "time_entry", "id": .string(EntityID().text),
                "fields": [
                    "start": .integer(day + start), "end": .integer(day + end), "title": .string(title),
                    "project": .string(project.text), "is_billable": 0,
                ],
            ]
        }
        try await ana.call(
            "sync.push",
            [
                "changes": [
                    [
                        "kind": "project", "id": .string(project.text),
                        "fields": [
                            "name": "house", "status": "active", "blocks": "[]", "created_at": .integer(day),
                        ],
                    ],
                    entry(3600, 5400, "walls"), entry(6300, 9000, "roof"),
                    entry(-86_400 + 3600, -86_400 + 7200, "plan"),
                ]
            ])
        let days = try #require(
            try await ana.call("projects.time.list", ["project_id": .string(project.text)]).elements)
        #expect(days.count == 2)
        #expect(days.map { $0["break_duration"]?.integer } == [0, 15])
        #expect(days.map { $0["duration_minutes"]?.integer } == [60, 75])
        #expect(days.last?["description"]?.text == "walls, roof")
    }

    @Test func errorsHaveTheCodesThatTheAppsKnow() async throws {
        let gateway = try TestGateway()
        let ana = try await gateway.client("ana")
        let reader = try await gateway.client("bo", scopes: [.read])
        func code(_ client: TestClient, _ method: String, _ params: JSONText? = nil) async -> String? {
            do {
                try await client.call(method, params)
                return nil
            } catch { return (error as? GatewayError)?.details?["appCode"]?.text }
        }
        let nothing = JSONText.string(EntityID().text)
        #expect(await code(ana, "tasks.get", ["id": nothing]) == "LOAD_FAILED")
        #expect(await code(ana, "no.such.method") == "LOAD_FAILED")
        #expect(await code(ana, "tasks.update", ["id": nothing]) == "SYNC_FAILED")
        #expect(await code(ana, "projects.delete", ["id": nothing]) == "SYNC_FAILED")
        #expect(await code(ana, "chat.edit", ["id": nothing, "content": "x"]) == "SEND_FAILED")
        #expect(await code(reader, "tasks.create", ["title": "x"]) == "AUTH_FAILED")
        #expect(await code(ana, "users.end", ["password": "wrong"]) == "AUTH_FAILED")
    }
}
