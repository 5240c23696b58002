import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail open`
struct MailOpen: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "open", abstract: "Open the HTML of a message in a browser.",
        discussion: """
            The page loads nothing from the network: the sender does not learn that it was opened, and remote images are \
            missing. Scripts and forms do not work; links do. The setting files.open replaces xdg-open.

              helix mail open k3f7
              helix mail open k3f7 --with firefox
              helix mail open k3f7 --link 2
            """)
    static let reports: [PrintedReport] = []

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Option(name: .long, help: ArgumentHelp("The program.", valueName: "program"))
    var with: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Open a link of the text instead, by its number from 1.", valueName: "n"))
    var link: Int?

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try output.refuseMachine("a page")
        if let link, link < 1 { throw ValidationError("--link takes a number from 1.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        var message = try store.message(try context.messageID(id))
        if let link {
            let links = MessageLinks.list(try context.messageItems([message])[0])
            return try context.open(
                link: link, of: links, with: with, shows: "helix mail read \(message.id.text.prefix(6))")
        }
        let file = try context.wholeFile(&message)
        guard let page = HTMLPage(try context.readable(file).message, title: message.subject) else {
            throw HelixError(
                .notFound, "the message has no HTML", hint: "'helix mail read \(message.id.text)' shows its text.")
        }
        let path = try store.lendFolder() + "/message.html"
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(page.text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw HelixError(.io, "cannot write \(path)", hint: "Is the disk full?") }
        try context.open(
            path, called: "message.html", with: with, otherwise: "'helix mail read --html' prints the source.")
    }
}
