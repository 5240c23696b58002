import Testing

@testable import HelixNetwork

/// Answers of servers in XML.
@Suite struct XMLNodeTests {
    private func node(_ text: String) throws -> XMLNode { try XMLNode(Array(text.utf8)) }

    @Test(arguments: [
        ("<a><b>one\u{0B}two</b><b>x</b></a>", "onetwo"), ("<a><b>one&#11;two</b><b>x</b></a>", "onetwo"),
        ("<a><b>one&#x1;two</b><b>x</b></a>", "onetwo"), ("<a><b><![CDATA[one\u{1}two]]></b><b>x</b></a>", "onetwo"),
        ("<a><b>tab\tand&#10;line</b><b>x</b></a>", "tab\tand\nline"),
        ("<a><b>Gr\u{FC}n &amp; &#x1F600;\u{2}</b><b>x</b></a>", "Gr\u{FC}n & \u{1F600}"),
    ])
    func controlCharactersDoNotKeepTheRestFromBeingRead(_ text: String, _ first: String) throws {
        let found = try node(text).all("b")
        #expect(found.map(\.text) == [first, "x"])
    }

    @Test(arguments: ["", "<a>", "no xml", "<a><b></a>", "\u{1}", "<a>&#1</a"])
    func whatIsNoXMLIsRefused(_ text: String) {
        #expect(throws: (any Error).self) { try node(text) }
    }
}
