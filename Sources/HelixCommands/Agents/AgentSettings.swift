import HelixModel
import HelixStore
import TOMLKit

/// The settings of agents: `agent.NAME.KEY`.
extension Configuration {
    /// The section of the file with the profiles of agents.
    static let agentSection = "agent"

    /// The profiles of a settings file.
    /// - Throws: ``HelixError`` of code `configuration` for anything that is not understood: a rule that were left out would
    ///   widen the rights of an agent.
    static func profiles(_ table: TOMLTable, _ text: String, file: String) throws -> [AgentProfile] {
        try table.keys.sorted().map { name in
            func refuse(_ key: String, _ problem: String) -> HelixError {
                HelixError(
                    .configuration, "\(file), line \(line(of: key, in: text)): \(key) \(problem)",
                    hint: "'helix config list' describes the rules of a profile.")
            }
            let section = "\(agentSection).\(name)"
            guard let rules = table[name]?.table, AgentProfile.isName(name) else {
                throw refuse(section, "is no profile")
            }
            guard !AgentProfile.builtIn.contains(where: { $0.name == name }) else {
                throw refuse(section, "comes with helix and cannot be changed")
            }
            var profile = AgentProfile(name)
            for word in rules.keys.sorted() {
                let full = "\(section).\(word)"
                guard let key = AgentProfile.Key(rawValue: word) else { throw refuse(full, "is no rule of a profile") }
                guard let found = rules[word].map(texts) ?? nil else { throw refuse(full, "has an invalid value") }
                do { try profile.set(key, words(key, found)) } catch let error as HelixError {
                    throw refuse(full, error.message)
                }
            }
            return profile
        }
    }

    /// The words of a rule, which commas may also separate.
    static func words(_ key: AgentProfile.Key, _ values: [String]) -> [String] {
        key.isList ? split(values) : values.count == 1 ? values : [values.joined(separator: " ")]
    }
}

extension AgentProfile.Key {
    /// Whether it takes several values.
    var isList: Bool {
        switch self {
        case .hidesPrivate, .changes, .send, .hourly: false
        default: true
        }
    }
}

extension AgentProfile.Key {
    /// The value of a rule that is not set.
    var unset: String {
        switch self {
        case .hiddenLabels, .hiddenSenders, .hourly: "none"
        default: "all"
        }
    }
}

/// A setting of a profile.
struct AgentSetting {
    /// The profile's name.
    let profile: String
    /// The rule.
    let key: AgentProfile.Key

    /// The setting's full name.
    var name: String { "\(Configuration.agentSection).\(profile).\(key.rawValue)" }

    init(profile: String, key: AgentProfile.Key) { (self.profile, self.key) = (profile, key) }

    /// The setting with a name; nil if it is no setting of an agent.
    /// - Throws: ``HelixError`` of code `usage` for an unknown rule or an invalid name of a profile.
    init?(_ name: String) throws {
        let parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.first == Configuration.agentSection else { return nil }
        let rules = AgentProfile.Key.allCases.map(\.rawValue)
        guard parts.count == 3, AgentProfile.isName(parts[1]) else {
            throw HelixError(
                .usage, "unknown setting '\(name)'",
                hint:
                    "A rule of a profile is agent.NAME.RULE: agent.planner.change. Rules: \(rules.joined(separator: ", "))."
            )
        }
        guard !AgentProfile.builtIn.contains(where: { $0.name == parts[1] }) else {
            throw HelixError(
                .usage, "the profile '\(parts[1])' comes with helix and cannot be changed",
                hint: "Choose another name for your own.")
        }
        guard let key = AgentProfile.Key(rawValue: parts[2]) else {
            let near = EditDistance.suggestion(for: parts[2], among: rules)
            throw HelixError(
                .usage, "unknown rule '\(parts[2])' of a profile",
                hint: near.map { "Did you mean agent.\(parts[1]).\($0)?" } ?? "Rules: \(rules.joined(separator: ", "))."
            )
        }
        (profile, self.key) = (parts[1], key)
    }

    /// Sets its value in the settings file and in the store, or removes it.
    /// - Returns: the item of the report.
    /// - Throws: ``HelixError``.
    func set(_ values: [String]?, in context: CommandContext) throws -> ConfigItem {
        let words = values.map { Configuration.words(key, $0) }
        if let words {
            var tried = AgentProfile(profile)
            do { try tried.set(key, words) } catch let error as HelixError {
                throw HelixError(.usage, "\(name) \(error.message)")
            }
        }
        let file = ConfigurationFile(context.paths.configuration)
        let changed = try file.set(self, words, isDryRun: context.isDryRun)
        if !context.isDryRun { try context.store().keepProfiles(changed.profiles) }
        return ConfigItem(
            self, changed.profiles.first { $0.name == profile } ?? AgentProfile(profile), isSet: values != nil)
    }
}
