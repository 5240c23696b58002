import HelixModel
import TestSupport
import Testing

@testable import HelixNetwork

/// Servers that say anything.
@Suite struct NetworkFuzzTests {
    private static let talk = [
        "* OK [CAPABILITY IMAP4rev1 LITERAL+ ID] ready\r\nh1 OK [READ-WRITE] Select completed.\r\n",
        "* LIST (\\HasNoChildren \\Sent) \"/\" \"Sent \\\"old\\\" \\\\ mail\"\r\n* LIST () NIL {5}\r\na b\r\n\r\n",
        "* 12 FETCH (UID 7 FLAGS (\\Seen) BODY[HEADER.FIELDS (MESSAGE-ID)] {21}\r\nMessage-ID: <a@b>\r\n\r\n X NIL)\r\n",
        "* ESEARCH (TAG \"h3\") UID ALL 1:3,7\r\n* VANISHED (EARLIER) 41,43:116\r\n+ idling\r\n",
        "h3 OK [COPYUID 38505 304,319:320 3956:3958] Done\r\n* 3 FETCH (BODYSTRUCTURE ((\"text\" \"plain\" NIL NIL NIL \"7bit\" 1 1)))\r\n",
        "* 9 FETCH (BODY[] ~{3}\r\n\0\u{1}\u{2} MODSEQ (123456789012345))\r\n* BYE so long\r\n",
    ]

    /// The outputs, and the error that ended them.
    private static func outputs(_ chunks: [[UInt8]], largest: Int) -> [String] {
        var reader = IMAPReader(largest: largest)
        var found: [String] = []
        var piece: [UInt8] = []
        func flush() {
            if !piece.isEmpty { found.append("piece \(piece)") }
            piece = []
        }
        for chunk in chunks {
            reader.feed(chunk)
            do {
                while let output = try reader.next() {
                    if case .piece(let bytes) = output {
                        piece += bytes
                    } else {
                        flush()
                        found.append("\(output)")
                    }
                }
            } catch {
                flush()
                return found + ["error \((error as? HelixError)?.code as Any)"]
            }
        }
        flush()
        return found
    }

    /// What a server says is read the same way in whatever pieces it comes; nonsense is an error.
    @Test func imapIsReadTheSameInAllPieces() {
        let words = [
            "{5}\r\n", "{99999999999}\r\n", "(", ")", "\"", "\\", "NIL", "* ", "+ ", "[", "]", "\r\n", "~{1}\r\n",
            "{0+}\r\n", "\0", "BODY[]",
        ]
        var errors = 0
        Mutation(Self.talk, words: words, longest: 1200).run { bytes, random in
            let largest = Bool.random(using: &random) ? 1 << 20 : 4
            let whole = Self.outputs([bytes], largest: largest)
            #expect(
                Self.outputs(bytes.cut(&random), largest: largest) == whole, "\(String(decoding: bytes, as: UTF8.self))"
            )
            if whole.last?.hasPrefix("error") == true { errors += 1 }
        }
        #expect(errors > Mutation.count / 100)
    }

    private static func frames(_ chunks: [[UInt8]], largest: Int) -> [String] {
        var reader = WebSocketReader(largest: largest)
        var found: [String] = []
        for chunk in chunks {
            reader.append(chunk)
            do {
                while let frame = try reader.next() {
                    found.append("\(frame.opcode) \(frame.payload)")
                }
            } catch { return found + ["error"] }
        }
        return found
    }

    /// Frames are read the same way in whatever pieces they come, and none is longer than allowed.
    @Test func webSocketFramesAreReadTheSameInAllPieces() {
        let samples = [
            WebSocketFrame(.text, Array("hello".utf8)).encoded(mask: nil),
            WebSocketFrame(.text, Array("he".utf8), isFinal: false).encoded(mask: nil)
                + WebSocketFrame(.ping, [1, 2]).encoded(mask: nil)
                + WebSocketFrame(.continuation, [65]).encoded(mask: nil),
            WebSocketFrame(.binary, [UInt8](repeating: 7, count: 300)).encoded(mask: nil),
            WebSocketFrame(.close, [3, 232]).encoded(mask: nil), WebSocketFrame(.text, [1]).encoded(mask: 0x0102_0304),
        ]
        var messages = 0
        Mutation(samples, words: ["\u{1}", "\u{7F}\0\0\0", "\0"], longest: 2000).run { bytes, random in
            let whole = Self.frames([bytes], largest: 250)
            #expect(Self.frames(bytes.cut(&random), largest: 250) == whole, "\(bytes)")
            messages += whole.count
            #expect(whole.allSatisfy { $0.split(separator: ",").count <= 250 }, "\(bytes)")
        }
        #expect(messages > Mutation.count / 4)
    }

    /// A frame of a server is read as it was written; that of a client has its bytes behind a mask.
    @Test func framesAreReadAsTheyWereWritten() throws {
        var random = SeededGenerator(seed: Mutation.seed)
        for _ in 0..<Mutation.count / 10 {
            let size = [0, 1, 125, 126, 127, 500, 65_535, 65_536].randomElement(using: &random) ?? 0
            let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            var reader = WebSocketReader(largest: 1 << 20)
            for part in WebSocketFrame(.text, payload).encoded(mask: nil).cut(&random) { reader.append(part) }
            #expect(try reader.next()?.payload == payload)
            #expect(try reader.next() == nil)
            let mask = UInt32.random(in: 0 ... .max, using: &random)
            let masked = WebSocketFrame(.text, payload).encoded(mask: mask).suffix(size)
            let key = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: mask >> UInt32($0)) }
            #expect(masked.enumerated().map { $1 ^ key[$0 % 4] } == payload)
        }
    }
}
