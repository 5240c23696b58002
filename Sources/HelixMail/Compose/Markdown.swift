import CCmark
import FoundationEssentials
import Glibc
import HelixModel

/// Conversion of Markdown (CommonMark with tables, task lists, struck-through text and plain links) to HTML for mail.
public enum Markdown {
    /// Converts a text to an HTML document. Quotes and forwarded messages are not Markdown: they are copied line by line;
    /// so is a signature, whose `-- ` would turn the line before it into a heading.
    ///
    /// - Parameter isAnswer: whether lines with `>` quote another author.
    /// - Throws: ``HelixError`` of code `configuration` if cmark-gfm is not installed.
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

    /// Converts lines to a block quote; nested quotes become nested block quotes.
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
                .configuration, "cmark-gfm, needed to convert Markdown to HTML, is not installed",
                hint: "On Debian: apt-get install libcmark-gfm-extensions0.29.0.gfm.6.")
        }
        defer { free(html) }
        // Mail programs leave out input fields.
        return String(cString: html)
            .replacing("<input type=\"checkbox\" checked=\"\" disabled=\"\" />", with: "☑")
            .replacing("<input type=\"checkbox\" disabled=\"\" />", with: "☐")
    }

    private static func escaped(_ line: some StringProtocol) -> String {
        String(line).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

/// The text of a forwarded message.
enum ForwardedText {
    /// The heading line of the forwarded text.
    static let heading = "---------- Forwarded message ----------"
}

/// The signature of a message, after a line `-- ` (RFC 3676 §4.3).
public enum Signature {
    /// Appends a signature to a text, unless it is there already.
    public static func appended(_ signature: String, to text: String) -> String {
        var body = text
        while body.hasSuffix("\n\n") { body.removeLast() }
        if !body.isEmpty, !body.hasSuffix("\n") { body += "\n" }
        var own = signature
        // Many signature files begin with the separator themselves.
        if own.hasPrefix("-- \n") { own.removeFirst(4) }
        while own.hasSuffix("\n") { own.removeLast() }
        if body.hasSuffix("-- \n" + own + "\n") { return body }
        return own.isEmpty ? body : body + "\n-- \n" + own + "\n"
    }
}
