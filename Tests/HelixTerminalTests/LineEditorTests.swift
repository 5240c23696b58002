import HelixTerminal
import Testing

/// Keys are those that were pressed.
@Suite struct LineEditorTests {
    private func typed(_ pieces: [(bytes: [UInt8], at: Double)]) -> String {
        var editor = LineEditor()
        for piece in pieces {
            editor.take(piece.bytes, now: piece.at)
            while editor.next() != nil {}
        }
        return editor.before
    }

    @Test func escapeAloneSwallowsNothing() {
        #expect(typed([([0x1B], 0), (Array("/help".utf8), 3)]) == "/help")
        #expect(typed([([0x1B], 0), (Array("back".utf8), 3)]) == "back")
        #expect(typed([(Array("ab".utf8), 0), ([0x1B], 1), (Array("[D".utf8), 1.01), (Array("x".utf8), 2)]) == "ax")
        // Both in one piece are one key of the terminal.
        #expect(typed([(Array("a b".utf8), 0), ([0x1B, 0x62], 1), (Array("x".utf8), 2)]) == "a x")
        #expect(typed([([0x1B, 0x2F], 0)]) == "/")
    }
}
