import Foundation
import TestSupport
import Testing

/// Contacts here and elsewhere are kept the same: in folders of vCards, on Radicale and on Xandikos.
@Suite(
    .enabled(
        if: TestServer.has("/usr/bin/radicale") && TestServer.has("/usr/bin/xandikos"),
        "needs the servers radicale and xandikos"))
struct ContactSyncTests {
    typealias Place = CalendarSite.Place

    private static func sync(_ homes: HelixHome...) throws {
        for home in homes {
            let result = try home.run("sync")
            guard result.status == 0 else { throw OracleFailure(message: result.errors + result.output) }
        }
    }

    private static func contacts(_ home: HelixHome) throws -> [String] {
        try home.run("contacts", "list", "--json").items().map {
            let emails = ($0["emails"] as? [String] ?? []).sorted().joined(separator: ",")
            return "\($0["name"] as? String ?? "") \(emails) \($0["phone"] as? String ?? "")"
        }
    }

    /// Two homes with an address book of one server.
    private static func homes(_ site: CalendarSite) throws -> (HelixHome, HelixHome, book: String) {
        let (one, two) = (try site.contactHome(), try site.contactHome())
        #expect(try one.run("contacts", "books", "add", "people", "--account", "dav").status == 0)
        try sync(one, two)
        return (one, two, "people")
    }

    @Test(arguments: Place.allCases) func twoHomesComeToTheSameState(_ place: Place) throws {
        let site = try CalendarSite(place)
        let (one, two, book) = try Self.homes(site)
        for (name, address) in [
            ("Ana Ruiz", "ana@example.com"), ("Bo Li", "bo@example.com"), ("Cy Ode", "cy@example.com"),
        ] {
            #expect(try one.run("contacts", "add", name, address, "--book", book).status == 0)
        }
        try Self.sync(one, two)
        #expect(try Self.contacts(one).count == 3)
        #expect(try Self.contacts(two) == Self.contacts(one))
        // Each side adds an address to the same contact, deletes one, adds one.
        #expect(try one.run("contacts", "edit", "ana", "--email", "+home:ana@home.example").status == 0)
        #expect(
            try two.run("contacts", "edit", "ana", "--email", "+work:ana@work.example", "--phone", "+:+34600").status
                == 0)
        try one.run("contacts", "delete", "--yes", "bo")
        try two.run("contacts", "add", "Dee", "dee@example.com", "--book", book)
        try Self.sync(one, two, one)
        let found = try Self.contacts(one)
        #expect(found.contains("Ana Ruiz ana@example.com,ana@home.example,ana@work.example +34600"), "\(found)")
        #expect(found.count == 3 && !found.contains { $0.hasPrefix("Bo") })
        #expect(try Self.contacts(two) == found)
        for home in [one, two] {
            try home.run("sync")
            let item = try home.run("sync", "--json").items().first
            #expect((item?["steps"] as? [Any])?.isEmpty == true)
            #expect(try home.run("doctor").status == 0)
        }
        // What a person did is undone, and it is undone there, too.
        #expect(try one.run("undo").output.contains("Bo Li"))
        try Self.sync(one, two)
        #expect(try Self.contacts(two).contains { $0.hasPrefix("Bo Li") })
    }

    @Test(arguments: Place.allCases) func everyLineOfAForeignCardSurvives(_ place: Place) throws {
        let site = try CalendarSite(place)
        let (one, two, book) = try Self.homes(site)
        let lines = [
            "BEGIN:VCARD", "VERSION:3.0", "UID:foreign-1", "FN:Eva Ñandú", "N:Ñandú;Eva;;;", "X-OWN;X-P=1:kept",
            "item1.EMAIL;TYPE=INTERNET:eva@example.com", "item1.X-ABLabel:_$!<Lake>!$_",
            "item2.URL:https://example.com", "item2.X-ABLabel:page", "BDAY:1990-02-03",
            "PHOTO;ENCODING=b;TYPE=PNG:" + String(repeating: "QUJD", count: 500), "END:VCARD", "",
        ]
        let file = try one.write(lines.joined(separator: "\r\n"), to: "eva.vcf")
        #expect(try one.run("contacts", "import", file, "--book", book).status == 0)
        try Self.sync(one, two)
        #expect(try two.run("contacts", "edit", "eva", "--title", "Diver").status == 0)
        try Self.sync(two, one)
        let card = try one.run("contacts", "show", "eva", "--vcard").output.replacingOccurrences(of: "\n ", with: "")
        for line in lines.dropFirst(2).dropLast(2) {
            #expect(card.lowercased().contains(line.lowercased()), "\(line)")
        }
        #expect(card.contains("TITLE:Diver"))
        #expect(try one.run("contacts", "birthdays", "--days", "366").output.contains("Eva"))
        #expect(try two.run("cal", "search", "birthday").output.contains("Eva"))
    }

    /// A vCard among events is named and left alone, and the calendar stays one.
    @Test func aCardAmongEventsIsLeftAlone() throws {
        let site = try CalendarSite(.folder)
        let home = try site.contactHome()
        try Self.sync(home)
        #expect(try home.run("cal", "add", "Lunch 2026-11-20 12:30", "--calendar", "calendar").status == 0)
        try Self.sync(home)
        let file = site.folder.appendingPathComponent("calendar/odd.ics")
        let card = "BEGIN:VCARD\nVERSION:3.0\nUID:k1\nFN:Kim Doe\nN:Doe;Kim;;;\nEND:VCARD\n"
        try card.write(to: file, atomically: true, encoding: .utf8)
        let result = try home.run("sync")
        #expect((result.output + result.errors).contains("odd.ics cannot be read"), "\(result)")
        #expect(try Self.contacts(home).isEmpty)
        #expect(try home.run("cal", "search", "lunch").output.contains("Lunch"))
        #expect(try String(contentsOf: file, encoding: .utf8) == card)
    }

    @Test func aFolderOfKhardIsRead() throws {
        let site = try CalendarSite(.folder)
        let folder = site.folder.appendingPathComponent("friends")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let card = "BEGIN:VCARD\nVERSION:3.0\nUID:k1\nFN:Kim Doe\nN:Doe;Kim;;;\nEMAIL:kim@example.com\nEND:VCARD\n"
        let file = folder.appendingPathComponent("k1.vcf")
        try card.write(to: file, atomically: true, encoding: .utf8)
        let home = try site.contactHome()
        try Self.sync(home)
        #expect(try Self.contacts(home) == ["Kim Doe kim@example.com "])
        #expect(try home.run("contacts", "books").output.contains("friends"))
        #expect(try home.run("contacts", "edit", "kim", "--phone", "+1 555 0100").status == 0)
        try Self.sync(home)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("+1 555 0100"))
        // A calendar file that appears in the folder makes no calendar of it.
        let stray = folder.appendingPathComponent("stray.ics")
        try "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nEND:VCALENDAR\n".write(
            to: stray, atomically: true, encoding: .utf8)
        try Self.sync(home)
        #expect(try Self.contacts(home).count == 1)
        try FileManager.default.removeItem(at: stray)
        try FileManager.default.removeItem(at: file)
        try Self.sync(home)
        #expect(try Self.contacts(home).isEmpty)
        // A folder that was empty was taken for a calendar.
        try FileManager.default.createDirectory(
            at: site.folder.appendingPathComponent("later"), withIntermediateDirectories: true)
        try Self.sync(home)
        try card.write(to: site.folder.appendingPathComponent("later/k1.vcf"), atomically: true, encoding: .utf8)
        try Self.sync(home)
        #expect(try Self.contacts(home) == ["Kim Doe kim@example.com "])
        #expect(try home.run("contacts", "books").output.contains("later"))
    }
}
