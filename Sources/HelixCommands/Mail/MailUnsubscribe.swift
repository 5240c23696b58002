import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixNetwork
import HelixStore
import HelixTerminal

/// `helix mail unsubscribe`
struct MailUnsubscribe: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "unsubscribe", abstract: "Leave the mailing list of a message.",
        discussion: """
            Shows the server or address behind it, and asks. With one click (RFC 8058), the server gets a request; otherwise \
            a message is queued to the list's address. A page that needs a browser is printed.

              helix mail unsubscribe k3f7 --dry-run
              helix mail unsubscribe k3f7
            """)
    static let reports: [PrintedReport] = [.json(UnsubscribeReport.self)]

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Flag(name: [.long, .customShort("y")], help: "Do not ask for confirmation.")
    var yes = false

    @Flag(name: .long, help: "Show the way, and send nothing.")
    var dryRun = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let message = try store.message(try context.messageID(id))
        let readable = try context.readable(try context.wholeFile(message.id), verifies: false)
        guard let offer = UnsubscribeOffer(readable.message) else {
            throw HelixError(
                .notFound, "the message offers no way to leave its list",
                hint: "'helix mail mute \(id)' keeps its conversation away.")
        }
        let check = try context.senderCheck(of: readable, message)
        var item = UnsubscribeItem(message: message, offer: offer, check: check)
        if item.way == .page {
            try context.present(UnsubscribeReport(items: [item], isDryRun: true))
            throw HelixError(
                .notAllowed, "the list can only be left in a browser, so nothing was sent",
                hint: "Open the address yourself if you trust it.")
        }
        if dryRun { return try context.present(UnsubscribeReport(items: [item], isDryRun: true)) }
        for line in item.lines { context.note(StyledText(line)) }
        try context.confirm("Leave the list?", yes: yes)
        try leave(&item, store, context)
        try context.present(UnsubscribeReport(items: [item], isDryRun: false))
    }

    private func leave(_ item: inout UnsubscribeItem, _ store: Store, _ context: CommandContext) throws {
        if let address = item.offer.oneClick {
            guard let url = URL(address: address) else {
                throw HelixError(.badInput, "the address of the list is invalid")
            }
            if let profile = store.profile {
                throw HelixError(.notAllowed, "the profile '\(profile.name)' cannot leave lists")
            }
            let client = try HTTPClient(
                url, user: "", credential: .none, authorities: context.environment["HELIX_CA_FILE"], patience: 20)
            // A message must not reach the machines of this network, unless the user has an authority for them.
            client.reachesPrivateNetworks = context.environment["HELIX_CA_FILE"] != nil
            let (answer, _) = try client.request(
                "POST", url, headers: ["Content-Type: application/x-www-form-urlencoded"],
                body: Array("List-Unsubscribe=One-Click".utf8), isOnce: true)
            guard answer.isGood else {
                throw HelixError(
                    .protocol, "\(url.host ?? "the server") refused the request (HTTP \(answer.status))",
                    hint: "You are still on the list.")
            }
            return
        }
        guard let letter = item.offer.mail else { return }
        var draft = MessageDraft()
        let account = try store.account(of: item.message.id)
        (draft.subject, draft.body) = (letter.subject, letter.body + "\n")
        draft.to = [MailAddress(address: letter.address)]
        // The list knows the address that it writes to.
        let own = item.message.to.split(separator: "\n").map { MailAddress(text: $0).address.lowercased() }
        draft.from =
            context.ownAddresses.first { own.contains($0.address.lowercased()) } ?? context.sender(in: account)
        let session = try DraftSession(draft, in: account, command: "mail unsubscribe", context: context)
        let departure = try Departure(session, leaves: context.clock, at: nil)
        _ = try context.queue([departure], command: "mail unsubscribe")
    }
}

/// A list that is left, in a report.
struct UnsubscribeItem: DescribedItem {
    /// The ways to leave a list.
    enum Way: String, CaseIterable {
        case oneClick = "one-click"
        case mail
        case page
    }

    let message: EmailMessage
    let offer: UnsubscribeOffer
    let check: SenderCheck?

    var way: Way { offer.oneClick != nil ? .oneClick : offer.mail != nil ? .mail : .page }
    var target: String {
        switch way {
        case .oneClick: offer.oneClick ?? ""
        case .mail: offer.mail?.address ?? ""
        case .page: offer.page ?? ""
        }
    }
    private var host: String {
        way == .mail ? target.split(separator: "@").last.map(String.init) ?? "" : URL(address: target)?.host ?? target
    }

    /// The sender, the way and the host behind it, in lines.
    var lines: [String] {
        var lines = ["\(message.subject)", "From  \(message.from)"]
        switch way {
        case .oneClick: lines.append("Way   one click, by a request to \(host)")
        case .mail: lines.append("Way   a message to \(target)")
        case .page: lines.append("Page  \(target)")
        }
        let sender = MailAddress(text: message.from[...]).address
        let domain = sender.split(separator: "@").last.map { $0.lowercased() } ?? ""
        if !host.lowercased().hasSuffix(domain.split(separator: ".").suffix(2).joined(separator: ".")) {
            lines.append("Note  \(host) is not the domain of the sender (\(domain)).")
        }
        switch check?.passes {
        case true?: lines.append("Check the sender is proved by your server.")
        case false?: lines.append("Check the sender may be forged: leaving tells that your address is read.")
        case nil: lines.append("Check nothing proves the sender; leaving tells that your address is read.")
        }
        return lines
    }

    static let described = list {
        Field("id", .id, "The message.") { $0.message.id.text }
        Field("way", .choice(Way.allCases.map(\.rawValue)), "The way to leave the list.") { $0.way.rawValue }
        Field("target", .string, "The address that gets the request or the message, or the page.") { $0.target }.foreign
        Field("proved", .bool, required: false, "Whether your server has proved the sender.") { $0.check?.passes }
    }
}

/// Lists that are left.
struct UnsubscribeReport: CuttableReport {
    static let schema = "helix.mail.unsubscribe/1"
    var items: [UnsubscribeItem]
    var isTruncated = false
    var isDryRun: Bool

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items {
            if isDryRun {
                for line in item.lines { canvas.paragraph(SafeText.line(line)) }
            } else {
                canvas.line(
                    item.way == .mail
                        ? "Queued a message to \(SafeText.line(item.target)) to leave the list."
                        : "The server of the list took the request.")
            }
        }
    }
}
