import ArgumentParser

/// `helix contacts`
struct Contacts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contacts", abstract: "People, organizations and groups, with their addresses and birthdays.",
        discussion: """
            Contacts are vCards: what helix does not show is kept, too. Accounts sync them with CardDAV servers and folders.

              helix contacts add "Ana Ruiz" ana@example.com +34 600 123 456
              helix contacts list group:choir
              helix contacts show ana
              helix contacts birthdays
            """,
        subcommands: [
            ContactsList.self, ContactsShow.self, ContactsAdd.self, ContactsEdit.self, ContactsMerge.self,
            ContactsDelete.self, ContactsImport.self, ContactsExport.self, ContactsSearch.self,
            ContactsBirthdays.self, ContactsBooks.self,
        ], defaultSubcommand: ContactsList.self)
}
