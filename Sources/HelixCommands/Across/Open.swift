import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix open`
struct Open: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "open", abstract: "Open a helix:// link.",
        discussion: """
            The desktop runs this for links in other programs. Links change nothing without a question: an invitation to a \
            group is accepted only after confirmation.

              helix open helix://event/k3f7
              helix open helix://chat/House
              helix open 'helix://join/…?gateway=wss://gateway.example.org'
            """)
    static let usesThreads = true
    static let reports: [PrintedReport] = Show.reports

    @Argument(help: "The link.")
    var link: String

    @Flag(name: [.customShort("y"), .long], help: "Accept an invitation without asking.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        switch try HelixLink(link).target {
        case .chat(let name):
            guard context.console.isInputTerminal, context.terminal.isInteractive, !output.isMachine else {
                return try context.presentConversation(
                    try context.conversation(name), marksRead: !output.isMachine)
            }
            let prompt = try ChatPrompt(context)
            try prompt.open(try context.conversation(name))
            try prompt.run()
        case .entity(let kind, let id):
            let found = try context.store().entity(EntityPrefix(id), kinds: kind.map { [$0] } ?? EntityKind.allCases)
            try context.presentEntity(found, isMachine: output.isMachine)
        case .invitation:
            var join = try ChatJoin.parse((yes ? ["--yes"] : []) + ["--", link])
            (join.output, join.changes) = (output, changes)
            try join.run(in: context)
        }
    }
}
