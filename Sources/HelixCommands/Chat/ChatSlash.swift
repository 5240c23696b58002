import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixStore
import HelixTerminal

/// The commands at the prompt of a conversation. Most are those of `helix chat`, applied to the open conversation.
struct ChatSlash {
    let prompt: ChatPrompt

    init(_ prompt: ChatPrompt) { self.prompt = prompt }

    /// The commands that apply to the open conversation.
    private static let own: [String: any HelixCommand.Type] = [
        "history": ChatShow.self, "read": ChatRead.self, "rename": ChatRename.self, "archive": ChatArchive.self,
        "mute": ChatMute.self, "delete": ChatDelete.self, "members": ChatMembers.self, "invite": ChatInvite.self,
        "leave": ChatLeave.self, "share": ChatShare.self, "export": ChatExport.self, "suggest": ChatSuggest.self,
        "summarize": ChatSummarize.self,
    ]
    /// The commands that apply to any conversation.
    private static let free: [String: any HelixCommand.Type] = [
        "list": ChatList.self, "search": ChatSearch.self, "who": ChatPeople.self, "message": ChatMessageCommand.self,
        "outbox": OutboxList.self,
        "undo": Undo.self, "redo": Redo.self, "ask": Ask.self,
    ]
    /// The names of all commands.
    static let names =
        (Array(own.keys) + Array(free.keys) + [
            "open", "new", "reply", "attach", "edit", "task", "event", "help", "quit", "improve",
        ])
        .sorted()

    private static let help: [(String, String)] = [
        ("/open NAME", "open a conversation"), ("/new …", "start one: /new --with ana, /new --assistant"),
        ("/list", "list conversations"), ("/history [--limit N]", "show messages"),
        ("/reply ID TEXT", "reply to a message"), ("/edit ID TEXT", "edit your message"),
        ("/attach FILE [TEXT]", "send a file"), ("/share ID…", "share an event, a task, a mail"),
        ("/task ID [WORDS]", "create a task from a message"), ("/event ID [WORDS]", "create an event"),
        ("/message ID --delete", "or --save, --retry"), ("/search WORDS", "search messages"),
        ("/suggest, /summarize", "an assistant suggests answers, or sums up"),
        ("/improve WAY TEXT", "an assistant rewrites your text; you send it or not"),
        ("/ask QUESTION", "ask about your mail, calendar, tasks and chat"),
        ("/who", "list the gateway's users"), ("/members /invite /leave", "manage members"),
        ("/rename /mute /archive /delete", "manage the conversation"),
        ("/outbox", "list queued messages"), ("Page Up, Ctrl-R", "earlier messages; search what you sent"),
        ("/undo /redo", "the last change"), ("/quit", "quit; so does Ctrl-D"),
        ("//text", "send text that begins with a slash"),
    ]

    /// Runs a command line.
    /// - Returns: whether the prompt continues.
    /// - Throws: ``HelixError``.
    func run(_ line: String) throws -> Bool {
        let words = try ChatSlash.words(line)
        let name = String(words[0].dropFirst())
        var rest = Array(words.dropFirst())
        let context = prompt.context
        switch name {
        case "quit", "exit", "q": return false
        case "help", "?":
            prompt.show(ChatSlash.help)
            return true
        case "open":
            try prompt.open(try context.conversation(rest.joined(separator: " ")))
            return true
        case "new":
            let before = Set(try prompt.store.conversations().map(\.conversation.id))
            try ChatSlash.run(ChatNew.self, rest, context)
            if let made = try prompt.store.conversations().first(where: { !before.contains($0.conversation.id) }) {
                try prompt.open(made.conversation)
            }
            return true
        case "reply": rest = [try current().id.text, "--reply"] + rest
        case "attach":
            guard let file = rest.first else {
                throw HelixError(.usage, "no file given", hint: "Use /attach FILE [TEXT].")
            }
            rest =
                [try current().id.text] + rest.dropFirst() + ["--attach", UserPath.expanded(file, context.environment)]
        case "edit":
            guard rest.count > 1 else { throw HelixError(.usage, "no text given", hint: "Use /edit ID TEXT.") }
            rest = [rest[0], "--edit", rest.dropFirst().joined(separator: " ")]
        case "improve":
            try improve(rest)
            try prompt.refresh()
            return true
        case "task", "event":
            guard let id = rest.first else {
                throw HelixError(.usage, "no message given", hint: "Use /\(name) ID [WORDS].")
            }
            rest = [id, "--to-\(name)"] + rest.dropFirst()
        default: break
        }
        let known: [String: any HelixCommand.Type] = [
            "reply": ChatSend.self, "attach": ChatSend.self, "edit": ChatMessageCommand.self,
            "task": ChatMessageCommand.self, "event": ChatMessageCommand.self,
        ]
        if let type = ChatSlash.own[name] {
            try ChatSlash.run(type, [try current().id.text] + rest, context)
        } else if let type = known[name] ?? ChatSlash.free[name] {
            try ChatSlash.run(type, rest, context)
        } else {
            throw HelixError(.usage, "unknown command '/\(name)'", hint: "List all with /help, or send //\(name).")
        }
        try prompt.refresh()
        return true
    }

    /// Shows an improved text, and sends it if the person wants that.
    private func improve(_ words: [String]) throws {
        guard let way = words.first.flatMap(Improvement.init(rawValue:)), words.count > 1 else {
            throw HelixError(.usage, "no text given", hint: "Use /improve WAY TEXT; WAY is \(Improvement.words).")
        }
        let context = prompt.context
        let text = words.dropFirst().joined(separator: " ")
        let improved = try way.improved(text, try Assistant(context, isDryRun: false))
        context.showDifference(text, improved)
        guard prompt.current != nil, ["", "y"].contains(context.console.ask("Send the new text? [Y/n]")) else { return }
        try ChatSend.parse([try current().id.text, "--", improved]).run(in: context)
    }

    private func current() throws -> Conversation {
        guard let current = prompt.current else {
            throw HelixError(.usage, "no conversation is open", hint: "Use /open NAME or /new.")
        }
        return current
    }

    private static func run(_ type: any HelixCommand.Type, _ words: [String], _ context: CommandContext) throws {
        let command: any ParsableCommand
        do { command = try type.parseAsRoot(words) } catch {
            throw HelixError(.usage, String(type.message(for: error).prefix { !$0.isNewline }))
        }
        guard let command = command as? any HelixCommand else { return prompt(type, context) }
        try command.run(in: context)
    }

    /// Prints the help of a command.
    private static func prompt(_ type: any HelixCommand.Type, _ context: CommandContext) {
        _ = context.console.write(type.helpMessage() + "\n")
    }

    /// Splits a line into words; quotes group several.
    static func words(_ line: String) throws -> [String] {
        var words: [String] = []
        var (word, quote, isBegun): (String, Character?, Bool) = ("", nil, false)
        for sign in line {
            if let open = quote {
                if sign == open { quote = nil } else { word.append(sign) }
            } else if (sign == "\"" || sign == "'") && (word.isEmpty && !isBegun) {
                (quote, isBegun) = (sign, true)
            } else if sign.isWhitespace {
                if isBegun { words.append(word) }
                (word, isBegun) = ("", false)
            } else {
                word.append(sign)
                isBegun = true
            }
        }
        if quote != nil { throw HelixError(.usage, "unterminated quote") }
        if isBegun { words.append(word) }
        return words
    }
}
