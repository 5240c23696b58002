import HelixMail
import HelixModel
import HelixSQLite

/// The file of a message whose headers alone were fetched; its first line marks it and holds the size of the whole message.
public enum PartialMessage {
    /// The beginning of such a file. It is distinct from messages fetched whole, which begin with the server's own headers.
    private static let mark = "X-Helix-Body: absent; size="

    /// The line before the headers.
    public static func line(size: Int) -> [UInt8] { Array("\(mark)\(size)\r\n".utf8) }

    /// True if bytes are the beginning of such a file.
    public static func isMarked(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: mark.utf8) }
}

/// The location of a message on its server.
public struct RemotePlace: Sendable {
    /// Its mailbox.
    public var mailbox: RemoteMailbox
    /// Its UID in the mailbox.
    public var uid: UInt32
}

extension Store {
    /// The location of a message on the account's server, as of the last sync; nil if the server does not have it.
    /// - Throws: ``HelixError``.
    public func remotePlace(_ id: EntityID, of account: Account) throws -> RemotePlace? {
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

    /// The messages of an account whose headers alone are stored locally, newest first.
    /// - Throws: ``HelixError``.
    public func partialMessages(of account: Account) throws -> [EntityID] {
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

    /// Reads a message's file again after its content has changed; labels and links are kept.
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
