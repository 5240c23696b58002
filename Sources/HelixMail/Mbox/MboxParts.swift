/// Tracks the parts of a message (RFC 2046, 5.1), line by line.
struct MboxParts {
    private let boundary: [UInt8]
    private var isInHead = false
    /// Whether the part is a message or a mailbox: its lines may look like the beginning of a message.
    private(set) var isInAttachedMail = false
    /// Whether the closing boundary was read.
    private(set) var isAtEnd = false

    init(_ boundary: String) { self.boundary = Array("--\(boundary)".utf8) }

    mutating func read(_ line: some Collection<UInt8>) {
        if line.starts(with: boundary) {
            let rest = line.dropFirst(boundary.count)
            if rest.starts(with: [0x2D, 0x2D]), rest.dropFirst(2).allSatisfy({ $0 <= 0x20 }) {
                isAtEnd = true
            } else if rest.allSatisfy({ $0 <= 0x20 }) {
                (isInHead, isInAttachedMail) = (true, false)
            }
        } else if isInHead {
            if MboxLine.isEmpty(line) {
                isInHead = false
                return
            }
            let text = String(decoding: line.prefix(200), as: UTF8.self).lowercased()
            let kind = text.drop { $0 != ":" }.dropFirst().drop { $0 == " " || $0 == "\t" }
            if text.hasPrefix("content-type:") {
                isInAttachedMail = kind.hasPrefix("message/") || kind.hasPrefix("application/mbox")
            }
        }
    }
}
