import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix chat open`, or `helix chat NAME`
struct ChatOpen: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "open", abstract: "Open a live chat prompt.",
        discussion: """
            Enter sends, Alt-Enter (or backslash Enter) starts a new line, arrow keys browse the history, Tab completes, \
            Ctrl-C stops an answer, Ctrl-D quits. Lines starting with / are commands; /help lists them. Without a \
            terminal, reads messages from standard input, one a line.

              helix chat open
              helix chat House
            """)
    // Messages arrive in another thread.
    static let usesThreads = true
    static let reports: [PrintedReport] = []
    static let changesSomething = true

    @Argument(
        help: "The conversation: a name, a person, or an id.", completion: .custom(CompletionLists.conversations)
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
        if context.console.isInputTerminal, context.terminal.isInteractive {
            try prompt.run()
        } else {
            try prompt.runLines()
        }
    }
}
