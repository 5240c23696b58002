import ArgumentParser
import HelixModel
import HelixTerminal

/// `helix schema`
struct Schema: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of a command's JSON.",
        discussion: """
            Without a command, lists the commands that have a schema.

              helix schema
              helix schema cal week

            --commands describes the commands themselves, for agents that use a shell: arguments, options, whether they \
            change anything, and the exit statuses.

              helix schema --commands --json
              helix schema --commands tasks add --json
            """)
    static let reports: [PrintedReport] = [.json(SchemaList.self), .json(CommandsReport.self, with: "--commands")]

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The command.", valueName: "noun verb"),
        completion: .custom(CompletionLists.schemas))
    var command: [String] = []

    @Flag(name: .long, help: "Describe commands: arguments, options, effects and exit statuses.")
    var commands = false

    @OptionGroup var output: OutputOptions

    /// It shows nothing of the store.
    var admission: LockAdmission { .passes }

    func run(in context: CommandContext) throws {
        let name = command.joined(separator: " ")
        if commands {
            let items = CommandDescription.all(below: command)
            if items.isEmpty {
                throw HelixError(.notFound, "no command '\(name)'", hint: "'helix schema --commands' lists them.")
            }
            return try context.present(CommandsReport(items: items))
        }
        if name.isEmpty {
            let items = Schema.all.map { SchemaItem(command: $0.command, schema: $0.schema) }
            return try context.present(SchemaList(items: items))
        }
        guard let found = Schema.all.first(where: { $0.command == name }) else {
            throw HelixError(.notFound, "no schema for '\(name)'", hint: "'helix schema' lists them.")
        }
        try context.write(JSONValue.object(found.document).text(indent: 0) + "\n")
    }

    struct Entry: Sendable {
        let command: String
        let schema: String
        /// The fields of an item.
        let fieldNames: [String]
        let document: JSONObject

        init(_ command: String, _ reports: [any Report.Type]) {
            self.command = command
            schema = reports[0].schema
            fieldNames = reports.flatMap { Entry.fields(of: $0).map(\.name) }
            guard reports.count > 1 else {
                document = Entry.document(of: reports[0])
                return
            }
            var document = JSONObject()
            document.set("$schema", "https://json-schema.org/draft/2020-12/schema")
            document.set("title", reports.map { $0.schema }.joined(separator: " or "))
            document.set("anyOf", .array(reports.map { .object(Entry.document(of: $0)) }))
            self.document = document
        }

        private static func fields<R: Report>(of report: R.Type) -> [SchemaField] { R.Item.fields }

        /// The JSON Schema of a report.
        private static func document<R: Report>(of report: R.Type) -> JSONObject {
            let item = R.Item.itemSchema
            var properties = JSONObject()
            var name = JSONObject()
            name.set("const", R.schema)
            properties.set("schema", .object(name))
            var required = ["schema"]
            if R.isList {
                var list = JSONObject()
                list.set("type", "array")
                list.set("items", .object(item))
                properties.set("items", .object(list))
                var truncated = JSONObject()
                truncated.set("const", true)
                properties.set("truncated", .object(truncated))
                var next = JSONObject()
                next.set("type", "string")
                next.set("description", "The cursor for --after, where there is one, if --limit truncated the list.")
                properties.set("next", .object(next))
                var remarks = JSONObject()
                remarks.set("type", "array")
                remarks.set("description", "Additional remarks.")
                properties.set("remarks", .object(remarks))
                required.append("items")
            } else {
                for field in SchemaField.schema(of: R.Item.fields).fields where field.name == "properties" {
                    if case .object(let inner) = field.value {
                        for one in inner.fields { properties.set(one.name, one.value) }
                    }
                }
                required += R.Item.fields.filter(\.isRequired).map(\.name)
            }
            if !properties.fields.contains(where: { $0.name == "dry_run" }) {
                var rehearsal = JSONObject()
                rehearsal.set("const", true)
                rehearsal.set("description", "Only there after --dry-run: nothing was changed.")
                properties.set("dry_run", .object(rehearsal))
            }
            var document = JSONObject()
            document.set("$schema", "https://json-schema.org/draft/2020-12/schema")
            document.set("title", R.schema)
            document.set("type", "object")
            document.set("properties", .object(properties))
            document.set("required", required)
            return document
        }
    }

    /// The entries of all commands that print JSON, in the order of the command tree.
    static let all: [Entry] = entries(of: Helix.self, [])

    private static func entries(of type: any ParsableCommand.Type, _ path: [String]) -> [Entry] {
        var found: [Entry] = []
        // A command without a verb prints what its default command prints.
        let printing = type as? any HelixCommand.Type ?? type.configuration.defaultSubcommand as? any HelixCommand.Type
        if let printing, !path.isEmpty {
            let name = path.joined(separator: " ")
            for option in printing.reports.map(\.option).uniqued {
                let own = printing.reports.filter { $0.option == option }.map(\.report)
                found.append(Entry([name, option].compactMap { $0 }.joined(separator: " "), own))
            }
        }
        for below in type.configuration.subcommands {
            found += entries(of: below, path + [below.configuration.commandName ?? ""])
        }
        return found
    }
}

/// A command that has a schema.
struct SchemaItem: DescribedItem {
    let command: String
    let schema: String

    static let described = list {
        Field("command", .string, "The command.") { $0.command }
        Field("schema", .string, "The schema's name and version.") { $0.schema }
    }

}

/// The list of schemas.
struct SchemaList: Report {
    static let schema = "helix.schema/1"
    let items: [SchemaItem]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(), .init()])
        for item in items { table.row([StyledText(item.command), StyledText(item.schema, .dim)]) }
        table.draw(on: &canvas)
    }
}
