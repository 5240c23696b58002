import FoundationEssentials
import HelixModel
import HelixSystem

/// Writes messages as a mailbox of the form mboxrd: each begins with a `From ` line (RFC 4155), and lines of texts that look like
/// one get a `>` more, which readers remove.
public enum MboxWriter {
    /// A message with its separator and the empty line after it.
    ///
    /// - Parameters:
    ///   - sender: the address of the envelope sender; empty if it is unknown.
    ///   - date: the time of arrival.
    ///   - labels: written as X-Keywords, which mutt and Dovecot read.
    ///   - mailbox: the mailbox, if the file is not that mailbox: written as X-Helix-Mailbox.
    public static func message(
        _ bytes: [UInt8], sender: String, date: Instant, flags: MessageFlags, labels: [String], mailbox: String? = nil
    ) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 256)
        let address = sender.isEmpty || sender.contains(where: \.isWhitespace) ? "MAILER-DAEMON" : sender
        out += "From \(address) \(asctime(date))\n".utf8
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var isHead = true
        var isDropped = false
        for (number, line) in lines.enumerated() {
            // The split leaves an empty piece after the last line end.
            if number == lines.count - 1, line.isEmpty { break }
            if isHead {
                if line.isEmpty || line.elementsEqual([0x0D]) {
                    isHead = false
                    let end: [UInt8] = line.isEmpty ? [0x0A] : [0x0D, 0x0A]
                    for mark in marks(flags, labels, mailbox) { out += Array(mark.utf8) + end }
                } else if line.first == 0x20 || line.first == 0x09 {
                    if isDropped { continue }
                } else {
                    isDropped = MboxMarks.isMark(line)
                    if isDropped { continue }
                }
            } else if MboxLine.isFrom(line.drop { $0 == UInt8(ascii: ">") }) {
                out.append(UInt8(ascii: ">"))
            }
            out += line
            out.append(0x0A)
        }
        out.append(0x0A)
        return out
    }

    /// The lines that carry flags and labels; none for an unread message without any.
    private static func marks(_ flags: MessageFlags, _ labels: [String], _ mailbox: String?) -> [String] {
        var lines = flags.contains(.seen) ? ["Status: RO"] : []
        let letters = [(MessageFlags.answered, "A"), (.flagged, "F"), (.draft, "T"), (.deleted, "D")].filter {
            flags.contains($0.0)
        }.map(\.1)
        if !letters.isEmpty { lines.append("X-Status: " + letters.joined()) }
        if !labels.isEmpty { lines.append("X-Keywords: " + labels.joined(separator: " ")) }
        if let mailbox {
            lines.append(
                MboxMarks.mailbox + ": " + mailbox.percentEncoded(keeping: String.signsOfPaths)
            )
        }
        return lines
    }

    /// `Wed Nov 18 10:20:00 2026`, in UTC.
    static func asctime(_ instant: Instant) -> String {
        let civil = CivilDateTime(seconds: instant.seconds)
        let day = civil.date.day < 10 ? " \(civil.date.day)" : "\(civil.date.day)"
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [civil.hour, civil.minute, civil.second].map(two).joined(separator: ":")
        let date = civil.date
        return "\(DateWords.name(date.weekday)) \(DateWords.name(month: date.month)) \(day) \(clock) \(date.year)"
    }
}
