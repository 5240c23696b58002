import FoundationEssentials
import Glibc
import HelixCrypto
import HelixModel
import HelixSQLite
import HelixSystem

/// The attachments that users upload, each stored under its SHA-256, with partial uploads.
extension SQLiteGatewayStore {
    private func place(_ hash: String) -> String { "\(folder)/files/\(hash.prefix(2))/\(hash)" }
    private func part(_ hash: String, _ user: EntityID) -> String { "\(folder)/files/parts/\(user.text)-\(hash)" }

    func received(_ hash: String, size: Int, from user: EntityID) throws -> Int {
        let isWhole = try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT is_whole FROM upload WHERE user = ? AND sha256 = ? AND size = ?",
                arguments: [user.text, hash, size])
        }
        if isWhole == true, access(place(hash), F_OK) == 0 { return size }
        var info = stat()
        // A complete upload whose file was not moved into place must be uploaded again.
        return stat(part(hash, user), &info) == 0 && Int(info.st_size) < size ? Int(info.st_size) : 0
    }

    func take(
        _ bytes: [UInt8], at offset: Int, of hash: String, size: Int, from user: EntityID, now: Instant
    ) throws -> Int {
        guard (0...ChatAttachment.largest).contains(size) else {
            throw HelixError(.usage, "a file may have \(ChatAttachment.largest >> 20) MiB at most")
        }
        let have = try received(hash, size: size, from: user)
        if have == size, access(place(hash), F_OK) == 0, size > 0 || offset > 0 { return size }
        // Two messages may upload the same file at the same time.
        guard offset <= have else { throw HelixError(.busy, "bytes are missing before \(offset): there are \(have)") }
        if offset + bytes.count <= have, size > 0, have > 0 { return have }
        guard offset + bytes.count <= size else { throw HelixError(.usage, "the piece exceeds the size of the file") }
        try write { db in
            let whole = try Int.fetchOne(
                db, sql: "SELECT size FROM upload WHERE user = ? AND sha256 = ? AND is_whole = 1",
                arguments: [user.text, hash])
            if let whole, whole != size { throw HelixError(.usage, "the file has \(whole) bytes") }
            let given = try Int64.fetchOne(
                db, sql: "SELECT ifnull(SUM(size), 0) FROM upload WHERE user = ? AND sha256 <> ?",
                arguments: [user.text, hash])
            let (files, parts) = try (
                Int.fetchOne(
                    db, sql: "SELECT COUNT(*) FROM upload WHERE user = ? AND sha256 <> ?",
                    arguments: [user.text, hash]) ?? 0,
                Int.fetchOne(
                    db, sql: "SELECT COUNT(*) FROM upload WHERE user = ? AND sha256 <> ? AND is_whole = 0",
                    arguments: [user.text, hash]) ?? 0
            )
            guard files < GatewayLimits.uploads, parts < GatewayLimits.partialUploads else {
                throw HelixError(
                    .notAllowed,
                    "too many files: \(files) uploaded, \(parts) of them incomplete")
            }
            guard (given ?? 0) + Int64(size) <= GatewayLimits.uploadedBytes else {
                throw HelixError(
                    .notAllowed, "you have uploaded \(GatewayLimits.uploadedBytes >> 30) GiB of files already")
            }
            try db.execute(
                sql: """
                    INSERT INTO upload (user, sha256, size, made_at) VALUES (?1, ?2, ?3, ?4)
                    ON CONFLICT DO UPDATE SET size = ?3, made_at = ?4
                    """, arguments: [user.text, hash, size, now.seconds])
        }
        let path = part(hash, user)
        let whole = try append(bytes, at: offset, to: path)
        if whole < size { return whole }
        try finish(path, hash, user)
        return size
    }

    private func append(_ bytes: [UInt8], at offset: Int, to path: String) throws -> Int {
        try makeFolder(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be stored") }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(offset)) == 0 else { throw failure("cannot be stored") }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("cannot be stored") }
            done += count
        }
        if fsync(descriptor) != 0 { throw failure("cannot be stored") }
        return offset + bytes.count
    }

    /// Moves a complete file into place if its hash matches.
    private func finish(_ path: String, _ hash: String, _ user: EntityID) throws {
        guard try digest(of: path) == hash else {
            unlink(path)
            throw HelixError(.badInput, "the file does not match its SHA-256; upload it again")
        }
        try makeFolder(place(hash))
        guard rename(path, place(hash)) == 0 else { throw failure("cannot be stored") }
        try write { db in
            try db.execute(
                sql: "UPDATE upload SET is_whole = 1 WHERE user = ? AND sha256 = ?", arguments: [user.text, hash])
        }
    }

    /// The SHA-256 of a file, computed without loading it as a whole.
    private func digest(of path: String) throws -> String {
        guard let file = FileStream(reading: path) else { throw failure("cannot be read") }
        defer { try? file.close() }
        var hasher = SHA256()
        while case let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty { hasher.update(piece) }
        return hasher.digest().hexadecimal
    }

    func piece(
        of hash: String, in message: EntityID, for user: EntityID, at offset: Int, most: Int
    ) throws -> (bytes: [UInt8], size: Int) {
        let size = try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT f.size FROM message_file f JOIN message m ON m.id = f.message
                        JOIN member me ON me.conversation = m.conversation AND me.user = ?1
                    WHERE f.message = ?2 AND f.sha256 = ?3 AND m.is_deleted = 0 AND me.is_hidden = 0 AND m.seq >= me.first
                        AND m.version <= ifnull(me.left_version, m.version)
                    """, arguments: [user.text, message.text, hash])
        }
        guard let size else { throw HelixError(.notFound, "the message has no such attachment") }
        let descriptor = open(place(hash), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw HelixError(.notFound, "the file is no longer stored") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: max(0, min(most, size - offset)))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("cannot be read") }
            done += count
        }
        return (bytes, size)
    }

    func sweepFiles(now: Instant) throws {
        let old = try write { db in
            // A deleted message can be restored for a day.
            try db.execute(
                sql: """
                    DELETE FROM message_file
                    WHERE message IN (SELECT id FROM message WHERE is_deleted = 1 AND edited_at < ?)
                    """, arguments: [now.seconds - 86_400])
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT user, sha256 FROM upload WHERE made_at < ?
                        AND NOT EXISTS (SELECT 1 FROM message_file f WHERE f.sha256 = upload.sha256)
                    """, arguments: [now.seconds - 86_400])
            for row in rows {
                try db.execute(
                    sql: "DELETE FROM upload WHERE user = ? AND sha256 = ?",
                    arguments: [row["user"] as String, row["sha256"] as String])
            }
            return try rows.map { row in
                let hash: String = try row["sha256"]
                let isWanted = try Bool.fetchOne(db, sql: "SELECT 1 FROM upload WHERE sha256 = ?", arguments: [hash])
                return try (EntityID(stored: row["user"]), hash, isWanted == true)
            }
        }
        for (user, hash, isWanted) in old {
            unlink(part(hash, user))
            if !isWanted { unlink(place(hash)) }
        }
    }

    private func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path.deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch { throw failure("cannot be stored") }
    }

    private func failure(_ what: String) -> HelixError {
        HelixError(.io, "the file \(what): \(String(cString: strerror(errno)))", hint: "Check the free disk space.")
    }
}
