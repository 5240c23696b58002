import Foundation
import HelixCalendar
import HelixModel
import TestSupport
import Testing

@testable import HelixContacts

/// vCards are read as other programs read them, and no line of them is lost.
@Suite struct VCardTests {
    @Test func datesHaveSeveralForms() {
        for (text, shown) in [
            ("1996-04-15", "1996-04-15"), ("19960415", "1996-04-15"), ("--0415", "--04-15"), ("--04-15", "--04-15"),
            ("1996-04-15T10:00:00Z", "1996-04-15"),
        ] {
            #expect(ContactDate(text)?.text == shown)
        }
        for text in ["1996", "1996-04", "soon", "--0230", "19960230", ""] { #expect(ContactDate(text) == nil) }
        let leap = ContactDate("2000-02-29")
        #expect(
            leap?.next(from: CivilDate(year: 2027, month: 1, day: 1)).day == CivilDate(year: 2027, month: 2, day: 28))
        #expect(
            leap?.next(from: CivilDate(year: 2028, month: 1, day: 1)).day == CivilDate(year: 2028, month: 2, day: 29))
        #expect(leap?.next(from: CivilDate(year: 2028, month: 1, day: 1)).age == 28)
    }

    static func read(_ text: String) throws -> [VCard] {
        var reader = VCardReader(Array(text.utf8))
        var cards: [VCard] = []
        while let piece = try reader.next() { if case .card(let card, _) = piece { cards.append(card) } }
        return cards
    }

    @Test func aCardOfVersion4IsRead() throws {
        let card = try #require(
            try Self.read(
                """
                BEGIN:VCARD\r
                VERSION:4.0\r
                UID:urn:uuid:4fbe8971\r
                FN:Simon Perreault\r
                N:Perreault;Simon;;;ing. jr,M.Sc.\r
                BDAY:--0203\r
                ANNIVERSARY:20090808T1430-0500\r
                EMAIL;TYPE=work:simon@example.com\r
                EMAIL;PREF=1:first@example.com\r
                TEL;VALUE=uri;TYPE="voice,home":tel:+1-418-656-9254;ext=102\r
                ORG;TYPE=work:Viagenie;Research\r
                ADR;TYPE=work:;Suite D2-630;2875 Laurier;Quebec;QC;G1V 2M2;Canada\r
                item1.X-PAGE:a\\,b\r
                item1.X-ABLabel:_$!<HomePage>!$_\r
                NOTE:two\\nlines\\; and a \r
                 folded one\r
                END:VCARD\r

                """
            ).first)
        let contact = card.contact
        #expect(contact.name == "Simon Perreault" && contact.familyName == "Perreault")
        #expect(contact.suffix == "ing. jr M.Sc.")
        #expect(contact.birthday?.text == "--02-03" && contact.anniversary?.text == "2009-08-08")
        #expect(contact.email == "first@example.com")
        #expect(contact.emails.first?.labels == ["work"])
        #expect(contact.phones.first?.text == "+1-418-656-9254;ext=102" && contact.phones.first?.labels == ["home"])
        #expect(contact.organization == "Viagenie, Research")
        #expect(contact.places.first?.text == "Suite D2-630\n2875 Laurier\nG1V 2M2 Quebec\nQC\nCanada")
        #expect(contact.notes == "two\nlines; and a folded one")
        #expect(card.text.contains("item1.X-PAGE:a\\,b\nitem1.X-ABLabel:_$!<HomePage>!$_\n"))
    }

    @Test func anOldCardBecomesOneOfVersion3() throws {
        let card = try #require(
            try Self.read(
                """
                BEGIN:VCARD
                VERSION:2.1
                N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=91and=C3=BA;Eva
                FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Eva =C3=91and=C3=BA
                TEL;HOME;VOICE:+34 600
                NOTE;ENCODING=QUOTED-PRINTABLE:one=0D=0A=
                two, three
                ORG:Water, Ltd;Pipes
                PHOTO;JPEG;ENCODING=BASE64:
                 QUJD
                 REVG

                END:VCARD
                """
            ).first)
        let contact = card.contact
        #expect(contact.name == "Eva Ñandú" && contact.familyName == "Ñandú")
        #expect(contact.phones.first?.labels == ["home"])
        #expect(contact.notes == "one\ntwo, three")
        #expect(contact.organization == "Water, Ltd, Pipes")
        #expect(card.text.contains("VERSION:3.0\n") && card.text.contains("ENCODING=b:QUJDREVG\n"), "\(card.text)")
    }

    /// A soft line break of quoted-printable before a blank is no '='.
    @Test func aSoftLineBreakMayStandBeforeABlank() throws {
        let text =
            "BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen=\r\n M=C3=BCller\r\n"
            + "NOTE;ENCODING=QUOTED-PRINTABLE:long text=\r\n=20and more=\r\n\tTabbed\r\nTITLE:a=\r\n b\r\nEND:VCARD\r\n"
        let card = try #require(try Self.read(text).first)
        #expect(card.contact.name == "Jürgen Müller")
        #expect(card.contact.notes == "long text and more\tTabbed")
        // A folded line that is not quoted-printable keeps its '='.
        #expect(card.first("TITLE")?.text == "a=b")
    }

    /// Version 2.1 escapes semicolons alone; a vCard within one is kept as the text that version 3 has for it.
    @Test func anOldCardKeepsBackslashesAndItsAgent() throws {
        let text =
            "BEGIN:VCARD\nVERSION:2.1\nN:Boss;Big\nNOTE:C:\\new\\temp, a\nAGENT:\nBEGIN:VCARD\nVERSION:2.1\n"
            + "N:Helper;Hanna\nTEL:+49 555\nEND:VCARD\nX-AFTER:z\nEND:VCARD\n"
        let card = try #require(try Self.read(text).first)
        #expect(card.contact.notes == "C:\\new\\temp, a")
        #expect(card.first("AGENT")?.text.contains("N:Helper;Hanna\nTEL:+49 555\n") == true, "\(card.text)")
        #expect(card.text.contains("X-AFTER:z\n"))
        #expect(try Self.read(String(decoding: card.file, as: UTF8.self)) == [card])
    }

    @Test func aValueThatIsNamedAgainGetsItsLabels() throws {
        var card = try #require(
            try Self.read("BEGIN:VCARD\nVERSION:4.0\nFN:Ana\nEMAIL;PREF=1:ana@example.org\nEND:VCARD\n").first)
        var changes = ContactChanges()
        changes.emails.replacement = [Contact.Value("ana@example.org", labels: ["work"])]
        card.apply(changes, now: Instant(0))
        #expect(card.contact.emails == [Contact.Value("ana@example.org", labels: ["work"], preference: 1)])
    }

    @Test func aNewNameKeepsThoseInOtherLanguages() throws {
        var card = try #require(
            try Self.read(
                "BEGIN:VCARD\nVERSION:4.0\nFN;ALTID=1;LANGUAGE=en:Taro Yamada\nFN;ALTID=1;LANGUAGE=jp:山田太郎\nEND:VCARD\n"
            ).first)
        var changes = ContactChanges()
        changes.name = "Dr. Hans Meier Jr."
        card.apply(changes, now: Instant(0))
        #expect(card.text.contains("山田太郎"))
        #expect(card.contact.name == "Dr. Hans Meier Jr." && card.contact.familyName == "Meier")
        #expect(card.contact.prefix == "Dr." && card.contact.suffix == "Jr." && card.contact.givenName == "Hans")
    }

    /// Random cards say the same to helix and to vobject.
    @Test func randomCardsAreReadAsVobjectReadsThem() throws {
        var random = SeededGenerator(seed: 350)
        let cards = (0..<400).map { Self.card($0, &random) }
        let home = try HelixHome()
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/read_cards.py").path
        let file = String(decoding: cards.flatMap(\.file), as: UTF8.self)
        let result = try home.run(program: "/usr/bin/python3", [script], input: file)
        #expect(result.status == 0, "\(result.errors)")
        let theirs = try result.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let ours = try Self.read(file)
        #expect(ours == cards)
        #expect(theirs.count == ours.count)
        for (card, other) in zip(ours, theirs) {
            let contact = card.contact
            #expect(contact.name == other["name"] as? String)
            #expect(contact.familyName == other["family"] as? String && contact.givenName == other["given"] as? String)
            #expect(contact.emails.map(\.text) == other["emails"] as? [String])
            #expect(contact.phones.map(\.text) == other["phones"] as? [String])
            #expect(contact.organization ?? "" == other["organization"] as? String)
            #expect(contact.notes ?? "" == other["notes"] as? String)
            #expect(contact.categories == other["categories"] as? [String])
            let places = (other["places"] as? [[String]] ?? []).map { place in
                let city = [place[3], place[1]].filter { !$0.isEmpty }.joined(separator: " ")
                return [place[0], city, place[2], place[4]].filter { !$0.isEmpty }.joined(separator: "\n")
            }
            #expect(contact.places.map(\.text) == places)
            #expect(contact.emails.map { $0.labels.sorted() } == other["labels"] as? [[String]])
        }
    }

    /// An edit changes the lines that it names, and no others; the opposite edit restores them.
    @Test func editsLeaveAllOtherLinesAlone() throws {
        var random = SeededGenerator(seed: 351)
        for number in 0..<300 {
            let card = Self.card(number, &random)
            var edited = card
            var changes = ContactChanges()
            changes.emails.additions = [Contact.Value("new\(number)@example.net", labels: ["work"])]
            changes.phones.additions = [Contact.Value("+49 30 \(1000 + number)", labels: ["boat"])]
            changes.title = "Title \(number)"
            edited.apply(changes, now: Instant(1_000))
            #expect(edited.contact.emails.last == Contact.Value("new\(number)@example.net", labels: ["work"]))
            #expect(edited.contact.phones.last?.labels == ["boat"])
            let lines = Set(edited.text.split(separator: "\n"))
            for line in card.text.split(separator: "\n") where !line.hasPrefix("REV") && !line.hasPrefix("TITLE") {
                #expect(lines.contains(line), "\(line)")
            }
            var back = ContactChanges()
            back.emails.removals = changes.emails.additions
            back.phones.removals = changes.phones.additions
            edited.apply(back, now: Instant(1_000))
            edited.set("TITLE", card.first("TITLE"))
            edited.set("REV", card.first("REV"))
            #expect(edited.contact == card.contact)
        }
    }

    private static let words = [
        "Ana", "Bo; Co", "Ñandú", "a, b", "x\\y", "line\nline", "李", "O'Neil", "von der Heide", "tab\tend", "ü:ä",
        "\"q\"",
    ]

    /// A random card of version 3.
    static func card(_ number: Int, _ random: inout SeededGenerator) -> VCard {
        func word(_ random: inout SeededGenerator) -> String { words.randomElement(using: &random) ?? "" }
        var card = VCard(uid: "card-\(number)")
        card.append(ICalendarProperty("N", structure: [[word(&random)], [word(&random)], [""], [""], [""]]))
        card.append(ICalendarProperty("FN", text: "Person \(number) \(words[number % 5])"))
        for place in 0..<Int.random(in: 0..<4, using: &random) {
            let types = [["work"], ["home"], []].randomElement(using: &random) ?? []
            let parameters = types.isEmpty ? [] : [ICalendarProperty.Parameter("TYPE", types)]
            card.append(ICalendarProperty("EMAIL", parameters, text: "p\(number).\(place)@example.org"))
        }
        for _ in 0..<Int.random(in: 0..<3, using: &random) {
            card.append(ICalendarProperty("TEL", text: "+34 600 \(Int.random(in: 100..<999, using: &random))"))
        }
        if Bool.random(using: &random) {
            card.append(ICalendarProperty("ORG", structure: [[word(&random)], [word(&random)]]))
        }
        if Bool.random(using: &random) { card.append(ICalendarProperty("NOTE", text: word(&random) + word(&random))) }
        if Bool.random(using: &random) {
            let list = [word(&random), word(&random)].map(ICalendarProperty.escaped).joined(separator: ",")
            card.append(ICalendarProperty("CATEGORIES", value: list))
        }
        if Bool.random(using: &random) {
            card.append(
                ICalendarProperty(
                    "ADR", structure: [[""], [""], ["Street \(number)"], ["City"], [""], ["28013"], ["Spain"]]))
        }
        card.append(ICalendarProperty("X-OWN-\(number)", value: "kept;as=is"))
        return card
    }
}
