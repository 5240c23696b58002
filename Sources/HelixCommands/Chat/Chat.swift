import ArgumentParser

/// `helix chat`
struct Chat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Chat: with people, with assistants, with yourself.",
        discussion: """
            Conversations with yourself need nothing. Those with others are in an account at a gateway ('helix account add \
            NAME gateway URL'). What you say has its place at once; without a network it waits, and leaves later, once and in \
            order.
            """,
        subcommands: [
            ChatOpen.self, ChatList.self, ChatNew.self, ChatShow.self, ChatSend.self, ChatRead.self, ChatSearch.self,
            ChatMessageCommand.self,
            ChatRename.self, ChatArchive.self, ChatMute.self, ChatDelete.self, ChatMembers.self, ChatInvite.self,
            ChatLeave.self, ChatShare.self, ChatExport.self, ChatAsk.self, ChatFollow.self, ChatTyping.self,
            ChatDeliver.self,
        ], defaultSubcommand: ChatOpen.self)
}
