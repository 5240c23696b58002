import FoundationEssentials
import HelixCrypto
import HelixMail
import HelixModel
import HelixSQLite

/// Detects duplicates among messages imported into an account: a duplicate is equal byte by byte, whatever its Message-ID.
public struct MailCopies {
    private let store: Store
    private let account: Account?
    /// The Message-IDs of the account's messages, alone and with the sizes.
    private let listed: Set<String>
    /// The messages imported since, each once in a mailbox.
    private var came: Set<Imported> = []
    /// The numbers of stored messages that were found as duplicates of imported ones: two mailboxes may have the same message.
    private var matched: [Digest: Int] = [:]

    private struct Imported: Hashable {
        var digest: Digest
        var mailbox: String
    }

    /// - Parameter account: the target account; nil for one that does not exist yet.
    /// - Throws: ``HelixError``.
    public init(_ store: Store, account: Account?) throws {
        self.store = store
        self.account = account
        guard let account else {
            listed = []
            return
        }
        listed = try store.read { db in
            var keys: Set<String> = []
            let row = try Statement(
                db,
                """
                SELECT m.message_id, m.size FROM message m JOIN mailbox b ON b.n = m.mailbox
                WHERE m.account = ?1 AND m.message_id IS NOT NULL AND b.role IS NOT 'deleted'
                """)
            row.bind(1, account.number)
            while try row.step() {
                let id = row.text(0) ?? ""
                keys.insert(id)
                keys.insert("\(id) \(row.integer(1))")
            }
            return keys
        }
    }

    /// Whether a message is a duplicate; if not, it counts as imported.
    ///
    /// - Parameters:
    ///   - mailbox: the mailbox that it is imported into.
    ///   - isMbox: True for a message of an mbox file, which has a line end at its end, and had headers with its flags.
    /// - Throws: ``HelixError``.
    public mutating func isThere(
        _ summary: MessageSummary, _ bytes: [UInt8], in mailbox: String, isMbox: Bool
    ) throws -> Bool {
        let digest = SHA256.hash(bytes)
        guard came.insert(Imported(digest: digest, mailbox: mailbox.lowercased())).inserted else { return true }
        guard let account else { return false }
        if let id = summary.messageID, !listed.contains(isMbox ? id : "\(id) \(bytes.count)") { return false }
        let plain = isMbox ? Self.plain(bytes) : bytes[...]
        let size = isMbox ? nil : bytes.count
        let equal = try store.copies(of: summary, size: size, in: account).count { id, isPartial in
            // The text of a partial message is only on its server, so that the match of ID and size must suffice.
            if isPartial { return true }
            guard let path = try HelixError.ifFound({ try store.messageFile(id) }) else { return false }
            guard let file = FileManager.default.contents(atPath: path) else {
                throw HelixError(
                    .io, "cannot read the message \(path), which may be one that is imported",
                    hint: "Check its permissions.")
            }
            return isMbox ? Self.plain([UInt8](file)).elementsEqual(plain) : file.elementsEqual(bytes)
        }
        guard equal > matched[digest, default: 0] else { return false }
        matched[digest, default: 0] += 1
        return true
    }

    /// A message without what an mbox file adds: headers with flags, and a line end.
    private static func plain(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var plain = MboxMarks.stripped(bytes)[...]
        while let last = plain.last, last == 0x0A || last == 0x0D { plain = plain.dropLast() }
        return plain
    }
}

extension Store {
    /// The messages of an account, except deleted ones, that may be duplicates of an imported message.
    fileprivate func copies(
        of summary: MessageSummary, size: Int?, in account: Account
    ) throws -> [(id: EntityID, isPartial: Bool)] {
        try read { db in
            guard let messageID = summary.messageID else { return try copies(db, of: summary, in: account) }
            let row = try Statement(
                db,
                """
                SELECT m.id, m.traits FROM message m JOIN mailbox b ON b.n = m.mailbox
                WHERE m.thread = (SELECT thread FROM thread_reference WHERE key = ?1)
                    AND m.message_id = ?2 AND m.size = ifnull(?3, m.size) AND b.role IS NOT 'deleted'
                """)
            row.bind(1, MailArrival.key(messageID, in: account.number))
            row.bind(2, messageID)
            row.bind(3, size.map { Int64($0) })
            var found: [(id: EntityID, isPartial: Bool)] = []
            while try row.step() {
                let isPartial = Int(row.integer(1)) & MessageSummary.Traits.isPartial.rawValue != 0
                found.append((row.id(0) ?? EntityID(stored: ""), isPartial))
            }
            return found
        }
    }

    /// The possible duplicates without a Message-ID: their IDs are derived from their content.
    private func copies(
        _ db: Database, of summary: MessageSummary, in account: Account
    ) throws -> [(id: EntityID, isPartial: Bool)] {
        var found: [(id: EntityID, isPartial: Bool)] = []
        for copy in 0... {
            let id = MailArrival.id(summary, account: account.id, copy: copy)
            let isVisible = try Bool.fetchOne(
                db,
                sql: "SELECT b.role IS NOT 'deleted' FROM message m JOIN mailbox b ON b.n = m.mailbox WHERE m.id = ?",
                arguments: [id.text])
            guard let isVisible else { break }
            if isVisible { found.append((id, false)) }
        }
        return found
    }
}
