import HelixModel
import HelixStore
import HelixTerminal

/// Chat on the screen: the conversations, and the messages of one.
struct ChatPlace: UIPlace {
    let name = UIPlaceName.chat
    private var conversations: [ConversationItem] = []
    /// The conversation that is shown.
    private(set) var shown: EntityID?
    private var title = ""
    private var lastMessage: EntityID?
    /// The conversations of which one is shown after the next read, such as one that was started.
    private var wanted: [EntityID] = []
    /// The links of the messages that are shown, the last ones first.
    private var links: [(message: EntityID, number: Int, address: String, sender: String)] = []
    private var images = ChatImages()
    private var text = UIText()
    private var list = UIList()
    private var width = 80
    private var height = 20
    private var generation = -1
    private var loaded: (EntityID?, Int)?
    /// The number of messages to read.
    private var limit = 100
    private var hasMore = false
    /// Whether the last message is kept in sight.
    private var follows = true
    /// The people who are writing, each with the time until which that is shown.
    private var typing: [String: ContinuousClock.Instant] = [:]

    let bindings = ChatBindings.all

    var wantsMore: Bool { images.isWaiting }

    var status: String {
        if conversations.isEmpty { return "Chat" }
        var words = title
        let writers = typing.filter { $0.value > .now }.keys.sorted()
        if !writers.isEmpty {
            words += "  \(writers.joined(separator: ", ")) \(writers.count == 1 ? "is" : "are") writing…"
        }
        if !follows { words += "  \(text.position)" }
        return words
    }

    var target: UITarget {
        var target = UITarget()
        target.id = shown?.text
        target.ids = shown.map { [$0.text] } ?? []
        target.values["message"] = lastMessage?.text
        return target
    }

    private var listWidth: Int { width >= 70 ? min(32, width / 3) : 0 }
    private var textWidth: Int { width - (listWidth > 0 ? listWidth + 1 : 0) }

    mutating func resize(width: Int, height: Int) {
        if width != self.width { (generation, images) = (-1, ChatImages()) }
        (self.width, self.height) = (width, height)
        text.height = height
        list.height = height
        list.settle()
        if follows { text.show(text.lines.count) }
    }

    mutating func load(_ data: UIData) throws {
        let context = try data.context()
        if images.terminal != data.images {
            // The terminal has said meanwhile what it shows.
            (images.terminal, generation) = (data.images, -1)
        }
        if data.isIdle, images.isWaiting {
            images.decodeNext(columns: textWidth - 4, lines: height - 4, try context.store())
            generation = -1
        }
        if generation == data.generation, let loaded, loaded == (shown, limit) { return }
        let store = try context.store()
        let accounts = try store.accounts()
        conversations = try store.conversations().filter { !$0.conversation.isArchived }.map { summary in
            ConversationItem(
                summary: summary, account: accounts.first { $0.id == summary.conversation.account }?.name)
        }
        list.count = conversations.count
        if let new = wanted.first(where: { id in conversations.contains { $0.conversation.id == id } }) { show(new) }
        wanted = []
        if shown == nil || !conversations.contains(where: { $0.conversation.id == shown }) {
            shown = conversations.first?.conversation.id
        }
        if let place = conversations.firstIndex(where: { $0.conversation.id == shown }) { list.go(to: place) }
        try read(context, store)
        (generation, loaded) = (data.generation, (shown, limit))
    }

    /// Reads the messages of the conversation, which counts as read, as by `helix chat show`.
    private mutating func read(_ context: CommandContext, _ store: Store) throws {
        guard let shown, let item = conversations.first(where: { $0.conversation.id == shown }) else {
            text.lines = []
            return
        }
        title = ChatShow.title(item.summary)
        let messages = try store.chatMessages(in: shown, limit: limit)
        hasMore = messages.count == limit
        if let last = messages.last, last.id != lastMessage { typing[last.sender] = nil }
        lastMessage = messages.last?.id
        var viewer = context.viewer
        viewer.shortIDs = try store.shortIDs(messages.map(\.id))
        var canvas = Canvas(width: max(20, textWidth - 1))
        var lines = ChatLines(showsIDs: false)
        lines.breaksAddresses = true
        lines.fit(messages)
        images.begin(messages)
        for message in try context.chatItems(messages) {
            lines.draw(message, on: &canvas, for: viewer)
            images.draw(message.message, on: &canvas)
        }
        links = messages.reversed().flatMap { message in
            message.links.enumerated().map { (message.id, $0 + 1, $1, message.isMine ? "you" : message.sender) }
        }
        if messages.isEmpty { canvas.line(StyledText("No messages yet. i writes one.", .dim)) }
        let former = text.lines.count
        text.lines = canvas.lines
        if follows { text.show(text.lines.count) } else if loaded?.1 != limit { text.show(text.lines.count - former) }
        if item.summary.unread > 0 {
            try store.markChatRead(shown)
            if let place = conversations.firstIndex(where: { $0.conversation.id == shown }),
                let now = try store.conversations(only: shown).first
            {
                conversations[place] = ConversationItem(summary: now, account: item.account)
            }
        }
    }

    mutating func open(_ item: UIItem) -> Bool {
        guard case .conversation(let id) = item else { return false }
        show(id)
        return true
    }

    mutating func choose(among ids: [EntityID]) { wanted = ids }

    private mutating func show(_ id: EntityID) {
        (shown, limit, follows, typing) = (id, 100, true, [:])
        text = UIText()
        text.height = height
    }

    /// Takes who is writing; a new message ends that.
    mutating func take(typing events: [(conversation: EntityID, name: String)]) {
        for event in events where event.conversation == shown { typing[event.name] = .now + .seconds(6) }
    }

    mutating func press(_ motion: UIMotion) -> UIAnswer {
        switch motion {
        case .next, .previous:
            list.go(to: list.cursor + (motion == .next ? 1 : -1))
            guard conversations.indices.contains(list.cursor) else { return .none }
            show(conversations[list.cursor].conversation.id)
            return .load
        case .type:
            guard shown != nil else { return .refused("There is no conversation; c starts one.") }
            return .ask(.message, question: "\(title):", initial: "")
        case .links:
            if links.isEmpty { return .refused("The messages that are loaded have no links.") }
            return .choose(
                UIChooser(
                    "Links",
                    links.map { message, number, address, sender in
                        UIChooser.Choice(
                            name: address, detail: sender,
                            effect: .call(
                                UICall(
                                    words: ["chat", "message", message.text, "--link", "\(number)"],
                                    needsTerminal: true)))
                    }))
        case .back: return .leave
        default:
            guard text.move(motion) else { return .none }
            follows = text.isAtEnd
            if text.shown.startIndex == 0, hasMore, [.up, .pageUp, .first].contains(motion) {
                limit *= 2
                return .load
            }
            return .none
        }
    }

    mutating func take(text: String?, for purpose: UIPurpose, isFinal: Bool) -> UIAnswer {
        guard purpose == .message, isFinal, let text, !text.trimmingBlanks().isEmpty, let shown else { return .none }
        follows = true
        return .call(UICall(words: ["chat", "send", shown.text, "--", text], isRepeated: true))
    }

    mutating func take(_ mouse: MouseEvent) -> UIAnswer {
        switch mouse.kind {
        case .wheelDown: return press(.down)
        case .wheelUp: return press(.up)
        case .press:
            guard mouse.x < listWidth, list.shown.contains(list.top + mouse.y) else { return .none }
            show(conversations[list.top + mouse.y].conversation.id)
            return .load
        case .drag, .release: return .none
        }
    }

    func draw(on frame: inout ScreenFrame, in area: ScreenArea, for viewer: Viewer) {
        if conversations.isEmpty {
            frame.grid.put("No conversations. c starts one.", x: area.x + 2, y: area.y + 1, style: .dim)
            return
        }
        var part = area
        if listWidth > 0 {
            let (left, right) = area.split(left: listWidth)
            drawList(on: &frame, in: left)
            for y in area.y..<(area.y + area.height) { frame.grid.put("│", x: right.x, y: y, style: .dim) }
            part = ScreenArea(x: right.x + 2, y: area.y, width: right.width - 2, height: area.height)
        }
        let lines = Array(text.shown)
        // The last message is at the bottom.
        let offset = max(0, part.height - lines.count)
        let shown = ScreenArea(x: part.x, y: part.y + offset, width: part.width, height: part.height - offset)
        frame.grid.put(lines, in: shown)
        frame.images += images.placed(in: shown, from: text.top)
    }

    private func drawList(on frame: inout ScreenFrame, in area: ScreenArea) {
        for (offset, place) in list.shown.prefix(area.height).enumerated() {
            let item = conversations[place]
            let y = area.y + offset
            let isShown = item.conversation.id == shown
            if isShown { frame.grid.put("▸", x: area.x, y: y, style: .bold) }
            let counts = item.counts
            var line = item.sign
            line.append(" ")
            line.append(item.conversation.name, item.summary.unread > 0 ? .bold : .plain)
            frame.grid.put(line, x: area.x + 2, y: y, limit: area.width - 3 - counts.width)
            frame.grid.put(counts, x: area.x + area.width - counts.width, y: y)
            if isShown { frame.grid.lay(.selection, x: area.x, y: y, width: area.width) }
        }
    }
}
