import HelixModel

/// Collects the tasks of a Markdown checklist, line by line.
struct MarkdownReader {
    var found = ForeignTasks()
    private let dates: DatePhraseParser
    private let lines: TaskLineParser
    private var project: String?
    /// The possible parents of the next task, with their indentation and UID.
    private var open: [(indent: Int, uid: String)] = []
    /// The mark that ends the block of code.
    private var fence: String?

    init(dates: DatePhraseParser) { (self.dates, lines) = (dates, TaskLineParser(dates: dates)) }

    mutating func read(_ line: String, place: String) {
        let text = line.trimmingBlanks()
        if isCode(text) {
            if !text.isEmpty { found.omitted["lines of code", default: 0] += 1 }
            return
        }
        if line.hasPrefix("#") {
            project = line.drop { $0 == "#" }.description.trimmingBlanks()
            if project?.isEmpty == true { project = nil }
            open = []
            return
        }
        guard let item = Self.item(text) else {
            if !text.isEmpty { found.omitted["lines that are no checklist items", default: 0] += 1 }
            return
        }
        guard !item.title.isEmpty else {
            found.defects.append(ForeignDefect(place, "the item is empty"))
            return
        }
        if let mark = item.unknownMark {
            let reason = "its mark '[\(mark)]' is neither [ ] nor [x]; imported as open"
            found.defects.append(ForeignDefect(place, reason, isPartial: true))
        }
        let indent = line.prefix { $0 == " " || $0 == "\t" }.reduce(0) { $0 + ($1 == "\t" ? 4 : 1) }
        add(item, indent: indent, place: place)
    }

    /// Whether a line belongs to a block of code, as its marks do.
    private mutating func isCode(_ text: String) -> Bool {
        if let mark = fence {
            if text.hasPrefix(mark) { fence = nil }
            return true
        }
        fence = ["```", "~~~"].first(where: text.hasPrefix)
        return fence != nil
    }

    private mutating func add(_ item: Item, indent: Int, place: String) {
        var foreign = ForeignTask(title: item.title, createdAt: dates.now)
        // Fields that helix writes into the line are parsed; a word that only looks like a field is text.
        var named = Assignment<String>.keep
        do {
            let changes = try lines.changes(item.title)
            if try MarkdownFormat.apply(changes, to: &foreign, dates) { named = changes.project }
        } catch {
            let reason = (error as? HelixError)?.message ?? "\(error)"
            found.defects.append(ForeignDefect(place, "\(reason); the whole line is the title", isPartial: true))
        }
        while let last = open.last, last.indent >= indent { open.removeLast() }
        foreign.parentUID = open.last?.uid
        // A subtask may belong to another project than the heading above it.
        switch named {
        case .set(let name): foreign.project = name
        case .clear: foreign.project = nil
        case .keep: foreign.project = project
        }
        let uid =
            "markdown " + [project, open.last?.uid, foreign.task.title].compactMap { $0 }.joined(separator: "/")
        foreign.task.uid = uid
        if item.isDone {
            foreign.task.state = .done
            foreign.task.completedAt = dates.now
        }
        open.append((indent, uid))
        found.tasks.append(foreign)
    }

    struct Item {
        var title: String
        var isDone = false
        /// A mark of other programs in the box, such as '-' and '/'.
        var unknownMark: Character?
    }

    /// An item of a list with a box: `- [ ] Title`, `1. [x] Title`.
    private static func item(_ text: String) -> Item? {
        var rest = text[...]
        if let bullet = rest.first, "-*+".contains(bullet) {
            rest = rest.dropFirst()
        } else {
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(number.count)
            guard !number.isEmpty, let end = rest.first, end == "." || end == ")" else { return nil }
            rest = rest.dropFirst()
        }
        rest = rest.drop { $0 == " " }
        let box = Array(rest.prefix(3))
        guard box.count == 3, box[0] == "[", box[2] == "]" else { return nil }
        let title = String(rest.dropFirst(3)).trimmingBlanks()
        switch box[1] {
        case " ": return Item(title: title)
        case "x", "X": return Item(title: title, isDone: true)
        case let mark where mark.isPunctuation || mark.isSymbol: return Item(title: title, unknownMark: mark)
        default: return nil
        }
    }
}
