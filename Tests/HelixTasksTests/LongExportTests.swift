import HelixModel
import Testing

@testable import HelixTasks

@Suite("A long export of Taskwarrior")
struct LongExportTests {
    private static func task(_ number: Int, _ more: String = "") -> String {
        """
        {"description":"Task \(number)","entry":"20261101T100000Z","status":"pending","uuid":"u\(number)"\(more)}
        """
    }

    private static func read(_ lines: [String]) throws -> ForeignTasks {
        try TaskwarriorFormat.read(
            Array("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8), now: Instant(1_800_000_000), zone: .utc)
    }

    @Test("is read whole and in its order")
    func order() throws {
        let found = try Self.read((0..<5000).map { Self.task($0, ",\"annotations\":[]") })
        #expect(found.tasks.map(\.task.title) == (0..<5000).map { "Task \($0)" })
        #expect(found.kept["annotations"] == 5000)
        #expect(found.defects.isEmpty)
    }

    @Test("says which task is wrong, wherever it stands")
    func defects() throws {
        var lines = (0..<5000).map { Self.task($0) }
        lines[4321] = #"{"entry":"20261101T100000Z","status":"pending","uuid":"x"}"#
        let found = try Self.read(lines)
        #expect(found.tasks.count == 4999)
        #expect(found.defects.map(\.place) == ["task 4322"])
    }

    @Test("may have line feeds within its tasks, also in the middle")
    func lineFeeds() throws {
        let inner = (0..<40).map { "{\"description\":\"note \($0)\",\"entry\":\"20261101T100000Z\"}" }
        let notes = ",\"annotations\":[\n\(inner.joined(separator: ",\n"))\n]"
        let found = try Self.read((0..<400).map { Self.task($0, notes) })
        #expect(found.tasks.map(\.task.title) == (0..<400).map { "Task \($0)" })
        #expect(found.kept["annotations"] == 400)
    }
}
