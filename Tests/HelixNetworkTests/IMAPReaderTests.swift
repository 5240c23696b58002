import HelixModel
import HelixNetwork
import Testing

/// What servers say, in the words of RFC 9051 and of servers that are out there.
struct IMAPReaderTests {
    private static let talk = """
        * OK [CAPABILITY IMAP4rev1 LITERAL+ ID] ready\r
        h1 OK [READ-WRITE] Select completed (0.001 + 0.000 secs).\r
        * 3 EXISTS\r
        * FLAGS (\\Answered \\Flagged $Forwarded)\r
        * OK [PERMANENTFLAGS (\\Answered \\*)] Flags permitted.\r
        * OK [UIDVALIDITY 1700000000] UIDs valid\r
        * LIST (\\HasNoChildren \\Sent) "/" "Sent \\"old\\" \\\\ mail"\r
        * LIST () NIL {5}\r
        a b\r
        \r
        * 12 FETCH (UID 7 FLAGS (\\Seen) BODY[HEADER.FIELDS (MESSAGE-ID)] {21}\r
        Message-ID: <a@b>\r
        \r
         INTERNALDATE " 1-Feb-2026 10:00:00 +0000" X NIL)\r
        * ESEARCH (TAG "h3") UID ALL 1:3,7\r
        * VANISHED (EARLIER) 41,43:116\r
        + idling\r
        h2 NO [TRYCREATE] no such mailbox\r
        h3 OK [COPYUID 38505 304,319:320 3956:3958] Done\r

        """

    private static func outputs(_ bytes: [UInt8], cut: Int, largest: Int = 1 << 20) throws -> [IMAPReader.Output] {
        var reader = IMAPReader(largest: largest)
        var found: [IMAPReader.Output] = []
        var place = 0
        while place < bytes.count {
            let next = min(place + cut, bytes.count)
            reader.feed(Array(bytes[place..<next]))
            place = next
            while let output = try reader.next() { found.append(output) }
        }
        return found
    }

    @Test func whatAServerSaysIsReadInWhateverPiecesItComes() throws {
        let bytes = Array(Self.talk.utf8)
        let whole = try Self.outputs(bytes, cut: bytes.count)
        #expect(whole.count == 14)
        for cut in 1..<200 { #expect(try Self.outputs(bytes, cut: cut) == whole, "cut every \(cut) bytes") }
    }

    /// Cyrus sends bytes of its memory as the id of a mailbox below one that was renamed.
    @Test func anIDThatIsNoIDSpoilsNoState() throws {
        func state(_ id: [UInt8], _ rest: String) throws -> [IMAPValue]? {
            let line =
                Array("* STATUS A/B (MESSAGES 1 MAILBOXID (".utf8) + id + Array(")\(rest))\r\n* 3 EXISTS\r\n".utf8)
            let found = try Self.outputs(line, cut: 7)
            #expect(found.last == .response(.data(number: 3, name: "EXISTS", [])))
            guard case .response(.data(nil, "STATUS", let values))? = found.first, values.count == 2 else { return nil }
            return values[1].values
        }
        for rest in ["", " HIGHESTMODSEQ 47"] {
            for id: [UInt8] in [[0xFA, 0x28, 0xF1, 0x76], [0x29], [0x22], [0x28, 0x28, 0x29], [0x5B], [0x7B, 0x33]] {
                let values = try #require(try state(id, rest), "\(id)\(rest)")
                #expect(values.prefix(2) == [.atom("MESSAGES"), .atom("1")], "\(id)")
                if !rest.isEmpty { #expect(values.suffix(2) == [.atom("HIGHESTMODSEQ"), .atom("47")], "\(id)") }
            }
        }
        // Any other response that is invalid is an error as before.
        #expect(throws: HelixError.self) { try Self.outputs(Array("* STATUS A (MESSAGES 1\r\n".utf8), cut: 99) }
        #expect(throws: HelixError.self) { try Self.outputs(Array("* LIST (MAILBOXID (()) A\r\n".utf8), cut: 99) }
    }

    @Test func dataIsGivenAsItWasMeant() throws {
        let found = try Self.outputs(Array(Self.talk.utf8), cut: 1000)
        func response(_ place: Int) -> IMAPResponse? {
            if case .response(let response) = found[place] { return response }
            return nil
        }
        #expect(response(2) == .data(number: 3, name: "EXISTS", []))
        #expect(
            response(6)
                == .data(
                    number: nil, name: "LIST",
                    [
                        .list([.atom("\\HasNoChildren"), .atom("\\Sent")]), .string(Array("/".utf8)),
                        .string(Array("Sent \"old\" \\ mail".utf8)),
                    ]))
        #expect(response(7) == .data(number: nil, name: "LIST", [.list([]), .none, .string(Array("a b\r\n".utf8))]))
        guard case .data(12, "FETCH", let values)? = response(8), let pairs = values.first?.values else {
            Issue.record("no FETCH")
            return
        }
        #expect(pairs.count == 10)
        #expect(pairs[4] == .atom("BODY[HEADER.FIELDS (MESSAGE-ID)]"))
        #expect(pairs[5].text == "Message-ID: <a@b>\r\n\r\n")
        #expect(pairs[9] == .none)
        #expect(
            response(13)
                == .status(
                    tag: "h3", .ok, code: [.atom("COPYUID"), .atom("38505"), .atom("304,319:320"), .atom("3956:3958")],
                    text: "Done"))
    }

    @Test func aLargeLiteralComesInPieces() throws {
        let body = String(repeating: "0123456789", count: 1000)
        let text = "* 1 FETCH (UID 9 BODY[] {10000}\r\n\(body) FLAGS ())\r\n* 2 EXISTS\r\n"
        for cut in [1, 7, 999, 4096, 100_000] {
            let found = try Self.outputs(Array(text.utf8), cut: cut, largest: 512)
            let bytes = found.flatMap { output -> [UInt8] in
                if case .piece(let bytes) = output { return bytes }
                return []
            }
            #expect(bytes == Array(body.utf8))
            let responses = found.compactMap { output -> IMAPResponse? in
                if case .response(let response) = output { return response }
                return nil
            }
            #expect(
                responses == [
                    .data(
                        number: 1, name: "FETCH",
                        [
                            .list([
                                .atom("UID"), .atom("9"), .atom("BODY[]"), .spilled(10_000), .atom("FLAGS"), .list([]),
                            ])
                        ]), .data(number: 2, name: "EXISTS", []),
                ])
        }
    }

    @Test(arguments: [
        "* 1 FETCH (UID 1\r\n", "* 1 FETCH UID 1)\r\n", "HTTP/1.1 400 Bad Request\r\n", "\r\n", "* \r\n",
        "* 1 FETCH (\"abc\r\n", "* LIST " + String(repeating: "(", count: 500) + "\r\n",
    ])
    func whatIsNoIMAPIsAnError(_ text: String) throws {
        #expect(throws: HelixError.self) { try Self.outputs(Array(text.utf8), cut: 3) }
    }

    @Test func numbersAreWrittenInRanges() {
        #expect(IMAPSet([5, 1, 2, 3, 9, 10, 3]).text == "1:3,5,9:10")
        #expect(IMAPSet("4:2,7,1")?.text == "1:4,7")
        #expect(IMAPSet("1:*") == nil)
        #expect(IMAPSet("")?.isEmpty == true)
        let set = IMAPSet([1, 2, 3, 7, 100])
        #expect((0...101).filter { set.contains(UInt32($0)) } == [1, 2, 3, 7, 100])
    }

    @Test func textsThatCannotBeQuotedAreLiterals() {
        let plain = IMAPCommand("SELECT").string("a \"b\" \\")
        #expect(plain.pieces.count == 1)
        guard case .line(let bytes) = plain.pieces[0] else { return }
        #expect(String(decoding: bytes, as: UTF8.self) == "SELECT \"a \\\"b\\\" \\\\\"")
        #expect(IMAPCommand("SELECT").string("line\r\nDELETE INBOX").pieces.count == 2)
        #expect(IMAPCommand("SELECT").string("Entwürfe").pieces.count == 2)
    }
}
