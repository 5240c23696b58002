import HelixTerminal

/// A movement on the screen, which changes nothing in the store.
enum UIMotion: String, Sendable {
    case down, up, left, right, pageDown, pageUp, halfDown, halfUp, first, last
    case open, back, next, previous, mark, markPattern, unmark, search
    case fold, foldAll, preview, boxes, triage, links
    case day, week, month, year, today, move, stretch, shrink, zone
    case moveUp, moveDown, lanes, tree, type
}

/// The line of helix that a key stands for, with gaps: `mail archive {ids}`.
///
/// `{id}` is the chosen item, `{ids}` the marked ones, or the chosen one, `{list}` the same in one word; other names are values of the place, such as
/// `{day}`. `{?}` is one word that is asked for, `{?*}` several (``PromptWords``).
struct UITemplate: Hashable, Sendable {
    /// The line.
    var line: String
    /// The question for the gap `{?}`.
    var question = ""
    /// The text that is there when it is asked.
    var suggestion = ""
    /// A question that must be answered with yes.
    var confirms: String?
    /// The reason why it cannot run if a value of the place is missing.
    var missing = "Nothing is chosen."
    /// Whether the command uses the terminal itself, such as for an editor.
    var needsTerminal = false
    /// Whether its output is read, as that of a list.
    var showsOutput = false
    /// Whether it runs beside the program.
    var isBackground = false

    /// Whether something is asked for.
    var asks: Bool { line.contains("{?}") || line.contains("{?*}") }
    /// Whether it needs an item.
    var needsItem: Bool { line.contains("{id}") || takesSeveral }
    /// Whether it takes all that are marked.
    var takesSeveral: Bool { line.contains("{ids}") || line.contains("{list}") }

    /// The words of the command; nil if an item is needed and none is chosen.
    func words(_ target: UITarget, answer: String = "") -> [String]? {
        var words: [String] = []
        for part in line.split(separator: " ").map(String.init) {
            switch part {
            case "{ids}":
                if target.ids.isEmpty { return nil }
                words += target.ids
            case "{list}":
                if target.ids.isEmpty { return nil }
                words.append(target.ids.joined(separator: ","))
            case "{?}": words.append(answer)
            case "{?*}": words += PromptWords.split(answer)
            default:
                guard let start = part.firstIndex(of: "{"), let end = part.firstIndex(of: "}"), start < end else {
                    words.append(part)
                    continue
                }
                let name = String(part[part.index(after: start)..<end])
                if name == "?" {
                    words.append(part.replacing("{?}", with: answer))
                    continue
                }
                guard let value = name == "id" ? target.id : target.values[name] else { return nil }
                let word = part.replacing("{\(name)}", with: value)
                // A value that is empty is no word.
                if !word.isEmpty { words.append(word) }
            }
        }
        return words
    }
}

/// The items that a key works on.
struct UITarget: Hashable, Sendable {
    /// The chosen item.
    var id: String?
    /// The marked items, or the chosen one.
    var ids: [String] = []
    /// Other values of the place.
    var values: [String: String] = [:]

    /// A text with the values of the place in its gaps.
    func filled(_ text: String) -> String {
        values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}

/// A key, or a sequence of keys, with what it does.
struct UIBinding: Sendable {
    /// The effect of a key.
    enum Deed: Sendable {
        case motion(UIMotion)
        case command(UITemplate)
        case place(UIPlaceName)
        case program(UIProgramDeed)
    }

    /// The name, as in settings: `keys.archive`.
    let name: String
    /// The keys in the manner of mutt, each a sequence of keys between blanks.
    let keys: [String]
    /// The keys in the manner of vim; nil for the same.
    let vimKeys: [String]?
    /// The purpose, for help.
    let summary: String
    let deed: Deed

    init(_ name: String, _ keys: [String], vim: [String]? = nil, _ summary: String, _ deed: Deed) {
        (self.name, self.keys, vimKeys, self.summary, self.deed) = (name, keys, vim, summary, deed)
    }

    /// A key that stands for a command.
    init(_ name: String, _ keys: [String], vim: [String]? = nil, _ summary: String, _ template: UITemplate) {
        (self.name, self.keys, vimKeys, self.summary, deed) = (name, keys, vim, summary, .command(template))
    }

    /// A key that stands for a command without questions.
    init(_ name: String, _ keys: [String], vim: [String]? = nil, _ summary: String, runs line: String) {
        (self.name, self.keys, vimKeys, self.summary, deed) = (
            name, keys, vim, summary, .command(UITemplate(line: line))
        )
    }
}

/// An act of the program itself.
enum UIProgramDeed: String, Sendable {
    case quit, help, command, palette, redraw, suspend, sync, undo, redo, output
}

/// A place of the program.
enum UIPlaceName: String, CaseIterable, Sendable {
    case today, mail, cal, tasks, chat

    /// The title.
    var title: String {
        switch self {
        case .today: "Today"
        case .mail: "Mail"
        case .cal: "Calendar"
        case .tasks: "Tasks"
        case .chat: "Chat"
        }
    }
}
