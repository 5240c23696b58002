import ArgumentParser
import Foundation
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix chat open`, or `helix chat NAME`
struct ChatOpen: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "open", abstract: "Talk: a prompt that shows what others say as they say it.",
        discussion: """
            Enter sends, Alt-Enter (or a backslash before Enter) begins a new line, arrows recall what you said before, Tab \
            completes, Ctrl-C breaks an answer off, Ctrl-D ends it. Lines that begin with / are commands: /help lists them. \
            Without a terminal, each line of standard input is one.

              helix chat open
              helix chat House
            """)

    @Argument(
        help: "The conversation: its name, who is in it, or its id.", completion: .custom(CompletionLists.conversations)
    )
    var conversation: String?

    @OptionGroup var output: OutputOptions

    func validate() throws { try output.refuseMachine("a conversation") }

    func run(in context: CommandContext) throws {
        let prompt = try ChatPrompt(context)
        if let conversation {
            try prompt.open(try context.conversation(conversation))
        } else if let latest = try context.store().conversations().first(where: { !$0.conversation.isArchived }) {
            try prompt.open(latest.conversation)
        }
        if isatty(STDIN_FILENO) == 1, context.terminal.isInteractive {
            try prompt.run()
        } else {
            try prompt.runLines()
        }
    }
}
