import HelixModel

/// A rule that sorts arriving mail: what is done with the messages that match a query.
public struct MailRule: Hashable, Sendable {
    /// The ID of the rule.
    public var id: EntityID
    /// The unique, case-insensitive name.
    public var name: String
    /// The text of the query.
    public var query: String
    /// The actions, in order.
    public var actions: [MailRuleAction]
    /// Whether later rules pass over the messages that match.
    public var stops: Bool
    /// Whether it is used.
    public var isActive: Bool
    /// The position: rules run in ascending order.
    public var position: Int

    /// Creates a rule.
    public init(
        id: EntityID, name: String, query: String, actions: [MailRuleAction], stops: Bool = false,
        isActive: Bool = true, position: Int = 0
    ) {
        self.id = id
        self.name = name
        self.query = query
        self.actions = actions
        self.stops = stops
        self.isActive = isActive
        self.position = position
    }
}

/// An action of a rule. Its text is stored and printed: `label bills`.
public enum MailRuleAction: Hashable, Sendable {
    /// Adds a label.
    case label(String)
    /// Removes a label.
    case unlabel(String)
    /// Moves it to a mailbox of its account, which is created if it does not exist.
    case move(String)
    /// Moves it to the archive.
    case archive
    /// Moves it to the trash.
    case trash
    /// Marks it as read.
    case read
    /// Marks it as starred.
    case star
    /// Takes it out of sight until a time, given as a phrase such as `mon 8:00`.
    case snooze(String)
    /// Takes its conversation out of sight.
    case mute
    /// Adds a task, from a line such as `pay it due:+14d`; without words of its own it is called as the subject.
    case task(String)

    /// The text.
    public var text: String {
        switch self {
        case .label(let name): "label \(name)"
        case .unlabel(let name): "unlabel \(name)"
        case .move(let mailbox): "move \(mailbox)"
        case .archive: "archive"
        case .trash: "trash"
        case .read: "read"
        case .star: "star"
        case .snooze(let phrase): "snooze \(phrase)"
        case .mute: "mute"
        case .task(let line): line.isEmpty ? "task" : "task \(line)"
        }
    }

    /// Reads a text.
    /// - Throws: ``HelixError`` of code `usage` for an action that this version does not know.
    public init(text: String) throws {
        let verb = text.prefix { $0 != " " }
        let rest = String(text.dropFirst(verb.count + 1))
        switch (verb, rest.isEmpty) {
        case ("label", false): self = .label(rest)
        case ("unlabel", false): self = .unlabel(rest)
        case ("move", false): self = .move(rest)
        case ("archive", true): self = .archive
        case ("trash", true): self = .trash
        case ("read", true): self = .read
        case ("star", true): self = .star
        case ("snooze", false): self = .snooze(rest)
        case ("mute", true): self = .mute
        case ("task", _): self = .task(rest)
        default:
            throw HelixError(
                .badInput, "unknown action '\(text)' of a rule",
                hint: "A newer helix may have written it; 'helix mail rules delete' removes the rule.")
        }
    }

    /// Whether it takes the message to another mailbox.
    public var isMove: Bool {
        switch self {
        case .move, .archive, .trash: true
        default: false
        }
    }
}
