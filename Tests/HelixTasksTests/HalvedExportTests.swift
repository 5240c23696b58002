import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixTasks

/// A large export is read in two threads: the result is that of one.
@Suite struct HalvedExportTests {
    private static func objects(_ random: inout SeededGenerator) -> [String] {
        let texts = ["plain", "a,b", "[x]", "{\\\"}", "\\\\", "\\\",", "é\\u0041", "]},{["]
        return (0..<Int.random(in: 1...3_000, using: &random)).map { number in
            let text = (0..<4).map { _ in texts.randomElement(using: &random) ?? "" }.joined(separator: " ")
            let tags = Bool.random(using: &random) ? ",\"tags\":[\"a\",\"b]\"]" : ""
            let status = ["pending", "completed", "deleted", "odd"].randomElement(using: &random) ?? ""
            // Some share a UUID.
            let uuid = "00000000-0000-4000-8000-\(String(100_000_000_000 + number % 2_500))"
            return "{\"description\":\"\(text) \(number)\",\"uuid\":\"\(uuid)\",\"status\":\"\(status)\","
                + "\"entry\":\"20260101T000000Z\"\(tags),\"odd\":{\"x\":[1,2,{}]}}"
        }
    }

    /// The result as text; a new task has a random identity.
    private func text(_ found: ForeignTasks) -> String {
        let tasks = found.tasks.map { task in
            var task = task
            task.task.id = EntityID(stored: "0000000000000000")
            return task
        }
        return "\(tasks)\n\(found.defects)\n\(found.kept.sorted { $0.key < $1.key })\n\(found.omitted)"
    }

    @Test(arguments: 0..<12)
    func theHalvesOfAnExportAreTheWhole(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let objects = Self.objects(&random)
        // Blanks make it large, and change nothing.
        let blanks = String(repeating: " ", count: seed % 2 == 0 ? TaskwarriorFormat.halvedSize : 0)
        let bytes = Array("[\(blanks)\(objects.joined(separator: seed % 3 == 0 ? ",\n" : ","))]\n".utf8)
        let whole = try TaskwarriorFormat.read(bytes, now: Instant(1_800_000_000), zone: .utc)
        // One object a line is read in one thread.
        let lines = Array(objects.joined(separator: "\n").utf8)
        let one = try TaskwarriorFormat.read(lines, now: Instant(1_800_000_000), zone: .utc)
        #expect(text(whole) == text(one))
        // A damaged export is read as before: by its lines, or not at all.
        for cut in [bytes.count / 3, bytes.count - 40] {
            _ = try? TaskwarriorFormat.read(Array(bytes[..<cut]), now: Instant(0), zone: .utc)
        }
    }

    /// The middle is between two elements of the array itself, or nowhere.
    @Test func theMiddleIsBetweenElements() throws {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<300 {
            let bytes = Array(("[" + Self.objects(&random).prefix(90).joined(separator: ",") + "]").utf8)
            guard let middle = JSONText.middle(of: bytes) else { continue }
            #expect(bytes[middle] == 0x2C && middle * 2 >= bytes.count)
            _ = try JSONText(Array(bytes[..<middle]) + [0x5D])
        }
        for text in [
            "", "{}", "{\"a\":[1,2,3,4]}", "[]", "[1]", "x", "[[1,2,3,4,5,6]]", "\"a,b\"", "]", "[\"", "[\"\\",
        ] {
            #expect(JSONText.middle(of: Array(text.utf8)) == nil, "\(text)")
        }
        #expect(JSONText.middle(of: Array(" [1,2,3]".utf8)) == 5)
    }
}
