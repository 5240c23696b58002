import FoundationEssentials
import HelixCrypto
import HelixModel
import HelixSQLite

/// Attachments in pieces of 256 KiB, under their SHA-256. An incomplete upload is its user's alone.
extension PostgresGatewayStore {
    private static let pieceSize = 256 << 10

    func received(_ hash: String, size: Int, from user: EntityID) throws -> Int {
        try reading { try received($0, hash, size, user) }
    }

    private func received(_ db: any GatewayDatabase, _ hash: String, _ size: Int, _ user: EntityID) throws -> Int {
        let isWhole = try Bool.fetchOne(
            db, sql: "SELECT is_whole FROM upload WHERE \"user\" = ? AND sha256 = ? AND size = ?",
            arguments: [user.text, hash, size])
        if isWhole == true { return size }
        let count = try stored(db, hash, user)
        // A complete upload of another size must be uploaded again.
        return count < size ? count : 0
    }

    /// The number of bytes of an incomplete upload.
    private func stored(_ db: any GatewayDatabase, _ hash: String, _ user: EntityID) throws -> Int {
        let last = try Row.fetchOne(
            db,
            sql: """
                SELECT n, octet_length(bytes) FROM file_piece WHERE sha256 = ? AND "user" = ? ORDER BY n DESC LIMIT 1
                """, arguments: [hash, user.text])
        guard let last else { return 0 }
        return (last[0] as Int) * Self.pieceSize + (last[1] as Int)
    }

    func take(
        _ bytes: [UInt8], at offset: Int, of hash: String, size: Int, from user: EntityID, now: Instant
    ) throws -> Int {
        guard (0...ChatAttachment.largest).contains(size) else {
            throw HelixError(.usage, "a file may have \(ChatAttachment.largest >> 20) MiB at most")
        }
        let (count, isWhole, isRight) = try writing { db -> (Int, Bool, Bool) in
            // Two messages may upload the same file at the same time: the first one locks its row.
            let known = try Row.fetchOne(
                db, sql: "SELECT size, is_whole FROM upload WHERE \"user\" = ? AND sha256 = ? FOR UPDATE",
                arguments: [user.text, hash])
            let hasAll = try known?["is_whole"] ?? false
            if let whole: Int = try known?["size"], hasAll {
                guard whole == size else { throw HelixError(.usage, "the file has \(whole) bytes") }
                return (size, true, true)
            }
            let have = try received(db, hash, size, user)
            guard offset <= have else {
                throw HelixError(.busy, "bytes are missing before \(offset): there are \(have)")
            }
            if offset + bytes.count <= have, size > 0, have > 0 { return (have, false, true) }
            guard offset + bytes.count <= size else {
                throw HelixError(.usage, "the piece exceeds the size of the file")
            }
            try checkRoom(db, hash, size, user)
            try db.execute(
                sql: """
                    INSERT INTO upload ("user", sha256, size, made_at) VALUES (?1, ?2, ?3, ?4)
                    ON CONFLICT ("user", sha256) DO UPDATE SET size = ?3, made_at = ?4
                    """, arguments: [user.text, hash, size, now.seconds])
            try append(db, bytes, at: offset, hash, user)
            let count = offset + bytes.count
            if count < size { return (count, false, true) }
            return (count, true, try finish(db, hash, user))
        }
        guard isRight else {
            throw HelixError(.badInput, "the file does not match its SHA-256; upload it again")
        }
        return isWhole ? size : count
    }

    /// Rejects a file beyond what a user may store.
    private func checkRoom(_ db: any GatewayDatabase, _ hash: String, _ size: Int, _ user: EntityID) throws {
        let sums = try Row.fetchOne(
            db,
            sql: """
                SELECT coalesce(sum(size), 0)::bigint, count(*), count(*) FILTER (WHERE is_whole = 0) FROM upload
                WHERE "user" = ? AND sha256 <> ?
                """, arguments: [user.text, hash])
        let (given, files, parts): (Int64, Int, Int) = (sums?[0] ?? 0, sums?[1] ?? 0, sums?[2] ?? 0)
        guard files < GatewayLimits.uploads, parts < GatewayLimits.partialUploads else {
            throw HelixError(.notAllowed, "too many files: \(files) uploaded, \(parts) of them incomplete")
        }
        guard given + Int64(size) <= GatewayLimits.uploadedBytes else {
            throw HelixError(
                .notAllowed, "you have uploaded \(GatewayLimits.uploadedBytes >> 30) GiB of files already")
        }
    }

    /// Writes bytes at a place that is not behind the end.
    private func append(
        _ db: any GatewayDatabase, _ bytes: [UInt8], at offset: Int, _ hash: String, _ user: EntityID
    ) throws {
        var (number, inner, rest) = (offset / Self.pieceSize, offset % Self.pieceSize, bytes[...])
        try db.execute(
            sql: "DELETE FROM file_piece WHERE sha256 = ? AND \"user\" = ? AND n > ?",
            arguments: [hash, user.text, number])
        repeat {
            let part = rest.prefix(Self.pieceSize - inner)
            try db.execute(
                sql: """
                    INSERT INTO file_piece (sha256, "user", n, bytes) VALUES (?1, ?2, ?3, ?4)
                    ON CONFLICT (sha256, "user", n) DO UPDATE SET
                        bytes = substr(file_piece.bytes, 1, CAST(?5 AS integer)) || excluded.bytes
                    """,
                arguments: [hash, user.text, number, DatabaseValue.blob(Data(part)), inner])
            rest = rest.dropFirst(part.count)
            (number, inner) = (number + 1, 0)
        } while !rest.isEmpty
    }

    /// Makes a complete upload the file of its hash; one with another hash is removed.
    /// - Returns: whether the hash is right.
    private func finish(_ db: any GatewayDatabase, _ hash: String, _ user: EntityID) throws -> Bool {
        var hasher = SHA256()
        let numbers = try Int.fetchAll(
            db, sql: "SELECT n FROM file_piece WHERE sha256 = ? AND \"user\" = ? ORDER BY n",
            arguments: [hash, user.text])
        for number in numbers {
            let piece = try Data.fetchOne(
                db, sql: "SELECT bytes FROM file_piece WHERE sha256 = ? AND \"user\" = ? AND n = ?",
                arguments: [hash, user.text, number])
            hasher.update(Array(piece ?? Data()))
        }
        let isRight = hasher.digest().hexadecimal == hash
        if isRight {
            try db.execute(
                sql: """
                    INSERT INTO file_piece (sha256, "user", n, bytes) SELECT sha256, '', n, bytes FROM file_piece
                    WHERE sha256 = ? AND "user" = ? ON CONFLICT DO NOTHING
                    """, arguments: [hash, user.text])
            try db.execute(
                sql: "UPDATE upload SET is_whole = 1 WHERE \"user\" = ? AND sha256 = ?", arguments: [user.text, hash])
        } else {
            try db.execute(
                sql: "DELETE FROM upload WHERE \"user\" = ? AND sha256 = ?", arguments: [user.text, hash])
        }
        try db.execute(
            sql: "DELETE FROM file_piece WHERE sha256 = ? AND \"user\" = ?", arguments: [hash, user.text])
        return isRight
    }

    func piece(
        of hash: String, in message: EntityID, for user: EntityID, at offset: Int, most: Int
    ) throws -> (bytes: [UInt8], size: Int) {
        try reading { db in
            let size = try Int.fetchOne(
                db,
                sql: """
                    SELECT f.size FROM message_place p
                    JOIN message m ON m.conversation = p.conversation AND m.seq = p.seq
                    JOIN message_file f ON f.conversation = p.conversation AND f.message = p.id AND f.sha256 = ?3
                    JOIN member me ON me.conversation = p.conversation AND me."user" = ?1
                    WHERE p.id = ?2 AND m.is_deleted = 0 AND me.is_hidden = 0 AND m.seq >= me.first
                        AND (me.left_version IS NULL OR m.version <= me.left_version) LIMIT 1
                    """, arguments: [user.text, message.text, hash])
            guard let size else { throw HelixError(.notFound, "the message has no such attachment") }
            let count = max(0, min(most, size - offset))
            var (bytes, place) = ([UInt8](), offset)
            while bytes.count < count {
                let part = try Data.fetchOne(
                    db,
                    sql: """
                        SELECT substr(bytes, CAST(?2 AS integer), CAST(?3 AS integer)) FROM file_piece
                        WHERE sha256 = ?1 AND "user" = '' AND n = ?4
                        """,
                    arguments: [
                        hash, place % Self.pieceSize + 1, count - bytes.count, place / Self.pieceSize,
                    ])
                guard let part, !part.isEmpty else { throw HelixError(.notFound, "the file is no longer stored") }
                bytes += part
                place += part.count
            }
            return (bytes, size)
        }
    }

    func sweepFiles(now: Instant) throws {
        let day = now.seconds - 86_400
        try writing { db in
            // A deleted message can be restored for a day.
            try db.execute(
                sql: """
                    DELETE FROM message_file f USING message_place p, message m
                    WHERE p.id = f.message AND m.conversation = f.conversation AND m.seq = p.seq AND m.is_deleted = 1
                        AND m.edited_at < ?
                    """, arguments: [day])
            let old = try Row.fetchAll(
                db,
                sql: """
                    DELETE FROM upload u WHERE made_at < ? AND NOT EXISTS (SELECT 1 FROM message_file f
                        WHERE f.sha256 = u.sha256) RETURNING "user", sha256
                    """, arguments: [day])
            for row in old {
                let (user, hash): (String, String) = try (row["user"], row["sha256"])
                try db.execute(
                    sql: "DELETE FROM file_piece WHERE sha256 = ? AND \"user\" = ?", arguments: [hash, user])
                try db.execute(
                    sql: """
                        DELETE FROM file_piece WHERE sha256 = ?1 AND "user" = ''
                            AND NOT EXISTS (SELECT 1 FROM upload WHERE sha256 = ?1)
                        """, arguments: [hash])
            }
        }
    }
}
