import ArgumentParser
import HelixModel
import HelixTerminal

/// A command, an option that all commands have, or an exit status, for agents that use helix from a shell.
enum CommandDescription: ReportItem {
    /// An exit status with the codes of its errors.
    case status(Int32, codes: [String], summary: String)
    /// An option that all commands have.
    case option(DeclaredOption)
    /// A command.
    case command(Command)

    /// A command with its arguments and options.
    struct Command: Sendable {
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
    }

    static let fields = [
        SchemaField("kind", .choice(["command", "option", "status"]), "The kind of the item."),
        SchemaField("command", .string, required: false, "The command: its words after helix."),
        SchemaField("summary", .string, "The purpose of the command or option, or the meaning of the status."),
        SchemaField("details", .string, required: false, "The command's help, with examples."),
        SchemaField(
            "arguments", .array(.string), required: false,
            "The command's arguments: <text> is required, [text] optional; … may be repeated."),
        SchemaField(
            "options", .array(.string), required: false, "The names of the command's own options, with their values."),
        SchemaField("option", .string, required: false, "An option that all commands have, with its value."),
        SchemaField(
            "effect", .choice(["reads", "changes"]), required: false,
            "Whether the command changes or sends anything. What it changes can be undone with 'helix undo'."),
        SchemaField("dry_run", .bool, required: false, "Whether --dry-run shows what the command would do."),
        SchemaField("for_people", .bool, required: false, "Whether the profiles of agents may not run it (status 77)."),
        SchemaField(
            "schemas", .array(.string), required: false, "The schemas of its JSON; see 'helix schema COMMAND'."),
        SchemaField("status", .integer, required: false, "The exit status."),
        SchemaField("codes", .array(.string), required: false, "The error codes with this status."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        switch self {
        case .status(let status, let codes, let summary):
            json.set("kind", "status")
            json.set("status", Int(status))
            json.set("codes", codes)
            json.set("summary", summary)
        case .option(let option):
            json.set("kind", "option")
            json.set("option", option.form)
            json.set("summary", option.summary)
        case .command(let command):
            json.set("kind", "command")
            json.set("command", command.name)
            json.set("summary", command.summary)
            json.set("details", command.details.isEmpty ? nil : command.details)
            json.set("arguments", command.arguments.map(\.form))
            json.set("options", command.options.map { "\($0.form): \($0.summary)" })
            json.set("effect", command.changes ? "changes" : "reads")
            json.set("dry_run", command.hasDryRun)
            json.set("for_people", command.isForPeople)
            json.set("schemas", command.schemas)
        }
        return json
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
            .status(0, codes: [], summary: "Done, also when there is nothing to show.")
        ]
        let codes = Dictionary(grouping: HelixError.Code.allCases, by: \.exitStatus)
        for (status, codes) in codes.sorted(by: { $0.key < $1.key }) {
            let meaning = codes.map(\.summary).joined(separator: "; ")
            statuses.append(
                .status(
                    status, codes: codes.map(\.rawValue),
                    summary: meaning.prefix(1).uppercased() + meaning.dropFirst() + "."))
        }
        return statuses + common.map { .option($0) }
            + commands.map { path, type in
                let options = DeclaredOption.all(of: type).filter { !known.contains($0.names) }
                return .command(
                    Command(
                        name: path.joined(separator: " "), summary: type.configuration.abstract,
                        details: type.configuration.discussion, arguments: DeclaredArgument.all(of: type),
                        options: options,
                        changes: type is any ChangingCommand.Type || type is any DryRunCommand.Type,
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
