import HelixModel

/// A parsed mail query.
public indirect enum MailQuery: QueryTree, Hashable, Sendable {
    /// A field in which words are searched.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case subject
        case from = "sender"
        case to = "people"
        case attachment = "attachments"
        case body
    }

    /// A state or component of a message.
    public enum Trait: Hashable, Sendable {
        case unread
        case flag(MessageFlags)
        case trait(MessageSummary.Traits)
        /// Signed by its sender, as a verification has found.
        case verified
        /// Out of sight until a time after this one, as in ``MessageAway/stamp(_:)``.
        case snoozed(String)
        /// In a conversation that is muted.
        case muted
        /// Sent, and waiting for an answer.
        case awaiting
    }

    /// All messages.
    case everything
    /// A phrase, its last word possibly a prefix; in any field if `field` is nil.
    case words(String, field: Field?, isPrefix: Bool)
    /// Messages with exactly that address among their authors or recipients; in lower case.
    case address(String, field: Field)
    /// Messages with a trait.
    case has(Trait)
    /// Messages in mailboxes with that name or role.
    case mailbox(String)
    /// Messages in an account.
    case account(String)
    /// Messages with a label.
    case label(String)
    /// Messages of a mailing list whose id contains the text.
    case list(String)
    /// Messages dated in a range; `to` is exclusive.
    case dated(from: Instant?, to: Instant?)
    /// Messages with a size in bytes within bounds.
    case size(atLeast: Int?, atMost: Int?)
    /// Messages whose id, or whose conversation's id, has the prefix.
    case id(String)
    /// The message with a Message-ID, without brackets.
    case messageID(String)
    /// The messages with some IDs.
    case oneOf([EntityID])
    /// The messages of a thread.
    case thread(Int64)
    case all([MailQuery])
    case any([MailQuery])
    case not(MailQuery)
}

extension MailQuery {
    /// The messages that match a query and are not out of sight: neither snoozed nor of a muted conversation.
    public static func inSight(_ query: MailQuery, now: Instant) -> MailQuery {
        let conditions: [MailQuery] = [.not(.has(.snoozed(MessageAway.stamp(now)))), .not(.has(.muted))]
        if case .all(let list) = query { return .all(list + conditions) }
        return .all([query] + conditions)
    }

    /// The names of the mailboxes that it asks for.
    public var mailboxes: [String] {
        switch self {
        case .mailbox(let name): [name]
        case .all(let list), .any(let list): list.flatMap(\.mailboxes)
        case .not(let inner): inner.mailboxes
        default: []
        }
    }

    /// Whether it asks for verified signatures.
    public var asksVerification: Bool {
        switch self {
        case .has(.verified): true
        case .all(let list), .any(let list): list.contains(where: \.asksVerification)
        case .not(let inner): inner.asksVerification
        default: false
        }
    }

    /// Whether the text is searched, so that a matching passage can be shown.
    public var asksText: Bool {
        switch self {
        case .words(_, let field, _): field == nil || field == .body
        case .all(let list), .any(let list): list.contains(where: \.asksText)
        default: false
        }
    }
}
