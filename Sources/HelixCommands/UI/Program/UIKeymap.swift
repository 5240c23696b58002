import HelixModel
import HelixTerminal

/// The manner of the keys.
enum UIKeyStyle: String, CaseIterable, Sendable {
    case mutt
    case vim
}

/// Finds the binding of typed keys.
struct UIKeymap: Sendable {
    /// The manner.
    var style = UIKeyStyle.mutt
    /// The keys that the settings give to bindings by name.
    var own: [String: [String]] = [:]

    /// The outcome of a sequence of keys.
    enum Match {
        case binding(UIBinding)
        /// Further keys decide.
        case beginning
        case none
    }

    /// The keys of a binding.
    func keys(of binding: UIBinding) -> [String] {
        if let own = own[binding.name] { return own }
        return style == .vim ? binding.vimKeys ?? binding.keys : binding.keys
    }

    /// The first key of a binding, for help lines; nil if it has none.
    func key(of binding: UIBinding) -> String? { keys(of: binding).first }

    /// The keys of a binding that are not those of another one before it.
    func usedKeys(of binding: UIBinding, in lists: [[UIBinding]]) -> [String] {
        keys(of: binding).filter { sequence in
            let typed = sequence.split(separator: " ").map { Key(String($0)) }
            if case .binding(let found) = match(typed, in: lists) { return found.name == binding.name }
            return false
        }
    }

    /// The binding for keys, among those of the place before those of the program.
    func match(_ typed: [Key], in lists: [[UIBinding]]) -> Match {
        let sequence = typed.map(\.name).joined(separator: " ")
        var isBeginning = false
        // The person's own keys come before those that are given.
        let all = lists.joined()
        for binding in all.filter({ own[$0.name] != nil }) + all {
            for keys in keys(of: binding) {
                if keys == sequence { return .binding(binding) }
                if keys.hasPrefix(sequence + " ") { isBeginning = true }
            }
        }
        return isBeginning ? .beginning : .none
    }

    /// The acts without a key, in a sentence; nil if there are none.
    var lossInWords: String? {
        let lost = withoutKeys
        if lost.isEmpty { return nil }
        return "Your own keys (keys.NAME) leave without a key: \(lost.prefix(4).joined(separator: ", "))"
            + (lost.count > 4 ? " and \(lost.count - 4) more." : ".")
    }

    /// The acts that have no key any more, since the person's own keys took theirs; each with its place.
    var withoutKeys: [String] {
        if own.isEmpty { return [] }
        var given = self
        given.own = [:]
        return UIBindings.parts.flatMap { place, bindings -> [String] in
            let lists = [bindings, UIBindings.program]
            return lists.joined().filter { binding in
                own[binding.name] == nil && usedKeys(of: binding, in: lists).isEmpty
                    && !given.usedKeys(of: binding, in: lists).isEmpty
            }.map { "\($0.name) (\(place))" }
        }
    }

    /// The keys of the settings: `keys.archive = "e"`; several are separated by commas.
    /// - Throws: ``HelixError`` of code `configuration` for a name or a key that does not exist.
    static func own(_ settings: [String: String]) throws -> [String: [String]] {
        let known = Set(UIBindings.all.map(\.name))
        var own: [String: [String]] = [:]
        for (name, text) in settings {
            guard known.contains(name) else {
                let near = EditDistance.suggestion(for: name, among: Array(known))
                throw HelixError(
                    .configuration, "keys.\(name) names no act of 'helix ui'",
                    hint: (near.map { "Did you mean keys.\($0)? " } ?? "") + "'?' in 'helix ui' lists them.")
            }
            let sequences = text.split(separator: ",").map {
                $0.split(separator: " ").map(String.init)
            }.filter { !$0.isEmpty }
            for key in sequences.joined() where Key(named: key) == nil {
                throw HelixError(
                    .configuration, "keys.\(name) has '\(key)', which is no key",
                    hint: "Name keys like a, A, space, enter, ctrl-p, alt-x, f5; a sequence like 'g g'.")
            }
            // Nothing means what is given.
            if sequences.isEmpty { continue }
            own[name] = sequences.map { $0.joined(separator: " ") }
        }
        return own
    }
}

/// The bindings of all places.
enum UIBindings {
    /// All bindings, of the program first.
    static var all: [UIBinding] {
        program + MailBindings.all + TodayBindings.all + CalendarBindings.all + TaskBindings.all + ChatBindings.all
    }

    /// The parts of the places, each with its bindings.
    static var parts: [(place: String, bindings: [UIBinding])] {
        [
            ("today", TodayBindings.all), ("mail", MailBindings.list), ("mail, reading", MailBindings.reader),
            ("mail, reviewing a draft", MailBindings.review), ("cal", CalendarBindings.view),
            ("cal, moving an event", CalendarBindings.moving), ("tasks", TaskBindings.all), ("chat", ChatBindings.all),
        ]
    }

    /// The bindings of the program, in every place.
    static let program: [UIBinding] =
        UIPlaceName.allCases.enumerated().map { place, name in
            UIBinding(name.rawValue, ["\(place + 1)"], "Go to \(name.title)", .place(name))
        } + [
            UIBinding("command", [":"], "Type a command of helix", .program(.command)),
            UIBinding("palette", ["ctrl-p"], "Find a command, person, mailbox, event or task", .program(.palette)),
            UIBinding("undo", ["u"], "Undo the last change", .program(.undo)),
            UIBinding("redo", ["ctrl-r"], "Redo it", .program(.redo)),
            UIBinding("output", ["ctrl-o"], "Show the whole output of the last command", .program(.output)),
            UIBinding("sync", ["$"], "Sync all accounts", .program(.sync)),
            UIBinding("help", ["?", "f1"], "Show the keys of this place", .program(.help)),
            UIBinding("redraw", ["ctrl-l"], "Draw the screen again", .program(.redraw)),
            UIBinding("suspend", ["ctrl-z"], "Stop, and go on with fg", .program(.suspend)),
            UIBinding("back", ["q", "esc"], "Go back", .motion(.back)),
            UIBinding("quit", ["Q", "ctrl-c"], vim: ["Z Z", "Q", "ctrl-c"], "Quit", .program(.quit)),
        ]

    /// The bindings for moving in lists.
    static let list: [UIBinding] = [
        UIBinding("down", ["j", "down"], "Next line", .motion(.down)),
        UIBinding("up", ["k", "up"], "Previous line", .motion(.up)),
        UIBinding("page-down", ["pagedown", "ctrl-f"], "Next page", .motion(.pageDown)),
        UIBinding("page-up", ["pageup", "ctrl-b"], "Previous page", .motion(.pageUp)),
        UIBinding("half-down", ["]"], vim: ["ctrl-d"], "Half a page down", .motion(.halfDown)),
        UIBinding("half-up", ["["], vim: ["ctrl-u"], "Half a page up", .motion(.halfUp)),
        UIBinding("first", ["home", "="], vim: ["g g", "home"], "First line", .motion(.first)),
        UIBinding("last", ["end", "*"], vim: ["G", "end"], "Last line", .motion(.last)),
    ]
}
