/// A command to an IMAP server, without its tag (RFC 9051 §6).
public struct IMAPCommand: Sendable {
    /// A part of a command.
    public enum Piece: Sendable {
        /// Bytes of the command line.
        case line([UInt8])
        /// A literal: its size is sent first.
        case literal([UInt8])
        /// UTF-8 text: quoted if UTF-8 is enabled (RFC 6855 §3), else a literal.
        case text([UInt8])
    }

    /// The parts, in order.
    public private(set) var pieces: [Piece] = []
    /// The first word, or two of `UID FETCH`, for errors; it contains no private data.
    public let name: String

    /// Creates a command that begins with these words.
    public init(_ text: String) {
        let words = text.split(separator: " ")
        name = words.prefix(words.first == "UID" ? 2 : 1).joined(separator: " ")
        append(Array(text.utf8))
    }

    private mutating func append(_ bytes: [UInt8]) {
        if case .line(let former)? = pieces.last {
            pieces[pieces.count - 1] = .line(former + bytes)
        } else {
            pieces.append(.line(bytes))
        }
    }

    /// Appends words, after a blank, without quoting.
    public func word(_ text: String) -> IMAPCommand {
        var command = self
        command.append([32] + Array(text.utf8))
        return command
    }

    /// Appends a text, after a blank: quoted, or as a literal if it cannot be quoted.
    public func string(_ text: String) -> IMAPCommand {
        let bytes = Array(text.utf8)
        guard bytes.count < 1000, bytes.allSatisfy({ $0 >= 32 && $0 != 127 }) else { return literal(bytes) }
        var command = self
        command.append([32])
        if bytes.allSatisfy({ $0 < 127 }) {
            command.append(IMAPCommand.quoted(bytes))
        } else {
            command.pieces.append(.text(bytes))
        }
        return command
    }

    /// Bytes in double quotes (RFC 9051 §9, quoted).
    public static func quoted(_ bytes: [UInt8]) -> [UInt8] {
        var quoted = [UInt8(ascii: "\"")]
        for byte in bytes {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
            quoted.append(byte)
        }
        return quoted + [UInt8(ascii: "\"")]
    }

    /// Appends a message whose headers contain UTF-8 (RFC 6855 §4), after a blank.
    public func message8(_ bytes: [UInt8]) -> IMAPCommand {
        var command = word("UTF8 (~")
        command.pieces.append(.literal(bytes))
        command.append(Array(")".utf8))
        return command
    }

    /// Appends a literal, after a blank.
    public func literal(_ bytes: [UInt8]) -> IMAPCommand {
        var command = self
        command.append([32])
        command.pieces.append(.literal(bytes))
        return command
    }
}
