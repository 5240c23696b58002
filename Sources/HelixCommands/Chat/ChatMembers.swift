import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

extension ChatMember.Role: ExpressibleByArgument {}

/// `helix chat members`
struct ChatMembers: ChangingCommand, ListingCommand {
    static let about = CommandConfiguration(
        commandName: "members", abstract: "Show or change the members of a conversation, with read receipts.",
        discussion: """
            Owners and admins of a group can set roles and remove members.

              helix chat members House
              helix chat members House --role bob=admin
              helix chat members House --remove carl
            """)
    static let reports: [PrintedReport] = [.json(ChatMemberReport.self)]

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Option(name: .long, help: ArgumentHelp("Set a member's role: owner, admin or member.", valueName: "name=role"))
    var role: [String] = []

    @Option(name: .long, help: ArgumentHelp("Remove a member.", valueName: "name"))
    var remove: [String] = []

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var list: ListOptions
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
                        .usage, "'\(text)' is not a name and a role", hint: "Use NAME=ROLE: owner, admin or member.")
                }
                return (try member(halves[0]), role)
            }
            let gone = try remove.map(member)
            if gone.contains(where: \.isMe) {
                throw HelixError(.usage, "cannot remove yourself", hint: "Leave it: helix chat leave '\(found.name)'")
            }
            try context.checkWritable(found)
            try store.change("change the members of '\(found.name)'", command: "chat members") { change in
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
        commandName: "invite", abstract: "Add people to a group, or create an invitation link.",
        discussion: """
            New members see messages from then on; with --history, earlier ones too. This cannot be undone. Whoever has the \
            link that --link creates may join until it expires; 'helix chat links' lists and revokes links.

              helix chat invite House carl
              helix chat invite House dora --role admin --history
              helix chat invite House --link --expires 2d --uses 5
            """)
    static let reports: [PrintedReport] = [.json(ChatMemberReport.self), .json(ChatLinkReport.self)]

    @Argument(help: "The group.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Argument(help: "User names at the gateway.")
    var names: [String] = []

    @Option(name: .long, help: ArgumentHelp("Role: owner, admin or member.", valueName: "role"))
    var role: ChatMember.Role = .member

    @Flag(name: .long, help: "Show earlier messages to new members.")
    var history = false

    @Flag(name: .long, help: "Create an invitation link.")
    var link = false

    @Option(
        name: .long,
        help: ArgumentHelp("With --link: how long it is valid (default: 7d; at most 30d).", valueName: "time"))
    var expires: String?

    @Option(
        name: .long, help: ArgumentHelp("With --link: how many people may join with it (default: 1).", valueName: "n"))
    var uses: Int?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if link, !names.isEmpty { throw ValidationError("--link excludes names: whoever has the link may join.") }
        if link, role != .member { throw ValidationError("--link invites members; change their role afterwards.") }
        if !link, expires != nil || uses != nil { throw ValidationError("--expires and --uses require --link.") }
        if !link, names.isEmpty { throw ValidationError("Give the names of users, or --link.") }
        if let uses, !(1...500).contains(uses) { throw ValidationError("--uses takes 1 to 500.") }
    }

    func run(in context: CommandContext) throws {
        if link {
            return try context.presentLink(to: conversation, history: history, uses: uses ?? 1, expires: expires)
        }
        let found = try context.conversation(conversation)
        try context.checkWritable(found)
        if let account = try context.store().accounts().first(where: { $0.id == found.account }) {
            try context.checkPeople(names, at: account)
        }
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
    static let reports: [PrintedReport] = [.json(ConversationReport.self)]

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
                .usage, "'\(found.name)' is not a group; only groups can be left",
                hint: "Use 'helix chat archive' or 'helix chat delete'.")
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

/// A member of a conversation in a report.
struct ChatMemberItem: DescribedItem {
    let member: ChatMember
    /// The number of the last message.
    let last: Int64

    static let described = list {
        Field("kind", .choice(["chat_member"]), "The kind of the item.") { _ in "chat_member" }
        Field("user", .string, "The user's identity at the gateway; for a pending invitation, the name.") {
            $0.member.user
        }
        Field("name", .string, "The name.") { $0.member.name }.foreign
        Field("display_name", .string, required: false, "The displayed name.") {
            $0.member.displayName.isEmpty ? nil : $0.member.displayName
        }.foreign
        Field("role", .choice(ChatMember.Role.allCases.map(\.rawValue)), "The role.") { $0.member.role.rawValue }
        Field("me", .bool, "Whether it is you.") { $0.member.isMe }
        Field("delivered_up_to", .integer, "The number of the last message delivered to them.") {
            Int($0.member.deliveredUpTo)
        }
        Field("read_up_to", .integer, "The number of the last message that they have read.") { Int($0.member.readUpTo) }
        Field("pending", .string, required: false, "The change queued for the gateway: invite, remove, role.") {
            $0.member.pending?.rawValue
        }
        Field("problem", .string, required: false, "The reason for which the gateway rejected it.") {
            $0.member.problem
        }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

    /// The member's delivery and read state.
    var reading: StyledText {
        if member.pending != nil, member.problem != nil { return StyledText("refused", TextStyle(.red)) }
        switch member.pending {
        case .invite?: return StyledText("invitation queued", TextStyle(.yellow))
        case .remove?: return StyledText("removal queued", TextStyle(.yellow))
        case .role?: return StyledText("role change queued", TextStyle(.yellow))
        case nil: break
        }
        if member.isMe { return StyledText() }
        if last == 0 { return StyledText("nothing delivered yet", .dim) }
        if member.readUpTo >= last { return StyledText("has read everything", .dim) }
        let words = member.deliveredUpTo >= last ? "all delivered" : "\(member.deliveredUpTo) of \(last) delivered"
        return StyledText("\(words), read \(member.readUpTo)", .dim)
    }
}

/// A report of a conversation's members.
struct ChatMemberReport: CuttableReport {
    static let schema = "helix.chat.members/1"
    var items: [ChatMemberItem]
    var isTruncated = false
    var nothing = ""

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { return canvas.paragraph(nothing, style: .dim) }
        var table = Table([.init(minimum: 8), .init(), .init(), .init(minimum: 10)])
        for item in items {
            let name = StyledText(item.member.name, item.member.isMe ? .bold : .plain)
            table.row([
                name + StyledText(item.member.isMe ? " (you)" : "", .dim), StyledText(item.member.displayName),
                StyledText(item.member.role.rawValue, .dim),
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
    /// Prints the members of a conversation.
    /// - Throws: ``HelixError``.
    func presentMembers(of conversation: Conversation) throws {
        let store = try store()
        if conversation.role == nil {
            throw HelixError(
                .notFound, "you are no longer in '\(conversation.name)'; its members are unknown",
                hint: "Ask a member to add you again, or start another one with 'helix chat new'.")
        }
        // A queued message has no number yet, and nobody can have read it.
        let last = try store.lastChatNumber(in: conversation.id)
        try present(
            ChatMemberReport(
                items: try store.chatMembers(of: conversation.id).map { ChatMemberItem(member: $0, last: last) },
                nothing: conversation.account == nil
                    ? "'\(conversation.name)' is on this machine only; you are the only member."
                    : "The members of '\(conversation.name)' are not fetched yet: helix sync."))
    }
}
