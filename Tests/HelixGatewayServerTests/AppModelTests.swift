import Foundation
import HelixGateway
import HelixModel
import TestSupport
import Testing

@testable import HelixGatewayServer

/// The apps for telephones of the family decode the answers to all their calls.
@Suite struct AppModelTests {
    /// A call of an app: the method, its parameters, the type that the app decodes, and the field in which it is.
    private struct Call {
        var method: String
        var params: JSONText
        var type: String
        var field: String?

        init(_ method: String, _ params: JSONText = [:], _ type: String, in field: String? = nil) {
            (self.method, self.params, self.type, self.field) = (method, params, type, field)
        }
    }

    /// Entities of a user, one of each kind.
    private struct Content {
        var task: JSONText
        var part: JSONText
        var board: JSONText
        var event: JSONText
        var account: JSONText
        var email: JSONText
        var thread: JSONText
    }

    /// A user who has something of each kind, made by the methods themselves.
    private func content(_ client: TestClient) async throws -> Content {
        let task = try await client.call(
            "tasks.create",
            [
                "title": "Fix the valve", "priority": "high", "due_date": "2026-11-20T09:00:00Z", "tags": ["house"],
                "estimated_hours": .double(1.5), "description": "soon", "assignee_name": "bo",
            ])
        let id = task["id"] ?? .null
        let part = try await client.call("tasks.subtasks.create", ["task_id": id, "title": "Buy a seal"])
        try await client.call("tasks.subtasks.toggle", ["id": part["id"] ?? .null, "is_completed": true])
        try await client.call("tasks.timetracking.start", ["task_id": id])
        try await client.call("tasks.timetracking.stop", ["task_id": id])
        let board = try await client.call("tasks.boards.list").elements?.first
        let account = try await client.call("calendar.get_primary_account")
        let event = try await client.call(
            "calendar.create_event",
            [
                "title": "Boiler", "start_time": "2026-11-19T09:00:00Z", "end_time": "2026-11-19T10:10:00Z",
                "location": "Cellar", "description": "bring the seal",
            ])
        try await client.call(
            "calendar.create_event",
            ["title": "Call", "start_time": "2026-11-19T09:30:00Z", "end_time": "2026-11-19T10:00:00Z"])
        try await client.call(
            "email.draft.save",
            ["to": [["email": "bo@example.org", "name": "Bo"]], "subject": "Valve", "body": "It leaks."])
        let emails = try await client.call("email.list", ["mailbox": "all"])
        let email = (emails["emails"]?.elements ?? emails.elements)?.first
        return Content(
            task: id, part: part["id"] ?? .null, board: try #require(board?["id"]), event: event["id"] ?? .null,
            account: account["id"] ?? .null, email: try #require(email?["id"]),
            thread: try #require(email?["thread_id"]))
    }

    private func calls(of app: String, _ has: Content) -> [Call] {
        let span: JSONText = ["start_date": "2026-11-01T00:00:00Z", "end_date": "2026-12-01T00:00:00Z"]
        let tasks: [Call] = [
            Call("tasks.list", ["board_id": has.board], "[Task]"), Call("tasks.get", ["id": has.task], "Task"),
            Call("tasks.create", ["title": "One more"], "Task"),
            Call("tasks.update", ["id": has.task, "status": "in_progress"], "Task"),
            Call("tasks.search", ["query": "valve"], "[Task]"),
            Call("tasks.subtasks.list", ["task_id": has.task], "[Subtask]"),
            Call("tasks.subtasks.create", ["task_id": has.task, "title": "Measure"], "Subtask"),
            Call("tasks.subtasks.toggle", ["id": has.part, "is_completed": false], "Subtask"),
            Call("tasks.boards.list", [:], "[KanbanBoard]"), Call("tasks.analytics", [:], "TaskAnalytics"),
            Call("tasks.timetracking.start", ["task_id": has.task], "TimeEntry"),
            Call("tasks.timetracking.stop", ["task_id": has.task], "TimeEntry"),
            Call("tasks.focustime.get", [:], "FocusTime"),
            Call("tasks.focustime.update", ["daily_goal_minutes": 90], "FocusTime"),
        ]
        if app == "ios" {
            return tasks + [
                Call("tasks.boards.get", ["id": has.board], "KanbanBoard"),
                Call("tasks.boards.get", ["id": has.board], "[KanbanColumn]", in: "columns"),
                Call("tasks.timetracking.stats", [:], "TimeTrackingStats"),
                Call("calendar.list_accounts", [:], "[CalendarAccount]"),
                Call("calendar.get_primary_account", [:], "CalendarAccount"),
                Call("calendar.list_events", ["account_id": has.account], "[CalendarEvent]", in: "events"),
                Call("calendar.get_event", ["id": has.event], "CalendarEvent"),
                Call("calendar.get_attendees", ["event_id": has.event], "[EventAttendee]", in: "attendees"),
                Call("calendar.search_events", ["query": "boiler"], "[CalendarEvent]", in: "results"),
                Call("calendar.update_event", ["id": has.event, "title": "The boiler"], "CalendarEvent"),
                Call("calendar.check_conflicts", ["event_id": has.event], "[CalendarEvent]", in: "conflicts"),
                Call("calendar.mark_conflicts", ["event_id": has.event], "CalendarEvent"),
                Call("calendar.analytics", [:], "CalendarAnalytics"),
                Call("email.list", ["mailbox": "all"], "[Email]", in: "emails"),
                Call("email.list", ["mailbox": "all"], "EmailPaginationInfo", in: "pagination"),
                Call("email.get", ["id": has.email], "Email"),
                Call("email.search", ["query": "valve"], "[Email]", in: "results"),
                Call("email.mark_read", ["id": has.email, "is_read": true], "Email"),
                Call("email.mark_starred", ["id": has.email, "is_starred": true], "Email"),
                Call("email.add_label", ["email_id": has.email, "label": "house"], "Email"),
                Call("email.remove_label", ["email_id": has.email, "label": "house"], "Email"),
                Call("email.thread", ["thread_id": has.thread], "[Email]", in: "emails"),
                Call("email.analytics", [:], "EmailAnalytics"),
                Call("email.statistics", span, "[EmailFrequencyData]", in: "data"),
                Call("email.save_draft", ["subject": "x", "body": "y"], "String"),
            ]
        }
        return tasks + [
            Call("calendar.accounts.list", [:], "[CalendarAccount]"),
            Call("calendar.accounts.primary", [:], "CalendarAccount"),
            Call("calendar.events.list", ["account_id": has.account, "limit": 20, "offset": 0], "[CalendarEvent]"),
            Call("calendar.events.get", ["id": has.event], "CalendarEvent"),
            Call("calendar.events.attendees", ["event_id": has.event], "[EventAttendee]"),
            Call("calendar.events.search", ["query": "boiler"], "[CalendarEvent]"),
            Call("calendar.events.update", ["id": has.event, "title": "The boiler"], "CalendarEvent"),
            Call("calendar.conflicts.check", ["event_id": has.event], "[CalendarEvent]"),
            Call("calendar.conflicts.mark", ["event_id": has.event, "has_conflict": true], "CalendarEvent"),
            Call("calendar.stats", [:], "CalendarAnalytics"),
            Call("email.list", ["mailbox": "all", "limit": 50, "offset": 0], "[Email]"),
            Call("email.get", ["id": has.email], "Email"), Call("email.search", ["query": "valve"], "[Email]"),
            Call("email.mark_read", ["id": has.email, "is_read": true], "Email"),
            Call("email.mark_starred", ["id": has.email, "is_starred": true], "Email"),
            Call("email.add_label", ["id": has.email, "label": "house"], "Email"),
            Call("email.remove_label", ["id": has.email, "label": "house"], "Email"),
            Call("email.thread.get", ["thread_id": has.thread], "[Email]"),
            Call("email.analytics", [:], "EmailAnalytics"),
            Call("email.draft.save", ["subject": "x", "body": "y", "to": ["bo@example.org"]], "EmailDraft"),
        ]
    }

    @Test(arguments: ["ios", "android"]) func everyAnswerIsDecoded(_ app: String) async throws {
        let gateway = try TestGateway()
        let client = try await gateway.client(
            "ana", dialect: ClientDialect(version: 4, isHelix: false, isAndroid: app == "android"))
        let models = try AppModels()
        let content = try await content(client)
        for call in calls(of: app, content) {
            do {
                let answer = try await client.call(call.method, call.params)
                let part = call.field.map { answer[$0] ?? .null } ?? answer
                let defects = models.defects(part, as: call.type, of: app)
                #expect(defects.isEmpty, "\(call.method): \(defects.prefix(6))")
                // An empty list proves nothing. The only message is a draft, which no statistics count.
                if let elements = part.elements, !call.method.contains("attendees"), call.method != "email.statistics" {
                    #expect(!elements.isEmpty, "\(call.method)")
                }
            } catch { Issue.record("\(call.method): \(error)") }
        }
        // The documentation lists these calls.
        let listed = try ClientTable.methods(of: app == "ios" ? "iOS" : "Android", "works")
        #expect(Set(calls(of: app, content).map(\.method)) == listed)
    }

    /// The checker finds what the apps could not read.
    @Test func defectsAreFound() throws {
        let models = try AppModels()
        let good: JSONText = [
            "id": "1", "taskId": "2", "title": "t", "is_completed": false, "created_at": "2026-11-18T10:00:00Z",
            "updated_at": "2026-11-18T10:00:00+01:00",
        ]
        #expect(models.defects(good, as: "Subtask", of: "ios").isEmpty)
        #expect(models.defects(good.setting("updated_at", nil), as: "Subtask", of: "ios") == [".updated_at: missing"])
        #expect(models.defects(good.setting("created_at", "2026-11-18"), as: "Subtask", of: "ios").count == 1)
        #expect(models.defects(good.setting("is_completed", 1), as: "Subtask", of: "ios").count == 1)
        #expect(models.defects(good, as: "Subtask", of: "android") == [".task_id: missing"])
        #expect(models.defects([good], as: "Subtask", of: "ios").count == 1)
        #expect(!models.defects(good, as: "[Subtask]", of: "ios").isEmpty)
    }
}
