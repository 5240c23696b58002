import HelixMail
import HelixModel
import HelixSQLite

/// The file of a message of which only the head was fetched: its first line says so, and how large the whole is.
public enum PartialMessage {
    /// What such a file begins with. What comes from a server begins with what servers write.
    private static let mark = "X-Helix-Body: absent; size="

    /// The line before the head.
    public static func line(size: Int) -> [UInt8] { Array("\(mark)\(size)\r\n".utf8) }

    /// Whether bytes are the beginning of such a file.
    public static func isMarked(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: mark.utf8) }
}

/// Where a message lies on its server.
public struct RemotePlace: Sendable {
    /// Its mailbox.
    public var mailbox: RemoteMailbox
    /// Its number there.
    public var uid: UInt32
}

extension Store {
    /// Where a message lies on the account's server, as far as was agreed; nil if it is not there.
    /// - Throws: ``HelixError``.
    public func remotePlace(_ id: EntityID, of account: MailAccount) throws -> RemotePlace? {
        let mailboxes = try remoteMailboxes(account)
        return try read { db in
            guard let file = try String.fetchOne(db, sql: "SELECT file FROM message WHERE id = ?", arguments: [id.text])
            else { return nil }
            for mailbox in mailboxes {
                let uid = try Int64.fetchOne(
                    db, sql: "SELECT uid FROM remote_message WHERE mailbox = ? AND file = ?",
                    arguments: [mailbox.number, file])
                if let uid { return RemotePlace(mailbox: mailbox, uid: UInt32(clamping: uid)) }
            }
            return nil
        }
    }

    /// The messages of an account of which only the head is here, the newest first.
    /// - Throws: ``HelixError``.
    public func partialMessages(of account: MailAccount) throws -> [EntityID] {
        try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM message WHERE account = ? AND traits & \(MessageSummary.Traits.isPartial.rawValue) <> 0
                    ORDER BY n DESC
                    """, arguments: [account.number]
            ).map { EntityID(stored: $0) }
        }
    }

    /// Reads a message's file anew: it has become another one. Its labels and links stay.
    /// - Throws: ``HelixError``.
    public func rereadMessage(_ id: EntityID) throws {
        let path = try messageFile(id)
        let summary = try MessageSummary(path: path)
        try writeDerived { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT m.n, m.mailbox, m.is_new, m.labels, a.n, a.id FROM message m JOIN account a ON a.n = m.account
                        WHERE m.id = ?
                        """, arguments: [id.text])
            else { return }
            let mailbox: Int64 = row[1]
            let isNew: Bool = row[2]
            let labels: String? = row[3]
            let writer = MailWriter(db: db, now: now)
            try writer.remove(row[0])
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            let arrival = MailArrival(mailbox: mailbox, entry: MaildirEntry(name: name, isNew: isNew), summary: summary)
            _ = try writer.insert([arrival], accounts: [mailbox: (row[4], EntityID(stored: row[5]))])
            try db.execute(sql: "UPDATE message SET labels = ? WHERE id = ?", arguments: [labels, id.text])
        }
    }
}
