import Foundation
import TestSupport
import Testing

/// Lists are whole in a pipe, and have one set of options: ids, lines of one's own, an order, a place to begin.
@Suite struct ListOptionTests {
    private static let lists: [[String]] = [
        ["tasks", "list"], ["tasks", "search", "Task"], ["tasks", "next"], ["tasks", "boards", "list"],
        ["tasks", "columns", "list"],
        ["tasks", "view", "list"], ["cal", "agenda", "2026-12"], ["cal", "search", "Event"],
        ["cal", "calendars", "list"],
        ["cal", "conflicts", "2026-12"], ["mail", "list"], ["mail", "inbox"], ["mail", "unread"],
        ["mail", "search", "Message"],
        ["mail", "mailboxes", "list"], ["mail", "drafts"], ["time", "log", "today"], ["projects", "list"],
        ["account", "list"],
        ["history"], ["search", "Task"], ["config", "list"], ["outbox", "list"], ["chat", "list"],
    ]

    /// A home with sixty tasks, events and messages.
    private static func home() throws -> HelixHome {
        let home = try HelixHome()
        let numbers = (1...60).map { $0 < 10 ? "0\($0)" : "\($0)" }
        let tasks = numbers.map {
            "BEGIN:VTODO\r\nUID:t\($0)\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Task \($0)\r\nEND:VTODO"
        }
        func day(_ number: String) -> String {
            let day = (Int(number) ?? 0) % 28 + 1
            return day < 10 ? "0\(day)" : "\(day)"
        }
        let events = numbers.map {
            "BEGIN:VEVENT\r\nUID:e\($0)\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:202612\(day($0))T100000Z\r\nSUMMARY:Event \($0)\r\nEND:VEVENT"
        }
        func calendar(_ parts: [String]) -> String {
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n" + parts.joined(separator: "\r\n") + "\r\nEND:VCALENDAR\r\n"
        }
        try home.run("tasks", "import", home.write(calendar(tasks), to: "tasks.ics"))
        try home.run("cal", "import", home.write(calendar(events), to: "events.ics"), "--on-conflict", "allow")
        let box = numbers.map {
            "From ben@example.org Mon Nov 16 10:00:00 2026\nFrom: Ben <ben@example.org>\nTo: ana@example.org\nSubject: Message \($0)\nMessage-ID: <m\($0)@x>\nDate: Mon, 16 Nov 2026 10:\($0 == "60" ? "00" : $0):00 +0000\n\nText\n"
        }
        try home.run("mail", "import", home.write(box.joined(separator: "\n"), to: "box.mbox"))
        return home
    }

    @Test func nothingIsCutInAPipe() throws {
        let home = try Self.home()
        for words in [
            ["tasks", "list"], ["tasks", "search", "Task"], ["cal", "search", "Event"], ["mail", "list"],
            ["search", "Task"],
        ] {
            for more in [[], ["--jsonl"], ["--ids"], ["--format", "{id}"], ["--columns", "title"]] {
                let more = more == ["--columns", "title"] && words[0] == "mail" ? ["--columns", "subject"] : more
                let result = try home.run(words + more)
                let lines = result.output.split(separator: "\n").count
                #expect(result.status == 0 && (60...61).contains(lines), "\(words + more): \(lines) \(result.errors)")
            }
            #expect(try home.run(words + ["--json"]).items().count == 60, "\(words)")
        }
    }

    @Test func everyListHasTheSameOptions() throws {
        let home = try Self.home()
        for words in Self.lists {
            for more in [["--ids"], ["--limit", "0", "--jsonl"], ["--reverse", "--json"]] {
                let result = try home.run(words + more)
                #expect(result.status == 0, "\(words + more): \(result.errors)")
            }
            let items = try home.run(words + ["--json"]).items()
            guard
                let field = items.first?.keys.first(where: {
                    ["title", "subject", "name", "summary", "key"].contains($0)
                })
            else { continue }
            let forward = try home.run(words + ["--sort", field, "--format", "{\(field)}"]).output
            let backward = try home.run(words + ["--sort", "-" + field, "--format", "{\(field)}"]).output
            let lines = forward.split(separator: "\n").map { $0.lowercased() }
            if words != ["tasks", "list"], words != ["tasks", "next"] {
                #expect(lines == lines.sorted() && lines.count == items.count, "\(words): \(lines)")
            }
            #expect(Set(backward.split(separator: "\n")) == Set(forward.split(separator: "\n")), "\(words)")
        }
    }

    /// Items that are times alone: they have no ids, and a cut list still tells where it goes on.
    @Test func aListOfTimesGoesOnWhereItWasCut() throws {
        let home = try HelixHome()
        for words in [
            ["cal", "free", "2030-01", "--hours", "9-10"], ["time", "gaps", "2026-10"], ["fields", "tasks"],
        ] {
            let all = try home.run(words + ["--json"]).items()
            #expect(all.count > 10, "\(words)")
            var found: [[String: Any]] = []
            var cursor: String?
            while found.count < all.count + 7 {
                let page = try home.run(words + ["--limit", "7", "--json"] + (cursor.map { ["--after", $0] } ?? []))
                #expect(page.status == 0, "\(page.errors)")
                found += try page.items()
                cursor = try page.json()["next"] as? String
                if cursor == nil { break }
                let lines = try home.run(words + ["--limit", "7", "--jsonl"]).output.split(separator: "\n")
                #expect(lines.count == 8 && lines.last?.contains("\"next\"") == true, "\(words)")
            }
            #expect(found as NSArray == all as NSArray, "\(words)")
            if words[0] != "fields" {
                let ids = try home.run(words + ["--ids"])
                #expect(ids.status == 64 && ids.errors.contains("have no ids"), "\(ids.errors)")
            }
        }
        #expect(try home.run("config", "list", "--ids").output.contains("user.email\n"))
    }

    @Test func aListGoesOnWhereItWasCut() throws {
        let home = try Self.home()
        for words in [
            ["tasks", "list"], ["cal", "search", "Event"], ["cal", "agenda", "2026-12"], ["mail", "list"],
            ["search", "Task"],
        ] {
            var cursor: String?
            var ids: [String] = []
            for _ in 0..<10 {
                let more = cursor.map { ["--after", $0] } ?? []
                let answer = try home.run(words + ["--limit", "7", "--json"] + more)
                let json = try answer.json()
                ids += try answer.items().compactMap { $0["id"] as? String }
                cursor = json["next"] as? String
                if cursor == nil { break }
                #expect(json["truncated"] as? Bool == true)
            }
            #expect(ids.count == 60 && Set(ids).count == 60, "\(words): \(ids.count)")
        }
        let lines = try home.run("mail", "list", "--limit", "2", "--jsonl").output.split(separator: "\n")
        #expect(lines.count == 3 && lines[2].hasPrefix("{\"next\": "), "\(lines)")
        #expect(try home.run("mail", "list", "--after", "nothing").status == 66)
    }

    @Test func linesOfOnesOwnHaveFieldsAndBraces() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "One +house due:2026-12-01 10:00")
        let line = try home.run("tasks", "list", "--format", "{title}\\t{{{due}}} {tags}\\n-").output
        #expect(line == "One\t{2026-12-01 10:00} house\n-\n", "\(line)")
        #expect(try home.run("tasks", "list", "--format", "{nope}").errors.contains("unknown field 'nope'"))
        #expect(try home.run("tasks", "list", "--format", "{title").status == 64)
    }
}
