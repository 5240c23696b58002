import HelixMail
import HelixModel
import HelixSystem
import HelixTerminal

extension CommandContext {
    /// Writes one part, decoded.
    /// - Throws: ``HelixError``: no such part, or it is binary and the output is a terminal.
    func writePart(_ part: Int?, isHTML: Bool, of parsed: MIMEMessage, called id: String) throws {
        let chosen: MIMEPart
        if let part {
            guard let found = parsed.parts.first(where: { $0.index == part - 1 && $0.kind != .multipart }) else {
                let numbers = parsed.parts.filter { $0.kind != .multipart }.map { "\($0.index + 1) \($0.label)" }
                throw HelixError(
                    .notFound, "the message has no part \(part) with content",
                    hint: "Parts: \(numbers.prefix(20).joined(separator: ", ")).")
            }
            chosen = found
        } else {
            guard let found = parsed.parts.first(where: { $0.type == "text/html" }) else {
                throw HelixError(
                    .notFound, "the message has no HTML part", hint: "Omit --html to show its text.")
            }
            chosen = found
        }
        if chosen.type.hasPrefix("text/") {
            let text = parsed.text(of: chosen, limit: .max)
            return try write(text.hasSuffix("\n") ? text : text + "\n")
        }
        if terminal.isInteractive {
            throw HelixError(
                .usage, "\(chosen.label) is binary and cannot be shown on a terminal",
                hint: "Run 'helix mail attachments save \(id)', or redirect the output to a file with '>'.")
        }
        var isWritten = true
        parsed.read(chosen) { piece in
            isWritten = console.write(Array(piece))
            return isWritten
        }
        if !isWritten { throw HelixError(.io, "the output cannot be written", hint: "Is the disk full?") }
    }

    /// Writes a file's bytes to standard output; on a terminal, control characters are neutralized.
    /// - Throws: ``HelixError``.
    func copyFile(_ path: String) throws {
        guard let handle = FileStream(reading: path) else {
            throw HelixError(.notFound, "the message's file is missing", hint: "Run 'helix mail index'.")
        }
        defer { try? handle.close() }
        func next() throws -> [UInt8] {
            do { return Array(try handle.read(upToCount: 1 << 20)) } catch {
                throw HelixError(.io, "cannot read the message's file \(path)")
            }
        }
        while case let piece = try next(), !piece.isEmpty {
            if terminal.isInteractive {
                try write(String(decoding: piece, as: UTF8.self))
            } else if !console.write(piece) {
                throw HelixError(.io, "the output cannot be written", hint: "Is the disk full?")
            }
        }
    }
}
