import FoundationEssentials
import HelixMail
import HelixModel
import HelixSQLite

/// A mailbox on a server, as of the last sync.
public struct RemoteMailbox: Hashable, Sendable {
    /// The number of its row; 0 if it is not stored yet.
    public var number: Int64
    /// Its name as the server spells it.
    public var name: String
    /// Its folder, relative to that of the account.
    public var path: String
    /// The UIDVALIDITY, which scopes its UIDs (RFC 9051 §2.3.1.1).
    public var uidValidity: UInt32
    /// The predicted UID of the next message.
    public var uidNext: UInt32
    /// The number of its messages.
    public var count: Int
    /// The highest modification sequence (RFC 7162), if the server supports it.
    public var modSeq: Int?
    /// The pending change of the mailbox on the server.
    public var pending: PendingChange?
    /// The user's rights in it on the server.
    public var rights: MailboxRights
    /// The hierarchy delimiter of the server's names; nil if it is unknown or there is no hierarchy.
    public var delimiter: String?
    /// The server's permanent ID of the mailbox (RFC 8474 §4); nil if it has none.
    public var objectID: String?

    /// A local change to a mailbox that was not sent to the server yet.
    public enum PendingChange: String, Sendable {
        /// Rename the mailbox.
        case rename
        /// Delete the mailbox.
        case delete
    }

    /// Creates a mailbox.
    public init(
        number: Int64 = 0, name: String, path: String, uidValidity: UInt32, uidNext: UInt32 = 1, count: Int = 0,
        modSeq: Int? = nil, pending: PendingChange? = nil, rights: MailboxRights = .all, delimiter: String? = nil,
        objectID: String? = nil
    ) {
        self.objectID = objectID
        self.delimiter = delimiter
        self.pending = pending
        self.rights = rights
        self.number = number
        self.name = name
        self.path = path
        self.uidValidity = uidValidity
        self.uidNext = uidNext
        self.count = count
        self.modSeq = modSeq
    }
}

/// A message that both sides have, as of the last sync.
public struct RemoteMessage: Hashable, Sendable {
    /// Its UID on the server.
    public var uid: UInt32
    /// The name of its file, without flags.
    public var file: String
    /// Its flags.
    public var flags: MessageFlags
    /// Its labels.
    public var labels: [String]
    /// The key that identifies it after a move.
    public var key: Int64?

    /// Creates a message.
    public init(uid: UInt32, file: String, flags: MessageFlags, labels: [String] = [], key: Int64?) {
        self.uid = uid
        self.file = file
        self.flags = flags
        self.labels = labels
        self.key = key
    }

    /// The key that identifies a message after a move: its Message-ID and size, because versions of a draft share a Message-ID;
    /// without a Message-ID, its size and the time at which the server received it.
    ///
    /// - Parameter size: bytes, with CRLF line endings.
    public static func key(_ messageID: String?, size: Int, date: Instant?) -> Int64 {
        let text = messageID.map { "\(size) \($0)" } ?? "\(size) at \(date?.seconds ?? -1)"
        return Int64(bitPattern: StableHash.of(text.utf8, seed: 1))
    }

    /// The key of a version of a draft if another version has the same Message-ID and size.
    public static func key(content: [UInt8]) -> Int64 { Int64(bitPattern: StableHash.of(content, seed: 3)) }
}

/// A message in the local store.
public struct LocalMessage: Hashable, Sendable {
    /// The name of its file, without flags.
    public var file: String
    /// Its flags.
    public var flags: MessageFlags
    /// Its labels.
    public var labels: [String]
    /// The key that identifies it after a move.
    public var key: Int64?
    /// The date of the message.
    public var date: Instant

    /// Creates a message.
    public init(file: String, flags: MessageFlags, labels: [String], key: Int64?, date: Instant) {
        self.file = file
        self.flags = flags
        self.labels = labels
        self.key = key
        self.date = date
    }
}

/// The local changes to a mailbox since the last sync.
public struct LocalMailChanges: Sendable {
    /// Messages that the server is not known to have.
    public var new: [LocalMessage] = []
    /// Messages that were deleted locally.
    public var gone: [RemoteMessage] = []
    /// Messages whose flags or labels were changed.
    public var changed: [(former: RemoteMessage, flags: MessageFlags, labels: [String])] = []
    /// Local files that cannot be read and so are not indexed as messages. They do not count as deleted.
    public var unread: [String] = []

    /// Creates an empty list of changes.
    public init() {}
    /// True if there are no changes.
    public var isEmpty: Bool { new.isEmpty && gone.isEmpty && changed.isEmpty }
}

extension Store {
    /// The mailboxes of an account on its server, as of the last sync.
    /// - Throws: ``HelixError``.
    public func remoteMailboxes(_ account: Account) throws -> [RemoteMailbox] {
        try read { db in
            var list: [RemoteMailbox] = []
            let row = try Statement(
                db,
                """
                SELECT n, name, path, uid_validity, uid_next, count, mod_seq, pending, denied, delimiter, object_id
                FROM remote_mailbox WHERE account = ?1 ORDER BY n
                """)
            row.bind(1, account.number)
            while try row.step() {
                list.append(
                    RemoteMailbox(
                        number: row.integer(0), name: row.text(1) ?? "", path: row.text(2) ?? "",
                        uidValidity: UInt32(clamping: row.integer(3)), uidNext: UInt32(clamping: row.integer(4)),
                        count: Int(row.integer(5)), modSeq: row.isNull(6) ? nil : Int(row.integer(6)),
                        pending: row.text(7).flatMap(RemoteMailbox.PendingChange.init(rawValue:)),
                        rights: .all.subtracting(MailboxRights(rawValue: Int(row.integer(8)))), delimiter: row.text(9),
                        objectID: row.text(10)))
            }
            return list
        }
    }

    /// The number of messages of a mailbox that both sides have.
    /// - Throws: ``HelixError``.
    public func remoteCount(_ mailbox: RemoteMailbox) throws -> Int {
        try read { db in
            try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM remote_message WHERE mailbox = ?", arguments: [mailbox.number]) ?? 0
        }
    }

    /// The folder for a mailbox of the server, relative to that of the account.
    /// - Throws: ``HelixError`` of code `usage` for a name that is no valid folder name.
    public func folder(forMailbox name: String, in account: Account) throws -> String {
        let whole = try mailboxFolder(name, in: account)
        return whole == account.path ? "" : String(whole.dropFirst(account.path.count + 1))
    }

    /// The name of the mailbox in a folder.
    public func mailboxName(_ path: String) -> String { MaildirFolder.name(of: path) }

    /// The number of messages of an account that both sides have.
    /// - Throws: ``HelixError``.
    public func remoteCount(_ account: Account) throws -> Int {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM remote_message r JOIN remote_mailbox b ON b.n = r.mailbox WHERE b.account = ?
                    """, arguments: [account.number]) ?? 0
        }
    }

    /// The messages of a mailbox that both sides have, by UID.
    ///
    /// - Parameter uids: the UIDs to read; nil for all.
    /// - Throws: ``HelixError``.
    public func remoteMessages(_ mailbox: RemoteMailbox, _ uids: [UInt32]? = nil) throws -> [UInt32: RemoteMessage] {
        try read { db in
            var found: [UInt32: RemoteMessage] = [:]
            let one = uids == nil ? "" : "AND uid = ?2"
            let row = try Statement(
                db, "SELECT uid, file, flags, labels, key FROM remote_message WHERE mailbox = ?1 \(one)")
            row.bind(1, mailbox.number)
            for uid in uids ?? [0] {
                if uids != nil { row.bind(2, Int64(uid)) }
                while try row.step() {
                    let message = Store.remoteMessage(row, uid: 0, file: 1, flags: 2, labels: 3, key: 4)
                    found[message.uid] = message
                }
            }
            return found
        }
    }

    private static func remoteMessage(
        _ row: Statement, uid: Int32, file: Int32, flags: Int32, labels: Int32, key: Int32
    ) -> RemoteMessage {
        RemoteMessage(
            uid: UInt32(clamping: row.integer(uid)), file: row.text(file) ?? "",
            flags: MessageFlags(rawValue: Int(row.integer(flags))), labels: words(row.text(labels)),
            key: row.isNull(key) ? nil : row.integer(key))
    }

    private static func words(_ text: String?) -> [String] { (text ?? "").split(separator: " ").map(String.init) }

    /// The local changes to a mailbox since the last sync. Both lists are sorted by file name and merged.
    /// - Throws: ``HelixError``.
    public func localMailChanges(_ mailbox: RemoteMailbox, in account: Account) throws -> LocalMailChanges {
        try read { db in
            var changes = LocalMailChanges()
            let new = try Store.compare(mailbox, of: account, db, &changes)
            let folder = Mailbox.folder(account: account.path, path: mailbox.path)
            if !changes.gone.isEmpty {
                let files = try MaildirFolder.files(folder)
                changes.unread = changes.gone.map(\.file).filter(files.contains)
                changes.gone.removeAll { files.contains($0.file) }
            }
            changes.new = try Store.localMessages(new, folder, db)
            return changes
        }
    }

    /// Compares the messages of both sides, both sorted by file name and merged.
    /// - Returns: the numbers of the local messages that the other side does not have.
    private static func compare(
        _ mailbox: RemoteMailbox, of account: Account, _ db: Database, _ changes: inout LocalMailChanges
    ) throws -> [Int64] {
        let number =
            try Int64.fetchOne(
                db, sql: "SELECT n FROM mailbox WHERE account = ? AND path = ?",
                arguments: [account.number, mailbox.path]) ?? -1
        let labelled = try labels(db, mailbox: number)
        let here = try Statement(
            db, "SELECT file, flags, n FROM message INDEXED BY message_file WHERE mailbox = ?1 ORDER BY file")
        let there = try Statement(
            db,
            """
            SELECT file, uid, flags, labels, key FROM remote_message INDEXED BY remote_message_file
            WHERE mailbox = ?1 ORDER BY file
            """)
        here.bind(1, number)
        there.bind(1, mailbox.number)
        var hasHere = try here.step()
        var hasThere = try there.step()
        var new: [Int64] = []
        while hasHere || hasThere {
            let order = !hasHere ? 1 : !hasThere ? -1 : compare(here, there)
            if order < 0 {
                new.append(here.integer(2))
                hasHere = try here.step()
                continue
            }
            if order > 0 {
                changes.gone.append(remoteMessage(there, uid: 1, file: 0, flags: 2, labels: 3, key: 4))
                hasThere = try there.step()
                continue
            }
            let labels = labelled.isEmpty ? nil : labelled[here.text(0) ?? ""]
            if here.integer(1) != there.integer(2) || labels != nil || !there.isNull(3) {
                let former = remoteMessage(there, uid: 1, file: 0, flags: 2, labels: 3, key: 4)
                let flags = MessageFlags(rawValue: Int(here.integer(1)))
                if flags != former.flags || Set(labels ?? []) != Set(former.labels) {
                    changes.changed.append((former, flags, labels ?? []))
                }
            }
            hasHere = try here.step()
            hasThere = try there.step()
        }
        return new
    }

    /// The messages with the numbers, as they would be sent.
    private static func localMessages(_ numbers: [Int64], _ folder: String, _ db: Database) throws -> [LocalMessage] {
        var messages: [LocalMessage] = []
        let row = try Statement(
            db, "SELECT file, flags, labels, message_id, date, is_new, letters FROM message WHERE n = ?1")
        for n in numbers {
            row.bind(1, n)
            while try row.step() {
                let file = row.text(0) ?? ""
                let flags = MessageFlags(rawValue: Int(row.integer(1)))
                let letters = flags.maildir(with: row.text(6) ?? "")
                let path = try HelixError.ifFound {
                    try MaildirFolder.find(file, in: folder, isNew: row.integer(5) != 0, letters: letters)
                }
                let size = path.flatMap(travellingSize) ?? -1
                messages.append(
                    LocalMessage(
                        file: file, flags: flags, labels: words(row.text(2)),
                        key: RemoteMessage.key(row.text(3), size: size, date: MaildirFolder.delivered(file)),
                        date: Instant(row.integer(4))))
            }
        }
        return messages
    }

    /// The size of a file in bytes, with CRLF line endings.
    private static func travellingSize(_ path: String) -> Int? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return data.withUnsafeBytes { bytes in
            var size = bytes.count
            var last: UInt8 = 0
            for byte in bytes {
                if byte == 10, last != 13 { size += 1 }
                last = byte
            }
            return size
        }
    }

    /// The labels of a mailbox's messages, by file name.
    private static func labels(_ db: Database, mailbox: Int64) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        let row = try Statement(
            db, "SELECT file, labels FROM message INDEXED BY message_labels WHERE labels IS NOT NULL AND mailbox = ?1")
        row.bind(1, mailbox)
        while try row.step() { found[row.text(0) ?? ""] = words(row.text(1)) }
        return found
    }

    /// Compares the first columns of two rows by bytes.
    private static func compare(_ a: Statement, _ b: Statement) -> Int {
        a.utf8(0) { left in
            b.utf8(0) { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    return left[index] < right[index] ? -1 : 1
                }
                return left.count - right.count
            } ?? 1
        } ?? -1
    }
}

extension Store {
    /// The bytes of a local message, with CRLF line endings as servers require; nil if it was deleted meanwhile.
    /// - Throws: ``HelixError`` of code `io`.
    public func messageBytes(
        _ message: LocalMessage, in mailbox: RemoteMailbox, of account: Account
    ) throws -> [UInt8]? {
        let folder = Mailbox.folder(account: account.path, path: mailbox.path)
        guard
            let path = try HelixError.ifFound({
                try MaildirFolder.find(
                    message.file, in: folder, isNew: message.flags.isEmpty, letters: message.flags.maildir())
            })
        else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HelixError(.io, "cannot read the message \(path)")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + data.count / 40)
        var last: UInt8 = 0
        for byte in data {
            if byte == 10, last != 13 { bytes.append(13) }
            bytes.append(byte)
            last = byte
        }
        return bytes
    }
}
