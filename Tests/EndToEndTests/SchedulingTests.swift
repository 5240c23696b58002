import Foundation
import TestSupport
import Testing

/// Two people agree on an event by mail: invited, answered, moved, proposed otherwise, cancelled.
struct SchedulingTests {
    /// Somebody with a mailbox.
    private struct Person {
        let home: HelixHome
        let box: TestMaildir
        let address: String

        init(_ address: String) throws {
            home = try HelixHome()
            box = try TestMaildir(home)
            self.address = address
            try home.run("config", "set", "user.email", address)
            try home.run("account", "add", "mail", "maildir", box.path)
        }

        /// What waits in the outbox, by recipients, taken out of it.
        func leave() throws -> [(to: [String], text: String)] {
            try home.run("outbox", "list", "--json").items().map { item in
                let id = item["id"] as? String ?? ""
                let text = try home.run("outbox", "show", id, "--raw").output
                try home.run("outbox", "cancel", id)
                return (item["recipients"] as? [String] ?? [], text)
            }
        }

        /// Takes a message in; what is said of it.
        @discardableResult
        func receive(_ text: String) throws -> String {
            try box.deliver(text)
            return try home.run("mail", "list").errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }

        /// The calendar of the newest message.
        func attachment() throws -> String {
            let shown = try home.run("mail", "attachments", "list", try message(), "--json").items()
            let number = shown.compactMap { $0["part"] as? Int }.first ?? 1
            return try home.run("mail", "read", try message(), "--part", String(number)).output
        }
        func event() throws -> [String: Any] { try home.run("cal", "search", "visit", "--json").items().first ?? [:] }
        func id() throws -> String { try event()["id"] as? String ?? "none" }
        /// The event, without addresses behind names.
        func show() throws -> String { try home.run("cal", "show", try id()).output.flattened }
        /// The words of what waits in the outbox.
        func words() throws -> String {
            let id = try home.run("outbox", "list", "--json").items().first?["id"] as? String ?? ""
            let shown = try home.run("outbox", "show", id).output
            return shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        func message() throws -> String {
            try home.run("mail", "list", "--json").items().first?["id"] as? String ?? "none"
        }
    }

    private static func pair() throws -> (ana: Person, bo: Person) {
        let (ana, bo) = (try Person("ana@example.org"), try Person("bo@example.org"))
        try ana.home.run("cal", "add", "Site visit 2026-11-25 10:00 for 1h at Town hall", "--alarm", "10m")
        return (ana, bo)
    }

    /// Bo is invited and has accepted.
    private static func agreed() throws -> (ana: Person, bo: Person) {
        let (ana, bo) = try pair()
        #expect(try ana.home.run("cal", "invite", try ana.id(), "Bo Berg <bo@example.org>").status == 0)
        for message in try ana.leave() { try bo.receive(message.text) }
        #expect(try bo.home.run("cal", "rsvp", try bo.message(), "accept", "--comment", "With pleasure").status == 0)
        for message in try bo.leave() {
            #expect(message.to == ["ana@example.org"])
            #expect(
                try ana.receive(message.text).contains("bo@example.org has accepted 'Site visit': With pleasure")
                    || ana.show().contains("Bo Berg accepted"))
        }
        return (ana, bo)
    }

    @Test func anInvitationIsAnsweredAndTheAnswerWrittenDown() throws {
        let (ana, bo) = try Self.pair()
        let result = try ana.home.run(
            "cal", "invite", try ana.id(), "Bo Berg <bo@example.org>", "cy@example.org", "--comment", "Bring boots")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("for 2 people"))
        let sent = try ana.leave()
        #expect(sent.count == 1)
        #expect(sent.first?.to.sorted() == ["bo@example.org", "cy@example.org"])
        let text = sent.first?.text ?? ""
        #expect(text.contains("method=REQUEST") || text.contains("method=\"REQUEST\""))
        // What is one's own affair stays at home.
        #expect(!text.contains("VALARM"))
        #expect(!text.contains("SCHEDULE-AGENT"))
        #expect(!text.contains("X-HELIX"))
        try bo.receive(text)
        let shown = try bo.home.run("mail", "read", try bo.message()).output
        #expect(shown.contains("Invitation: Site visit"))
        #expect(shown.contains("Where: Town hall"))
        #expect(shown.contains("Bring boots"))
        #expect(try bo.home.run("cal", "rsvp", try bo.message(), "tentative").status == 0)
        let answer = try bo.leave().first?.text ?? ""
        #expect(answer.contains("From: Bo Berg <bo@example.org>"))
        #expect(try ana.receive(answer).contains("may come to 'Site visit'"))
        #expect(try ana.show().contains("Bo Berg tentative"))
        // An answer in another's name, or an older one, changes nothing.
        try ana.receive(answer.replacingOccurrences(of: "bo@example.org", with: "eve@example.org"))
        try ana.receive(
            answer.replacingOccurrences(of: "From: Bo Berg <bo@example.org>", with: "From: eve@example.org")
                .replacingOccurrences(of: "TENTATIVE", with: "DECLINED"))
        #expect(try ana.show().contains("Bo Berg tentative"))
        // It stands in the history, but 'undo' takes back what Ana did.
        #expect(try ana.home.run("history").output.contains("may come to"))
    }

    @Test func whoIsInvitedHearsOfChangesAndOfTheEnd() throws {
        let (ana, bo) = try Self.agreed()
        #expect(try ana.show().contains("Bo Berg accepted"))
        // What is nobody's business is told to nobody.
        try ana.home.run("cal", "edit", try ana.id(), "--alarm", "30m")
        #expect(try ana.leave().isEmpty)
        try ana.home.run("cal", "edit", try ana.id(), "--title", "Site visit with Zoe", "--silent")
        #expect(try ana.leave().isEmpty)
        let moved = try ana.home.run("cal", "move", try ana.id(), "15:00")
        #expect(moved.errors.contains("The change for bo@example.org is queued"))
        #expect(try ana.show().contains("Bo Berg needs-action") || !ana.show().contains("Bo Berg accepted"))
        let update = try ana.leave()
        #expect(update.count == 1)
        #expect(try bo.receive(update.first?.text ?? "").contains("was changed by"))
        #expect((try bo.event()["start"] as? String ?? "").contains("T15:00"))
        #expect(try bo.event()["title"] as? String == "Site visit with Zoe")
        // The same again, or an older one, changes nothing.
        try bo.receive((update.first?.text ?? "").replacingOccurrences(of: "DTSTART", with: "X-DTSTART"))
        #expect((try bo.event()["start"] as? String ?? "").contains("T15:00"))
        // Somebody else cannot call it off.
        let end = try ana.home.run("cal", "delete", "--yes", try ana.id())
        #expect(end.errors.contains("cancellation"), "\(end.errors)")
        let cancel = try ana.leave().first?.text ?? ""
        try bo.receive(cancel.replacingOccurrences(of: "From: ana@example.org", with: "From: eve@example.org"))
        #expect(try !bo.show().lowercased().contains("cancelled"))
        #expect(try bo.receive(cancel).contains("is cancelled"))
        #expect(try bo.show().lowercased().contains("cancelled"))
    }

    @Test func anotherTimeIsProposedAndAcceptedOrNot() throws {
        for word in ["accept", "decline"] {
            let (ana, bo) = try Self.agreed()
            let uid =
                try ana.home.run("cal", "export", try ana.id()).output.split(whereSeparator: \.isNewline)
                .first { $0.hasPrefix("UID:") } ?? ""
            let counter = mail(
                "Another time", id: "c1@example.org", from: "Bo Berg <bo@example.org>", to: "ana@example.org",
                headers: ["MIME-Version: 1.0", "Content-Type: text/calendar; method=COUNTER; charset=utf-8"],
                body: """
                    BEGIN:VCALENDAR
                    VERSION:2.0
                    METHOD:COUNTER
                    BEGIN:VEVENT
                    \(uid)
                    DTSTAMP:20301101T000000Z
                    DTSTART:20261126T090000Z
                    DTEND:20261126T100000Z
                    SUMMARY:Site visit
                    ORGANIZER:mailto:ana@example.org
                    ATTENDEE;PARTSTAT=TENTATIVE:mailto:bo@example.org
                    COMMENT:Wednesday is bad
                    END:VEVENT
                    END:VCALENDAR

                    """)
            let said = try ana.receive(counter)
            #expect(said.contains("Bo Berg proposes another time for 'Site visit': Wednesday is bad"), "\(said)")
            let message = try ana.home.run("mail", "search", "Another", "--json").items().first?["id"] as? String ?? ""
            #expect(try ana.home.run("cal", "rsvp", message, "tentative").status == 64)
            let result = try ana.home.run("cal", "rsvp", message, word)
            #expect(result.status == 0, "\(result.errors)")
            let sent = try ana.leave()
            #expect(sent.count == 1)
            #expect(sent.first?.to == ["bo@example.org"])
            let start = try ana.event()["start"] as? String ?? ""
            if word == "accept" {
                #expect(start.hasPrefix("2026-11-26T10:00"))
                #expect(try bo.receive(sent.first?.text ?? "").contains("was changed"))
                #expect((try bo.event()["start"] as? String ?? "").hasPrefix("2026-11-26T10:00"))
            } else {
                #expect(start.hasPrefix("2026-11-25T10:00"))
                #expect(sent.first?.text.contains("DECLINECOUNTER") == true)
            }
        }
    }

    @Test func oneDayOfASeriesIsAnsweredAndCancelledAlone() throws {
        let (ana, bo) = (try Person("ana@example.org"), try Person("bo@example.org"))
        try ana.home.run("cal", "add", "Site visit 2026-11-25 10:00 for 1h", "--repeat", "daily for 4 times")
        try ana.home.run("cal", "invite", try ana.id(), "bo@example.org")
        for message in try ana.leave() { try bo.receive(message.text) }
        try bo.home.run("cal", "rsvp", try bo.message(), "accept", "--silent")
        try ana.home.run("cal", "delete", "--yes", "--this", "2026-11-26", try ana.id())
        for message in try ana.leave() { try bo.receive(message.text) }
        let days = try bo.home.run("cal", "agenda", "2026-11-25..2026-11-28", "--json").items().compactMap {
            ($0["start"] as? String)?.prefix(10)
        }
        #expect(days == ["2026-11-25", "2026-11-27", "2026-11-28"])
    }

    @Test func ofTwoAnswersTheLaterOneCountsInWhateverOrderTheyCome() throws {
        let (ana, bo) = try Self.pair()
        try ana.home.run("cal", "invite", try ana.id(), "Bo Berg <bo@example.org>")
        for message in try ana.leave() { try bo.receive(message.text) }
        // Within one second, as far as the clock says.
        try bo.home.run("cal", "rsvp", try bo.message(), "decline")
        let first = try bo.leave()
        try bo.home.run("cal", "rsvp", try bo.id(), "accept")
        for message in try bo.leave() + first { try ana.receive(message.text) }
        #expect(try ana.show().contains("Bo Berg accepted"))
    }

    @Test func aDayThatIsLeftOutTakesNoAnswerAway() throws {
        let (ana, bo) = (try Person("ana@example.org"), try Person("bo@example.org"))
        try ana.home.run("cal", "add", "Site visit 2026-11-25 10:00 for 1h", "--repeat", "daily for 4 times")
        try ana.home.run("cal", "invite", try ana.id(), "Bo Berg <bo@example.org>")
        for message in try ana.leave() { try bo.receive(message.text) }
        try bo.home.run("cal", "rsvp", try bo.message(), "accept")
        for message in try bo.leave() { try ana.receive(message.text) }
        try ana.home.run("cal", "delete", "--yes", "--this", "2026-11-26", try ana.id())
        #expect(try ana.leave().count == 1)
        #expect(try ana.show().contains("Bo Berg accepted"))
        // Another time for all days is another question.
        try ana.home.run("cal", "move", try ana.id(), "11:00", "--all")
        #expect(try !ana.show().contains("Bo Berg accepted"))
    }

    @Test func onlyTheOrganizerInvites() throws {
        let (ana, bo) = try Self.agreed()
        let result = try bo.home.run("cal", "invite", try bo.id(), "cy@example.org")
        #expect(result.status == 80)
        #expect(result.errors.contains("ana@example.org"))
        #expect(try ana.home.run("cal", "invite", try ana.id(), "nonsense").status == 64)
        #expect(try ana.home.run("cal", "invite", try ana.id(), "ana@example.org").status == 64)
        #expect(try ana.home.run("cal", "invite", try ana.id(), "zoe@example.org", "--remove").status == 66)
        try ana.home.run("cal", "add", "Alone 2026-11-27 9:00")
        let alone = try ana.home.run("cal", "search", "alone", "--json").items().first?["id"] as? String ?? ""
        #expect(try ana.home.run("cal", "invite", alone).status == 64)
        // Who is taken out is told, and only he is.
        #expect(try ana.home.run("cal", "invite", try ana.id(), "bo@example.org", "--remove").status == 0)
        let sent = try ana.leave()
        #expect(sent.map(\.to) == [["bo@example.org"]])
        #expect(try bo.receive(sent.first?.text ?? "").contains("is cancelled"))
        #expect(try !ana.show().contains("bo@example.org"))
        // All of it is one step, and is taken back as one.
        try ana.home.run("cal", "invite", try ana.id(), "cy@example.org")
        try ana.home.run("undo")
        #expect(try ana.leave().isEmpty)
        #expect(try !ana.show().contains("cy@example.org"))
    }

    @Test func anAnswerThatHasNotLeftIsOvertakenByTheNextOne() throws {
        let (ana, bo) = try Self.pair()
        try ana.home.run("cal", "invite", try ana.id(), "Bo Berg <bo@example.org>")
        for message in try ana.leave() { try bo.receive(message.text) }
        try bo.home.run("cal", "rsvp", try bo.message(), "decline")
        try bo.home.run("cal", "rsvp", try bo.id(), "accept")
        let waiting = try bo.home.run("outbox", "list", "--json").items()
        #expect(waiting.map { $0["subject"] as? String } == ["Accepted: Site visit"])
        // Taking the second back brings the first again.
        try bo.home.run("undo")
        let former = try bo.home.run("outbox", "list", "--json").items()
        #expect(former.map { $0["subject"] as? String } == ["Declined: Site visit"])
    }

    @Test func whoDeletesWhatHeHadAcceptedSaysSo() throws {
        let (ana, bo) = try Self.agreed()
        let result = try bo.home.run("cal", "delete", "--yes", try bo.id())
        #expect(result.errors.contains("The answer to ana@example.org is queued"), "\(result.errors)")
        let sent = try bo.leave()
        #expect(sent.map(\.to) == [["ana@example.org"]])
        #expect(try ana.receive(sent.first?.text ?? "").contains("has declined 'Site visit'"))
        // Who never answered, or is silent, says nothing to anybody: what invites may be from a stranger.
        let (eve, cy) = try Self.pair()
        try eve.home.run("cal", "invite", try eve.id(), "Bo Berg <bo@example.org>")
        for message in try eve.leave() { try cy.receive(message.text) }
        try cy.home.run("cal", "import", try cy.home.write(try cy.attachment(), to: "visit.ics"))
        try cy.home.run("cal", "delete", "--yes", try cy.id())
        #expect(try cy.leave().isEmpty)
    }

    @Test func whoDeletesOneDayOfASeriesDeclinesThatDay() throws {
        let (ana, bo) = (try Person("ana@example.org"), try Person("bo@example.org"))
        try ana.home.run("cal", "add", "Site visit 2026-11-25 10:00 for 1h", "--repeat", "daily for 4 times")
        try ana.home.run("cal", "invite", try ana.id(), "Bo Berg <bo@example.org>")
        for message in try ana.leave() { try bo.receive(message.text) }
        try bo.home.run("cal", "rsvp", try bo.message(), "accept")
        for message in try bo.leave() { try ana.receive(message.text) }
        try bo.home.run("cal", "delete", "--yes", "--this", "2026-11-26", try bo.id())
        for message in try bo.leave() { try ana.receive(message.text) }
        func answer(_ day: String) throws -> String {
            let items = try ana.home.run("cal", "agenda", day, "--json").items()
            let people = items.first?["attendees"] as? [[String: Any]] ?? []
            return people.first { $0["address"] as? String == "bo@example.org" }?["answer"] as? String ?? "none"
        }
        #expect(try ana.home.run("cal", "export", try ana.id()).output.contains("RECURRENCE-ID"))
        #expect(try ana.home.run("cal", "export", try ana.id()).output.contains("PARTSTAT=DECLINED"))
        #expect(try ana.show().contains("Bo Berg accepted"))
    }

    @Test func anotherTimeIsAskedForAndAgreedTo() throws {
        let (ana, bo) = try Self.agreed()
        #expect(try bo.home.run("cal", "rsvp", try bo.id(), "accept", "--propose", "fri 15:00").status == 64)
        #expect(try bo.home.run("cal", "rsvp", try bo.id(), "tentative", "--propose", "nonsense").status == 64)
        #expect(try bo.home.run("cal", "rsvp", try bo.id(), "tentative", "--propose", "2026-11-25 10:00").status == 80)
        let asked = try bo.home.run(
            "cal", "rsvp", try bo.id(), "tentative", "--propose", "2026-11-27 15:00", "--comment", "Wednesday is bad")
        #expect(asked.status == 0, "\(asked.errors)")
        // Here it stays where it is, until the organizer says otherwise.
        #expect((try bo.event()["start"] as? String ?? "").hasPrefix("2026-11-25T10:00"))
        let words = try bo.words()
        #expect(
            words.contains("Fri 27 Nov 2026 15:00–16:00 Europe/Rome (was Wed 25 Nov 2026 10:00–11:00"), "\(words)")
        let sent = try bo.leave()
        let said = try ana.receive(sent.first?.text ?? "")
        #expect(said.contains("Bo Berg proposes another time for 'Site visit': Wednesday is bad"), "\(said)")
        let message = try ana.home.run("mail", "search", "Another", "--json").items().first?["id"] as? String ?? ""
        let result = try ana.home.run("cal", "rsvp", message, "accept")
        #expect(result.status == 0, "\(result.errors)")
        for message in try ana.leave() { try bo.receive(message.text) }
        for person in [ana, bo] {
            #expect((try person.event()["start"] as? String ?? "").hasPrefix("2026-11-27T15:00"))
        }
        #expect((try bo.event()["end"] as? String ?? "").hasPrefix("2026-11-27T16:00"))
    }

    @Test func aMessageAboutAChangeSaysWhatIsNew() throws {
        let (ana, _) = try Self.agreed()
        try ana.home.run("cal", "move", try ana.id(), "15:00")
        let moved = try ana.words()
        #expect(moved.contains("has changed 'Site visit'."))
        #expect(
            moved.contains("Wed 25 Nov 2026 15:00–16:00 Europe/Rome (was Wed 25 Nov 2026 10:00–11:00 Europe/Rome)"),
            "\(moved)")
        _ = try ana.leave()
        try ana.home.run("cal", "edit", try ana.id(), "--title", "Visit", "--location", "Old mill")
        let renamed = try ana.words()
        #expect(renamed.contains("What: Visit (was Site visit)"), "\(renamed)")
        #expect(renamed.contains("Where: Old mill (was Town hall)"))
    }

    @Test func whoIsNotTheOrganizerIsSaidAndChangesNothing() throws {
        let (ana, bo) = try Self.agreed()
        try ana.home.run("cal", "edit", try ana.id(), "--title", "Site visit, forged")
        let text = (try ana.leave().first?.text ?? "").replacingOccurrences(of: "SEQUENCE:", with: "SEQUENCE:9")
        try bo.receive(
            text.replacingOccurrences(of: "From: ana@example.org", with: "From: mallory@example.net")
                .replacingOccurrences(of: "Message-ID: <", with: "Message-ID: <x"))
        let forged = try bo.home.run("mail", "search", "from:mallory", "--ids").output.trimmingCharacters(in: .newlines)
        let shown = try bo.home.run("mail", "read", forged)
        #expect(
            shown.output.contains("sent by mallory@example.net, not by its organizer"), "\(shown.output)")
        let answered = try bo.home.run("cal", "rsvp", forged, "accept")
        #expect(answered.status == 80, "\(answered.errors)")
        #expect(try bo.event()["title"] as? String == "Site visit")
    }

    @Test func aDeletionOfWhichOthersHeardIsTakenBackHere() throws {
        let (ana, bo) = try Self.agreed()
        try ana.home.run("cal", "delete", "--yes", try ana.id())
        let sent = try ana.home.run("outbox", "list", "--json").items().first?["id"] as? String ?? ""
        // The mail has left.
        let left = """
            import sqlite3, sys
            d = sqlite3.connect(sys.argv[1])
            d.execute("INSERT INTO departed (id, message_id, left_at, answer) VALUES (?, 'x', 0, '')", [sys.argv[2]])
            d.execute("DELETE FROM outgoing")
            d.commit()
            """
        #expect(try ana.home.run(program: "/usr/bin/python3", ["-c", left, ana.home.store, sent]).status == 0)
        let undone = try ana.home.run("undo")
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try ana.event()["title"] as? String == "Site visit")
        withExtendedLifetime(bo) {}
    }
}
