import TestSupport
import Testing

@testable import HelixTerminal

/// The bytes of terminals as keys.
@Suite struct KeyDecoderTests {
    private func names(_ bytes: [UInt8]) -> [String] {
        var decoder = KeyDecoder()
        return (decoder.take(bytes) + decoder.flush()).map(Self.name)
    }

    private static func name(_ event: InputEvent) -> String {
        switch event {
        case .key(let key, _): key.name
        case .mouse(let mouse): "\(mouse.kind) \(mouse.x),\(mouse.y)"
        case .paste(let text): "paste \(text)"
        }
    }

    @Test(arguments: [
        ("a", "a"), ("A", "A"), ("é", "é"), ("日", "日"), (" ", "space"), ("\r", "enter"), ("\n", "enter"), ("\t", "tab"),
        ("\u{7F}", "backspace"), ("\u{1B}", "esc"), ("\u{10}", "ctrl-p"), ("\u{1B}[A", "up"), ("\u{1B}OA", "up"),
        ("\u{1B}[1;5C", "ctrl-right"), ("\u{1B}[1;2B", "shift-down"), ("\u{1B}[5~", "pageup"), ("\u{1B}[3~", "delete"),
        ("\u{1B}[H", "home"), ("\u{1B}[4~", "end"), ("\u{1B}OP", "f1"), ("\u{1B}[15~", "f5"), ("\u{1B}[Z", "shift-tab"),
        ("\u{1B}x", "alt-x"), ("\u{1B}[27;5;13~", "ctrl-enter"), ("\u{1B}[112;5u", "ctrl-p"),
        ("\u{1B}[<0;3;4M", "press 2,3"), ("\u{1B}[<0;3;4m", "release 2,3"), ("\u{1B}[<32;10;1M", "drag 9,0"),
        ("\u{1B}[<64;1;1M", "wheelUp 0,0"), ("\u{1B}[<65;1;1M", "wheelDown 0,0"),
        ("\u{1B}[200~d d\nq\u{1B}[201~", "paste d d\nq"),
    ])
    func eachSequenceIsItsKey(_ bytes: String, _ name: String) {
        #expect(names(Array(bytes.utf8)) == [name])
    }

    @Test func aKeyIsTheSameHoweverItsBytesArrive() {
        var generator = SeededGenerator(seed: 29)
        let pieces = [
            "a", "é", "日", "\u{1B}[A", "\u{1B}[1;5C", "\u{1B}[<0;12;7M", "\r", "\u{1B}[200~x\u{1B}[Ay\u{1B}[201~",
            "\u{1B}OP",
            "\u{1B}[15~", " ",
        ]
        for _ in 0..<300 {
            let bytes = (0..<8).flatMap { _ in Array(pieces.randomElement(using: &generator)!.utf8) }
            let whole = names(bytes)
            var decoder = KeyDecoder()
            var parts: [String] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...3, using: &generator)
                parts += decoder.take(rest.prefix(count)).map(Self.name)
                rest = rest.dropFirst(count)
            }
            parts += decoder.flush().map(Self.name)
            #expect(parts == whole)
        }
    }

    /// No rest of a sequence that is not known is taken for keys, which would run commands.
    @Test(arguments: [
        "\u{1B}[?62;c", "\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{07}", "\u{1B}]11;rgb:ff/ff/ff\u{1B}\\",
        "\u{1B}_Gi=1;OK\u{1B}\\",
        "\u{1B}P1$r0m\u{1B}\\", "\u{1B}[I", "\u{1B}[O", "\u{1B}[12;40R", "\u{1B}[M !!",
    ])
    func repliesOfTheTerminalAreNoKeys(_ bytes: String) {
        #expect(names(Array(bytes.utf8) + Array("j".utf8)) == ["j"])
    }

    @Test func noBytesCrashIt() {
        var generator = SeededGenerator(seed: 30)
        for _ in 0..<3000 {
            let count = Int.random(in: 1...40, using: &generator)
            let bytes = (0..<count).map { _ -> UInt8 in
                Bool.random(using: &generator)
                    ? [0x1B, 0x5B, 0x3B, 0x4D, 0x7E, 0x3C, 0x31][Int.random(in: 0..<7, using: &generator)]
                    : UInt8.random(in: 0...255, using: &generator)
            }
            _ = names(bytes)
        }
    }
}
