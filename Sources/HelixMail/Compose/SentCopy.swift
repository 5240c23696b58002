/// The stored copy of a sent message.
public enum SentCopy {
    /// The sent message with its Bcc recipients, and LF line ends as in a Maildir.
    ///
    /// - Parameter recipients: all recipients, `Name <address>`.
    public static func bytes(of sent: [UInt8], recipients: [String]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(sent.count)
        for (place, byte) in sent.enumerated() where byte != 13 || place + 1 < sent.count && sent[place + 1] != 10 {
            lines.append(byte)
        }
        guard let message = try? MIMEMessage(sent) else { return lines }
        // A domain may be in Unicode in one place, and in ASCII in the other.
        func plain(_ address: MailAddress) -> String {
            ((try? address.deliverable()) ?? address).address.lowercased()
        }
        let shown = Set(["to", "cc"].flatMap { message.header($0).map { MailAddress.list($0) } ?? [] }.map(plain))
        let hidden = recipients.map { MailAddress(text: $0) }.filter { !shown.contains(plain($0)) }
        return hidden.isEmpty ? lines : Array(HeaderWriter.addresses("Bcc", hidden).utf8) + lines
    }
}
