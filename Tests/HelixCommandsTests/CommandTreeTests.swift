import ArgumentParser
import Testing

@testable import HelixCommands

/// The tree of commands is the only list of what they print and of the options that they take.
@Suite struct CommandTreeTests {
    /// A command of helix, with the words that name it.
    private struct Leaf {
        var path: [String]
        var type: any HelixCommand.Type
        var name: String { path.joined(separator: " ") }
    }

    private static func leaves(of type: any ParsableCommand.Type = Helix.self, _ path: [String] = []) -> [Leaf] {
        let below = type.configuration.subcommands
        if below.isEmpty { return (type as? any HelixCommand.Type).map { [Leaf(path: path, type: $0)] } ?? [] }
        return below.flatMap { leaves(of: $0, path + [$0.configuration.commandName ?? ""]) }
    }

    /// Commands whose output is another program's format, a path, or nothing.
    private static let withoutJSON: Set<String> = [
        "cal export", "cal print", "projects invoices export", "chat deliver", "chat export", "chat open",
        "chat typing", "completions",
        "config edit",
        "config path", "contacts export", "gateway as", "gateway call", "gateway serve", "mail attachments extract",
        "mail export",
        "mail keys export", "mail open",
        "mcp install", "mcp serve",
        "tasks export", "vault guard",
    ]

    @Test func everyCommandNamesTheReportsThatItPrints() {
        let leaves = Self.leaves()
        #expect(leaves.count > 200)
        #expect(Set(leaves.filter { $0.type.reports.isEmpty }.map(\.name)) == Self.withoutJSON)
        let names = Schema.all.map(\.command)
        #expect(Set(names).count == names.count)
        for leaf in leaves where !leaf.type.reports.isEmpty { #expect(names.contains(leaf.name), "\(leaf.name)") }
    }

    /// The fast path fills in the same options as the argument parser, for all commands that have one.
    @Test func theFastPathReadsWhatTheParserReads() throws {
        var count = 0
        for leaf in Self.leaves() {
            for words in [[], ["one"], ["one", "two"], ["one", "two", "three"]] {
                guard let plain = leaf.type.plain(words) else { continue }
                // What the parser refuses is not read otherwise either.
                guard let parsed = try? leaf.type.parse(words) else {
                    Issue.record("only the fast path reads \(leaf.name) \(words)")
                    continue
                }
                count += 1
                #expect(Self.values(of: plain) == Self.values(of: parsed), "\(leaf.name) \(words)")
            }
        }
        #expect(count > 60)
    }

    /// Flags of the fast path set what they set for the parser.
    @Test func flagsOfTheFastPathAreThoseOfTheParser() throws {
        var count = 0
        for leaf in Self.leaves() {
            for flag in leaf.type.plainFlags {
                for words in [[], ["one"], ["one", "two"]] {
                    guard var plain = leaf.type.plain(words), let parsed = try? leaf.type.parse(words + [flag]) else {
                        continue
                    }
                    plain.take(flag: flag)
                    count += 1
                    #expect(Self.values(of: plain) == Self.values(of: parsed), "\(leaf.name) \(words) \(flag)")
                }
            }
        }
        #expect(count > 5)
    }

    /// Options of the fast path, with values that some commands accept.
    @Test func optionsOfTheFastPathAreThoseOfTheParser() throws {
        var accepted: Set<String> = []
        for leaf in Self.leaves() where leaf.type.plain([]) != nil || leaf.type.plain(["one"]) != nil {
            let options = DeclaredOption.all(of: leaf.type).filter(\.takesValue).flatMap(\.names)
            for option in options {
                for value in ["3", "day", "rank", "id", "main", "title", "mon-fri", "2h", "project"] {
                    for words in [[], ["one"]] {
                        guard var plain = leaf.type.plain(words), plain.take(option, value),
                            let parsed = try? leaf.type.parse(words + [option, value])
                        else { continue }
                        accepted.insert("\(leaf.name) \(option)")
                        #expect(Self.values(of: plain) == Self.values(of: parsed), "\(leaf.name) \(option) \(value)")
                    }
                }
            }
        }
        #expect(accepted.count >= 5, "\(accepted)")
    }

    @Test func theComparisonSeesTheValues() throws {
        let week = try CalWeek.parse(["next", "--calendar", "work"])
        let values = Self.values(of: week)
        #expect(values.values.contains { $0.contains("next") } && values.values.contains { $0.contains("work") })
        #expect(try Self.values(of: CalWeek.parse(["next"])) != Self.values(of: CalWeek.parse(["last"])))
    }

    /// The values of a command's arguments and options, by name; those of option groups, too.
    private static func values(of command: Any) -> [String: String] {
        var found: [String: String] = [:]
        for child in Mirror(reflecting: command).children {
            guard let label = child.label else { continue }
            let value = unwrapped(child.value)
            if value is any ParsableArguments {
                for (name, text) in values(of: value) { found[label + "." + name] = text }
            } else {
                found[label] = String(describing: value)
            }
        }
        return found
    }

    /// The value in a property wrapper of the parser.
    private static func unwrapped(_ wrapper: Any) -> Any {
        guard let parsed = Mirror(reflecting: wrapper).children.first(where: { $0.label == "_parsedValue" })?.value
        else { return wrapper }
        return Mirror(reflecting: parsed).children.first?.value ?? parsed
    }
}
