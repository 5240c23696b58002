import ArgumentParser
import HelixGateway
import HelixGatewayStore
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix chat people`
struct ChatPeople: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "people", abstract: "List the users of a gateway, whom you can chat with.",
        discussion: """
            The gateway decides whom it shows: all users, the members of common conversations, or nobody.

              helix chat people
            """)
    static let reports: [PrintedReport] = [.json(ChatPeopleReport.self)]

    @OptionGroup var which: GatewayOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(which.account)
        let client = try context.gateway(account)
        defer { client.close() }
        guard let (people, directory) = try client.people() else {
            throw HelixError(.notFound, "the gateway of '\(account.name)' has no list of users")
        }
        let own = try context.chatName(account: account).lowercased()
        let items = people.map { ChatPersonItem(person: $0, isMe: $0.name.lowercased() == own) }
        try context.present(ChatPeopleReport(items: items, directory: directory))
    }
}

extension GatewayClient {
    /// A user of a gateway.
    struct Person {
        /// The identity.
        var id: String
        var name: String
        var isOnline: Bool
        /// The displayed name, if it is another one.
        var displayName: String?
        /// A short text about the present.
        var status: String?
        /// The e-mail address; shown to administrators only.
        var email: String?
        /// The SHA-256 of the picture.
        var avatar: String?
        /// Whether the user has blocked them.
        var isBlocked: Bool
    }

    /// The users whom the gateway shows, and whether these are all; nil if it has no list of them.
    /// - Throws: ``HelixError``.
    func people() throws -> (people: [Person], directory: DirectoryScope)? {
        guard hello.isHelix else { return nil }
        let answer = try call("users.list", milliseconds: 5000)
        let people = (answer["users"]?.elements ?? []).compactMap { user -> Person? in
            guard let name = user["name"]?.text, user["is_disabled"]?.bool != true else { return nil }
            return Person(
                id: user["id"]?.text ?? "", name: name, isOnline: user["online"]?.bool == true,
                displayName: user["display_name"]?.text, status: user["status"]?.text, email: user["email"]?.text,
                avatar: user["avatar"]?.text, isBlocked: user["blocked"]?.bool == true)
        }
        return (people, answer["directory"]?.text.flatMap(DirectoryScope.init) ?? .all)
    }
}

extension CommandContext {
    /// Checks that a gateway has these users, if it can be reached within seconds. If it cannot, the change is queued, and the
    /// gateway decides later.
    /// - Throws: ``HelixError`` of code `notFound`.
    func checkPeople(_ names: [String], at account: Account) throws {
        guard !names.isEmpty,
            let client = try? gatewayAccess(account).connect(patience: 3)
        else { return }
        defer { client.close() }
        // A directory that shows only some users cannot tell which names exist.
        guard let (people, directory) = (try? client.people()) ?? nil, directory == .all else { return }
        let known = people.map(\.name)
        for name in names where !known.contains(where: { $0.lowercased() == name.lowercased() }) {
            let near = EditDistance.suggestion(for: name, among: known).map { "Did you mean '\($0)'? " } ?? ""
            throw HelixError(
                .notFound, "unknown user '\(name)' at '\(account.name)'",
                hint: "\(near)List the users: helix chat people")
        }
    }
}

/// A user of a gateway in a report.
struct ChatPersonItem: DescribedItem {
    let person: GatewayClient.Person
    let isMe: Bool

    static let described = list {
        Field("kind", .choice(["user"]), "The kind of the item.") { _ in "user" }
        Field("id", .id, "The identity at the gateway.") { $0.person.id }
        Field("name", .string, "The user name.") { $0.person.name }
        Field("display_name", .string, required: false, "The displayed name.") { $0.person.displayName }.foreign
        Field("status", .string, required: false, "A short text about the present.") { $0.person.status }.foreign
        Field("email", .string, required: false, "The e-mail address; for administrators.") { $0.person.email }
        Field("avatar", .string, required: false, "The SHA-256 of the picture.") { $0.person.avatar }
        Field("blocked", .bool, required: false, "Whether you have blocked them.") {
            $0.person.isBlocked ? true : nil
        }
        Field("me", .bool, "Whether it is you.") { $0.isMe }
        Field("online", .bool, "Whether a device of the user is connected.") { $0.person.isOnline }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// A report of a gateway's users.
struct ChatPeopleReport: OrderedReport {
    static let schema = "helix.chat.people/1"
    var items: [ChatPersonItem]
    var directory = DirectoryScope.all
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(minimum: 8), .init(minimum: 6), .init(), .init(minimum: 6)])
        for item in items {
            let person = item.person
            let presence =
                person.isBlocked
                ? StyledText("blocked", TextStyle(.red))
                : item.isMe
                    ? StyledText("you", .dim) : person.isOnline ? StyledText("online", TextStyle(.green)) : StyledText()
            table.row([
                StyledText(person.name, .bold), StyledText(person.displayName ?? ""), presence,
                StyledText(person.status ?? "", .dim),
            ])
        }
        table.draw(on: &canvas)
        switch directory {
        case .all: break
        case .members: canvas.paragraph("This gateway shows the members of your conversations only.", style: .dim)
        case .off: canvas.paragraph("This gateway shows no other users.", style: .dim)
        }
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }
}
