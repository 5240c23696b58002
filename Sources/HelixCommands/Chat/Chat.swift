import ArgumentParser

/// `helix chat`
struct Chat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Chat with people and assistants.",
        discussion: """
            Notes to yourself need no account. Conversations with others use an account at a gateway ('helix account add \
            NAME gateway URL'). Without a network, messages are queued and sent later, once and in order.

            'helix chat' alone lists the conversations, or runs the setting default.chat; 'helix chat NAME' opens one.
            """,
        subcommands: [
            ChatOpen.self, ChatList.self, ChatNew.self, ChatShow.self, ChatSend.self, ChatRead.self, ChatSearch.self,
            ChatMessageCommand.self, ChatReact.self, ChatPin.self,
            ChatRename.self, ChatArchive.self, ChatMute.self, ChatDelete.self, ChatMembers.self, ChatInvite.self,
            ChatLinks.self, ChatJoin.self, ChatPeople.self, ChatProfile.self, ChatBlock.self, ChatUnblock.self,
            ChatLeave.self, ChatShare.self, ChatExport.self, ChatAsk.self, ChatSummarize.self,
            ChatSuggest.self, ChatImprove.self, ChatFollow.self, ChatTyping.self,
            ChatDeliver.self,
        ], defaultSubcommand: ChatOpen.self)
}
