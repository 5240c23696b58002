import Foundation
import TestSupport
import Testing

@testable import HelixCommands

/// An earlier change is undone by itself: what came with it and is used since stays, and what depends on it is a conflict, not damage.
@Suite struct UndoOutOfOrderTests {
    private func home() throws -> HelixHome { try HelixHome(zone: "UTC") }

    private func changes(_ home: HelixHome) throws -> [String] {
        try home.perform("history", "--ids").output.split(separator: "\n").map(String.init)
    }

    /// Commands that create a container besides, of which a second one uses the same.
    private static let pairs: [[[String]]] = [
        [["tasks", "add", "Alpha"], ["tasks", "add", "Omega"]],
        [["cal", "add", "Alpha tomorrow 9:00"], ["cal", "add", "Omega tomorrow 11:00"]],
        [["tasks", "add", "Alpha", "--project", "Garden"], ["tasks", "add", "Omega", "--project", "Garden"]],
        [
            ["time", "add", "yesterday 9:00-10:00 Alpha", "--project", "Garden"],
            ["time", "add", "yesterday 10:00-11:00 Omega", "--project", "Garden"],
        ],
    ]

    @Test(arguments: pairs.indices) func aContainerInUseStays(_ number: Int) throws {
        let home = try home()
        for words in Self.pairs[number] {
            let result = try home.perform(words)
            #expect(result.status == 0, "\(words) \(result.errors)")
        }
        func found(_ word: String) throws -> Int { try home.perform("search", word, "--json").items().count }
        let first = try #require(try changes(home).last)
        let before = try home.perform("search", "Omega", "--json").output
        let undo = try home.perform("undo", first)
        #expect(
            undo.status == 0 && undo.output.contains("Kept, as something else is in it"), "\(undo.output)\(undo.errors)"
        )
        #expect(try found("Alpha") == 0)
        #expect(try home.perform("search", "Omega", "--json").output == before)
        #expect(try home.perform("redo").status == 0)
        #expect(try found("Alpha") == 1)
        for _ in 0..<2 { #expect(try home.perform("undo").status == 0) }
        #expect(try found("Alpha") + found("Omega") == 0)
        #expect(try home.perform("doctor").output.contains("✗") == false)
    }

    @Test func whatOthersDependOnIsAConflict() throws {
        let home = try home()
        for words in [
            ["tasks", "boards", "add", "Extra"], ["tasks", "add", "On it", "--board", "Extra"],
            ["cal", "calendars", "add", "Work"], ["cal", "add", "Meeting tomorrow 9:00", "--calendar", "Work"],
            ["projects", "add", "Garden"], ["tasks", "add", "Dig", "--project", "Garden"],
            ["tasks", "add", "Above"], ["tasks", "add", "Below"],
        ] { #expect(try home.perform(words).status == 0, "\(words)") }
        let ids = try home.perform("tasks", "list", "--json").items()
        func id(_ title: String) throws -> String {
            try #require(ids.first { $0["title"] as? String == title }?["id"] as? String)
        }
        #expect(try home.perform("tasks", "edit", id("Below"), "parent:\(id("Above"))").status == 0)
        let all = try changes(home)
        let text = try home.perform("history").output.split(separator: "\n")
        for (number, id) in all.enumerated().dropFirst() {
            let line = text[number]
            guard
                line.contains("board 'Extra'") || line.contains("'Work'") || line.contains("'Garden'")
                    || line.contains("'Above'")
            else { continue }
            let result = try home.perform("undo", id)
            #expect(result.status == 80, "\(line): \(result.status) \(result.output)\(result.errors)")
            #expect(!result.errors.contains("damaged"), "\(result.errors)")
        }
        for _ in 0..<all.count { #expect(try home.perform("undo").status == 0) }
        #expect(try home.perform("tasks", "list", "status:all", "--count").output == "0\n")
    }
}
