import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

extension ChatMember.Role: ExpressibleByArgument {}

/// `helix chat members`
struct ChatMembers: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "members", abstract: "Show or change the members of a conversation, with read receipts.",
        discussion: """
            Owners and admins of a group can set roles and remove members.

              helix chat members House
              helix chat members House --role bob=admin
              helix chat members House --remove carl
            """)

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Option(name: .long, help: ArgumentHelp("Set a member's role: owner, admin or member.", valueName: "name=role"))
    var role: [String] = []

    @Option(name: .long, help: ArgumentHelp("Remove a member.", valueName: "name"))
    var remove: [String] = []

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try context.conversation(conversation)
        if !role.isEmpty || !remove.isEmpty {
            let members = try store.chatMembers(of: found.id)
            func member(_ name: String) throws -> ChatMember {
                guard let member = members.first(where: { $0.name.lowercased() == name.lowercased() }) else {
                    throw HelixError(
                        .notFound, "'\(name)' is not in '\(found.name)'", hint: "helix chat members '\(found.name)'")
                }
                return member
            }
            let roles = try role.map { text -> (ChatMember, ChatMember.Role) in
                let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
                guard halves.count == 2, let role = ChatMember.Role(rawValue: halves[1]) else {
                    throw HelixError(
                        .usage, "'\(text)' gives nobody a role", hint: "As in bob=admin; owner, admin or member.")
                }
                return (try member(halves[0]), role)
            }
            let gone = try remove.map(member)
            if gone.contains(where: \.isMe) {
                throw HelixError(.usage, "that is you", hint: "helix chat leave '\(found.name)'")
            }
            try context.checkWritable(found)
            try store.change("change who is in '\(found.name)'", command: "chat members") { change in
                for (member, role) in roles { try change.setRole(role, of: member, in: found) }
                for member in gone { try change.remove(member, from: found) }
            }
        }
        try context.presentMembers(of: found)
        if !role.isEmpty || !remove.isEmpty { context.deliverChat(found) }
    }
}

/// `helix chat invite`
struct ChatInvite: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "invite", abstract: "Add people to a group.",
        discussion: """
            New members see messages from then on; with --history, earlier ones too. This cannot be undone.

              helix chat invite House carl
              helix chat invite House dora --role admin --history
            """)

    @Argument(help: "The group.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Argument(help: "User names at the gateway.")
    var names: [String]

    @Option(name: .long, help: ArgumentHelp("Role: owner, admin or member.", valueName: "role"))
    var role: ChatMember.Role = .member

    @Flag(name: .long, help: "Show earlier messages to new members.")
    var history = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let found = try context.conversation(conversation)
        try context.checkWritable(found)
        let who = names.joined(separator: ", ")
        try context.store().change("invite \(who) to '\(found.name)'", command: "chat invite") { change in
            for name in names { try change.invite(name, to: found, as: role, seesAll: history) }
        }
        try context.presentMembers(of: found)
        context.deliverChat(found)
    }
}

/// `helix chat leave`
struct ChatLeave: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "leave", abstract: "Leave a group.",
        discussion: """
            Messages are kept until 'helix chat delete'. An owner or admin can add you again.

              helix chat leave House
            """)

    @Argument(help: "The group.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try context.conversation(conversation)
        guard found.kind == .group, found.account != nil else {
            throw HelixError(
                .usage, "'\(found.name)' is no group, and cannot be left",
                hint: "helix chat archive, or helix chat delete")
        }
        guard found.role != nil, let me = try store.chatMembers(of: found.id).first(where: \.isMe) else {
            throw HelixError(.usage, "you are not in '\(found.name)'")
        }
        try context.checkWritable(found)
        try context.confirm("Leave '\(found.name)'?", yes: yes)
        try store.change("leave '\(found.name)'", command: "chat leave") { try $0.remove(me, from: found) }
        try context.presentConversation(found.id, verb: "leaving")
        context.deliverChat(found)
    }
}

/// Somebody in a conversation, in a report.
struct ChatMemberItem: ReportItem {
    let member: ChatMember
    /// How many messages there are.
    let last: Int64

    static let fields = [
        SchemaField("kind", .choice(["chat_member"]), "What the item is."),
        SchemaField("user", .string, "The gateway's identity of the user; the name, for who was invited just now."),
        SchemaField("name", .string, "The name."),
        SchemaField("role", .choice(ChatMember.Role.allCases.map(\.rawValue)), "What they may do."),
        SchemaField("me", .bool, "Whether it is you."),
        SchemaField("delivered_up_to", .integer, "The number of the last message that has come to them."),
        SchemaField("read_up_to", .integer, "The number of the last message that they have read."),
        SchemaField("pending", .string, required: false, "What the gateway is still to be told: invite, remove, role."),
        SchemaField("problem", .string, required: false, "Why the gateway would not have it."),
        SchemaField("links", .array(.id), "Always empty."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "chat_member")
        json.set("user", member.user)
        json.set("name", member.name)
        json.set("role", member.role.rawValue)
        json.set("me", member.isMe)
        json.set("delivered_up_to", Int(member.deliveredUpTo))
        json.set("read_up_to", Int(member.readUpTo))
        json.set("pending", member.wish?.rawValue)
        json.set("problem", member.problem)
        json.set("links", [String]())
        return json
    }

    /// Up to where they have read, in words.
    var reading: StyledText {
        switch member.wish {
        case .invite?: return StyledText("not asked in yet", TextStyle(.yellow))
        case .remove?: return StyledText("not gone yet", TextStyle(.yellow))
        case .role?: return StyledText("role not given yet", TextStyle(.yellow))
        case nil: break
        }
        if member.isMe { return StyledText() }
        if last == 0 || member.readUpTo >= last { return StyledText("has read everything", .dim) }
        let words = member.deliveredUpTo >= last ? "has got everything" : "has got \(member.deliveredUpTo) of \(last)"
        return StyledText("\(words), read \(member.readUpTo)", .dim)
    }
}

/// Who is in a conversation.
struct ChatMemberReport: CuttableReport {
    static let schema = "helix.chat.members/1"
    var items: [ChatMemberItem]
    var isTruncated = false
    var nothing = ""

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { return canvas.paragraph(nothing, style: .dim) }
        var table = Table([.init(minimum: 8), .init(), .init(minimum: 10)])
        for item in items {
            let name = StyledText(item.member.name, item.member.isMe ? .bold : .plain)
            table.row([
                name + StyledText(item.member.isMe ? " (you)" : "", .dim), StyledText(item.member.role.rawValue, .dim),
                item.reading,
            ])
        }
        table.draw(on: &canvas)
        for item in items {
            guard let problem = item.member.problem else { continue }
            canvas.paragraph("\(item.member.name): \(problem)", indent: 2, style: TextStyle(.red))
        }
    }
}

extension CommandContext {
    /// Prints who is in a conversation.
    /// - Throws: ``HelixError``.
    func presentMembers(of conversation: Conversation) throws {
        let store = try store()
        if conversation.role == nil {
            throw HelixError(
                .notFound, "you are not in '\(conversation.name)' any more, and are not told who is",
                hint: "Somebody who is in it can let you in again; 'helix chat new' begins another one.")
        }
        let last = try store.chatMessages(in: conversation.id, limit: 1).last?.number ?? 0
        try present(
            ChatMemberReport(
                items: try store.chatMembers(of: conversation.id).map { ChatMemberItem(member: $0, last: last) },
                nothing: conversation.account == nil
                    ? "'\(conversation.name)' is on this machine alone: nobody but you is in it."
                    : "The gateway has not said yet who is in '\(conversation.name)': helix sync."))
    }
}
