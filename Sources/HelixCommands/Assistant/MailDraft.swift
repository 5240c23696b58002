import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail draft`
struct MailDraft: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "draft", abstract: "Write a draft by an assistant.",
        discussion: """
            Writes what you want to say as a message, and keeps it as a draft; --edit opens it. Nothing is sent.

              helix mail draft 'the boiler is fixed, thank her' --to ana@example.org
              helix mail draft 'decline, too busy until march' --to bo@example.org --edit
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(help: "What you want to say.")
    var words: [String]

    @OptionGroup var write: WriteOptions
    @OptionGroup var mail: MailOptions
    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    private static let task = """
        Write a mail that says what the person wants to say, in the person's name. Answer with JSON alone: \
        {"subject": "…", "body": "…"}. The body ends with the person's name if you are given it.
        """

    func validate() throws {
        if words.joined().trimmingBlanks().isEmpty { throw ValidationError("Say what the message is to say.") }
        if write.body != nil {
            throw ValidationError("The assistant writes the text; 'helix mail new --body' takes your own.")
        }
    }

    func run(with assistant: Assistant, in context: CommandContext) throws {
        _ = try context.mailStore(mail)
        var draft = MessageDraft()
        try write.apply(to: &draft, in: context)
        var parts = ["The person wants to say: " + words.joined(separator: " ")]
        let names = draft.to.map(\.text)
        if !names.isEmpty { parts.append("It goes to: " + names.joined(separator: ", ")) }
        if let name = context.configuration.text(.name), !name.isEmpty { parts.append("The person's name: " + name) }
        if let subject = write.subject { parts.append("The subject: " + subject) }
        let (answer, _) = try assistant.object(assistant.messages(Self.task, parts))
        guard let body = answer["body"]?.text.map({ Assistant.withoutFences($0).trimmingBlanks() }), !body.isEmpty
        else {
            throw HelixError(.protocol, "the assistant wrote no text", hint: "Try again, or another model.")
        }
        draft.body = body + "\n" + draft.body
        if write.subject == nil {
            draft.subject =
                Assistant.withoutFences(answer["subject"]?.text ?? "").split(whereSeparator: \.isNewline)
                .first.map { String($0).trimmingBlanks() } ?? ""
        }
        var session = try DraftSession(
            draft, in: try context.writingAccount(write.from), command: "mail draft", context: context)
        if write.edit, try !session.edit(isWanted: true, hasText: true) { return }
        try session.keep()
        if !output.isMachine { context.note(StyledText("\nSubject: \(draft.subject)\n\n\(body)")) }
    }
}
