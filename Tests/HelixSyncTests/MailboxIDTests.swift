import HelixNetwork
import Testing

@testable import HelixSync

/// Ids of mailboxes as servers return them (RFC 8474).
struct MailboxIDTests {
    private func id(_ bytes: [UInt8]) -> String? {
        var mailbox = ServerMailbox(name: "A", label: "A")
        mailbox.take(status: [.atom("MAILBOXID"), .list([.string(bytes)]), .atom("MESSAGES"), .atom("3")])
        #expect(mailbox.count == 3)
        return mailbox.objectID
    }

    @Test func bytesThatAreNoIDIdentifyNothing() {
        #expect(id(Array("F2212ea87-6097-4256-9d51_71338625".utf8)) == "F2212ea87-6097-4256-9d51_71338625")
        for text in ["", "a b", "user.ana", "a\0b", "é", "\u{1}", "(x", String(repeating: "a", count: 256)] {
            #expect(id(Array(text.utf8)) == nil, "\(text)")
        }
        #expect(id([0xFF, 0x41]) == nil)
        // Every single byte: letters, digits, hyphen and underscore are ids.
        let valid = (UInt8.min...UInt8.max).filter { id([$0]) != nil }
        #expect(
            String(decoding: valid, as: UTF8.self) == "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
        )
    }

    @Test func anIDOfTwoMailboxesIdentifiesNeither() {
        var mailboxes = ["A", "B", "C", "D"].map { ServerMailbox(name: $0, label: $0) }
        (mailboxes[0].objectID, mailboxes[1].objectID, mailboxes[2].objectID) = ("x", "y", "x")
        ServerMailbox.removeSharedIDs(&mailboxes)
        #expect(mailboxes.map(\.objectID) == [nil, "y", nil, nil])
    }
}
