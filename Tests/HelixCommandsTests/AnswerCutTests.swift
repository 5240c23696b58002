import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixCommands

/// Long texts of an answer are cut to fit, and the fence around what a stranger wrote stays closed.
@Suite struct AnswerCutTests {
    @Test func longTextsAreCut() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<40 {
            let size = Int.random(in: 1_000...200_000, using: &random)
            let word = ["a", "ä", "会", "👩‍👩‍👧 "].randomElement(using: &random) ?? "a"
            let text = "[untrusted n1] " + String(repeating: word, count: size) + " [/untrusted n1]"
            let json: JSONText = ["items": [["id": "x", "text": .string(text), "subject": "Short"]], "n": 3]
            let bytes = Int.random(in: 2_000...60_000, using: &random)
            guard let (cut, length) = AnswerCut.fitting(json, bytes: bytes) else {
                Issue.record("\(size) \(bytes)")
                continue
            }
            #expect(cut.compact.utf8.count <= bytes)
            let found = try #require(cut["items"]?.elements?.first?["text"]?.text)
            #expect(found.hasPrefix("[untrusted n1] ") && found.hasSuffix("[/untrusted n1]"))
            #expect(found == text || found.contains("…"))
            #expect(length >= 500 && cut["items"]?.elements?.first?["subject"]?.text == "Short")
        }
        let many = JSONText.array((0..<5_000).map { .string("word \($0)") })
        #expect(AnswerCut.fitting(many, bytes: 2_000) == nil)
    }

    /// What was cut is read by the next call: no byte of the text is lost.
    @Test func theRestOfALongTextIsRead() throws {
        let home = try HelixHome()
        let body = (0..<2_000).map { "Zeile \($0) für Ana 👩‍👩‍👧" }.joined(separator: "\n")
        let file = home.folder.appendingPathComponent("long.eml").path
        try Data(
            "From: bo@example.org\nDate: Fri, 27 Nov 2026 10:00:00 +0000\nSubject: Long\nContent-Type: text/plain; charset=utf-8\n\n\(body)\n"
                .utf8
        )
        .write(to: URL(fileURLWithPath: file))
        try home.perform("mail", "import", file)
        let id = try #require(try home.perform("mail", "list", "--json").items().first?["id"] as? String)
        func text(_ words: String...) throws -> String {
            try #require(try home.perform(["mail", "read", id, "--json"] + words).items().first?["text"] as? String)
        }
        let whole = try text()
        #expect(whole == body)
        for skip in [0, 1, 777, 10_003, whole.utf8.count - 3, whole.utf8.count, whole.utf8.count + 5] {
            let rest = try text("--skip", "\(skip)")
            #expect(whole.hasSuffix(rest) && rest.utf8.count <= max(0, whole.utf8.count - skip), "\(skip)")
            #expect(rest.utf8.count > whole.utf8.count - skip - 4)
        }
        #expect(try home.perform("mail", "read", id, "--skip", "3").status == 64)
        #expect(try home.perform("mail", "read", id, "--json", "--skip", "-3").status == 64)
    }
}
