import CGMime
import FoundationEssentials
import Glibc
import HelixModel

/// A message with its parts (RFC 5322, RFC 2045). A malformed message is read as far as possible.
///
/// A large message stays in its file and is read on demand.
public final class MIMEMessage {
    /// A raw header, folded and encoded.
    public struct Header: Sendable {
        /// Its name, as written.
        public var name: String
        /// Its bytes after the colon.
        public var raw: [UInt8]

        /// The decoded value.
        public var text: String { EncodedWord.text(raw) }
    }

    /// Messages up to this size are read into memory.
    private static let memoryLimit = 4 << 20
    /// The maximum size of the headers.
    private static let headLimit = 1 << 20

    private let handle: OpaquePointer
    private let bytes: [UInt8]
    /// The headers, in order.
    public let headers: [Header]
    /// The parts, each before its children.
    public let parts: [MIMEPart]
    /// The bytes of the whole message.
    public let size: Int
    /// Whether it was truncated: oversized headers, or too many parts.
    public let isCut: Bool
    /// Whether its parts were in an opaque signature of S/MIME.
    public let isOpaqueSigned: Bool

    /// Starts loading the library in the background: that takes as long as finding the first message.
    public static func prepare() { helix_mime_load_aside() }

    /// Parses bytes.
    /// - Throws: ``HelixError`` of code `configuration` if GMime is not installed, `badInput` if the bytes are no message.
    ///
    /// - Parameter keepsOpaque: whether an opaque signature of S/MIME stays a part, to be verified.
    public init(_ given: [UInt8], keepsOpaque: Bool = false) throws {
        let (sensible, isCut) = Self.sensible(given)
        size = given.count
        try Self.load()
        // The library copies them.
        guard let outer = Self.parse(sensible) else { throw HelixError(.badInput, "it contains no message") }
        let parsed: (handle: OpaquePointer, isBroken: Bool)
        (parsed, bytes, isOpaqueSigned) = keepsOpaque ? (outer, sensible, false) : Self.unwrapped(outer, sensible)
        handle = parsed.handle
        headers = Self.headers(parsed.handle, -1)
        parts = (0..<helix_mime_part_count(parsed.handle)).map { MIMEPart(parsed.handle, $0) }
        self.isCut = isCut || parsed.isBroken || helix_mime_is_cut(parsed.handle) != 0
    }

    /// Parses a file.
    /// - Throws: ``HelixError``: it is missing (`notFound`), cannot be read (`io`), or contains no message.
    public init(path: String) throws {
        // Opening a pipe without a writer would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.problem(path) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw HelixError(.badInput, "\(path) is not a regular file")
        }
        try Self.load()
        size = Int(info.st_size)
        guard let head = Self.read(descriptor, upTo: min(size, Self.memoryLimit) + 1) else {
            close(descriptor)
            throw Self.problem(path)
        }
        var parsed: (handle: OpaquePointer, isBroken: Bool)?
        var wasCut = false
        if head.count <= Self.memoryLimit || Self.endOfHead(head) == nil {
            // The headers exceed the limit: parse only the part that was read.
            close(descriptor)
            let (sensible, isSensiblyCut) = Self.sensible(head)
            wasCut = isSensiblyCut
            if let outer = Self.parse(sensible) {
                (parsed, bytes, isOpaqueSigned) = Self.unwrapped(outer, sensible)
            } else {
                (parsed, bytes, isOpaqueSigned) = (nil, sensible, false)
            }
        } else {
            (bytes, isOpaqueSigned) = ([], false)
            parsed =
                helix_mime_parse_file(descriptor, Int64(Self.start(of: head))).map { ($0, false) }
                ?? Self.parse(head)
        }
        guard let parsed else { throw HelixError(.badInput, "\(path) contains no message") }
        handle = parsed.handle
        headers = Self.headers(parsed.handle, -1)
        parts = (0..<helix_mime_part_count(parsed.handle)).map { MIMEPart(parsed.handle, $0) }
        isCut = wasCut || parsed.isBroken || helix_mime_is_cut(parsed.handle) != 0
    }

    /// Parses bytes; if the library finds no message, they are the body of one without headers, so nothing is dropped.
    private static func parse(_ bytes: [UInt8]) -> (handle: OpaquePointer, isBroken: Bool)? {
        let parsed = bytes.withUnsafeBufferPointer { helix_mime_parse_bytes($0.baseAddress, $0.count) }
        if let parsed { return (parsed, false) }
        let body: [UInt8] = [0x0A] + bytes
        return body.withUnsafeBufferPointer { helix_mime_parse_bytes($0.baseAddress, $0.count) }.map { ($0, true) }
    }

    /// The message in an opaque signature of S/MIME, which is not encrypted; any other one as it is.
    private static func unwrapped(
        _ parsed: (handle: OpaquePointer, isBroken: Bool), _ bytes: [UInt8]
    ) -> (parsed: (handle: OpaquePointer, isBroken: Bool), bytes: [UInt8], isSigned: Bool) {
        guard helix_mime_part_count(parsed.handle) > 0 else { return (parsed, bytes, false) }
        let root = MIMEPart(parsed.handle, 0)
        guard root.isOpaqueSMIME, let content = SignedContent.extracted(content(parsed.handle, root)),
            let inner = parse(SignedContent.message(bytes, content: content))
        else { return (parsed, bytes, false) }
        helix_mime_free(parsed.handle)
        return (inner, bytes, true)
    }

    private static func content(_ handle: OpaquePointer, _ part: MIMEPart) -> [UInt8] {
        var content: [UInt8] = []
        withUnsafeMutablePointer(to: &content) { content in
            _ = helix_mime_read(handle, Int32(part.index), content) { context, bytes, count in
                guard let bytes else { return 0 }
                let content = context?.assumingMemoryBound(to: [UInt8].self)
                content?.pointee.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
                return 1
            }
        }
        return content
    }

    deinit { helix_mime_free(handle) }

    /// The raw value of the first header of that name.
    public func header(_ name: String) -> [UInt8]? { Self.first(name, in: headers) }

    /// The first header of that name as text; nil if it is missing or empty.
    public func text(of name: String) -> String? {
        guard let raw = header(name) else { return nil }
        let text = EncodedWord.text(raw)
        return text.isEmpty ? nil : text
    }

    /// The headers of a part, or of the message in it.
    public func headers(of part: MIMEPart) -> [Header] { Self.headers(handle, Int32(part.index)) }

    static func first(_ name: String, in headers: [Header]) -> [UInt8]? {
        headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name.lowercased() }?.raw
    }

    /// A part's decoded content, at most `limit` bytes.
    public func content(of part: MIMEPart, limit: Int = .max) -> [UInt8] {
        var content: [UInt8] = []
        if part.encodedSize > 0 { content.reserveCapacity(min(part.encodedSize, limit, 1 << 20)) }
        read(part) { piece in
            content.append(contentsOf: piece.prefix(limit - content.count))
            return content.count < limit
        }
        return content
    }

    /// Calls `body` with a part's decoded content in pieces, until it returns false.
    /// - Returns: whether the content could be read.
    @discardableResult
    public func read(_ part: MIMEPart, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        withoutActuallyEscaping(body) { body in
            var sink = Sink(body: body)
            return withUnsafeMutablePointer(to: &sink) { sink in
                helix_mime_read(handle, Int32(part.index), sink) { context, bytes, count in
                    guard let sink = context?.assumingMemoryBound(to: Sink.self) else { return 0 }
                    return sink.pointee.body(UnsafeBufferPointer(start: bytes, count: count)) ? 1 : 0
                } != 0
            }
        }
    }

    /// A part as it stands in the message: its headers, an empty line, and its encoded content. That is what signatures cover, with
    /// CRLF line ends (RFC 1847 §2.1).
    public func entity(of part: MIMEPart) -> [UInt8] {
        var entity: [UInt8] = []
        withUnsafeMutablePointer(to: &entity) { entity in
            _ = helix_mime_write(handle, Int32(part.index), entity) { context, bytes, count in
                guard let bytes else { return 0 }
                context?.assumingMemoryBound(to: [UInt8].self).pointee
                    .append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
                return 1
            }
        }
        return entity
    }

    /// The decoded size of a part in bytes; an estimate for large parts.
    public func size(of part: MIMEPart) -> Int {
        if part.kind == .leaf, part.encodedSize > 2 << 20 { return part.encodedSize / 78 * 57 }
        var size = 0
        read(part) { piece in
            size += piece.count
            return true
        }
        return size
    }

    private struct Sink { let body: (UnsafeBufferPointer<UInt8>) -> Bool }

    /// The text of a part, decoded by its character set, with LF line ends.
    public func text(of part: MIMEPart, limit: Int = 8 << 20) -> String {
        let bytes = content(of: part, limit: limit)
        var charset = part.contentType["charset"]
        if part.type == "text/html", charset == nil { charset = HTMLCharset.declared(bytes) }
        let text = Charset.text(bytes, charset: charset)
        guard text.utf8.contains(0x0D) else { return text }
        var lines: [UInt8] = []
        lines.reserveCapacity(text.utf8.count)
        var isAfterReturn = false
        for byte in text.utf8 {
            if byte == 0x0A, isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = byte == 0x0D
            lines.append(isAfterReturn ? 0x0A : byte)
        }
        return String(decoding: lines, as: UTF8.self)
    }

    private static func load() throws {
        if helix_mime_load() == 0 {
            throw HelixError(
                .configuration, "GMime 3, needed to read mail, is not installed",
                hint: "On Debian: apt-get install libgmime-3.0-0.")
        }
    }

    private static func problem(_ path: String) -> HelixError {
        errno == ENOENT
            ? HelixError(.notFound, "\(path) is missing")
            : errno == ELOOP
                ? HelixError(.badInput, "\(path) is a symbolic link: helix does not follow links in mailboxes")
                : HelixError(.io, "cannot read \(path): \(String(cString: strerror(errno)))")
    }

    private static func read(_ descriptor: Int32, upTo limit: Int) -> [UInt8]? {
        var isBroken = false
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = 0
            while count < limit {
                let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { isBroken = true }
                if got <= 0 { break }
                count += got
            }
        }
        return isBroken ? nil : bytes
    }

    private static func headers(_ handle: OpaquePointer, _ part: Int32) -> [Header] {
        (0..<helix_mime_header_count(handle, part)).compactMap { index in
            var name: UnsafePointer<CChar>?
            var value: UnsafePointer<CChar>?
            helix_mime_header(handle, part, index, &name, &value)
            guard let name else { return nil }
            return Header(name: String(cString: name), raw: value.map(bytes(of:)) ?? [])
        }
    }

    static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
        UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
    }

    /// The start of the message, after a line `From …` of the mailbox that it was in, and after blanks before the
    /// first header.
    private static func start(of bytes: [UInt8]) -> Int {
        if bytes.starts(with: Array("From ".utf8)) || bytes.starts(with: Array(">From ".utf8)) {
            return (bytes.firstIndex(of: 0x0A) ?? -1) + 1
        }
        let blanks = bytes.prefix { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }.count
        if blanks == 0 { return 0 }
        // Only before a header; otherwise they are the end of empty headers.
        let name = bytes[blanks...].prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        return !name.isEmpty && bytes[name.endIndex...].first == UInt8(ascii: ":") ? blanks : 0
    }

    /// The end of the headers, after the last line.
    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var place = 0
            while place < bytes.count {
                if bytes[place] == 0x0A {
                    if place + 1 < bytes.count, bytes[place + 1] == 0x0A { return place + 1 }
                    if place + 2 < bytes.count, bytes[place + 1] == 0x0D, bytes[place + 2] == 0x0A { return place + 1 }
                }
                place += 1
            }
            return nil
        }
    }

    /// The bytes to parse: without a leading mbox line, and with headers cut to the size limit.
    private static func sensible(_ bytes: [UInt8]) -> (bytes: [UInt8], isCut: Bool) {
        let first = start(of: bytes)
        let end = bytes.count > headLimit ? endOfHead(bytes) ?? bytes.count : 0
        guard end > headLimit else { return (first == 0 ? bytes : Array(bytes[first...]), false) }
        let kept = bytes[first..<headLimit]
        let line = kept.lastIndex(of: 0x0A).map { $0 + 1 } ?? headLimit
        return (Array(bytes[first..<line]) + bytes[end...], true)
    }
}
