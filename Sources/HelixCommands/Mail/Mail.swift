import ArgumentParser

/// `helix mail`
struct Mail: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail", abstract: "Read, search, sort and write mail.",
        subcommands: [
            MailList.self, MailInbox.self, MailUnread.self, MailSearch.self, MailRead.self, MailOpen.self,
            MailThread.self,
            MailNew.self, MailReply.self, MailReplyAll.self, MailForward.self, MailBounce.self, MailResend.self,
            MailTemplates.self, MailDrafts.self,
            MailEdit.self,
            MailSend.self, MailDiscard.self, MailMark.self, MailLabel.self, MailMove.self, MailArchive.self,
            MailSnooze.self, MailFollowUp.self, MailMute.self, MailUnsubscribe.self, MailRules.self,
            MailVacation.self,
            MailTrash.self, MailDelete.self,
            MailMailboxes.self, MailAttachments.self, MailImport.self, MailExport.self, MailIndex.self, MailPeople.self,
            MailVerify.self, MailKeys.self, MailStats.self, MailSummarize.self, MailDraft.self, MailTriage.self,
        ])
}
