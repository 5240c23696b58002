import CCmark
import Foundation
import HelixModel

/// CommonMark as HTML for mail.
public enum Markdown {
    /// A whole HTML document of a text. What somebody else wrote, a quote or a forwarded message, is no Markdown: it stands as
    /// it is, line by line; so does a signature, whose `-- ` would make a heading of what stands before it.
    ///
    /// - Parameter isAnswer: whether lines with `>` are a quote of somebody else's words.
    /// - Throws: ``HelixError`` of code `unexpected` if cmark is not installed.
    public static func html(_ text: String, isAnswer: Bool = false) throws -> String {
        var document = "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"></head>\n<body>\n"
        var own: [Substring] = []
        func flush() throws {
            if own.contains(where: { !$0.allSatisfy(\.isWhitespace) }) {
                document += try rendered(own.joined(separator: "\n") + "\n")
            }
            own = []
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.first {
            if line == "-- " || line == Substring(ForwardedText.heading) {
                try flush()
                while lines.last?.isEmpty == true { lines.removeLast() }
                document += "<p>" + lines.map(escaped).joined(separator: "<br>\n") + "</p>\n"
                break
            }
            if isAnswer, line.hasPrefix(">") {
                try flush()
                let quote = lines.prefix { $0.hasPrefix(">") }
                document += quoted(quote.map(unquoted))
                lines = lines.dropFirst(quote.count)
                continue
            }
            own.append(line)
            lines.removeFirst()
        }
        try flush()
        return document + "</body>\n</html>\n"
    }

    /// Lines as a quote; lines that were quotes in it, one level further in.
    private static func quoted(_ lines: [Substring]) -> String {
        var out = "<blockquote>\n"
        var rest = lines[...]
        while let first = rest.first {
            let isInner = first.hasPrefix(">")
            let run = rest.prefix { $0.hasPrefix(">") == isInner }
            out +=
                isInner
                ? quoted(run.map(unquoted)) : "<p>" + run.map(escaped).joined(separator: "<br>\n") + "</p>\n"
            rest = rest.dropFirst(run.count)
        }
        return out + "</blockquote>\n"
    }

    private static func unquoted(_ line: Substring) -> Substring {
        let rest = line.dropFirst()
        return rest.hasPrefix(" ") ? rest.dropFirst() : rest
    }

    private static func rendered(_ text: String) throws -> String {
        guard let html = text.withCString({ helix_markdown_html($0, strlen($0)) }) else {
            throw HelixError(
                .unexpected, "cmark, which makes HTML of Markdown, is not installed",
                hint: "On Debian: apt-get install libcmark0.30.2.")
        }
        defer { free(html) }
        return String(cString: html)
    }

    private static func escaped(_ line: some StringProtocol) -> String {
        String(line).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

/// A message's text as it is sent on.
enum ForwardedText {
    /// The line over it.
    static let heading = "---------- Forwarded message ----------"
}

/// The signature under a message, after a line that is `-- ` (RFC 3676 §4.3).
public enum Signature {
    /// A text with a signature under it, unless it has one already.
    public static func appended(_ signature: String, to text: String) -> String {
        var body = text
        while body.hasSuffix("\n\n") { body.removeLast() }
        if !body.isEmpty, !body.hasSuffix("\n") { body += "\n" }
        var own = signature
        // Many files of signatures begin with the mark themselves.
        if own.hasPrefix("-- \n") { own.removeFirst(4) }
        while own.hasSuffix("\n") { own.removeLast() }
        if body.hasSuffix("-- \n" + own + "\n") { return body }
        return own.isEmpty ? body : body + "\n-- \n" + own + "\n"
    }
}
