import CCmark
import Foundation
import HelixModel

/// CommonMark as HTML for mail.
public enum Markdown {
    /// A whole HTML document of a text. A signature stands in it line by line: `-- ` would make a heading of what stands
    /// before it.
    /// - Throws: ``HelixError`` of code `unexpected` if cmark is not installed.
    public static func html(_ text: String) throws -> String {
        let (body, signature) = Signature.split(text)
        var document = "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"></head>\n<body>\n" + (try rendered(body))
        if let signature {
            document += "<p>-- <br>\n" + signature.map(escaped).joined(separator: "<br>\n") + "</p>\n"
        }
        return document + "</body>\n</html>\n"
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

    private static func escaped(_ line: String) -> String {
        line.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

/// The signature under a message: what stands after the last line that is `-- ` (RFC 3676 §4.3).
public enum Signature {
    /// A text without its signature, and the signature's lines.
    public static func split(_ text: String) -> (body: String, signature: [String]?) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let mark = lines.lastIndex(of: "-- ") else { return (text, nil) }
        var signature = lines[(mark + 1)...].map(String.init)
        while signature.last?.isEmpty == true { signature.removeLast() }
        return (lines[..<mark].joined(separator: "\n") + "\n", signature)
    }

    /// A text with a signature under it, unless it has one already.
    public static func appended(_ signature: String, to text: String) -> String {
        var body = text
        while body.hasSuffix("\n\n") { body.removeLast() }
        if !body.isEmpty, !body.hasSuffix("\n") { body += "\n" }
        var own = signature
        // Many files of signatures begin with the mark themselves.
        if own.hasPrefix("-- \n") { own.removeFirst(4) }
        while own.hasSuffix("\n") { own.removeLast() }
        return own.isEmpty ? body : body + "\n-- \n" + own + "\n"
    }
}
