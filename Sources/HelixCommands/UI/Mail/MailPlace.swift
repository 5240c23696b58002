import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// Mail on the screen: a list, and the message that is read.
struct MailPlace: UIPlace {
    /// The messages that are listed, before a search.
    enum Source: Hashable, Sendable {
        case inbox
        case mailbox(account: String, name: String)
        /// A query as typed; `@name` is a saved one.
        case query(String)
    }

    /// The place of the preview.
    enum Preview: Sendable {
        case none, below, beside
    }

    let name = UIPlaceName.mail
    var source = Source.inbox
    /// The typed query.
    var typed = ""
    /// Whether the query is being typed.
    var isTyping = false
    /// Whether the query was accepted just now, and ends in the middle of a word perhaps.
    var isAccepted = false
    /// Whether a letter was typed that is not searched yet.
    var isSearchPending = false
    var rows = MailRows()
    var list = UIList()
    /// The messages of the rows on the screen, by row number of the store.
    var items: [Int64: MailItem] = [:]
    var marked: Set<EntityID> = []
    var reader: MailReader?
    var isReading = false
    /// Whether quoted text is shown whole.
    var showsQuotes = false
    /// The line of the message that is shown first after the next read.
    var readerTop = 0
    /// The message that was chosen before a search, to which its end goes back.
    var beforeSearch: EntityID?
    /// The message that counts as read when no key follows.
    var unmarked: EntityID?
    var isTriage = false
    /// The draft that is looked at before it leaves.
    var draft: EntityID?
    /// Whether a draft leaves as soon as it is accepted.
    var sendsNow = true
    /// The time since which a command may have written a draft, which is looked at next.
    private var writtenSince: Instant?
    /// The number of messages when the list was last read as a whole.
    private var lastTotal: Int?
    /// Whether the mailboxes are read, to choose from.
    var wantsBoxes = false
    var answer = UIAnswer.none
    /// The message that was last found to be gone while it was read.
    var lastGone: EntityID?
    var preview = Preview.none
    private(set) var width = 80
    private(set) var height = 20
    /// The messages that commands took away, the last one last: undo goes back to them.
    private var taken: [EntityID] = []
    private var isUndone = false
    /// The marks that the last act has taken, for its undo.
    private var unmarkedByAct: Set<EntityID> = []
    private var generation = -1
    /// The number of messages at the top that came back or wait for an answer.
    private var returned = 0
    private var loaded: (source: Source, typed: String, isTyping: Bool)?
    private var problem: String?
    private(set) var hasAccounts = true
    /// The item to show after the next read.
    private var wanted: EntityID?
    /// A query whose messages are marked by the next read.
    var pattern: String?

    var bindings: [UIBinding] {
        if draft != nil { return MailBindings.review }
        guard isReading else { return MailBindings.list }
        return isTriage ? MailBindings.triage + MailBindings.reader : MailBindings.reader
    }

    var status: String {
        var text = title
        if draft != nil { return "Draft: y sends it, q keeps it" }
        if isReading, let reader {
            text = isTriage ? "Triage" : title
            text += "  \(list.cursor + 1) of \(total)  \(reader.text.position)"
            return text
        }
        if let problem { return "\(text)  \(problem)" }
        text += rows.rows.isEmpty ? "  empty" : "  \(list.cursor + 1) of \(total)"
        if !marked.isEmpty { text += "  \(marked.count) marked" }
        return text
    }

    private var total: String {
        // While the rest is read again, the number of before stands for it.
        if !rows.isWhole, let lastTotal, loaded?.source == source, loaded?.typed == typed { return "\(lastTotal)" }
        return "\(rows.rows.count)" + (rows.isWhole ? "" : "+")
    }

    private(set) var hasSeveralAccounts = false
    private var showsImages = false

    // MARK: Size

    mutating func resize(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        list.height = listArea.height
        list.settle()
        let lines = readerArea.height
        reader?.text.height = lines
    }

    // MARK: Reading

    /// Whether the message that is read has images that were not read yet.
    private var wantsImages: Bool { showsImages && isReading && reader?.images?.isWaiting ?? false }

    var wantsMore: Bool {
        isSearchPending || wantsImages || unmarked != nil || !rows.isWhole && !isTyping && problem == nil && hasAccounts
            || !isReading && preview != .none && rows.place(list.cursor).map { $0.id != reader?.id } ?? false
    }

    mutating func load(_ data: UIData) throws {
        let context = try data.context()
        isSearchPending = false
        if data.isIdle { try markRead(context) }
        if wantsBoxes {
            wantsBoxes = false
            answer = .choose(UIChooser("Mailbox", try choices(context.store())))
        }
        let isNew = loaded.map { $0 != (source, typed, isTyping) } ?? true
        if isNew || generation != data.generation {
            // A letter that comes while the one before is searched ends that search.
            isSearchPending = try !list(context, isNew: isNew, isInterrupted: isTyping ? data.isInterrupted : { false })
            if !isSearchPending { (generation, loaded) = (data.generation, (source, typed, isTyping)) }
        } else if !rows.isWhole {
            try extend(data, context)
        }
        if let asked = pattern {
            pattern = nil
            try mark(asked, context)
        }
        try fill(context)
        if try !review(context) { try read(context) }
        showsImages = data.images != nil
        if let terminal = data.images, data.isIdle, wantsImages {
            try reader?.loadImages(for: terminal, context)
        }
    }

    /// Marks the messages of the list that match a query.
    private mutating func mark(_ asked: String, _ context: CommandContext) throws {
        do {
            let text = QueryNoun.mail.line(ShellWords.split(asked), dates: context.dates)
            let (matching, base) = (try context.mailQueries.parse(text), try query(context))
            let found =
                try context.store().messagePlaces(base == .everything ? matching : .all([base, matching])) ?? []
            if found.isEmpty { answer = .refused("No message matches '\(asked)'; none was marked.") }
            marked.formUnion(found.map(\.id))
        } catch let error as HelixError where error.code == .usage { answer = .refused(error.message) }
    }

    /// Reads the draft that is looked at: one that a command wrote, or the same after a change.
    private mutating func review(_ context: CommandContext) throws -> Bool {
        let store = try context.store()
        if let start = writtenSince {
            writtenSince = nil
            // A command that was given up has written none.
            let drafts = try store.drafts(limit: 20).filter { $0.date.seconds >= start.seconds }
            draft = drafts.max { ($0.date, $0.number) < ($1.date, $1.number) }?.id ?? draft
        }
        guard let id = draft else { return false }
        guard (try? store.message(id)) != nil else {
            // It was sent or discarded.
            (draft, reader) = (nil, nil)
            resize(width: width, height: height)
            return false
        }
        let area = readerArea
        sendsNow = context.configuration.text(.send) == "now"
        reader = try MailReader(draft: id, width: area.width, height: area.height, context)
        return true
    }

    /// Lists the messages: the beginning at once, the rest when nothing else is to be done.
    /// - Returns: false if it was given up.
    private mutating func list(
        _ context: CommandContext, isNew: Bool, isInterrupted: () -> Bool = { false }
    ) throws -> Bool {
        problem = nil
        let store = try context.mailStore(.unset)
        let accounts = try store.mailAccounts()
        (hasAccounts, hasSeveralAccounts) = (!accounts.isEmpty, accounts.count > 1)
        let query: MailQuery
        do { query = try self.query(context) } catch let error as HelixError {
            // A query that is not complete yet.
            problem = error.message
            // The list of before would be taken for what matches.
            if !isTyping { take([], isWhole: true) }
            return true
        }
        if isNew { list.go(to: 0) }
        // The part that is shown comes first, the rest when nothing else is to be done.
        let limit = max(60, (isNew ? 0 : list.top) + height * 2)
        let isFirst = wanted == nil && (isNew || !rows.isWhole || rows.places.count > limit * 4)
        var places: [MessagePlace]
        if isFirst {
            let found = try store.interruptible(isInterrupted) { try store.messages(query, limit: limit) }
            guard let found else { return false }
            places = found.map { message in
                items[message.number] = MailItem(message: message)
                return MessagePlace(message)
            }
        } else {
            places = try store.messagePlaces(query) ?? []
        }
        if places.isEmpty, try acceptsBeginning(context) { return try list(context, isNew: true) }
        let isWhole = !isFirst || places.count < limit
        if source == .inbox, typed.isEmpty {
            // Messages that came back, and unanswered ones, are first.
            let back = try store.returnedMessages(limit: 50) + store.unansweredMessages(limit: 50)
            let known = Set(back.map(\.id))
            returned = known.count
            if !known.isEmpty { places = back.map { MessagePlace($0) } + places.filter { !known.contains($0.id) } }
            for message in back { items[message.number] = MailItem(message: message) }
        }
        if !isFirst { items = [:] }
        take(places, isWhole: isWhole)
        return true
    }

    /// Goes on with the beginning of a word, by which messages were found while it was typed, if the whole word finds none.
    private mutating func acceptsBeginning(_ context: CommandContext) throws -> Bool {
        guard isAccepted else { return false }
        isAccepted = false
        let whole = typed
        typed += "*"
        if let query = try? query(context), try !context.store().messages(query, limit: 1).isEmpty { return true }
        typed = whole
        return false
    }

    /// Reads the rest of a long list while no key waits, or its next part once the cursor comes near the end of the first.
    private mutating func extend(_ data: UIData, _ context: CommandContext) throws {
        let isNearEnd = list.cursor + height >= rows.rows.count
        guard data.isIdle || isNearEnd else { return }
        let limit = data.isIdle ? nil : rows.places.count * 4
        let found = try context.store().messagePlaces(query(context), limit: limit, isInterrupted: data.isInterrupted)
        guard let found else { return }
        // The first ones are those that came back, and unanswered ones.
        let back = source == .inbox && typed.isEmpty ? rows.places.prefix(returned) : []
        let known = Set(back.map(\.id))
        let rest = known.isEmpty ? found : back + found.filter { !known.contains($0.id) }
        take(rest, isWhole: limit.map { found.count < $0 } ?? true)
    }

    private mutating func take(_ all: [MessagePlace], isWhole: Bool) {
        let chosen = wanted ?? rows.place(list.cursor)?.id
        rows.set(all, isWhole: isWhole)
        if isWhole { lastTotal = rows.rows.count }
        list.count = rows.rows.count
        if isWhole, !marked.isEmpty { marked.formIntersection(Set(all.map(\.id))) }
        if isUndone, let back = taken.last, let row = rows.row(of: back) {
            taken.removeLast()
            list.go(to: row)
        } else if typed.isEmpty, !isTyping, let former = beforeSearch, let row = rows.row(of: former) {
            list.go(to: row)
            beforeSearch = nil
        } else if let chosen, let row = rows.row(of: chosen) {
            list.go(to: row)
        } else {
            list.settle()
        }
        if let wanted, rows.row(of: wanted) == nil {
            (isReading, answer) = (false, .refused("The message is not there any more."))
        }
        (isUndone, wanted) = (false, nil)
    }

    /// The query of the list.
    private func query(_ context: CommandContext) throws -> MailQuery {
        var text = typed
        // While it is typed, the last word is the beginning of one.
        if isTyping, let last = text.last, last.isLetter || last.isNumber {
            let word = text.split(separator: " ").last ?? ""
            // A letter or two begin nearly every message: they are searched when another one follows.
            let isShort = word.allSatisfy(\.isASCII) && word.count < 3
            text = isShort ? String(text.dropLast(word.count)) : text + "*"
        }
        let asked = try context.mailQueries.parse(QueryNoun.mail.line(ShellWords.split(text), dates: context.dates))
        let base: MailQuery =
            switch source {
            case .inbox: .inSight(.mailbox("inbox"), now: context.now)
            case .mailbox(let account, let name): .all([.account(account), .mailbox(name)])
            case .query(let text):
                try context.mailQueries.parse(QueryNoun.mail.line(ShellWords.split(text), dates: context.dates))
            }
        if asked == .everything { return base }
        return base == .everything ? asked : .all([base, asked])
    }

    /// Reads the messages on the screen.
    private mutating func fill(_ context: CommandContext) throws {
        let missing = list.shown.compactMap { rows.place($0) }.filter { items[$0.number] == nil }
        if missing.isEmpty { return }
        for message in try context.store().messages(ids: missing.map(\.id)) {
            items[message.number] = MailItem(message: message)
        }
    }

    mutating func pending() -> UIAnswer {
        defer { answer = .none }
        return answer
    }

    mutating func open(_ item: UIItem) -> Bool {
        switch item {
        case .inbox: source = .inbox
        case .mailbox(let account, let name): source = .mailbox(account: account, name: name)
        case .search(let text): source = .query(text)
        case .message(let id):
            (source, wanted, isReading) = (.query(""), id, true)
            loaded = nil
        default: return false
        }
        if case .message = item {} else { (isReading, isTriage) = (false, false) }
        (typed, isTyping, reader) = ("", false, nil)
        marked = []
        resize(width: width, height: height)
        return true
    }

    mutating func didFail(_ words: [String]) {
        if words.starts(with: MailPlace.fetching), words.count > 2 { return didNotFetch(EntityID(stored: words[2])) }
        // The review goes on with the draft that could not be sent.
        guard words.starts(with: ["mail", "send"]), words.count > 2, draft == nil, !isReading else { return }
        draft = EntityID(stored: words[2])
        resize(width: width, height: height)
    }

    mutating func didRun(_ words: [String], since start: Instant) {
        if words.first == "undo" {
            isUndone = true
            (marked, unmarkedByAct) = (marked.union(unmarkedByAct), [])
        }
        guard words.first == "mail", words.count > 1 else { return }
        (marked, unmarkedByAct) = ([], marked)
        if words.contains("--draft"), ["new", "reply", "reply-all", "forward", "edit", "resend"].contains(words[1]) {
            writtenSince = start
        }
        // The review ends while the draft is sent beside the program.
        if draft != nil, ["send", "discard"].contains(words[1]) {
            (draft, reader) = (nil, nil)
            resize(width: width, height: height)
        }
        let takesAway = ["archive", "trash", "move", "snooze", "mute", "delete"].contains(words[1])
        if takesAway, let id = rows.place(list.cursor)?.id { taken = taken.suffix(50) + [id] }
        // A message that stays is left as well, in triage.
        if isTriage, !takesAway, ["reply", "reply-all"].contains(words[1]) { list.go(to: list.cursor + 1) }
        if takesAway { reader = nil }
    }
}
