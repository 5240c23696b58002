import Foundation
import TestSupport
import Testing

/// What other programs do to a folder of tasks and events loses nothing and doubles nothing.
struct FolderHazardTests {
    /// A folder with two calendars, and a home that syncs with it.
    private final class Place {
        let site: CalendarSite
        let home: HelixHome

        init(_ more: [String] = []) throws {
            site = try CalendarSite(.folder)
            try FileManager.default.createDirectory(
                at: site.folder.appendingPathComponent("other"), withIntermediateDirectories: true)
            home = try site.home(more)
        }

        func path(_ name: String) -> URL { site.folder.appendingPathComponent(name) }

        func put(_ name: String, _ uid: String, _ lines: [String], kind: String = "VTODO", after: [String] = []) throws
        {
            let all =
                [
                    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:\(kind)", "UID:\(uid)",
                    "DTSTAMP:20261101T000000Z",
                ]
                + lines + ["END:\(kind)"] + after + ["END:VCALENDAR", ""]
            try Data(all.joined(separator: "\r\n").utf8).write(to: path(name))
        }

        func text(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: path(name).path) ?? Data(), as: UTF8.self)
        }

        func move(_ from: String, _ to: String) throws {
            try FileManager.default.moveItem(at: path(from), to: path(to))
        }

        @discardableResult func sync(_ more: String...) throws -> HelixHome.Result {
            let result = try home.run(["sync"] + more)
            guard result.status == 0 else { throw OracleFailure(message: result.errors + result.output) }
            return result
        }

        func tasks() throws -> [String: String] {
            let items = try home.run("tasks", "list", "status:open or status:done", "--json").items()
            return Dictionary(
                items.map { ($0["title"] as? String ?? "", $0["id"] as? String ?? "") },
                uniquingKeysWith: { "\($0)+\($1)" })
        }

        /// Nothing is left to be done.
        func isSettled() throws -> Bool {
            try sync()
            let item = try home.run("sync", "--json").items().first
            return (item?["steps"] as? [Any])?.isEmpty == true && (item?["problems"] as? [Any])?.isEmpty == true
        }
    }

    @Test func manyFilesThatGetOtherNamesAreTheSame() throws {
        let place = try Place()
        for number in 1...9 { try place.put("calendar/f\(number).ics", "f\(number)", ["SUMMARY:T\(number)"]) }
        try place.sync()
        let before = try place.tasks()
        for number in 1...7 { try place.move("calendar/f\(number).ics", "calendar/g\(number).ics") }
        #expect(try !place.sync().output.contains("are gone"))
        #expect(try place.tasks() == before)
        // The same for folders: they keep what hangs on them.
        for number in 1...7 { try place.move("calendar/g\(number).ics", "other/g\(number).ics") }
        try place.sync()
        #expect(try place.tasks() == before)
        try place.sync("--allow-mass-delete")
        #expect(try place.tasks() == before)
        #expect(FileManager.default.fileExists(atPath: place.path("other/g5.ics").path))
        #expect(try place.isSettled())
    }

    @Test func aFileThatIsRenamedAndChangedIsBroughtTogether() throws {
        let place = try Place()
        try place.put("calendar/a.ics", "a", ["SUMMARY:Old", "LAST-MODIFIED:20261101T000000Z"])
        try place.sync()
        let id = try #require(try place.tasks()["Old"])
        try place.home.run("tasks", "edit", id, "--notes", "mine")
        try FileManager.default.removeItem(at: place.path("calendar/a.ics"))
        try place.put("calendar/b.ics", "a", ["SUMMARY:New", "LOCATION:Berlin", "LAST-MODIFIED:20261102T000000Z"])
        try place.sync()
        #expect(try place.tasks() == ["New": id])
        for word in ["SUMMARY:New", "LOCATION:Berlin", "DESCRIPTION:mine"] {
            #expect(place.text("calendar/b.ics").contains(word))
        }
        #expect(try place.isSettled())
    }

    @Test func twoFilesOfOneUIDAreTwoFiles() throws {
        let place = try Place()
        try place.put("calendar/a.ics", "dup", ["SUMMARY:One"])
        try place.put("calendar/b.ics", "dup", ["SUMMARY:Two"])
        let said = try place.sync().output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(said.contains("has the UID of"))
        let shown = try place.tasks()
        #expect(shown.count == 1)
        try place.home.run("tasks", "edit", try #require(shown.values.first), "priority:high")
        try place.sync()
        #expect(
            [place.text("calendar/a.ics"), place.text("calendar/b.ics")].filter { $0.contains("PRIORITY:3") }.count == 1
        )
        let other = place.text("calendar/a.ics").contains("PRIORITY") ? "b" : "a"
        #expect(!place.text("calendar/\(other).ics").isEmpty)
        try FileManager.default.removeItem(at: place.path("calendar/\(other).ics"))
        try place.sync()
        #expect(try place.tasks() == shown)
        #expect(try place.isSettled())
    }

    @Test func whatCannotBeReadOrHasMoreInItIsLeftAlone() throws {
        let place = try Place()
        for name in ["cut", "empty", "more", "journal"] {
            try place.put("calendar/\(name).ics", name, ["SUMMARY:\(name)"])
        }
        try place.sync()
        let before = try place.tasks()
        try Data("BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:cut\r\n".utf8).write(to: place.path("calendar/cut.ics"))
        try Data().write(to: place.path("calendar/empty.ics"))
        try place.put(
            "calendar/more.ics", "more", ["SUMMARY:more"],
            after: ["BEGIN:VTODO", "UID:second", "SUMMARY:x", "END:VTODO"])
        try place.put(
            "calendar/journal.ics", "journal", ["SUMMARY:journal"], after: ["BEGIN:VJOURNAL", "UID:j", "END:VJOURNAL"])
        let said = try place.sync().output
        for name in ["cut.ics", "empty.ics", "more.ics", "journal.ics"] { #expect(said.contains(name), "\(name)") }
        #expect(try place.tasks() == before)
        for id in before.values { try place.home.run("tasks", "edit", id, "+mine") }
        try place.sync()
        #expect(place.text("calendar/more.ics").contains("UID:second"))
        #expect(place.text("calendar/journal.ics").contains("VJOURNAL"))
        // What nobody could read any more is whole again.
        #expect(place.text("calendar/cut.ics").contains("CATEGORIES:mine"))
        #expect(try place.isSettled())
    }

    @Test func oneEditChangesOneThing() throws {
        let place = try Place()
        let lines = [
            "SUMMARY:Task", "RELATED-TO;RELTYPE=PARENT;X-P=1:pp", "RELATED-TO;RELTYPE=FINISHTOSTART;GAP=P1D:bb",
            "RELATED-TO:pp2", "CATEGORIES;LANGUAGE=de:Big Tag", "CATEGORIES:x", "DTSTART:20261124T100000Z",
            "DURATION:PT2H",
            "PERCENT-COMPLETE:40", "X-FOO:bar",
        ]
        try place.put("calendar/a.ics", "a", lines)
        try place.sync()
        let id = try #require(try place.tasks()["Task"])
        try place.home.run("tasks", "edit", id, "+new")
        try place.sync()
        for line in lines where !line.hasPrefix("CATEGORIES:") {
            #expect(place.text("calendar/a.ics").contains(line + "\r\n"), "\(line)")
        }
        let tags = place.text("calendar/a.ics").split(whereSeparator: \.isNewline).filter { $0.hasPrefix("CATEGORIES") }
        #expect(
            tags.joined(separator: "|").contains("Big Tag") && tags.joined().contains("new")
                && tags.joined().contains("x"))
        // A length counts from a start that is another one then.
        try place.home.run("tasks", "edit", id, "scheduled:2026-11-24T08:00")
        try place.sync()
        #expect(!place.text("calendar/a.ics").contains("DURATION"))
        #expect(place.text("calendar/a.ics").contains("DUE:20261124T120000Z"))
        try place.home.run("tasks", "done", id)
        try place.sync()
        #expect(place.text("calendar/a.ics").contains("PERCENT-COMPLETE:100"))
        #expect(try place.isSettled())
    }

    @Test func aTaskOfOthersThatComesAgainGoesOnAsTheyWroteIt() throws {
        let place = try Place()
        let second = try place.site.home()
        try place.put(
            "calendar/r.ics", "r",
            [
                "SUMMARY:Water", "DTSTART;TZID=Europe/Berlin:20261117T090000", "DUE;TZID=Europe/Berlin:20261117T100000",
                "RRULE:FREQ=DAILY;COUNT=3", "X-FOO:bar", "LOCATION:Garden",
            ])
        try place.sync()
        try second.run("sync")
        // Both finish it without knowing of each other.
        for home in [place.home, second] {
            let id = try home.run("tasks", "list", "Water", "--ids").output.trimmingCharacters(in: .newlines)
            #expect(try home.run("tasks", "done", id).status == 0)
        }
        try place.sync()
        for home in [second, place.home, second] { try home.run("sync") }
        for home in [place.home, second] { #expect(try home.run("tasks", "list", "Water", "--count").output == "1\n") }
        let next = try FileManager.default.contentsOfDirectory(atPath: place.path("calendar").path).first {
            $0.contains("@helix")
        }
        let text = place.text("calendar/\(next ?? "")")
        for word in ["TZID=Europe/Berlin", "X-FOO:bar", "LOCATION:Garden", "COUNT=2"] {
            #expect(text.contains(word), "\(text)")
        }
        // Twice more, and it is over.
        for _ in 0..<2 {
            let id = try place.home.run("tasks", "list", "Water", "--ids").output.trimmingCharacters(in: .newlines)
            try place.home.run("tasks", "done", id)
        }
        #expect(try place.home.run("tasks", "list", "Water", "--count").output == "0\n")
    }

    @Test func whatSomebodyUntiedStaysUntied() throws {
        let place = try Place()
        try place.put("calendar/a.ics", "a", ["SUMMARY:A"])
        try place.put("calendar/b.ics", "b", ["SUMMARY:B", "RELATED-TO:a", "RELATED-TO;RELTYPE=DEPENDS-ON:a"])
        try place.sync()
        let id = try #require(try place.tasks()["B"])
        let other = try #require(try place.tasks()["A"])
        #expect(try place.home.run("tasks", "undepend", id, other).status == 0)
        #expect(try place.home.run("tasks", "edit", id, "parent:none").status == 0)
        try place.sync()
        #expect(!place.text("calendar/b.ics").contains("RELATED-TO"))
        // Something new comes, of which nobody said anything.
        try place.put("calendar/c.ics", "c", ["SUMMARY:C"])
        try place.sync()
        let item = try place.home.run("tasks", "show", id, "--json").json()
        #expect(item["parent"] == nil)
        #expect(item["blocked"] as? Bool == false)
        #expect(try place.isSettled())
    }

    @Test func rightsAndLinksOfFilesStay() throws {
        let place = try Place()
        try place.put("real.ics", "real", ["SUMMARY:Real"])
        try FileManager.default.removeItem(at: place.path("other"))
        try FileManager.default.moveItem(at: place.path("real.ics"), to: place.path("calendar/.real"))
        try FileManager.default.createSymbolicLink(
            atPath: place.path("calendar/link.ics").path, withDestinationPath: place.path("calendar/.real").path)
        try place.put("calendar/plain.ics", "plain", ["SUMMARY:Plain"])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: place.path("calendar/plain.ics").path)
        try place.sync()
        for id in try place.tasks().values { try place.home.run("tasks", "edit", id, "+x") }
        try place.sync()
        #expect(place.text("calendar/.real").contains("CATEGORIES:x"))
        #expect(
            (try? FileManager.default.destinationOfSymbolicLink(atPath: place.path("calendar/link.ics").path)) != nil)
        let mode =
            try FileManager.default.attributesOfItem(atPath: place.path("calendar/plain.ics").path)[.posixPermissions]
            as? Int
        #expect(mode == 0o640)
    }

    @Test func whatWasChosenIsNotTakenBackUnasked() throws {
        let place = try Place(["--strategy", "ask"])
        try place.put("calendar/a.ics", "a", ["SUMMARY:Was"])
        try place.sync()
        let id = try #require(try place.tasks()["Was"])
        try place.home.run("tasks", "edit", id, "title:Mine")
        try place.put("calendar/a.ics", "a", ["SUMMARY:Theirs"])
        #expect(try place.home.run("sync").status == 81)
        // Another strategy decides what waits.
        try place.home.run("sync", "resolve", id, "--keep", "server")
        try place.home.run("undo")
        try place.home.run("sync")
        #expect(place.text("calendar/a.ics").contains("SUMMARY:Theirs"))
        // What was not kept can be read.
        let history = try place.home.run("history", id).output
        #expect(history.contains("title: 'Mine' → 'Theirs'"), "\(history)")
        try place.home.run("tasks", "edit", id, "title:Mine again")
        try place.put("calendar/a.ics", "a", ["SUMMARY:Theirs again"])
        #expect(try place.home.run("sync").status == 81)
        try place.home.run("account", "edit", "cal", "--strategy", "local")
        try place.sync()
        #expect(place.text("calendar/a.ics").contains("SUMMARY:Mine again"))
        #expect(try place.isSettled())
    }
}
