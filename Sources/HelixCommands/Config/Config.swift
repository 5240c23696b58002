import ArgumentParser
import Foundation
import HelixModel
import HelixTerminal

/// `helix config`
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Read and change settings.",
        subcommands: [
            ConfigList.self, ConfigGet.self, ConfigSet.self, ConfigUnset.self, ConfigPath.self, ConfigEdit.self,
        ],
        defaultSubcommand: ConfigList.self)
}

/// `helix config list`
struct ConfigList: HelixCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List all settings.")
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.present(
            ConfigReport(items: ConfigurationKey.allCases.map { ConfigItem($0, context.configuration) }))
    }
}

/// `helix config get`
struct ConfigGet: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "get", abstract: "Print a setting.", discussion: "  helix config get calendar.hours")

    @Argument(help: "The setting.", completion: .custom(CompletionLists.settings))
    var key: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let key = try ConfigurationKey.named(key)
        if output.isMachine {
            return try context.present(ConfigReport(items: [ConfigItem(key, context.configuration)]))
        }
        try context.write(SafeText.line(context.configuration.text(key) ?? "") + "\n")
    }
}

/// `helix config set`
struct ConfigSet: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "set", abstract: "Change a setting.",
        discussion: """
              helix config set calendar.hours 8:30-17
              helix config set user.email ana@example.com ana@work.example
            """)

    @Argument(help: "The setting.", completion: .custom(CompletionLists.settings))
    var key: String

    @Argument(help: "Its value; some settings take several.", completion: .custom(CompletionLists.settingValues))
    var values: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let key = try ConfigurationKey.named(key)
        if let problem = Configuration.problem(key, values) { throw HelixError(.usage, "\(key.rawValue) \(problem)") }
        var words = values
        if key.isList { words = Configuration.split(values) }
        let changed = try ConfigurationFile(context.paths.configuration)
            .set(key, words, isDryRun: context.isDryRun)
        try context.present(ConfigReport(items: [ConfigItem(key, changed)]))
    }
}

/// `helix config unset`
struct ConfigUnset: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "unset", abstract: "Let a setting fall back.", discussion: "  helix config unset calendar.hours")

    @Argument(help: "The setting.", completion: .custom(CompletionLists.settings))
    var key: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let key = try ConfigurationKey.named(key)
        let changed = try ConfigurationFile(context.paths.configuration).set(key, nil, isDryRun: context.isDryRun)
        try context.present(ConfigReport(items: [ConfigItem(key, changed)]))
    }
}

/// `helix config path`
struct ConfigPath: HelixCommand {
    static let about = CommandConfiguration(commandName: "path", abstract: "Print where the settings lie.")
    @OptionGroup var output: OutputOptions

    func validate() throws { try output.refuseMachine("a path") }

    /// Works also where the settings themselves cannot be read.
    func run() throws {
        let paths = try Paths(environment: ProcessEnvironment.current)
        guard Terminal.write(paths.configuration + "\n", to: STDOUT_FILENO) else {
            throw HelixError(.io, "the output cannot be written")
        }
    }

    func run(in context: CommandContext) throws { try run() }
}

/// `helix config edit`
struct ConfigEdit: HelixCommand {
    static let about = CommandConfiguration(commandName: "edit", abstract: "Open the settings in your editor.")
    @OptionGroup var output: OutputOptions

    func run() throws {
        let environment = ProcessEnvironment.current
        let file = ConfigurationFile(try Paths(environment: environment).configuration)
        try file.create()
        let editor = Editor.command(environment)
        // The editor is the user's own setting, and may have options; the file's name is handed over as an argument.
        guard ChildProcess.run(shell: "\(editor) \"$1\"", argument: file.path) == 0 else {
            throw HelixError(
                .configuration, "the editor '\(editor)' failed", hint: "Set EDITOR to one that is installed.")
        }
        _ = try Configuration(file: file.path)
    }

    func run(in context: CommandContext) throws { try run() }
}

extension ConfigurationKey {
    /// The setting of that name.
    /// - Throws: ``HelixError`` of code `usage`.
    static func named(_ name: String) throws -> ConfigurationKey {
        if let key = ConfigurationKey(rawValue: name.lowercased()) { return key }
        let close = allCases.map(\.rawValue).filter { $0.hasSuffix("." + name) || $0.hasPrefix(name) }
        throw HelixError(
            .usage, "there is no setting '\(name)'",
            hint: close.isEmpty
                ? "'helix config list' names them all." : "Do you mean \(close.joined(separator: " or "))?")
    }
}

/// A setting in a report.
struct ConfigItem: ReportItem {
    let key: ConfigurationKey
    let value: String
    let isSet: Bool

    init(_ key: ConfigurationKey, _ configuration: Configuration) {
        self.key = key
        value = configuration.text(key) ?? ""
        isSet = configuration.setKeys.contains(key)
    }

    static let fields = [
        SchemaField("key", .string, "The setting."), SchemaField("value", .string, "What holds."),
        SchemaField("set", .bool, "Whether the file sets it."),
        SchemaField("default", .string, "What holds otherwise."),
        SchemaField("summary", .string, "What it is for."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("key", key.rawValue)
        json.set("value", value)
        json.set("set", isSet)
        json.set("default", key.fallback)
        json.set("summary", key.summary)
        return json
    }
}

/// Settings.
struct ConfigReport: CuttableReport {
    static let schema = "helix.config/1"
    var items: [ConfigItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(), .init(minimum: 6), .init(minimum: 10)])
        for item in items {
            table.row([
                StyledText(item.key.rawValue, item.isSet ? .bold : .plain),
                StyledText(item.value.isEmpty ? "–" : item.value),
                StyledText(item.key.summary, .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
