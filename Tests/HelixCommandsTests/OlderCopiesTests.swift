import Foundation
import TestSupport
import Testing

/// Older copies of an event that was edited since change nothing, however many there are.
@Suite struct OlderCopiesTests {
    @Test(arguments: [1, 2, 3]) func olderCopiesAddNothing(_ count: Int) throws {
        let home = try HelixHome()
        let event = vevent("u@copies", "SUMMARY:Offer", "DTSTART:20261120T090000Z", "LAST-MODIFIED:20260101T000000Z")
        let folder = home.folder.appendingPathComponent("copies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for number in 0..<count { try home.calendar(event, name: "copies/\(number).ics") }
        try home.perform("cal", "import", folder.path + "/0.ics")
        let id = try home.perform("cal", "search", "Offer", "--ids").output.trimmingCharacters(in: .newlines)
        try home.perform("cal", "edit", id, "--title", "Better offer")
        let result = try home.perform("cal", "import", folder.path, "--json").json()
        #expect((result["older"] as? [String])?.count == count)
        #expect((result["updated"] as? [Any] ?? []).isEmpty)
        let exported = try home.perform("cal", "export", "--no-check").output
        #expect(exported.components(separatedBy: "BEGIN:VEVENT").count == 2)
        #expect(exported.contains("SUMMARY:Better offer"))
    }
}
