import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// The other side of an account of mail: what a sync asks of a server, whatever it speaks.
///
/// Messages have numbers in their mailboxes, which are good as long as that has the same `uidValidity`. Servers of IMAP give them;
/// those of JMAP have names for messages, which are numbered here.
protocol MailRemote: AnyObject {
    /// Whether the open mailbox takes keywords of our own.
    var takesKeywords: Bool { get }
    /// The flags that stay in the open mailbox, in lower case, as IMAP names them; nil for all.
    var storable: Set<String>? { get }
    /// What people should know of the server.
    var notes: [String] { get }
    /// How often the server was waited for.
    var roundTrips: Int { get }

    /// Whether a label can lie on the server, in mailboxes that take labels.
    func isStorable(label: String) -> Bool

    /// All mailboxes, with how they stand. One that cannot be looked at has its refusal.
    /// - Parameter asksSubscriptions: whether it matters which ones other programs show.
    /// - Throws: ``HelixError``, ``ServerRefusal``, as all do.
    func mailboxes(asksSubscriptions: Bool) throws -> [ServerMailbox]
    /// Opens a mailbox and asks what is different since both sides agreed.
    /// - Parameter known: gives the numbers that were there; asked only where the server does not tell what is gone.
    func changes(since base: RemoteMailbox, known: () throws -> Set<UInt32>) throws -> MailboxChanges
    /// Opens a mailbox, if it is not the open one.
    func open(_ name: String) throws
    /// How many messages a mailbox has now.
    func count(in name: String) throws -> Int
    /// The number of messages that a mailbox says it has, and the numbers of those that it names.
    func count(byNumber name: String) throws -> (claimed: Int, uidValidity: UInt32, numbers: Set<UInt32>)

    /// Whether a message that is not here has come since both sides agreed; else it was left out.
    func isNew(_ number: UInt32, in base: RemoteMailbox) -> Bool

    /// The heads of the messages that may have come since a number, in the open mailbox.
    func heads(from uid: UInt32) throws -> [FetchedMessage]
    /// The heads of messages of the open mailbox.
    func heads(of uids: [UInt32]) throws -> [FetchedMessage]
    /// The numbers of all messages in the open mailbox.
    func numbers() throws -> [UInt32]
    /// The messages of that Message-ID in the open mailbox.
    func find(_ messageID: String) throws -> [UInt32]
    /// Whether a message of that Message-ID lies among what was sent, or where it was sent to oneself.
    func hasSent(_ messageID: String) throws -> Bool
    /// Fetches messages of the open mailbox.
    ///
    /// - Parameters:
    ///   - isWhole: else only their heads.
    ///   - piece: given the bytes of a message that is too large to be held, before the message itself.
    ///   - body: given each message; those that are gone by now do not come.
    ///   - batchEnd: called after each batch.
    func fetch(
        _ batches: [[UInt32]], isWhole: Bool, piece: ([UInt8]) throws -> Void, _ body: (FetchedMessage) throws -> Void,
        batchEnd: ([UInt32]) throws -> Void) throws

    /// Sets or clears flags of messages in the open mailbox.
    func store(_ uids: [UInt32], adding: [String], removing: [String]) throws
    /// Takes messages out of the open mailbox for good.
    /// - Returns: whether they are gone; else they are marked, because the server could not take out these alone.
    @discardableResult
    func expunge(_ uids: [UInt32]) throws -> Bool
    /// Moves messages of the open mailbox on the server.
    /// - Returns: the numbers they have there, by those they had; empty if the server does not tell.
    func move(_ uids: [UInt32], to target: String) throws -> [UInt32: UInt32]
    /// Puts a message into a mailbox.
    /// - Returns: its number there, and what makes that good; nil if the server does not tell.
    func append(
        _ bytes: [UInt8], to mailbox: String, flags: [String], date: Instant
    ) throws -> (uidValidity: UInt32, uid: UInt32)?

    /// Makes a mailbox, and has it shown by other programs.
    /// - Parameter label: its name for people, `/` between levels.
    /// - Returns: its name as the server writes it.
    func create(_ label: String, like others: [ServerMailbox]) throws -> String
    /// Makes a mailbox again that was deleted on the server while something was wanted in it here.
    func recreate(_ name: String) throws
    /// The name that a mailbox would have on the server by its name for people; nil where that is no matter of names.
    func name(of label: String, like others: [ServerMailbox]) -> String?
    /// Gives a mailbox another name, and those below it with it.
    /// - Returns: the name that the server writes now.
    func rename(_ name: String, to label: String, like others: [ServerMailbox]) throws -> String
    /// Takes a mailbox away.
    func delete(_ name: String) throws
    /// The sign between levels of the server's names, where a name has it as a letter.
    func foreignDelimiter(in name: String, like others: [ServerMailbox]) -> String?

    /// Writes down how far both sides agree, at the end of a sync.
    /// - Parameter isComplete: whether all was done; else the next sync asks for the same again.
    func settle(isComplete: Bool) throws
    /// Ends the connection.
    func end()
}

/// What is different on the server.
struct MailboxChanges {
    /// The mailbox as it stands.
    var state: MailboxState
    /// The flags of messages that may have changed; of all, if the server does not tell which.
    var flags: [UInt32: ServerFlags] = [:]
    /// Messages that are gone.
    var gone: [UInt32] = []
}

/// How a mailbox stands.
struct MailboxState {
    var uidValidity: UInt32 = 0
    /// Nil if the server does not say.
    var uidNext: UInt32?
    var count = 0
    var modSeq: Int?
    /// The user's rights in it, as far as the server names them.
    var rights = MailboxRights.all
    /// Whether the server named the rights one by one (RFC 4314), and did not only refuse to keep flags.
    var hasNamedRights = false
}

extension MailRemote {
    var notes: [String] { [] }
    func isStorable(label: String) -> Bool { ServerFlags.isKeyword(label) }

    /// Fetches messages of the open mailbox into files.
    ///
    /// - Parameters:
    ///   - isWhole: else only their heads.
    ///   - end: called when all bytes of a message are written, to give its file its place.
    ///   - batchEnd: called after each batch.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func fetch(
        _ batches: [[UInt32]], isWhole: Bool = true, into delivery: RemoteDelivery,
        _ end: (FetchedMessage) throws -> Void, batchEnd: ([UInt32]) throws -> Void = { _ in }
    ) throws {
        // A message too large to be held comes before it is known which one it is.
        var isBegun = false
        // A server may say the same twice.
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
    /// What was asked for was refused.
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
