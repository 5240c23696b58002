import Foundation
import TestSupport
import Testing

@testable import HelixCommands

/// `helix contacts`, and names in place of addresses.
@Suite struct ContactTests {
    private static func home() throws -> HelixHome {
        let home = try HelixHome()
        home.environment["HELIX_NOW"] = "2026-11-28T10:00:00"
        try home.perform("config", "set", "user.email", "me@example.org")
        return home
    }

    private static func add(_ home: HelixHome, _ words: String...) throws {
        let result = try home.perform(["contacts", "add"] + words)
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
    }

    /// The recipients of the last draft.
    private static func recipients(_ home: HelixHome, _ name: String) throws -> [String] {
        let result = try home.perform("mail", "new", "--draft", "--to", name, "-s", "x", "-b", "y", "--json")
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
        return try home.perform("mail", "drafts", "--json", "--limit", "1").items().first?["to"] as? [String] ?? []
    }

    @Test func wordsOfANewContactAreNameAddressAndNumber() throws {
        let home = try Self.home()
        try Self.add(
            home, "Ana", "van", "der", "Berg", "work:ana@example.org", "+34", "600", "123", "cell:+49-30-1",
            "Bo@x.example")
        let item = try home.perform("contacts", "show", "ana", "--json").json()
        #expect(item["name"] as? String == "Ana van der Berg")
        #expect(item["family_name"] as? String == "van der Berg" && item["given_name"] as? String == "Ana")
        #expect(try home.perform("contacts", "list", "org:wat", "--json").items().isEmpty)
        try home.perform("contacts", "edit", "ana", "--org", "Wäter")
        #expect(try home.perform("contacts", "list", "org:WÄT", "--json").items().count == 1)
        #expect(item["emails"] as? [String] == ["ana@example.org", "Bo@x.example"])
        #expect(item["phones"] as? [String] == ["+34 600 123", "+49-30-1"])
        #expect(try home.perform("contacts", "add", "Other", "ana@example.org").status == 80)
        #expect(try home.perform("contacts", "add", "Other", "ana@@example.org").status == 64)
        #expect(try home.perform("contacts", "add", "Other", "--birthday", "2027-01-01").status == 64)
        #expect(try home.perform("contacts", "add", "bo@example.org").status == 64)
    }

    @Test func namesStandForAddresses() throws {
        let home = try Self.home()
        try Self.add(home, "Ana", "Ruiz", "ana@example.org", "--group", "choir")
        try Self.add(home, "Ana", "Li", "li@example.org", "--nickname", "boss")
        try Self.add(home, "Cy", "Ode", "cy@example.org", "--group", "choir")
        try Self.add(home, "Band", "--member", "boss", "--member", "guest@example.org")
        #expect(try Self.recipients(home, "ana ruiz") == ["Ana Ruiz <ana@example.org>"])
        #expect(try Self.recipients(home, "ruiz, boss") == ["Ana Ruiz <ana@example.org>", "Ana Li <li@example.org>"])
        #expect(try Self.recipients(home, "choir").count == 2)
        #expect(try Set(Self.recipients(home, "band")) == ["Ana Li <li@example.org>", "guest@example.org"])
        // A member is written to at the address by which the group names it, and a group is found by the beginning of its name.
        try home.perform("contacts", "edit", "cy", "--email", "+cy@second.example")
        try Self.add(home, "Quartet", "--member", "cy@second.example", "--member", "boss")
        #expect(try Self.recipients(home, "quart").contains("Cy Ode <cy@second.example>"))
        try home.perform("contacts", "edit", "cy", "--email", "-cy@second.example")
        // A whole name comes before longer ones, however many there are.
        for number in 0..<30 {
            try Self.add(home, "Zed", "Many\(number)", "zed\(number)@example.org", "--org", "Zed Ode")
        }
        try Self.add(home, "Zed", "zed@example.org")
        #expect(try Self.recipients(home, "zed") == ["Zed <zed@example.org>"])
        #expect(try home.perform("contacts", "show", "zed", "--json").json()["email"] as? String == "zed@example.org")
        #expect(try Self.recipients(home, "ode") == ["Cy Ode <cy@example.org>"])
        // Nobody is guessed.
        for (name, part) in [("ana", "several people"), ("zoe", "not a mail address"), ("an", "several people")] {
            let result = try home.perform("mail", "new", "--draft", "--to", name, "-s", "x", "-b", "y")
            #expect(result.status != 0 && result.errors.contains(part), "\(result.errors)")
        }
        try home.perform("cal", "add", "Lunch", "tomorrow", "12:30", "--attendee", "cy", "--attendee", "boss")
        let lunch = try #require(try home.perform("cal", "search", "lunch", "--json").items().first)
        let event = try home.perform("cal", "show", lunch["id"] as? String ?? "", "--json").json()
        let people = (event["attendees"] as? [[String: Any]] ?? []).compactMap { $0["address"] as? String }
        #expect(Set(people) == ["cy@example.org", "li@example.org"])
        // All addresses of a contact are found by the name, also where mail names none.
        let maildir = try TestMaildir(home)
        try maildir.deliver(
            "From: second@example.net\nTo: me@example.org\nSubject: found\nMessage-ID: <f@x>\n"
                + "Date: Tue, 17 Nov 2026 09:00:00 +0000\n\nhi\n")
        try home.perform("account", "add", "home", "maildir", maildir.path)
        #expect(try home.perform("mail", "search", "from:cy", "--json").items().isEmpty)
        try home.perform("contacts", "edit", "cy", "--email", "+second@example.net")
        #expect(try home.perform("mail", "search", "from:cy", "--json").items().count == 1)
        // The drafts for the choir, the quartet and 'ode' name her, too, but one by an address that she no longer has.
        #expect(try home.perform("search", "with:cy", "kind:mail", "--json").items().count == 4)
        #expect(try home.perform("cal", "search", "with:ode", "--json").items().count == 1)
        let shown = try home.perform("contacts", "show", "cy", "--json").json()
        try maildir.deliver("From: cy@example.org\nTo: me@example.org\nSubject: later\nMessage-ID: <l@x>\n\nhi\n")
        #expect(try home.perform("contacts", "show", "cy", "--json").json()["messages"] as? Int == 4)
        #expect(shown["messages"] as? Int == 3 && (shown["events"] as? [String])?.count == 1)
    }

    @Test func aProgramIsAskedForUnknownNames() throws {
        let home = try Self.home()
        let program = try home.write("printf 'searching\\nzed@example.net\\tZed '\"$1\"'\\textra\\n'\n", to: "ask.sh")
        try home.perform("config", "set", "mail.query-command", "sh \(program) %s")
        #expect(try Self.recipients(home, "x`touch owned`") == ["Zed x`touch owned` <zed@example.net>"])
        #expect(!FileManager.default.fileExists(atPath: home.folder.appendingPathComponent("owned").path))
        try home.perform("config", "set", "mail.query-command", "printf 'none\\n'")
        #expect(throws: OracleFailure.self) { try Self.recipients(home, "nobody") }
    }

    /// The calendar of birthdays follows the contacts, also through undo and redo.
    @Test func birthdaysAreEvents() throws {
        let home = try Self.home()
        func days(_ year: Int) throws -> [String] {
            try home.perform("cal", "agenda", "\(year)-01-01..\(year)-12-31", "--json").items().map {
                "\($0["start"] as? String ?? "") \($0["title"] as? String ?? "")"
            }
        }
        try Self.add(home, "Ana", "--birthday", "1996-04-15")
        try Self.add(home, "Leap", "--birthday", "2000-02-29")
        #expect(try days(2027) == ["2027-02-28 Birthday of Leap (2000)", "2027-04-15 Birthday of Ana (1996)"])
        #expect(try days(2028).first == "2028-02-29 Birthday of Leap (2000)")
        try home.perform("contacts", "edit", "ana", "--birthday", "apr 16", "--name", "Anna")
        #expect(try days(2027).last == "2027-04-16 Birthday of Anna")
        try home.perform("undo")
        #expect(try days(2027).last == "2027-04-15 Birthday of Ana (1996)")
        try home.perform("contacts", "delete", "leap", "--yes")
        #expect(try days(2027).count == 1)
        try home.perform("config", "set", "contacts.birthdays", "false")
        try Self.add(home, "Bo", "--birthday", "1990-01-01")
        #expect(try days(2027).count == 1)
        let next = try home.perform("contacts", "birthdays", "--days", "366", "--json").items()
        #expect(next.compactMap { $0["name"] as? String } == ["Bo", "Ana"])
        #expect(next.compactMap { $0["age"] as? Int } == [37, 31])
        // The first event of one's own goes to a calendar of one's own.
        try home.perform("cal", "add", "Lunch tomorrow 12:30")
        #expect(
            try home.perform("cal", "search", "lunch", "--json").items().first?["calendar"] as? String == "personal")
    }

    @Test func importAndExportKeepEveryLine() throws {
        let (home, other) = (try Self.home(), try Self.home())
        let card = """
            BEGIN:VCARD
            VERSION:4.0
            UID:one
            FN:Ana Ruiz
            N:Ruiz;Ana;;;
            X-OWN;X-Q="a;b":kept
            item1.EMAIL;PREF=1:ana@example.org
            item1.X-ABLabel:sea
            PHOTO:data:image/png;base64,QUJD
            END:VCARD
            BEGIN:VCARD
            VERSION:3.0
            FN:No Uid
            N:Uid;No;;;
            END:VCARD
            BEGIN:VCARD
            VERSION:3.0
            UID:one
            FN:Same Uid
            N:Uid;Same;;;
            END:VCARD

            """
        let file = try home.write(card, to: "in.vcf")
        let first = try home.perform("contacts", "import", file, "--json").json()
        #expect((first["created"] as? [String])?.count == 3 && (first["defects"] as? [Any])?.count == 1)
        let second = try home.perform("contacts", "import", file, "--json").json()
        #expect((second["created"] as? [String])?.isEmpty == true, "\(second)")
        let out = home.folder.appendingPathComponent("out.vcf").path
        #expect(try home.perform("contacts", "export", "-o", out).status == 0)
        let text = try String(contentsOfFile: out, encoding: .utf8)
        for line in card.split(separator: "\n") where !line.contains("VCARD") {
            #expect(text.contains(line), "\(line)")
        }
        #expect(try other.perform("contacts", "import", out).status == 0)
        #expect(try other.perform("contacts", "export").output == text)
        #expect(try home.perform("contacts", "edit", "ana", "--title", "x").status == 0)
        let older = try home.perform("contacts", "import", file, "--json").json()
        #expect(older["older"] as? Int == 1)
        #expect(try home.perform("contacts", "import", try home.write("hello\n", to: "no.vcf")).status == 65)
        #expect(try home.perform("undo").output.contains("edit the contact"))
    }

    @Test func doublesAreProposedAndMerged() throws {
        let home = try Self.home()
        try Self.add(home, "Ana", "Ruiz", "ana@example.org", "--birthday", "1996-04-15")
        try Self.add(home, "Ruiz,", "Ana", "a.ruiz@example.net", "--org", "Water")
        try Self.add(home, "Choir", "--member", "a.ruiz@example.net")
        let before = try home.perform("contacts", "export").output
        let found = try home.perform("contacts", "merge", "--json").items()
        #expect(found.count == 1 && found[0]["merged"] as? Bool == false)
        #expect(try home.perform("contacts", "export").output == before)
        #expect(try home.perform("contacts", "merge", "--all", "--yes").status == 0)
        let one = try home.perform("contacts", "show", "ana@example.org", "--json").json()
        #expect(Set(one["emails"] as? [String] ?? []) == ["ana@example.org", "a.ruiz@example.net"])
        #expect(one["organization"] as? String == "Water" && one["birthday"] as? String == "1996-04-15")
        try home.perform("undo")
        #expect(try home.perform("contacts", "export").output == before)
    }

    @Test func anAgentSeesWhatItMaySee() throws {
        let home = try Self.home()
        try Self.add(home, "Ana", "Ruiz", "ana@example.org")
        try home.perform("config", "set", "agent.bot.read", "calendar")
        #expect(try home.perform("--as", "bot", "contacts", "list").status == 77)
        #expect(try !home.perform("--as", "bot", "search", "ruiz", "--json").output.contains("Ruiz"))
        try home.perform("config", "set", "agent.bot.read", "contacts,calendar")
        try home.perform("config", "set", "agent.bot.hide-senders", "ana@example.org")
        #expect(try home.perform("--as", "bot", "contacts", "list", "--json").items().isEmpty)
        #expect(try home.perform("--as", "read-only", "contacts", "add", "Bo").status == 77)
        #expect(try home.perform("--as", "no-send", "contacts", "add", "Bo", "--birthday", "may 1").status == 0)
    }
}
