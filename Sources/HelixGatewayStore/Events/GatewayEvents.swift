import HelixModel

/// Something that clients at other gateways are to learn. It names what has changed; the text stays in the database.
public enum GatewayEvent: Hashable, Sendable {
    /// A message is new, or was changed.
    case message(conversation: EntityID, number: Int64, isNew: Bool)
    /// An app has written a message to the database: one of the gateways sends the notices of it.
    case appMessage(conversation: EntityID, number: Int64)
    /// A conversation has changed; the users are its members who are to be told, or all of them if there is none.
    case conversation(EntityID, users: [EntityID])
    /// The entities of a user have changed.
    case entities(user: EntityID)
    /// Devices or sessions of a user may have ended.
    case sessions(user: EntityID)
    /// A short event that is stored nowhere, such as a part of an answer: its name, and its payload as JSON.
    case words(users: [EntityID], name: String, payload: String)
    /// A short event for the other members of a conversation, such as that somebody writes.
    case memberWords(conversation: EntityID, author: EntityID, name: String, payload: String)
    /// Users who came to a gateway or left it.
    case presence(gateway: String, present: [EntityID], absent: [EntityID])
    /// Devices that came to a gateway or left it, of those that may read.
    case devices(gateway: String, present: [String], absent: [String])
    /// An app has changed tasks or projects of a user in the database: one of the gateways shares them with their assignees.
    case appEntities(user: EntityID)
    /// A sign of life of a gateway. One that has just started asks the others for their users.
    case life(gateway: String, asks: Bool)

    /// Whether it asks the others for signs of life.
    var asks: Bool { if case .life(_, let asks) = self { asks } else { false } }

    /// Whether it is a sign of life.
    var isLife: Bool { if case .life = self { true } else { false } }
}

/// Messages that are to be sent to clients of a gateway, and the members of their conversation.
public struct EventMessages: Sendable {
    /// The members, with the number of the first message that each sees.
    public var members: [(user: EntityID, first: Int64)]
    /// The messages, by number.
    public var messages: [GatewayMessage]
}

/// The way in which the gateways of one database tell each other what happens.
public protocol GatewayEvents: Sendable {
    /// The name of this gateway among the others.
    var name: String { get }

    /// Whether the database answered a short time ago.
    var isReachable: Bool { get }

    /// Tells the other gateways, soon.
    func publish(_ events: [GatewayEvent])

    /// Starts to listen. Events that this gateway published are left out; those that were missed while there was no connection
    /// are found by what has changed since.
    /// - Parameters:
    ///   - note: is told of problems, for a log.
    ///   - receive: is given the events, in a thread of its own.
    /// - Throws: ``HelixError``.
    func start(
        note: @escaping @Sendable (String) -> Void, receive: @escaping @Sendable ([GatewayEvent]) -> Void
    ) throws

    /// Reads messages of a conversation.
    /// - Throws: ``HelixError``.
    func messages(_ numbers: [Int64], in conversation: EntityID) throws -> EventMessages

    /// Takes on the notices of a message that an app has written.
    /// - Returns: the message; nil if another gateway sends them.
    /// - Throws: ``HelixError``.
    func takeNotices(of number: Int64, in conversation: EntityID) throws -> GatewayMessage?

    /// Takes on the sharing of what an app has changed.
    /// - Returns: false if another gateway does it.
    /// - Throws: ``HelixError``.
    func takeAssignments(of user: EntityID) throws -> Bool

    /// The present members of a conversation.
    /// - Throws: ``HelixError``.
    func members(of conversation: EntityID) throws -> [EntityID]

    /// Stops listening.
    func finish()
}
