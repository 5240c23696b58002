import FoundationEssentials
import HelixMail
import HelixModel
import HelixSQLite

/// The key that somebody sent with a message (Autocrypt Level 1 §2.1).
public struct AutocryptPeer: Hashable, Sendable {
    /// Their address, in lower case.
    public var address: String
    /// The date of the message.
    public var seenAt: Instant
    /// The key, without armor.
    public var key: [UInt8]
    /// Whether they prefer encrypted mail.
    public var isMutual: Bool

    fileprivate init(_ row: Row) {
        (address, seenAt, key) = (row[0], Instant(row[1] as Int64), Array(row[2] as Data))
        isMutual = row[3] as Int64 != 0
    }
}

extension Store {
    /// The keys that came with messages, by address.
    /// - Throws: ``HelixError``.
    public func autocryptPeers() throws -> [AutocryptPeer] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT address, seen_at, key, is_mutual FROM autocrypt_peer ORDER BY address")
                .map(AutocryptPeer.init)
        }
    }

    /// The key that an address sent last; nil if it sent none.
    /// - Throws: ``HelixError``.
    public func autocryptPeer(_ address: String) throws -> AutocryptPeer? {
        try read { db in
            try Row.fetchOne(
                db, sql: "SELECT address, seen_at, key, is_mutual FROM autocrypt_peer WHERE address = ?",
                arguments: [address.lowercased()]
            ).map(AutocryptPeer.init)
        }
    }

    /// Stores the keys of messages that arrived, if they are newer than those known (Autocrypt Level 1 §2.3).
    static func take(_ header: AutocryptHeader, at date: Instant, _ db: Database, now: Instant) throws {
        // A date in the future would keep out all keys that follow.
        let seen = min(date.seconds, now.seconds)
        try db.execute(
            sql: """
                INSERT INTO autocrypt_peer (address, seen_at, key, is_mutual) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (address) DO UPDATE SET seen_at = ?2, key = ?3, is_mutual = ?4 WHERE seen_at < ?2
                """, arguments: [header.address, seen, Data(header.key), header.isMutual ? 1 : 0])
    }
}
