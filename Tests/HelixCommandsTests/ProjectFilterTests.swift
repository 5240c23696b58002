import TestSupport
import Testing

/// The filter of `helix projects list`.
@Suite struct ProjectFilterTests {
    @Test func projectsAreFoundByAssigneeStatusCustomerAndWords() throws {
        let home = try HelixHome()
        try home.perform("config", "set", "user.email", "ana@example.org")
        try home.perform("projects", "add", "house", "--assignee", "me", "--customer", "Rossi")
        try home.perform("projects", "add", "villa", "--assignee", "ana@example.org", "--customer", "Bianchi")
        try home.perform("projects", "add", "garden", "--assignee", "bo", "--customer", "Rossi")
        try home.perform("projects", "add", "old", "--assignee", "me", "--status", "done")
        func names(_ filter: String...) throws -> [String] {
            try home.perform(["projects", "list", "--json"] + filter).items().compactMap { $0["name"] as? String }
                .sorted()
        }
        #expect(try names() == ["garden", "house", "villa"])
        #expect(try names("assignee:me") == ["house", "villa"])
        #expect(try names("assignee:me", "--all") == ["house", "old", "villa"])
        #expect(try names("assignee:bo") == ["garden"])
        #expect(try names("status:done") == ["old"])
        #expect(try names("customer:rossi") == ["garden", "house"])
        #expect(try names("customer:rossi assignee:me") == ["house"])
        #expect(try names("vil") == ["villa"])
        #expect(try names("nothing").isEmpty)
        let unknown = try home.perform("projects", "list", "asignee:me")
        #expect(unknown.status == 64 && unknown.errors.contains("assignee:"), "\(unknown.errors)")
        #expect(try home.perform("projects", "list", "status:later").status == 64)
    }
}
