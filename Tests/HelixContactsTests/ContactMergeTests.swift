import HelixCalendar
import HelixModel
import TestSupport
import Testing

@testable import HelixContacts

/// Changes of two sides meet, and doubles become one, without a loss.
@Suite struct ContactMergeTests {
    private static func changed(_ card: VCard, _ number: Int, _ side: String, _ random: inout SeededGenerator) -> VCard
    {
        var card = card
        var changes = ContactChanges()
        let contact = card.contact
        if Bool.random(using: &random) {
            changes.emails.additions = [Contact.Value("\(side)\(number)@example.net", labels: ["lake \(side)"])]
        }
        if Bool.random(using: &random), let gone = contact.emails.randomElement(using: &random) {
            changes.emails.removals = [gone]
        }
        if Bool.random(using: &random) { changes.categories.additions = ["group \(side)"] }
        if Bool.random(using: &random), let gone = contact.categories.randomElement(using: &random) {
            changes.categories.removals = [gone]
        }
        if Int.random(in: 0..<4, using: &random) == 0 { changes.title = "Title of \(side)" }
        if Int.random(in: 0..<4, using: &random) == 0 { changes.name = "Name of \(side)" }
        card.apply(changes, now: Instant(Int64.random(in: 1_000..<9_000_000, using: &random)))
        return card
    }

    /// Both sides come to the same card, whichever merges; what only one side changed is as that side has it.
    @Test func changesOfTwoSidesMeet() {
        var random = SeededGenerator(seed: 360)
        for number in 0..<500 {
            let base = VCardTests.card(number, &random)
            let (ours, theirs) = (
                Self.changed(base, number, "one", &random), Self.changed(base, number, "two", &random)
            )
            let merge = VCardMerge(base: base.text, ours: ours.text, theirs: theirs.text, isOurs: nil)
            let other = VCardMerge(base: base.text, ours: theirs.text, theirs: ours.text, isOurs: nil)
            guard let merged = VCard(text: merge.text)?.contact, let mirrored = VCard(text: other.text)?.contact else {
                Issue.record("no card: \(merge.text)")
                continue
            }
            #expect(Set(merged.emails) == Set(mirrored.emails))
            #expect(Set(merged.categories) == Set(mirrored.categories))
            let (was, mine, yours) = (base.contact, ours.contact, theirs.contact)
            for value in mine.emails where !was.emails.contains(value) { #expect(merged.emails.contains(value)) }
            for value in yours.emails where !was.emails.contains(value) { #expect(merged.emails.contains(value)) }
            for value in was.emails where !mine.emails.contains(value) || !yours.emails.contains(value) {
                #expect(!merged.emails.contains(value))
            }
            if mine.name == was.name { #expect(merged.name == yours.name) }
            if yours.name == was.name { #expect(merged.name == mine.name) }
            if mine.name != was.name, yours.name != was.name { #expect(merge.contested.contains("FN")) }
            #expect(merge.text.contains("X-OWN-\(number):kept;as=is"))
            // A merge with what is there already changes nothing.
            let again = VCardMerge(base: theirs.text, ours: merge.text, theirs: theirs.text, isOurs: nil)
            #expect(VCard(text: again.text)?.contact == merged)
        }
    }

    @Test func aMergeOfDoublesLosesNothing() {
        var random = SeededGenerator(seed: 361)
        for number in 0..<300 {
            let cards = (0..<3).map { VCardTests.card(number * 3 + $0, &random) }
            let merge = ContactMerge(cards, now: Instant(5_000))
            let merged = merge.card.contact
            #expect(merge.card.uid == cards[0].uid)
            for card in cards {
                let contact = card.contact
                for email in contact.emails { #expect(merged.emails.contains { $0.text == email.text }) }
                for phone in contact.phones {
                    #expect(merged.phones.contains { ContactIdentity.isSamePhone($0.text, phone.text) })
                }
                for place in contact.places { #expect(merged.places.contains { $0.text == place.text }) }
                for group in contact.categories {
                    #expect(merged.categories.contains { $0.lowercased() == group.lowercased() })
                }
                #expect(merged.name == contact.name || merged.nicknames.contains(contact.name))
                if let notes = contact.notes { #expect(merged.notes?.contains(notes) == true) }
                if let organization = contact.organization {
                    #expect(
                        merged.organization == organization || merged.notes?.contains(organization) == true
                            || merged.organization?.lowercased() == organization.lowercased())
                }
                for line in card.text.split(separator: "\n") where line.hasPrefix("X-OWN") {
                    #expect(merge.card.text.contains(line))
                }
            }
        }
    }

    @Test func aMergeKeepsPartsOfNamesAndLabels() throws {
        func card(_ lines: String) throws -> VCard {
            try #require(try VCardTests.read("BEGIN:VCARD\nVERSION:3.0\nFN:Ana Ruiz\n\(lines)\nEND:VCARD\n").first)
        }
        let merge = ContactMerge(
            [
                try card("N:Ruiz;Ana;;;\nEMAIL:a@a.example"),
                try card("N:Ruiz;Anne;Maria;Dr.;PhD\nEMAIL;TYPE=WORK:A@a.example"),
            ], now: Instant(0))
        let merged = merge.card.contact
        #expect(merged.additionalName == "Maria" && merged.prefix == "Dr." && merged.suffix == "PhD")
        #expect(merged.emails == [Contact.Value("a@a.example", labels: ["work"])])
        #expect(merged.notes == "Other given name: Anne")
    }

    @Test func doublesAreFoundAndOthersAreNot() {
        func entry(_ name: String, _ emails: [String] = [], phone: String? = nil, birthday: String? = nil)
            -> ContactDoubles.Entry
        {
            var contact = Contact()
            contact.name = name
            contact.emails = emails.map { Contact.Value($0) }
            contact.phones = phone.map { [Contact.Value($0)] } ?? []
            contact.birthday = birthday.flatMap { ContactDate($0) }
            return ContactDoubles.Entry(EntityID(), contact)
        }
        func areOne(_ one: ContactDoubles.Entry, _ other: ContactDoubles.Entry) -> Bool {
            ContactDoubles.groups([one, other]).count == 1
        }
        #expect(areOne(entry("Ana Ruiz"), entry("Ruiz, Ana")))
        #expect(areOne(entry("Ana Ruiz", ["a@example.org"]), entry("A. Ruiz", ["A@example.org"])))
        #expect(areOne(entry("Ana Ruiz", ["a@example.org"]), entry("a@example.org", ["a@example.org"])))
        #expect(areOne(entry("Ana Ruiz", phone: "+34 600 123 456"), entry("Ana", phone: "600123456")))
        #expect(
            areOne(
                entry("Ana Ruiz", ["a@example.org"], birthday: "1990-01-01"),
                entry("Ana Ruiz", ["a@example.org"], birthday: "1990-01-02")))
        // One address of a family, one name of two people, one first name.
        #expect(!areOne(entry("Ana Ruiz", ["home@example.org"]), entry("Bo Li", ["home@example.org"])))
        #expect(!areOne(entry("Ana Ruiz", birthday: "1990-01-01"), entry("Ana Ruiz", birthday: "1960-01-01")))
        #expect(!areOne(entry("Ana"), entry("Ana")))
        #expect(!areOne(entry("Ana Ruiz", phone: "+34 600 123 456"), entry("Ana Ruiz-Li", phone: "+1 600 123 456")))
    }
}
