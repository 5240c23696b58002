import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixStore
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
struct ConfigList: ListingCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List all settings.")
    static let reports: [PrintedReport] = [.json(ConfigReport.self)]
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        // A person who looks at the rights of agents confirms them.
        let profiles = context.configuration.profiles
        if FileManager.default.fileExists(atPath: context.paths.store) || !profiles.isEmpty {
            let store = try context.store()
            if try !profiles.isEmpty || !store.profiles().isEmpty { try store.keepProfiles(profiles) }
        }
        let own = SettingFamily.allCases.flatMap { family in
            context.configuration.family(family).sorted { $0.key < $1.key }.map {
                ConfigItem(FamilySetting(family, $0.key), $0.value)
            }
        }
        try context.present(
            ConfigReport(
                items: ConfigurationKey.allCases.map { ConfigItem($0, context.configuration) } + own
                    + context.configuration.profiles.filter {
                        ![AgentProfile.assistantName, AgentProfile.readerName].contains($0.name)
                    }.flatMap {
                        profile in
                        AgentProfile.Key.allCases.map {
                            ConfigItem(AgentSetting(profile: profile.name, key: $0), profile, isSet: true)
                        }
                    }))
    }
}

/// `helix config get`
struct ConfigGet: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "get", abstract: "Print a setting.", discussion: "  helix config get calendar.hours")
    static let reports: [PrintedReport] = [.json(ConfigReport.self)]

    @Argument(help: "The setting.", completion: .custom(CompletionLists.settings))
    var key: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        if let setting = FamilySetting(key) {
            let value = try context.configuration.value(of: setting)
            if output.isMachine { return try context.present(ConfigReport(items: [ConfigItem(setting, value)])) }
            return try context.write(SafeText.line(value) + "\n")
        }
        if let setting = try AgentSetting(key) {
            let profile = context.configuration.profiles.first { $0.name == setting.profile }
            guard let profile else { throw HelixError(.notFound, "no profile '\(setting.profile)'") }
            let item = ConfigItem(setting, profile, isSet: true)
            if output.isMachine { return try context.present(ConfigReport(items: [item])) }
            return try context.write(SafeText.line(item.value) + "\n")
        }
        let key = try ConfigurationKey.named(key)
        if output.isMachine {
            return try context.present(ConfigReport(items: [ConfigItem(key, context.configuration)]))
        }
        try context.write(SafeText.line(context.configuration.text(key) ?? "") + "\n")
    }
}

/// `helix config set`
struct ConfigSet: ChangingCommand, SettingsCommand {
    static let about = CommandConfiguration(
        commandName: "set", abstract: "Change a setting.",
        discussion: """
              helix config set calendar.hours 8:30-17
              helix config set user.email ana@example.com ana@work.example
              helix config set alias.standup "cal add Standup --repeat weekdays"
            """)
    static let reports: [PrintedReport] = [.json(ConfigReport.self)]

    @Argument(help: "The setting.", completion: .custom(CompletionLists.settings))
    var key: String

    @Argument(help: "The value; some settings take several.", completion: .custom(CompletionLists.settingValues))
    var values: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        if let setting = FamilySetting(key) {
            let value = values.joined(separator: " ")
            try setting.check(value)
            let changed = try ConfigurationFile(context.paths.configuration)
                .set(setting, value, isDryRun: context.isDryRun)
            return try context.present(ConfigReport(items: [ConfigItem(setting, try changed.value(of: setting))]))
        }
        if let setting = try AgentSetting(key) {
            try setting.checkCommands(values, context.environment)
            try context.present(ConfigReport(items: [try setting.set(values, in: context)]))
            return try setting.explainUnknown(values, in: context)
        }
        let key = try ConfigurationKey.named(key)
        if let problem = Configuration.problem(key, values) { throw HelixError(.usage, "\(key.rawValue) \(problem)") }
        var words = values
        if key.isList { words = Configuration.split(values) }
        let changed = try ConfigurationFile(context.paths.configuration)
            .set(key, words, isDryRun: context.isDryRun)
        try context.apply(key, changed)
        try context.present(ConfigReport(items: [ConfigItem(key, changed)]))
    }
}

/// A command that also works if a setting has an invalid value, to correct it.
protocol SettingsCommand: HelixCommand {}

/// `helix config unset`
struct ConfigUnset: ChangingCommand, SettingsCommand {
    static let about = CommandConfiguration(
        commandName: "unset", abstract: "Reset a setting to its default.",
        discussion: "  helix config unset calendar.hours")
    static let reports: [PrintedReport] = [.json(ConfigReport.self)]

    @Argument(help: "The setting.", completion: .custom(CompletionLists.settings))
    var key: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        if let setting = FamilySetting(key) {
            let value = try context.configuration.value(of: setting)
            _ = try ConfigurationFile(context.paths.configuration).set(setting, nil, isDryRun: context.isDryRun)
            return try context.present(ConfigReport(items: [ConfigItem(setting, value, isSet: false)]))
        }
        if let setting = try AgentSetting(key) {
            return try context.present(ConfigReport(items: [try setting.set(nil, in: context)]))
        }
        let key = try ConfigurationKey.named(key)
        let changed = try ConfigurationFile(context.paths.configuration).set(key, nil, isDryRun: context.isDryRun)
        try context.apply(key, changed)
        try context.present(ConfigReport(items: [ConfigItem(key, changed)]))
    }
}

extension CommandContext {
    /// Brings the store in line with a changed setting.
    /// - Throws: ``HelixError``.
    fileprivate func apply(_ key: ConfigurationKey, _ changed: Configuration) throws {
        if isDryRun { return }
        if key == .assistantSees { try store().keepProfiles(changed.profiles) }
        if key == .indexDecrypted, !changed.bool(key) { try forgetDecrypted() }
    }
}

/// `helix config path`
struct ConfigPath: HelixCommand {
    static let about = CommandConfiguration(commandName: "path", abstract: "Print the path of the settings file.")
    static let reports: [PrintedReport] = []
    @OptionGroup var output: OutputOptions

    /// It shows nothing of the store.
    var admission: LockAdmission { .passes }

    func validate() throws { try output.refuseMachine("a path") }

    /// Also works if the settings cannot be read.
    func run(_ invocation: Invocation) throws {
        let paths = try Paths(environment: invocation.environment)
        guard invocation.console.write(paths.configuration + "\n") else {
            throw HelixError(.io, "the output cannot be written")
        }
    }

    func run(in context: CommandContext) throws { try run(context.invocation) }
}

/// `helix config edit`
struct ConfigEdit: HelixCommand {
    static let about = CommandConfiguration(commandName: "edit", abstract: "Open the settings in your editor.")
    static let reports: [PrintedReport] = []
    static let changesSomething = true
    @OptionGroup var output: OutputOptions

    func run(_ invocation: Invocation) throws {
        let environment = invocation.environment
        let file = ConfigurationFile(try Paths(environment: environment).configuration)
        try file.create()
        guard invocation.console.isInputTerminal else {
            throw HelixError(
                .usage, "no terminal for an editor", hint: "Use 'helix config set KEY VALUE', or edit \(file.path).")
        }
        let editor = Editor.command(environment)
        // The editor is the user's own setting and may have options; the file name is passed as an argument.
        guard ChildProcess.run(shell: "\(editor) \"$1\"", argument: file.path) == 0 else {
            throw HelixError(
                .configuration, "the editor '\(editor)' failed", hint: "Set EDITOR to one that is installed.")
        }
        _ = try Configuration(file: file.path)
    }

    func run(in context: CommandContext) throws { try run(context.invocation) }
}

extension ConfigurationKey {
    /// Rejects an alias that hides a command, or that does not expand to a command.
    /// - Throws: ``HelixError`` of code `usage`.
    static func checkAlias(_ name: String, _ line: String) throws {
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }) else {
            throw HelixError(.usage, "'\(name)' cannot be an alias", hint: "Use letters, digits, '-' and '_'.")
        }
        guard !CommandAliases.isCommand(name) else {
            throw HelixError(.usage, "'\(name)' is a command of helix", hint: "Give the alias another name.")
        }
        guard let first = try CommandAliases.words(line, of: name).first, CommandAliases.isCommand(first) else {
            throw HelixError(
                .usage, "'\(line)' does not begin with a command of helix",
                hint: "helix config set alias.\(name) 'tasks list +work'")
        }
    }

    /// The setting named `name`.
    /// - Throws: ``HelixError`` of code `usage`.
    static func named(_ name: String) throws -> ConfigurationKey {
        if let key = ConfigurationKey(rawValue: name.lowercased()) { return key }
        let names = allCases.map(\.rawValue)
        var close = names.filter { $0.hasSuffix("." + name) || $0.hasPrefix(name) }
        if close.isEmpty, let near = EditDistance.suggestion(for: name.lowercased(), among: names) { close = [near] }
        throw HelixError(
            .usage, "unknown setting '\(name)'",
            hint: close.isEmpty
                ? "'helix config list' lists them." : "Did you mean \(close.joined(separator: " or "))?")
    }
}

extension Configuration {
    /// The value of a setting of a family.
    /// - Throws: ``HelixError`` of code `notFound`.
    fileprivate func value(of setting: FamilySetting) throws -> String {
        guard let value = family(setting.family)[setting.name] else {
            throw HelixError(.notFound, "no \(setting.family.noun) '\(setting.name)'")
        }
        return value
    }
}

/// A setting in a report.
struct ConfigItem: DescribedItem {
    let key: String
    let value: String
    let isSet: Bool
    let usual: String
    let summary: String

    init(_ key: ConfigurationKey, _ configuration: Configuration) {
        (self.key, usual, summary) = (key.rawValue, configuration.usual(key), key.summary)
        value = configuration.text(key) ?? ""
        isSet = configuration.setKeys.contains(key)
    }

    /// Creates the item of a setting of a family.
    init(_ setting: FamilySetting, _ value: String, isSet: Bool = true) {
        (key, usual, summary) = (setting.key, "", setting.family.summary)
        (self.value, self.isSet) = (isSet ? value : "", isSet)
    }

    /// Creates the item of a rule of an agent's profile.
    init(_ setting: AgentSetting, _ profile: AgentProfile, isSet: Bool) {
        key = setting.name
        usual = AgentProfile(setting.profile).text(setting.key) ?? setting.key.unset
        value = profile.text(setting.key) ?? usual
        summary = setting.key.summary
        self.isSet = isSet && value != usual
    }

    static let described = list {
        Field("key", .string, "The setting.") { $0.key }
        Field("value", .string, "The value in effect.") { $0.value }
        Field("set", .bool, "Whether the file sets it.") { $0.isSet }
        Field("default", .string, "The default value.") { $0.usual }
        Field("summary", .string, "The purpose.") { $0.summary }
    }

}

/// Settings.
struct ConfigReport: CuttableReport {
    static let schema = "helix.config/1"
    var items: [ConfigItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        func name(_ item: ConfigItem) -> StyledText { StyledText(item.key, item.isSet ? .bold : .plain) }
        func value(_ item: ConfigItem) -> StyledText { StyledText(item.value.isEmpty ? "–" : item.value) }
        let widths = [items.map { name($0).width }, items.map { value($0).width }, items.map(\.summary.count)]
        guard canvas.isBounded, widths.reduce(4, { $0 + ($1.max() ?? 0) }) > canvas.width else {
            var table = Table([.init(), .init(), .init()])
            for item in items { table.row([name(item), value(item), StyledText(item.summary, .dim)]) }
            return table.draw(on: &canvas)
        }
        // The purpose of a setting is never cut: there is no other place that says it.
        for item in items {
            canvas.line(name(item) + StyledText("  ") + value(item))
            canvas.paragraph(item.summary, indent: 4, style: .dim)
        }
    }
}
