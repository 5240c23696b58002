import ArgumentParser
import HelixGateway
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix chat join`
struct ChatJoin: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "join", abstract: "Join a group by an invitation link.",
        discussion: """
            Requires an account at the gateway of the link.

              helix chat join 'helix://join/…?gateway=wss://gateway.example.org'
            """)
    static let reports: [PrintedReport] = [.json(ConversationReport.self)]

    @Argument(help: "The link.")
    var link: String

    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        guard case .invitation(let token, let gateway) = try HelixLink(link).target else {
            throw HelixError(
                .usage, "'\(link)' is not an invitation to a group", hint: "Use 'helix open' for other links.")
        }
        let store = try context.store()
        let wanted = try GatewayAddress(gateway)
        let accounts = try store.accounts().filter { account in
            guard account.kind == .gateway, let url = account.settings.url else { return false }
            return (try? GatewayAddress(url)) == wanted
        }
        guard let account = accounts.first else {
            throw HelixError(
                .notFound, "you have no account at \(gateway)",
                hint: "Add one first: helix account add NAME gateway \(gateway) --user USER, if you trust it")
        }
        try context.checkWritable(account)
        let client = try context.gateway(account)
        var isNew = true
        var remote: String?
        do {
            defer { client.close() }
            let group = try client.call("chat.link.show", ["token": .string(token)])
            let people = group["members"]?.integer ?? 0
            let name = "'\(group["name"]?.text ?? "")' (\(people == 1 ? "1 member" : "\(people) members"))"
            if context.isDryRun { return try context.presentPlan("join the group \(name) at '\(account.name)'") }
            let maker = group["made_by"]?.text ?? ""
            try context.confirm("Join the group \(name) at '\(account.name)', invited by \(maker)?", yes: yes)
            let answer = try client.call("chat.link.join", ["token": .string(token)])
            isNew = answer["joined"]?.bool ?? true
            remote = answer["conversation"]?["id"]?.text
        }
        let connection = try ChatConnection(store, account, context.gatewayAccess(account))
        defer { connection.close() }
        try connection.exchange()
        guard let found = try store.conversations().first(where: { $0.conversation.remote == remote }) else {
            throw HelixError(.unexpected, "joined, but the conversation did not arrive", hint: "Run 'helix sync'.")
        }
        try context.presentConversation(found.conversation.id, verb: isNew ? "joined" : "already joined")
    }
}

/// `helix chat links`
struct ChatLinks: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "links", abstract: "List or revoke the invitation links of a group.",
        discussion: """
            'helix chat invite GROUP --link' creates one. The secret of a link is shown only then.

              helix chat links House
              helix chat links House --revoke k3f7
            """)
    static let reports: [PrintedReport] = [.json(ChatLinkReport.self)]

    @Argument(help: "The group.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Option(name: .long, help: ArgumentHelp("Revoke the link with this id.", valueName: "id"))
    var revoke: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if revoke?.isEmpty == true { throw ValidationError("--revoke takes the id of a link.") }
    }

    func run(in context: CommandContext) throws {
        let (found, account) = try context.gatewayGroup(conversation)
        if revoke != nil { try context.checkWritable(account) }
        if let revoke, context.isDryRun { return try context.presentPlan("revoke the invitation link \(revoke)") }
        let client = try context.gateway(account)
        defer { client.close() }
        func list() throws -> [ChatLinkItem] {
            let answer = try client.call("chat.link.list", ["conversation": .string(found.remote ?? "")])
            return (answer["invitations"]?.elements ?? []).map { ChatLinkItem(json: $0) }
        }
        if let revoke {
            let matching = try list().filter { $0.id.hasPrefix(revoke.lowercased()) }
            guard matching.count == 1, let link = matching.first else {
                throw HelixError(
                    matching.isEmpty ? .notFound : .ambiguous,
                    "\(matching.isEmpty ? "no" : "several") invitation links with an id like '\(revoke)'",
                    hint: "List them: helix chat links '\(found.name)'")
            }
            _ = try client.call("chat.link.revoke", ["id": .string(link.id)])
            context.note("Revoked \(link.id.prefix(6)).")
        }
        try context.present(ChatLinkReport(items: try list()))
    }
}

extension CommandContext {
    /// A group at a gateway that knows it, with the account.
    /// - Throws: ``HelixError``.
    func gatewayGroup(_ name: String) throws -> (conversation: Conversation, account: Account) {
        let found = try conversation(name)
        guard found.kind == .group, found.remote != nil,
            let account = try store().accounts().first(where: { $0.id == found.account })
        else {
            throw HelixError(
                .usage, "'\(found.name)' is not a group at a gateway",
                hint: "Only groups have invitation links; 'helix sync' sends a new one to the gateway.")
        }
        return (found, account)
    }

    /// Creates an invitation link, and prints it.
    /// - Throws: ``HelixError``.
    func presentLink(to name: String, history: Bool, uses: Int, expires: String?) throws {
        let (found, account) = try gatewayGroup(name)
        guard found.role?.isInCharge == true else {
            throw HelixError(.notAllowed, "only an owner or admin of '\(found.name)' can invite others")
        }
        try checkWritable(account)
        let time = try expires.map { try dates.duration($0) } ?? 7 * 86_400
        guard (60...30 * 86_400).contains(time) else {
            throw HelixError(
                .usage, "an invitation link is valid for 1 minute to 30 days", hint: "Example: --expires 7d.")
        }
        if isDryRun { return try presentPlan("create an invitation link to '\(found.name)'") }
        let client = try gateway(account)
        defer { client.close() }
        let answer = try client.call(
            "chat.link.create",
            [
                "conversation": .string(found.remote ?? ""), "history": .bool(history), "uses": .integer(uses),
                "expires_in": .integer(time),
            ])
        guard let json = answer["invitation"], let token = answer["token"]?.text else {
            throw HelixError(.protocol, "the gateway returned no invitation")
        }
        let link = HelixLink.invitation(token: token, gateway: try GatewayAddress(account.settings.url ?? "").text)
        try present(ChatLinkReport(items: [ChatLinkItem(json: json, link: link)]))
    }
}

/// An invitation link in a report.
struct ChatLinkItem: DescribedItem {
    let json: JSONText
    /// The link, when it was just created.
    var link: String?

    var id: String { json["id"]?.text ?? "" }
    var expiresAt: Instant? { json["expires_at"]?.text.flatMap(ISO8601Reader.instant) }

    static let described = list {
        Field("kind", .choice(["invitation"]), "The kind of the item.") { _ in "invitation" }
        Field("id", .id, "The identity.") { $0.id }
        Field("link", .string, required: false, "The link, when it was just created.") { $0.link }
        Field("made_by", .string, "The member who created it.") { $0.json["made_by"]?.text }
        Field("expires_at", .time, required: false, "The time from which it is invalid.") { item, viewer in
            item.expiresAt.map { viewer.iso($0) }
        }
        Field("uses_left", .integer, "The number of users who may still join with it.") {
            Int($0.json["uses_left"]?.integer ?? 0)
        }
        Field("history", .bool, "Whether those who join see earlier messages.") { $0.json["history"]?.bool ?? false }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// A report of invitation links.
struct ChatLinkReport: Report {
    static let schema = "helix.chat.links/1"
    static let isList = true
    let items: [ChatLinkItem]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { return canvas.line(StyledText("No invitation links.", .dim)) }
        for item in items {
            // On a line of its own, whole: it is to be copied.
            if let link = item.link { canvas.line(StyledText(link, .bold)) }
            var line = StyledText(String(item.id.prefix(6)) + "  ", .dim)
            let uses = Int(item.json["uses_left"]?.integer ?? 0)
            line.append("for \(uses == 1 ? "1 person" : "\(uses) people")")
            if let end = item.expiresAt { line.append(", until \(viewer.moment(end))") }
            if let maker = item.json["made_by"]?.text { line.append(", by \(maker)", .dim) }
            if item.json["history"]?.bool == true { line.append(", with earlier messages", .dim) }
            canvas.line(line.fitted(canvas.width))
        }
    }
}
