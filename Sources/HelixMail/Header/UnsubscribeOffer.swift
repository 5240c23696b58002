/// The ways in which a message offers to leave its list (RFC 2369 §3.2, RFC 8058).
public struct UnsubscribeOffer: Hashable, Sendable {
    /// An address that takes a request without a page (RFC 8058); nil if there is none.
    public var oneClick: String?
    /// A message that the list takes as a request; nil if there is none.
    public var mail: Letter?
    /// A page to open in a browser.
    public var page: String?

    /// A message by which a list is left.
    public struct Letter: Hashable, Sendable {
        /// The address of the list.
        public var address: String
        /// The subject that it wants.
        public var subject: String
        /// The text that it wants.
        public var body: String
    }

    /// Reads the headers of a message; nil if it offers nothing.
    public init?(_ message: MIMEMessage) {
        let value = message.text(of: "List-Unsubscribe") ?? ""
        let isOneClick =
            message.text(of: "List-Unsubscribe-Post")?.filter { !$0.isWhitespace }.lowercased()
            == "list-unsubscribe=one-click"
        for piece in value.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
            let address = piece.prefix { $0 != ">" }.filter { !$0.isWhitespace }
            let lower = address.lowercased()
            if lower.hasPrefix("https://") {
                if isOneClick, oneClick == nil { oneClick = address }
                page = page ?? address
            } else if lower.hasPrefix("http://") {
                page = page ?? address
            } else if lower.hasPrefix("mailto:"), mail == nil {
                mail = Self.mail(String(address.dropFirst(7)))
            }
        }
        if oneClick == nil, mail == nil, page == nil { return nil }
    }

    /// The parts of a mailto address (RFC 6068).
    private static func mail(_ text: String) -> Letter? {
        let parts = text.split(separator: "?", maxSplits: 1).map(String.init)
        guard let address = parts.first?.removingPercents, MailAddress(address: address).isSendable else { return nil }
        var fields: [String: String] = [:]
        for field in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            guard let equals = field.firstIndex(of: "=") else { continue }
            // Line ends could add headers.
            let value = String(field[field.index(after: equals)...])
            fields[field[..<equals].lowercased()] = value.removingPercents?.oneLine
        }
        return Letter(
            address: address, subject: fields["subject"] ?? "unsubscribe", body: fields["body"] ?? "unsubscribe")
    }
}

extension String {
    fileprivate var removingPercents: String? {
        var bytes: [UInt8] = []
        var rest = Substring(self).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(Substring(rest.prefix(2))), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
