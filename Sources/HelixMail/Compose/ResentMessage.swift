import HelixModel

/// A message that is sent on unchanged, with headers that say who did that (RFC 5322 §3.6.6).
public enum ResentMessage {
    /// The message with a block of Resent headers above its own.
    ///
    /// - Parameters:
    ///   - bytes: the message.
    ///   - id: the Message-ID of the resending, without brackets.
    ///   - zone: the zone in which the date is written.
    public static func bytes(
        _ bytes: [UInt8], from sender: MailAddress, to recipients: [MailAddress], id: String, at date: Instant,
        in zone: Zone
    ) -> [UInt8] {
        let block =
            HeaderWriter.date(date, in: zone) + HeaderWriter.addresses("From", [sender])
            + HeaderWriter.addresses("To", recipients) + HeaderWriter.ids("Message-ID", [id])
        let resent = block.split(separator: "\n").map { $0.hasPrefix(" ") ? $0 : "Resent-" + $0 }
        // The hidden recipients of an own message, what helix adds to drafts, and the line of an mbox.
        let dropped = ["bcc:", "x-helix-", "from ", "return-path:"]
        let (head, end) = RawHead.without(bytes) { line in
            let text = String(decoding: line.prefix(40), as: UTF8.self).lowercased()
            return dropped.contains { text.hasPrefix($0) }
        }
        let newline = bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } ?? false ? "\r\n" : "\n"
        return Array((resent.joined(separator: newline) + newline).utf8) + head + bytes[end...]
    }

    /// Whether a message begins with such a block.
    public static func isResent(_ bytes: some Collection<UInt8>) -> Bool {
        String(decoding: bytes.prefix(7), as: UTF8.self).lowercased() == "resent-"
    }
}
