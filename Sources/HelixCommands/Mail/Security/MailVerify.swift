import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail verify`
struct MailVerify: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "verify", abstract: "Verify the signatures of messages.",
        discussion: """
            Without a query, all signed messages that were not verified yet; 'is:verified' then finds those that are signed by \
            their senders and unchanged. 'helix mail read' verifies what it shows. Encrypted messages are decrypted.

              helix mail verify
              helix mail verify from:ana after:2026-01-01
              helix mail list is:signed -is:verified
            """)
    static let reports: [PrintedReport] = [.json(VerificationReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("A query.", valueName: "query"),
        completion: .custom(CompletionLists.mailQuery))
    var query: [String] = []

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let words = try query.plainWords(of: "mail verify")
        let asked = try context.mailQueries.parse(QueryNoun.mail.line(words, dates: context.dates))
        let protected = MailQuery.any([.has(.trait(.isSigned)), .has(.trait(.isEncrypted))])
        let found = try store.messages(.all([asked, protected]), limit: 1_000_000)
        var report = VerificationReport()
        for message in found {
            if words.isEmpty, try store.isVerified(message.number) { continue }
            do {
                let file = try store.messageFile(message.id)
                // A body that is still on its server is not fetched for this.
                guard message.traits & MessageSummary.Traits.isPartial.rawValue == 0 else {
                    report.absent += 1
                    continue
                }
                let readable = try context.readable(file)
                try context.record(readable, of: message)
                let verdict = readable.security.verdict(sender: readable.sender)
                if verdict == nil, readable.security.isDecrypted || !readable.security.isEncrypted { continue }
                report.items.append(
                    VerificationItem(
                        item: try context.items([message])[0], security: readable.security, verdict: verdict,
                        sender: readable.sender))
            } catch let error as HelixError where [.notFound, .io, .badInput].contains(error.code) {
                report.problems.append("\(message.id.text.prefix(8)): \(error.message)")
            }
        }
        try context.present(report)
    }
}

/// A verified message, in a report.
struct VerificationItem: DescribedItem {
    let item: MailItem
    let security: MessageSecurity
    /// The result; nil if the message is encrypted and cannot be read.
    let verdict: SignatureVerdict?
    let sender: String

    /// The result as a word.
    var word: String { verdict?.rawValue ?? "encrypted" }

    static let described = list {
        Field("id", .id, "The message.") { $0.item.message.id.text }
        Field("subject", .string, "Its subject.") { $0.item.message.subject }.foreign
        Field("from", .string, "Its sender.") { $0.item.message.from }.foreign
        Field(
            "verdict", .choice(SignatureVerdict.allCases.map(\.rawValue) + ["encrypted"]),
            "The result; 'encrypted' if it could not be decrypted."
        ) { $0.word }
        Field("security", .object(SecurityItem.fields), "Its signatures and encryption.") { item, viewer in
            SecurityItem(security: item.security, sender: item.sender).json(for: viewer)
        }
    }
}

/// Verified messages.
struct VerificationReport: CuttableReport {
    static let schema = "helix.mail.verify/1"
    var items: [VerificationItem] = []
    var isTruncated = false
    /// The number of messages whose bodies are on their servers.
    var absent = 0
    var problems: [String] = []

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No signed messages to verify.", .dim)) }
        var table = Table([.init(), .init(), .init(minimum: 12), .init(minimum: 10)])
        for item in items where item.verdict != .valid {
            let style = TextStyle(.yellow)
            table.row([
                StyledText(viewer.short(item.item.message.id), .dim), StyledText(item.word, style),
                StyledText(item.item.message.from), StyledText(item.item.message.subject),
            ])
        }
        table.draw(on: &canvas)
        var counts: [String: Int] = [:]
        for item in items { counts[item.word, default: 0] += 1 }
        if !items.isEmpty {
            let parts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            canvas.line("Verified \(EntityKind.message.counted(items.count)): \(parts.joined(separator: ", ")).")
        }
        if absent > 0 {
            canvas.paragraph(
                "Not verified: \(EntityKind.message.counted(absent)) whose text is on the server only; reading fetches it.",
                style: TextStyle(.yellow))
        }
        for problem in problems { canvas.paragraph("Not verified: \(problem)", style: TextStyle(.yellow)) }
    }
}
