import ArgumentParser

/// `helix mail`
struct Mail: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Mail: read, search, sort.",
        subcommands: [
            MailList.self, MailInbox.self, MailUnread.self, MailSearch.self, MailRead.self, MailThread.self,
            MailMailboxes.self, MailAttachments.self, MailIndex.self,
        ])
}
