import FoundationEssentials
import Glibc

/// A page for a browser that shows the HTML of a message, and loads nothing from the network.
///
/// The message is in a sandboxed frame: no scripts, forms or redirects, and a policy that allows no address but those inside
/// the page, so that the sender does not learn that it was opened. Images of the message itself are included.
public struct HTMLPage: Sendable {
    /// The page.
    public let text: String

    /// Creates the page; nil if the message has no HTML.
    public init?(_ message: MIMEMessage, title: String) {
        let body = MessageBody(message)
        let section = body.sections.lazy.compactMap { section -> MIMEPart? in
            if case .html(let part) = section { part } else { nil }
        }
        // A message with both forms shows the text; its HTML is an alternative.
        guard let part = section.first ?? message.parts.first(where: { $0.type == "text/html" && $0.kind == .leaf })
        else { return nil }
        let content = HTMLPage.withImages(of: message, message.text(of: part, limit: 8 << 20))
        let frame = "<base target=\"_blank\">" + content
        text = """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'">
            <meta name="referrer" content="no-referrer">
            <title>\(HTMLPage.escaped(title))</title>
            <style>html, body { margin: 0; height: 100% } iframe { border: 0; width: 100%; height: 100% }</style>
            </head>
            <body>
            <iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="\(HTMLPage.escaped(frame))"></iframe>
            </body>
            </html>

            """
    }

    /// Replaces the addresses of the message's own images (RFC 2392) by their data.
    private static func withImages(of message: MIMEMessage, _ html: String) -> String {
        var html = html
        var room = 24 << 20
        for part in message.parts where part.kind == .leaf && part.type.hasPrefix("image/") {
            guard let id = part.contentID, html.contains("cid:"), room > 0 else { continue }
            let bytes = message.content(of: part, limit: room)
            room -= bytes.count
            let type = part.type.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"'<>;,".utf8.contains($0) }
            guard type else { continue }
            let bare = id.trimming { "<>".contains($0) }
            html = html.replacing("cid:" + bare, with: "data:\(part.type);base64,\(Data(bytes).base64EncodedString())")
        }
        return html
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }
}
