import HelixModel

/// Conditions for a user's conversations; nil is no condition.
public struct ConversationFilter: Sendable {
    /// Text that the name contains.
    public var search: String?
    /// The whole name, without regard to case; it takes precedence over ``search``.
    public var label: String?
    /// The kind.
    public var kind: Conversation.Kind?
    /// The earliest time of the latest message.
    public var since: Instant?

    /// Creates a filter.
    public init(
        search: String? = nil, label: String? = nil, kind: Conversation.Kind? = nil, since: Instant? = nil
    ) {
        self.search = search
        self.label = label
        self.kind = kind
        self.since = since
    }
}
