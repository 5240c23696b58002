import HelixModel
import Testing

@testable import HelixContacts

/// The address books of other programs are read whole.
@Suite struct ForeignContactTests {
    @Test func abookIsReadAndWritten() throws {
        let text = """
            # abook addressbook file

            [format]
            program=abook
            version=0.6.1

            [0]
            name=Ana Ruiz
            email=ana@example.org,a.ruiz@example.net
            address=Calle Mayor 1
            city=Madrid
            zip=28013
            country=Spain
            phone=+34 91 1
            mobile=+34 600 2
            nick=ana
            url=https://example.org
            notes=met at sea
            anniversary=--04-15
            custom1=blue

            [1]
            email=bo@example.org
            nonsense

            """
        let found = AbookFormat.read(Array(text.utf8))
        #expect(found.cards.count == 2 && found.defects.count == 1)
        let ana = try #require(found.cards.first?.card.contact)
        #expect(ana.name == "Ana Ruiz" && ana.emails.map(\.text) == ["ana@example.org", "a.ruiz@example.net"])
        #expect(ana.places.first?.text == "Calle Mayor 1\n28013 Madrid\nSpain")
        #expect(ana.phones.map(\.labels) == [["home"], ["cell"]])
        #expect(ana.anniversary?.text == "--04-15")
        #expect(ana.notes == "met at sea\ncustom1: blue")
        #expect(found.cards.last?.card.contact.name == "bo@example.org")
        let again = AbookFormat.read(Array(AbookFormat.text(found.cards.map(\.card.contact)).utf8))
        #expect(again.cards.first?.card.contact.emails == ana.emails)
        // The same file has the same identities.
        #expect(AbookFormat.read(Array(text.utf8)).cards.map(\.card.uid) == found.cards.map(\.card.uid))
    }

    @Test func aliasesOfMuttAreRead() {
        let text = """
            set sort=threads
            alias ana Ana Ruiz <ana@example.org>
            alias -group choir bo "Li, Bo" <bo@example.org> # a comment
            alias cy cy@example.org (Cy Ode)
            alias band ana@example.org, \\
                bo@example.org
            alias both ana, bo
            """
        let found = MuttAliases.read(Array(text.utf8))
        let contacts = found.cards.map(\.card.contact)
        #expect(contacts.map(\.name) == ["Ana Ruiz", "Li, Bo", "Cy Ode", "band", "both"])
        #expect(contacts[1].categories == ["choir"] && contacts[1].nicknames == ["bo"])
        #expect(contacts[3].kind == .group && contacts[3].members == ["ana@example.org", "bo@example.org"])
        #expect(found.defects.isEmpty, "\(found.defects)")
        let lines = MuttAliases.text(contacts) { $0.members }.split(separator: "\n")
        #expect(lines.first == "alias ana Ana Ruiz <ana@example.org>")
        #expect(lines.last == "alias both ana@example.org, bo@example.org")
    }

    /// What mutt writes is read, and no name runs anything in it.
    @Test func namesOfMuttAreQuoted() throws {
        let found = MuttAliases.read(Array("alias bo \\\"Li, Bo\\\" <bo@b.example>\nalias no some, x\n".utf8))
        #expect(found.cards.map(\.card.contact.name) == ["Li, Bo"] && found.defects.count == 1)
        for name in ["Eve `touch x` $HOME", "Li, \"Bo\"", "Jo O'Neil", "Back\\slash"] {
            var contact = Contact()
            (contact.name, contact.emails) = (name, [Contact.Value("a@example.org")])
            let line = MuttAliases.text([contact]) { $0.members }
            #expect(!line.replacing("\\`", with: "").replacing("\\$", with: "").contains { "`$".contains($0) })
            #expect(MuttAliases.read(Array(line.utf8)).cards.first?.card.contact.name == name, "\(line)")
        }
    }

    @Test func placesKeepTheirParts() throws {
        var card = VCard(uid: "x")
        var changes = ContactChanges()
        changes.name = "Ana"
        changes.places.additions = [Contact.Value("Calle 1; Madrid; M; 28001; Spain", labels: ["home"])]
        changes.anniversary = "2001-02-03"
        card.apply(changes, now: Instant(0))
        let contact = card.contact
        let table = try ContactTable.read(Array(ContactTable.text([contact]).utf8)).cards.first?.card.contact
        #expect(
            table?.placeParts == [["Calle 1", "Madrid", "M", "28001", "Spain"]]
                && table?.anniversary?.text == "2001-02-03")
        let abook = AbookFormat.read(Array(AbookFormat.text([contact]).utf8)).cards.first?.card.contact
        #expect(abook?.placeParts == contact.placeParts)
    }

    @Test(arguments: [
        "First Name,Middle Name,Last Name,Nickname,Organization Name,Organization Title,Birthday,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Formatted,Custom Field 1 - Label,Custom Field 1 - Value,Odd\n"
            + "Ana,,Ruiz,Anita,Water,Engineer,1996-04-15,hello,friends ::: * myContacts,* Work,ana@example.org ::: a2@example.org,Mobile,+34 600,Home,\"Calle 1, Madrid\",Shoe,38,odd\n",
        "Name,Given Name,Family Name,Nickname,Organization 1 - Name,Organization 1 - Title,Birthday,Notes,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Address 1 - Type,Address 1 - Formatted,Custom Field 1 - Type,Custom Field 1 - Value,Odd\n"
            + "Ana Ruiz,Ana,Ruiz,Anita,Water,Engineer,1996-04-15,hello,friends ::: * myContacts,* Work,ana@example.org ::: a2@example.org,Mobile,+34 600,Home,\"Calle 1, Madrid\",Shoe,38,odd\n",
    ]) func tablesOfGoogleAreRead(_ text: String) throws {
        let contact = try #require(try ContactTable.read(Array(text.utf8)).cards.first?.card.contact)
        #expect(contact.name == "Ana Ruiz" && contact.familyName == "Ruiz" && contact.nicknames == ["Anita"])
        #expect(contact.emails.map(\.text) == ["ana@example.org", "a2@example.org"])
        #expect(contact.emails.first?.labels == ["work"] && contact.phones.first?.labels == ["cell"])
        #expect(contact.organization == "Water" && contact.title == "Engineer")
        #expect(contact.birthday?.text == "1996-04-15" && contact.categories == ["friends"])
        #expect(contact.places.first?.text == "Calle 1, Madrid")
        // What has no place of its own is in the notes.
        #expect(contact.notes == "hello\nodd: odd\nshoe: 38")
        let again = try ContactTable.read(Array(ContactTable.text([contact]).utf8)).cards.first?.card.contact
        #expect(again?.emails == contact.emails && again?.phones == contact.phones && again?.name == contact.name)
    }
}
