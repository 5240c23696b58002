import HelixModel

/// The attachments of a gateway's messages, each under its SHA-256, with partial uploads.
public protocol GatewayFileStore {
    /// The number of bytes of a file that a user has uploaded.
    /// - Throws: ``HelixError``.
    func received(_ hash: String, size: Int, from user: EntityID) throws -> Int

    /// Appends a piece to an upload. Pieces arrive in order; a repeated one has no effect.
    ///
    /// - Returns: the number of bytes uploaded so far.
    /// - Throws: ``HelixError``: `busy` for a gap, `usage` for too large a file, `badInput` if the complete file has another
    ///   hash.
    func take(
        _ bytes: [UInt8], at offset: Int, of hash: String, size: Int, from user: EntityID, now: Instant
    ) throws -> Int

    /// A piece of an attachment of a message that a user may see.
    /// - Returns: the bytes, and the size of the whole file.
    /// - Throws: ``HelixError`` of code `notFound`.
    func piece(
        of hash: String, in message: EntityID, for user: EntityID, at offset: Int, most: Int
    ) throws -> (bytes: [UInt8], size: Int)

    /// Removes files that no message refers to any more, and uploads that were started a day ago and never sent.
    /// - Throws: ``HelixError``.
    func sweepFiles(now: Instant) throws
}
