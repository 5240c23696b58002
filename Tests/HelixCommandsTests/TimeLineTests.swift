import TestSupport
import Testing

/// The words after `helix time start` and `helix time add`.
@Suite struct TimeLineTests {
    /// IDs that contain words for dates and times.
    static let ids = [
        "6rzv4zeh26kw4c80", "may5zeh26xw4c80q", "9am3zeh26tw4c80x", "2mar7zehmtw4c80x", "0900am3zehw4c80x",
    ]

    @Test(arguments: ids)
    func theIDOfATaskIsNeverReadAsADate(_ id: String) throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint")
        try home.sql("UPDATE task SET id = '\(id)'")
        for line in [
            ["time", "add", "6:00-6:30", id], ["time", "add", id, "7:00-7:30"], ["time", "start", id, "--at", "9:50"],
            ["time", "stop", "--at", "9:52"], ["time", "start", id, "9:55"], ["time", "stop", "--at", "9:57"],
        ] {
            let result = try home.perform(line)
            #expect(result.status == 0, "\(line): \(result.errors)")
        }
        let titles = try home.perform("time", "log", "--json").items().map { $0["title"] as? String }
        #expect(titles == Array(repeating: "Paint", count: 4))
        let tasks = try home.perform("time", "log", "--json").items().map { $0["task"] as? String }
        #expect(tasks.allSatisfy { $0 == id }, "\(tasks)")
    }

    @Test func aTimeOfDigitsIsNoID() throws {
        let home = try HelixHome()
        try home.perform("tasks", "add", "Paint")
        try home.sql("UPDATE task SET id = '0930zeh26kw4c80x'")
        #expect(try home.perform("time", "start", "0930", "Review").status == 0)
        #expect(try home.perform("time", "log", "--json").items().first?["title"] as? String != "Paint")
    }
}
