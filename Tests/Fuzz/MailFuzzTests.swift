import HelixModel
import TestSupport
import Testing

@testable import HelixMail

/// Headers of strangers' mail.
@Suite struct MailFuzzTests {
    private static let samples = [
        "=?utf-8?B?R3LDvMOfZQ==?= aus =?iso-8859-1?Q?K=F6ln_?=\r\n =?utf-8?q?a?=",
        "Ana \"A.\" Rossi <ana@example.org>, bo@b.org",
        "Team: a@b.org, =?utf-8?Q?J=C3=BCrgen?= <j@b.org>;, (comment (nested)) x@y",
        "\"Rossi, Ana\" <\"odd local\"@[192.0.2.1]>",
        "attachment; filename*0*=UTF-8''Stra%C3%9Fe; filename*1=\"n foto.png\"; size=12",
        "Tue, 17 Nov 2026 09:12:00 +0100 (CET)",
        "text/plain; charset=\"utf-8\"; format=flowed; name==?utf-8?B?w7w=?=", "<a@b> <c@d>\r\n <e f@g>",
        "Mon,  1 Feb 99 1:2 EST",
    ]
    private static let words = [
        "=?", "?=", "?q?", "?B?", "=?utf-8?Q?", "=?x-unknown?b?AAAA?=", "(", ")", "<", ">", "\"", "\\", ",", ";", ":",
        "@", "*0*=", "''", "%",
        "\r\n ", "\0", "\u{FFFD}", "+9999", "utf-7", "charset=",
    ]

    /// Any header is read; addresses that are written again are read as the same ones.
    @Test func headersAreReadAndWrittenAgain() {
        var addresses = 0
        Mutation(Self.samples, words: Self.words, longest: 1000).run { bytes, _ in
            let text = EncodedWord.text(bytes)
            #expect(!text.utf8.contains(0x0A) && !text.utf8.contains(0x0D), "\(bytes)")
            _ = HeaderParameters(bytes)
            _ = MailDate.instant(bytes)
            let list = MailAddress.list(bytes)
            // Domains that are not ASCII are written in their ASCII form.
            guard !list.isEmpty,
                list.allSatisfy({ $0.address.contains("@") && $0.address.utf8.allSatisfy { $0 < 128 } })
            else {
                return
            }
            addresses += 1
            // What was not an address at first stays text; soon nothing changes any more.
            let written = Self.read(HeaderWriter.addresses("To", Self.read(HeaderWriter.addresses("To", list))))
            if written.contains(where: { !$0.address.contains("@") }) { return }
            let again = Self.read(HeaderWriter.addresses("To", written))
            #expect(again == written, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(addresses > Mutation.count / 5)
    }

    /// Any bytes of an attached file are read, or refused.
    @Test func attachedFilesAreReadOrRefused() throws {
        let samples = [
            "{\\rtf1\\ansi\\ansicpg1250{\\fonttbl{\\f0 Font;}}\\uc1 P\\'f8 \\u26085?{\\b bold}\\par\\bin3 abc}",
            "{\\rtf1 plain words \\line and {\\*\\generator more}}",
        ]
        let words = [
            "{", "}", "\\", "\\'", "\\u-10179", "\\u55357?", "\\bin99999999999999999999", "\\bin9223372036854775807",
            "\\uc-4", "\\uc999999", "\\ansicpg0", "\\*", "\\par", "0", "-",
        ]
        var count = 0
        Mutation(samples, words: words, longest: 2000).run { bytes, _ in
            if let text = RichText.text(bytes, limit: 1000) { count += text.isEmpty ? 0 : 1 }
            // A gzip head before the same bytes.
            for flags: UInt8 in [0, 4, 8, 16, 31] {
                let packed = [0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3] + bytes
                #expect((try? Deflate.content(ofGzip: packed, limit: 5000))??.count ?? 0 <= 5000)
            }
        }
        #expect(count > Mutation.count / 10)
    }

    private static func read(_ header: String) -> [MailAddress] {
        MailAddress.list(Array(header.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()))
    }

    /// A subject of any characters is written in lines of ASCII that fit, and read as it was.
    @Test func subjectsAreWrittenAndReadAsTheyWere() {
        let samples = [
            "Grüße aus Köln", "会議のお知らせ 🎂🎂", "plain words only", "=?utf-8?q?already?=", "اجتماع الفريق",
            "e\u{301}\u{200D}x",
        ]
        Mutation(samples, words: [" ", "  ", "=?", "\t", "é", "🎂", "\u{200B}", "x", "_", "?"], longest: 300).run {
            bytes, _ in
            let value = String(decoding: bytes, as: UTF8.self)
            guard
                !value.unicodeScalars.contains(where: {
                    switch $0.value {
                    case 0..<32, 127..<160, 0x2028...0x202E, 0x2066...0x2069, 0xFFFD: true
                    default: false
                    }
                })
            else { return }
            let header = HeaderWriter.text("Subject", value)
            #expect(header.utf8.allSatisfy { $0 < 128 })
            let lines = header.split(whereSeparator: \.isNewline)
            #expect(lines.allSatisfy { $0.utf8.count <= 998 }, "\(value)")
            let raw = Array(header.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst())
            #expect(EncodedWord.text(raw).trimmingBlanks() == value.trimmingBlanks(), "\(value)")
        }
    }
}
