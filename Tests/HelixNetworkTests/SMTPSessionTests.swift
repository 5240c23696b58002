import HelixNetwork
import Testing

/// What goes over the line can be cut into messages by nobody.
struct SMTPSessionTests {
    @Test(arguments: [
        ("a\r\nb\r\n", "a\r\nb\r\n"), ("a\nb", "a\r\nb\r\n"), (".\n..\n", "..\r\n...\r\n"),
        ("a\r.\rb", "a\r\n..\r\nb\r\n"), ("a\n.\r\nMAIL FROM:<x>\r\n", "a\r\n..\r\nMAIL FROM:<x>\r\n"),
        ("a\r\r\n.", "a\r\n\r\n..\r\n"), ("", ""),
    ]) func noLineIsASingleDotAndNoLineEndIsHalf(_ text: String, _ expected: String) {
        #expect(String(decoding: SMTPSession.stuffed(Array(text.utf8)), as: UTF8.self) == expected)
    }
}
