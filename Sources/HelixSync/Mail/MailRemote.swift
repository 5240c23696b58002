import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// The server side of a mail account: the requests of a sync, independent of the protocol.
///
/// A message has a UID in its mailbox, valid as long as the mailbox has the same `uidValidity`. IMAP servers assign UIDs; JMAP
/// servers use string ids, which get local UIDs.
protocol MailRemote: AnyObject {
    /// Whether the open mailbox accepts custom keywords.
    var takesKeywords: Bool { get }
    /// The flags that the open mailbox stores, in lower case, with their IMAP names; nil for all.
    var storable: Set<String>? { get }
    /// Notes on the server for users.
    var notes: [String] { get }
    /// The number of round trips.
    var roundTrips: Int { get }

    /// Whether a label can be stored on the server, in mailboxes that accept labels.
    func isStorable(label: String) -> Bool

    /// All mailboxes, with their state. One that cannot be opened has its refusal.
    /// - Parameter asksSubscriptions: whether to ask which ones are subscribed.
    /// - Throws: ``HelixError``, ``ServerRefusal``, like all methods.
    func mailboxes(asksSubscriptions: Bool) throws -> [ServerMailbox]
    /// Opens a mailbox and asks for the changes since the last sync.
    /// - Parameter known: returns the UIDs as of the last sync; called only if the server does not list removed messages.
    func changes(since base: RemoteMailbox, known: () throws -> Set<UInt32>) throws -> MailboxChanges
    /// Opens a mailbox, if it is not open already.
    func open(_ name: String) throws
    /// The present number of messages in a mailbox.
    func count(in name: String) throws -> Int
    /// The number of messages that a mailbox reports, and the UIDs of those that it lists.
    func count(byNumber name: String) throws -> (claimed: Int, uidValidity: UInt32, numbers: Set<UInt32>)

    /// Whether a message that is missing locally arrived after the last sync; if not, it was left out.
    func isNew(_ number: UInt32, in base: RemoteMailbox) -> Bool

    /// The headers of the messages that may have arrived since a UID, in the open mailbox.
    func heads(from uid: UInt32) throws -> [FetchedMessage]
    /// The headers of messages of the open mailbox.
    func heads(of uids: [UInt32]) throws -> [FetchedMessage]
    /// The UIDs of all messages in the open mailbox.
    func numbers() throws -> [UInt32]
    /// The messages with that Message-ID in the open mailbox.
    func find(_ messageID: String) throws -> [UInt32]
    /// Whether a message with that Message-ID is in the sent mailbox, or in the inbox if it was sent to oneself.
    func hasSent(_ messageID: String) throws -> Bool
    /// Fetches messages of the open mailbox.
    ///
    /// - Parameters:
    ///   - isWhole: false for the headers only.
    ///   - piece: receives the bytes of a message that is too large for memory, before the message itself.
    ///   - body: receives each message; messages that were removed meanwhile are skipped.
    ///   - batchEnd: called after each batch.
    func fetch(
        _ batches: [[UInt32]], isWhole: Bool, piece: ([UInt8]) throws -> Void, _ body: (FetchedMessage) throws -> Void,
        batchEnd: ([UInt32]) throws -> Void) throws

    /// Sets or clears flags of messages in the open mailbox.
    func store(_ uids: [UInt32], adding: [String], removing: [String]) throws
    /// Removes messages from the open mailbox permanently.
    /// - Returns: true if they are removed; false if they are only marked, because the server cannot remove single messages.
    @discardableResult
    func expunge(_ uids: [UInt32]) throws -> Bool
    /// Moves messages of the open mailbox on the server.
    /// - Returns: the new UIDs by the former ones; empty if the server does not return them.
    func move(_ uids: [UInt32], to target: String) throws -> [UInt32: UInt32]
    /// Adds a message to a mailbox.
    /// - Returns: its UID, and the UIDVALIDITY; nil if the server does not return them.
    func append(
        _ bytes: [UInt8], to mailbox: String, flags: [String], date: Instant
    ) throws -> (uidValidity: UInt32, uid: UInt32)?

    /// Creates a mailbox, and subscribes to it.
    /// - Parameter label: its display name, `/` between levels.
    /// - Returns: its name on the server.
    func create(_ label: String, like others: [ServerMailbox]) throws -> String
    /// Recreates a mailbox that was deleted on the server and is needed locally.
    func recreate(_ name: String) throws
    /// The server's name for a mailbox with that display name; nil where the server identifies mailboxes by id.
    func name(of label: String, like others: [ServerMailbox]) -> String?
    /// Renames a mailbox and those below it.
    /// - Returns: its new name on the server.
    func rename(_ name: String, to label: String, like others: [ServerMailbox]) throws -> String
    /// Deletes a mailbox.
    func delete(_ name: String) throws
    /// The server's hierarchy delimiter, if the name contains it as a plain character; nil otherwise.
    func foreignDelimiter(in name: String, like others: [ServerMailbox]) -> String?

    /// Records the sync state at the end of a sync.
    /// - Parameter isComplete: whether all was done; otherwise the next sync asks for the same changes again.
    func settle(isComplete: Bool) throws
    /// Closes the connection.
    func end()
}

/// The changes of a mailbox on the server.
struct MailboxChanges {
    /// The present state of the mailbox.
    var state: MailboxState
    /// The flags of messages that may have changed; of all messages, if the server does not list the changed ones.
    var flags: [UInt32: ServerFlags] = [:]
    /// Messages that were removed.
    var gone: [UInt32] = []
}

/// The state of a mailbox.
struct MailboxState {
    var uidValidity: UInt32 = 0
    /// Nil if the server does not return it.
    var uidNext: UInt32?
    var count = 0
    var modSeq: Int?
    /// The user's rights in it, as far as the server lists them.
    var rights = MailboxRights.all
    /// Whether the server listed the rights one by one (RFC 4314); false if it only refused to store flags.
    var hasNamedRights = false
}

extension MailRemote {
    var notes: [String] { [] }
    func isStorable(label: String) -> Bool { MessageKeyword.isKeyword(label) }

    /// Fetches messages of the open mailbox into files.
    ///
    /// - Parameters:
    ///   - isWhole: false for the headers only.
    ///   - end: called when all bytes of a message are written, to move its file into place.
    ///   - batchEnd: called after each batch.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func fetch(
        _ batches: [[UInt32]], isWhole: Bool = true, into delivery: RemoteDelivery,
        _ end: (FetchedMessage) throws -> Void, batchEnd: ([UInt32]) throws -> Void = { _ in }
    ) throws {
        // The bytes of a message too large for memory arrive before its UID.
        var isBegun = false
        // A server may return a message twice.
        var come: Set<UInt32> = []
        try fetch(
            batches, isWhole: isWhole,
            piece: { bytes in
                if !isBegun { try delivery.begin(0) }
                isBegun = true
                try delivery.add(bytes)
            },
            { message in
                guard come.insert(message.uid).inserted else {
                    delivery.abandon()
                    isBegun = false
                    return
                }
                if !isBegun { try delivery.begin(message.uid) }
                isBegun = false
                if let body = message.body { try delivery.add(body) }
                if let head = message.head { try delivery.add(PartialMessage.line(size: message.size ?? 0) + head) }
                try end(message)
            }, batchEnd: batchEnd)
    }
}

extension ServerRefusal {
    /// Creates the error of a refused request.
    static func problem(_ refusal: ServerRefusal, _ what: String) -> HelixError {
        let code: HelixError.Code =
            switch refusal.code {
            case "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "NOPERM": .notAllowed
            case "NONEXISTENT", "TRYCREATE": .notFound
            case "OVERQUOTA", "LIMIT": .io
            case "UNAVAILABLE", "INUSE", "SERVERBUG": .offline
            default: .protocol
            }
        return HelixError(code, "the server refuses \(what): \(refusal.text)")
    }
}
