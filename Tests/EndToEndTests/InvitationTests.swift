import Foundation
import TestSupport
import Testing

/// An invitation is answered, filed and told in one step, and taken back in one.
struct InvitationTests {
    private static let request = """
        From: Olga <olga@example.org>
        To: ana@example.org
        Subject: Invitation: Site visit
        Message-ID: <inv1@example.org>
        MIME-Version: 1.0
        Content-Type: text/calendar; method=REQUEST; charset=utf-8

        BEGIN:VCALENDAR
        VERSION:2.0
        METHOD:REQUEST
        BEGIN:VEVENT
        UID:visit-1
        DTSTAMP:20261101T000000Z
        DTSTART:20261125T100000Z
        DTEND:20261125T110000Z
        SUMMARY:Site visit
        SEQUENCE:2
        ORGANIZER;CN=Olga:mailto:olga@example.org
        ATTENDEE;CN=Ana;RSVP=TRUE;PARTSTAT=NEEDS-ACTION:mailto:Ana@example.org
        ATTENDEE;CN=Bo:mailto:bo@example.org
        X-KEPT:yes
        END:VEVENT
        END:VCALENDAR

        """

    private static func home() throws -> (HelixHome, id: String) {
        let home = try HelixHome()
        try home.run("config", "set", "user.email", "ana@example.org")
        try home.run("mail", "import", try home.write(request, to: "invitation.eml"))
        return (home, try home.run("mail", "list", "--json").items().first?["id"] as? String ?? "")
    }

    @Test func anAcceptedInvitationWithErrorsIsExported() throws {
        let home = try HelixHome()
        try home.run("config", "set", "user.email", "ana@example.org")
        let request = Self.request.replacing("X-KEPT:yes", with: "ROOM-ID:5")
        try home.run("mail", "import", try home.write(request, to: "invitation.eml"))
        let id = try home.run("mail", "list", "--ids").output.split(separator: "\n").first?.description ?? ""
        #expect(try home.run("cal", "rsvp", id, "accept").status == 0)
        let export = try home.run("cal", "export")
        #expect(export.status == 0 && export.output.contains("ROOM-ID:5"), "\(export.errors)")
    }

    @Test func anInvitationThatIsNotValidIsShownWithItsErrors() throws {
        let home = try HelixHome()
        let request = Self.request.replacing("X-KEPT:yes", with: "ROOM-ID:5").replacing(
            "SEQUENCE:2", with: "SEQUENCE:two")
        try home.run("mail", "import", try home.write(request, to: "invitation.eml"))
        let id = try home.run("mail", "list", "--ids").output.split(separator: "\n").first?.description ?? ""
        #expect(try home.run("mail", "read", id).output.flattened.contains("! not valid iCalendar: line"))
        let (valid, known) = try Self.home()
        #expect(try !valid.run("mail", "read", known).output.contains("not valid"))
    }

    @Test(arguments: [
        ("accept", "ACCEPTED", "accepted"), ("decline", "DECLINED", "declined"),
        ("tentative", "TENTATIVE", "tentative"),
    ])
    func theAnswerIsFiledAndWaitsForTheOrganizer(_ word: String, _ participation: String, _ shown: String) throws {
        let (home, id) = try Self.home()
        let result = try home.run("cal", "rsvp", id, word, "--comment", "See you, perhaps")
        #expect(result.status == 0, "\(result.errors)")
        let event = try home.run("cal", "search", "visit", "--json").items().first?["id"] as? String ?? ""
        #expect(try home.run("cal", "show", event).output.flattened.contains("Ana \(shown)"))
        #expect(try home.run("cal", "export", event).output.contains("X-KEPT:yes"))
        let waiting = try home.run("outbox", "list", "--json").items()
        #expect(waiting.count == 1)
        #expect(waiting.first?["recipients"] as? [String] == ["olga@example.org"])
        let raw = try home.run("outbox", "show", waiting.first?["id"] as? String ?? "", "--raw").output
        #expect(raw.contains("In-Reply-To: <inv1@example.org>"))
        // Another program reads the answer as one.
        let check = try home.run(
            program: "/usr/bin/python3",
            [
                "-c",
                """
                import email, email.policy, sys
                m = email.message_from_file(open(sys.argv[1]), policy=email.policy.default)
                part = [p for p in m.walk() if p.get_content_type() == 'text/calendar'][0]
                print(part.get_param('method'), m.get_content_type())
                print(part.get_content())
                """, try home.write(raw, to: "answer.eml"),
            ]
        ).output
        #expect(check.hasPrefix("REPLY multipart/alternative\n"))
        for line in [
            "METHOD:REPLY", "UID:visit-1", "SEQUENCE:2", "PARTSTAT=\(participation)", "COMMENT:See you\\, perhaps",
        ] {
            #expect(check.contains(line), "\(line)")
        }
        #expect(!check.contains("bo@example.org"))
        try home.run("undo")
        #expect(try home.run("cal", "search", "visit", "--json").items().isEmpty)
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
    }

    @Test func anAnswerMayChangeAndIsOneEvent() throws {
        let (home, id) = try Self.home()
        try home.run("cal", "rsvp", id, "accept", "--silent")
        try home.run("cal", "rsvp", id, "decline", "--silent")
        let found = try home.run("cal", "search", "visit", "--json").items()
        #expect(found.count == 1)
        let event = found.first?["id"] as? String ?? ""
        #expect(try home.run("cal", "rsvp", event, "tentative", "--silent").status == 0)
        #expect(try home.run("cal", "show", event).output.flattened.contains("Ana tentative"))
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
    }

    @Test func whoIsNotInvitedCannotAnswer() throws {
        let (home, id) = try Self.home()
        let result = try home.run("cal", "rsvp", id, "accept", "--as", "zoe@example.org")
        #expect(result.status == 80)
        #expect(result.errors.contains("ana@example.org"))
        #expect(try home.run("cal", "rsvp", id, "maybe").status == 64)
        let own =
            try home.run("cal", "add", "Mine 2026-11-25 9:00 for 1h", "--json").items().first?["id"] as? String ?? ""
        #expect(try home.run("cal", "rsvp", own, "accept").status == 80)
        #expect(try home.run("cal", "search", "visit", "--json").items().isEmpty)
    }
}
