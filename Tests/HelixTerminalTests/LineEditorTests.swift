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

    /// The text after keys, in an editor that knows earlier lines.
    private func found(_ keys: String) -> (text: String, outcomes: [LineEditor.Outcome]) {
        var editor = LineEditor()
        editor.history = ["buy milk", "call Bo", "buy bread"]
        editor.take(Array(keys.utf8), now: 0)
        var outcomes: [LineEditor.Outcome] = []
        while let outcome = editor.next() { if outcome != .changed { outcomes.append(outcome) } }
        return (editor.before, outcomes)
    }

    @Test func theHistoryIsSearchedAndNothingIsSentByIt() {
        #expect(found("\u{12}buy").text == "buy bread")
        #expect(found("\u{12}buy\u{12}").text == "buy milk")
        #expect(found("\u{12}BO\r").text == "call Bo")
        #expect(found("\u{12}bo\r").outcomes.isEmpty)
        #expect(found("\u{12}bo\r\r").outcomes == [.line("call Bo")])
        #expect(found("half\u{12}bo\u{07}").text == "half")
        #expect(found("half\u{12}bo\u{03}").outcomes.isEmpty)
        #expect(found("\u{12}buyx").text == "buy bread", "what is found nowhere changes nothing")
        #expect(found("\u{12}buy\u{1B}[D!").text == "buy brea!")
    }

    @Test func pageUpAsksForWhatIsBefore() { #expect(found("\u{1B}[5~").outcomes == [.older]) }
}
