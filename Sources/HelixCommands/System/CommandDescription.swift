import ArgumentParser
import HelixModel
import HelixTerminal

/// A command, an option that all commands have, or an exit status, for agents that use helix from a shell.
enum CommandDescription: MixedItem {
    case status(StatusDescription)
    case option(OptionDescription)
    case command(CommandEntry)

    static let variants: [any DescribedItem.Type] = [CommandEntry.self, OptionDescription.self, StatusDescription.self]

    var variant: any DescribedItem {
        switch self {
        case .status(let item): item
        case .option(let item): item
        case .command(let item): item
        }
    }
}

/// An exit status with the codes of its errors.
struct StatusDescription: DescribedItem {
    let status: Int32
    let codes: [String]
    let summary: String

    static let described = list {
        Field("kind", .choice(["status"]), "The kind of the item.") { _ in "status" }
        Field("status", .integer, "The exit status.") { Int($0.status) }
        Field("codes", .array(.string), "The error codes with this status.") { $0.codes }
        Field("summary", .string, "The meaning of the status.") { $0.summary }
    }
}

/// An option that all commands have.
struct OptionDescription: DescribedItem {
    let option: DeclaredOption

    static let described = list {
        Field("kind", .choice(["option"]), "The kind of the item.") { _ in "option" }
        Field("option", .string, "An option that all commands have, with its value.") { $0.option.form }
        Field("summary", .string, "The purpose of the option.") { $0.option.summary }
    }
}

/// A command with its arguments and options.
struct CommandEntry: DescribedItem {
    let name: String
    let summary: String
    let details: String
    let arguments: [DeclaredArgument]
    /// Its own options.
    let options: [DeclaredOption]
    /// Whether it changes or sends something.
    let changes: Bool
    /// Whether it can be tried by `--dry-run`.
    let hasDryRun: Bool
    /// Whether profiles may not run it.
    let isForPeople: Bool
    /// The schemas of its JSON.
    let schemas: [String]

    static let described = list {
        Field("kind", .choice(["command"]), "The kind of the item.") { _ in "command" }
        Field("command", .string, "The command: its words after helix.") { $0.name }
        Field("summary", .string, "The purpose of the command.") { $0.summary }
        Field("details", .string, required: false, "The command's help, with examples.") { item in
            item.details.isEmpty ? nil : item.details
        }
        Field(
            "arguments", .array(.string),
            "The command's arguments: <text> is required, [text] optional; … may be repeated."
        ) { $0.arguments.map(\.form) }
        Field("options", .array(.string), "The names of the command's own options, with their values.") { item in
            item.options.map { "\($0.form): \($0.summary)" }
        }
        Field(
            "effect", .choice(["reads", "changes"]),
            "Whether the command changes or sends anything. What it changes can be undone with 'helix undo'."
        ) { $0.changes ? "changes" : "reads" }
        Field("dry_run", .bool, "Whether --dry-run shows what the command would do.") { $0.hasDryRun }
        Field("for_people", .bool, "Whether the profiles of agents may not run it (status 77).") { $0.isForPeople }
        Field("schemas", .array(.string), "The schemas of its JSON; see 'helix schema COMMAND'.") { $0.schemas }
    }
}

extension CommandDescription {
    /// The exit statuses, the common options, and the commands that begin with some words.
    static func all(below words: [String]) -> [CommandDescription] {
        let commands = leaves(of: Helix.self, []).filter { $0.path.starts(with: words) }
        if commands.isEmpty { return [] }
        let common = DeclaredOption.all(of: Status.self).filter { option in
            DeclaredOption.all(of: Today.self).contains { $0.names == option.names }
        }
        var known = Set(common.map(\.names))
        known.insert(["-h", "--help"])
        var statuses: [CommandDescription] = [
            .status(StatusDescription(status: 0, codes: [], summary: "Done, also when there is nothing to show."))
        ]
        let codes = Dictionary(grouping: HelixError.Code.allCases, by: \.exitStatus)
        for (status, codes) in codes.sorted(by: { $0.key < $1.key }) {
            let meaning = codes.map(\.summary).joined(separator: "; ")
            statuses.append(
                .status(
                    StatusDescription(
                        status: status, codes: codes.map(\.rawValue),
                        summary: meaning.prefix(1).uppercased() + meaning.dropFirst() + ".")))
        }
        return statuses + common.map { .option(OptionDescription(option: $0)) }
            + commands.map { path, type in
                let options = DeclaredOption.all(of: type).filter { !known.contains($0.names) }
                return .command(
                    CommandEntry(
                        name: path.joined(separator: " "), summary: type.configuration.abstract,
                        details: type.configuration.discussion, arguments: DeclaredArgument.all(of: type),
                        options: options,
                        changes: (type as? any HelixCommand.Type)?.changesSomething ?? false,
                        hasDryRun: options.contains { $0.names.contains("--dry-run") },
                        isForPeople: AgentGate.forPeople.contains { path.starts(with: $0) },
                        schemas: (type as? any HelixCommand.Type)?.reports.map { $0.report.schema }.uniqued ?? []))
            }
    }

    private static func leaves(
        of type: any ParsableCommand.Type, _ path: [String]
    ) -> [(path: [String], type: any ParsableCommand.Type)] {
        let below = type.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        if below.isEmpty { return path.isEmpty ? [] : [(path, type)] }
        return below.flatMap { leaves(of: $0, path + [$0.configuration.commandName ?? ""]) }
    }
}

/// The commands with their arguments, options and effects.
struct CommandsReport: CuttableReport {
    static let schema = "helix.commands/1"
    var items: [CommandDescription]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(minimum: 12), .init(importance: 1), .init(minimum: 20)])
        for case .command(let command) in items {
            table.row([
                StyledText(command.name), StyledText(command.changes ? "changes" : "", TextStyle(.yellow)),
                StyledText(command.summary, .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
