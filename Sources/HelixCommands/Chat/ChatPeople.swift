import ArgumentParser
import HelixGateway
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix chat people`
struct ChatPeople: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "people", abstract: "List the users of a gateway, whom you can chat with.",
        discussion: "  helix chat people")
    static let reports: [PrintedReport] = [.json(ChatPeopleReport.self)]

    @OptionGroup var which: GatewayOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(which.account)
        let client = try context.gateway(account)
        defer { client.close() }
        guard let people = try client.people() else {
            throw HelixError(.notFound, "the gateway of '\(account.name)' has no list of users")
        }
        let own = try context.chatName(account: account).lowercased()
        let items = people.map { ChatPersonItem(person: $0, isMe: $0.name.lowercased() == own) }
        try context.present(ChatPeopleReport(items: items))
    }
}

extension GatewayClient {
    /// A user of a gateway.
    struct Person {
        /// The identity.
        var id: String
        var name: String
        var isOnline: Bool
    }

    /// The users of the gateway; nil if it has no list of them.
    /// - Throws: ``HelixError``.
    func people() throws -> [Person]? {
        guard hello.isHelix else { return nil }
        return try call("users.list", milliseconds: 5000)["users"]?.elements?.compactMap { user in
            guard let name = user["name"]?.text, user["is_disabled"]?.bool != true else { return nil }
            return Person(id: user["id"]?.text ?? "", name: name, isOnline: user["online"]?.bool == true)
        }
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
        guard let people = (try? client.people()) ?? nil else { return }
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
        Field("name", .string, "The name.") { $0.person.name }
        Field("me", .bool, "Whether it is you.") { $0.isMe }
        Field("online", .bool, "Whether a device of the user is connected.") { $0.person.isOnline }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// A report of a gateway's users.
struct ChatPeopleReport: OrderedReport {
    static let schema = "helix.chat.people/1"
    var items: [ChatPersonItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(minimum: 8), .init()])
        for item in items {
            table.row([
                StyledText(item.person.name, .bold),
                item.isMe
                    ? StyledText("you", .dim) : item.person.isOnline ? StyledText("online", TextStyle(.green)) : "",
            ])
        }
        table.draw(on: &canvas)
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }
}
