import Foundation
import HelixMail
import HelixModel
import TestSupport
import Testing

/// Mailboxes of every dialect are split into the messages that were put into them.
@Suite struct MboxReaderTests {
    private func read(_ bytes: [UInt8], chunk: Int = 1 << 20) throws -> [String] {
        var rest = bytes[...]
        var reader = MboxReader {
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
        var found: [String] = []
        try reader.read { found.append(String(decoding: $0, as: UTF8.self)) }
        return found
    }

    private func read(_ text: String) throws -> [String] { try read(Array(text.utf8)) }

    private static let separator = "From a@x.org Mon Mar  2 10:00:00 2026\n"

    /// Lines that texts have, those that look like the beginning of a message among them.
    private static let lines = [
        "hello", "", "From here on", "From 2019 we went", "Subject: matter", ">From me", ">>From us", "Note: nothing",
        "From Mon 10:00 to Tue 2026 we went", "--b", "--", "> quoted", "To be: or not", "From",
    ]
    /// Such lines that only a quote, a length or MMDF keeps from being the beginning of a message.
    private static let hard = ["From bo@x.org Mon Mar  2 10:00:00 2026", "From bo@x.org"]

    private struct Message {
        var head: [String]
        var body: [String]
        var text: String { (head + [""] + body).map { $0 + "\n" }.joined() }
        var size: Int { body.map { $0.utf8.count + 1 }.reduce(0, +) }
    }

    private static func message(_ number: Int, _ random: inout SeededGenerator, isHard: Bool) -> Message {
        let all = isHard ? lines + hard : lines
        var body = (0..<Int.random(in: 0...12, using: &random)).map { _ in all.randomElement(using: &random) ?? "" }
        // The empty line at the end of a text is the mailbox's.
        body.append("end \(number)")
        return Message(head: ["From: A <a@x.org>", "Subject: s\(number)", "Message-ID: <m\(number)@x>"], body: body)
    }

    private static func quoted(_ line: String) -> String {
        line.drop { $0 == ">" }.hasPrefix("From ") ? ">" + line : line
    }

    @Test(arguments: ["rd", "cl2", "cl", "mmdf", "bom", "crlf"])
    func whatIsWrittenIsReadAgain(_ dialect: String) throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let messages = (0..<Int.random(in: 1...6, using: &random)).map {
                Self.message($0, &random, isHard: true)
            }
            var wanted: [String] = []
            var file = dialect == "bom" ? "\u{FEFF}" : ""
            for message in messages {
                var message = message
                switch dialect {
                case "cl2", "cl":
                    var written = message
                    if dialect == "cl" { written.body = written.body.map(Self.quoted) }
                    message.head.append("Content-Length: \(written.size)")
                    written.head = message.head
                    file += Self.separator + written.text + "\n"
                case "mmdf": file += "\u{1}\u{1}\u{1}\u{1}\n" + message.text + "\u{1}\u{1}\u{1}\u{1}\n"
                default:
                    file +=
                        Self.separator + Message(head: message.head, body: message.body.map(Self.quoted)).text + "\n"
                }
                wanted.append(message.text)
            }
            if dialect == "crlf" {
                file = file.replacing("\n", with: "\r\n")
                wanted = wanted.map { $0.replacing("\n", with: "\r\n") }
            }
            // mboxcl2 says nothing about lines that begin with '>From ': they stay where one begins with 'From '.
            if dialect == "cl2" {
                wanted = zip(messages, wanted).map { message, text in
                    if message.body.contains(where: { $0.hasPrefix("From ") }) { return text }
                    let head = text.prefix(text.count - message.body.map { $0.count + 1 }.reduce(0, +))
                    return head
                        + message.body.map { line in
                            (line.drop { $0 == ">" }.hasPrefix("From ") && line.hasPrefix(">")
                                ? String(line.dropFirst()) : line) + "\n"
                        }.joined()
                }
            }
            for chunk in [1, 7, 64, 1 << 20] {
                #expect(try read(Array(file.utf8), chunk: chunk) == wanted, "seed \(seed), chunk \(chunk)")
            }
        }
    }

    @Test func textsThatLookLikeTheBeginningOfAMessageAreNone() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let messages = (0..<4).map { Self.message($0, &random, isHard: false) }
            let file = messages.map { Self.separator + $0.text + "\n" }.joined()
            #expect(try read(file).count == 4, "seed \(seed)")
        }
    }

    @Test func anAttachedMailMayBeginAsAMailboxDoes() throws {
        let inner = "From b@x.org Mon Mar  2 10:00:00 2026\nSubject: inner\n\ntext\n"
        let multi = """
            From: a@x.org
            Content-Type: multipart/mixed;
            \tboundary="the end"

            --the end

            words
            --the end
            Content-Type: message/rfc822

            \(inner)
            \(inner)
            --the end--

            """
        let next = "From: c@x.org\nSubject: next\n\nhello\n"
        #expect(try read(Self.separator + multi + "\n" + Self.separator + next + "\n") == [multi, next])
        // An attached text is none, whatever ends its parts later.
        let text = multi.replacing("message/rfc822", with: "text/plain")
        #expect(try read(Self.separator + text + "\n" + Self.separator + next + "\n").count == 4)
        // Without an end of the parts, each is a message.
        let open = multi.replacing("--the end--\n", with: "")
        let found = try read(Self.separator + open + "\n" + Self.separator + next + "\n")
        #expect(found.count == 4)
        #expect(found.last == next)
    }

    @Test(arguments: ["7", "0", "999999999999999999999", "-1", "10000000", "x"])
    func aWrongLengthIsNoLength(_ length: String) throws {
        let one = "From: a@x.org\nContent-Length: \(length)\n\nhello\n\nFrom here on\nmore\n"
        let two = "From: b@x.org\n\nhello\n"
        #expect(try read(Self.separator + one + "\n" + Self.separator + two + "\n") == [one, two])
    }

    @Test func aLineAboveTheHeaderStaysThere() throws {
        let one = ">From old@x Mon Mar  2 10:00:00 2026\nFrom: a@x.org\nSubject: s\n\nhello\n"
        #expect(try read(Self.separator + one + "\n") == [one])
    }

    @Test(arguments: [
        "From a@x.org\n", "From -\n", "From MAILER-DAEMON 2026-03-02 10:00:00\n", "From bo 2026-03-02T10:00\n",
    ])
    func separatorsWithoutADateNameASender(_ line: String) throws {
        let one = "From: a@x.org\n\nhello\n"
        #expect(try read(line + one + "\n" + line + one + "\n") == [one, one])
    }

    @Test func partsWithoutAnEndHideNoOtherMessage() throws {
        let open = "From: a@x.org\nContent-Type: multipart/mixed; boundary=\"=-fixed\"\n\n--=-fixed\n\nwords\n"
        let plain = (0..<50).map { "From: b@x.org\nSubject: \($0)\n\nhello\n" }
        let whole = open + "--=-fixed--\n"
        let all = [open] + plain + [whole, plain[0]]
        #expect(try read(all.map { Self.separator + $0 + "\n" }.joined()) == all)
    }

    @Test func whatIsCompressedIsRefused() throws {
        #expect(throws: HelixError.self) { try read([0x1F, 0x8B, 8, 0, 0, 0]) }
    }

    @Test func babylIsRefused() throws {
        #expect(throws: HelixError.self) { try read("BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\u{1F}\u{C}\n1,,\n") }
    }

    @Test func whatBeginsOtherwiseIsOneMessage() throws {
        for text in ["Subject: x\n\nFrom here\n", "From here on nothing is said\nand more\n\nFrom there on\n"] {
            #expect(try read(text) == [text])
        }
    }
}
