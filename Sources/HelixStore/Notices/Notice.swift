import HelixModel

/// Something that happened, of which people are told and for which hooks run, once.
public struct Notice: Hashable, Sendable {
    /// The kind of what happened. The raw value is written to the store and to JSON, and is the name of its hook.
    public enum Kind: String, Sendable, CaseIterable {
        /// A reminder of an event or a task goes off.
        case reminder
        /// An occurrence of an event begins.
        case eventStart = "event-start"
        /// A message arrived.
        case mailNew = "mail-new"
        /// A message with an invitation, a change of it or an answer arrived.
        case invitation
        /// A chat message mentions the user.
        case chatMention = "chat-mention"
        /// A chat message arrived in a direct conversation.
        case chatDirect = "chat-direct"
        /// A timer runs longer than people mostly work.
        case timerForgotten = "timer-forgotten"
        /// A message could not be sent.
        case messageStuck = "message-stuck"
        /// A task was done, here or elsewhere.
        case taskDone = "task-done"
        /// A sync of an account brought or took changes.
        case syncDone = "sync-done"
        /// A sync of an account began to fail.
        case syncFailed = "sync-failed"

        /// Whether people are told; the others are for hooks alone.
        public var isForPeople: Bool {
            switch self {
            case .reminder, .mailNew, .invitation, .chatMention, .chatDirect, .timerForgotten, .messageStuck: true
            case .eventStart, .taskDone, .syncDone, .syncFailed: false
            }
        }
    }

    /// Its number, in the order in which things happened; 0 before it is stored.
    public var number: Int64 = 0
    /// A text that is the same if it is found again, so that nothing is announced twice.
    public var key: String
    /// The kind.
    public var kind: Kind
    /// The entity that it is about.
    public var entity: EntityID?
    /// The title of what it is about, on one line.
    public var title: String
    /// More on one line: a time, a sender.
    public var detail: String
    /// When it happened.
    public var time: Instant
    /// When it is of no use any more to those who would be told late.
    public var until: Instant?
    /// When people were told; nil while they are to be.
    public var toldAt: Instant?
    /// When its hooks had run, or were given up; nil while they are to run.
    public var hookedAt: Instant?
    /// The number of failed runs of its hooks.
    public var tries = 0
    /// The last problem with its hooks.
    public var problem: String?

    /// Creates a notice.
    public init(
        _ kind: Kind, key: String, entity: EntityID? = nil, title: String, detail: String, time: Instant,
        until: Instant? = nil
    ) {
        (self.kind, self.key, self.entity, self.title) = (kind, "\(kind.rawValue):\(key)", entity, title)
        (self.detail, self.time, self.until) = (detail, time, until)
    }
}
