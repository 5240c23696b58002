import HelixModel

/// What is looked for in mail.
public indirect enum MailQuery: QueryTree, Hashable, Sendable {
    /// Where words are looked for.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case subject
        case from = "sender"
        case to = "people"
        case attachment = "attachments"
        case body
    }

    /// What a message is or has.
    public enum Trait: Hashable, Sendable {
        case unread
        case flag(MessageFlags)
        case trait(MessageSummary.Traits)
    }

    /// Everything.
    case everything
    /// Words in a row, the last one perhaps only begun; anywhere if no field is named.
    case words(String, field: Field?, isPrefix: Bool)
    /// What it is or has.
    case has(Trait)
    /// In mailboxes of that name or role.
    case mailbox(String)
    /// In an account.
    case account(String)
    /// With a label.
    case label(String)
    /// Through a list whose id has that in it.
    case list(String)
    /// Dated from an instant on, and before another.
    case dated(from: Instant?, to: Instant?)
    /// With at least so many bytes, or at most so many.
    case size(atLeast: Int?, atMost: Int?)
    /// In a conversation or with an id that begins so.
    case id(String)
    case all([MailQuery])
    case any([MailQuery])
    case not(MailQuery)
}

extension MailQuery {
    /// Whether the text itself is searched, so that there is a place in it to show.
    public var asksText: Bool {
        switch self {
        case .words(_, let field, _): field == nil || field == .body
        case .all(let list), .any(let list): list.contains(where: \.asksText)
        default: false
        }
    }
}
