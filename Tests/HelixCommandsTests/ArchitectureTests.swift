import Foundation
import TestSupport
import Testing

/// `docs/architecture.md` describes the house as it is: its table has each target with what it may import, and no target imports
/// one below it.
@Suite struct ArchitectureTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Corpora.packageDirectory.appendingPathComponent(path), encoding: .utf8)
    }

    /// The targets of this package, with those that each depends on.
    private static func targets() throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for part in try text("Package.swift").split(separator: /[tT]arget\(/).dropFirst().map(String.init) {
            let names = part.matches(of: /"([A-Za-z0-9-]+)"/).map { String($0.1) }
            guard let name = names.first, part.contains("name:") else { continue }
            let list = part.firstMatch(of: /dependencies: \[([\s\S]*?)\]\)?/).map { String($0.1) } ?? ""
            found[name] = Set(list.matches(of: /"([CH][A-Za-z0-9]+)"/).map { String($0.1) })
        }
        return found
    }

    @Test func theTableIsThatOfThePackage() throws {
        let targets = try Self.targets()
        #expect(targets.count > 40 && targets["HelixStore"]?.contains("HelixModel") == true)
        let own = Set(targets.keys)
        let rows = try Self.text("docs/architecture.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        var above: Set<String> = []
        var described: Set<String> = []
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let names = cells[0].matches(of: /`([A-Za-z0-9-]+)`/).map { String($0.1) }
            guard names.allSatisfy(own.contains), cells.count > 2 else { continue }
            above.formUnion(names)
            described.formUnion(names)
            for name in names {
                let dependencies = (targets[name] ?? []).intersection(own)
                #expect(dependencies.isSubset(of: above), "\(name) imports \(dependencies.subtracting(above)) below it")
                if cells[2].hasPrefix("all") || names.count > 1 { continue }
                let told = Set(
                    cells[2].split(separator: ",").map { word in
                        let plain = word.trimmingCharacters(in: .whitespaces)
                        return own.contains(plain) ? plain : "Helix" + plain
                    })
                #expect(dependencies.isSubset(of: told), "\(name): the table lacks \(dependencies.subtracting(told))")
            }
        }
        let programs = own.filter { !$0.hasSuffix("Tests") && $0 != "TestSupport" }
        #expect(programs.subtracting(described) == [], "not in the table")
        let tests = own.subtracting(programs)
        let text = try Self.text("docs/architecture.md")
        for name in tests where !own.contains(name.replacing("Tests", with: "")) {
            #expect(text.contains("`\(name)`"), "\(name) is not described")
        }
        for name in own where name.hasPrefix("Helix") && !name.hasSuffix("Tests") {
            #expect(
                tests.contains(name + "Tests") || name == "HelixSignatures" || name == "HelixGatewayLogs", "\(name)")
        }
    }

    @Test func filesAreShort() throws {
        for folder in ["Sources", "Tests"] {
            let root = Corpora.packageDirectory.appendingPathComponent(folder)
            for case let file as URL in try #require(
                FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
            where file.pathExtension == "swift" {
                let lines = try String(contentsOf: file, encoding: .utf8).count { $0 == "\n" }
                #expect(lines <= 400, "\(file.lastPathComponent) has \(lines) lines")
            }
        }
    }

    @Test func theSiteNamesEveryPage() throws {
        let folder = Corpora.packageDirectory
        let navigation = try String(contentsOf: folder.appendingPathComponent("mkdocs.yml"), encoding: .utf8)
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("docs").path)
        for page in pages where page.hasSuffix(".md") {
            #expect(navigation.contains(": \(page)\n"), "\(page) is not in the navigation of mkdocs.yml")
        }
    }
}
