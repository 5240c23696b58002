import Testing

@testable import HelixMail

/// The first words of a message in a list are those that its sender wrote.
struct SnippetTests {
    private func snippet(_ body: String, lineEnd: String = "\n") throws -> String {
        let text = "From: a@example.org\nSubject: x\n\n" + body
        return MessageSummary(try MIMEMessage(Array(text.replacing("\n", with: lineEnd).utf8))).snippet
    }

    @Test(arguments: ["\n", "\r\n"]) func whoIsQuotedIsNotAmongThem(_ end: String) throws {
        let one = "On Mon, Nov 23, 2026 at 3:00 AM Bo Lindqvist <bo@example.org> wrote:"
        let two = "On Mon, Nov 23, 2026 at 3:00 AM Bo Lindqvist\n<bo@example.org> wrote:"
        for head in [one, two, "Am 23.11.2026 um 03:00 schrieb Bo:"] {
            #expect(try snippet("\(head)\n> hello\n> there\n\nYes, at ten.\n", lineEnd: end) == "Yes, at ten.")
            #expect(try snippet("\(head)\n\n> hello\n\nYes.\n", lineEnd: end) == "Yes.")
            #expect(try snippet("Yes, at ten.\n\n\(head)\n> hello\n", lineEnd: end) == "Yes, at ten.")
        }
    }

    @Test func whatOnlyLooksLikeItStays() throws {
        #expect(try snippet("On Monday we need:\nmilk\n> and bread\n") == "On Monday we need: milk")
        #expect(try snippet("Yes, at ten.\nBo said:\n> hello\n") == "Yes, at ten.")
        #expect(try snippet("Agenda:\n") == "Agenda:")
    }
}
