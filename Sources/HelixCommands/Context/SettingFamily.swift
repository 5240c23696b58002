import HelixModel
import HelixTerminal

/// A section of the settings in which the user chooses the names.
enum SettingFamily: String, CaseIterable, Sendable {
    /// Command aliases: `alias.standup`.
    case alias
    /// Keys of `helix ui`: `keys.archive`.
    case keys
    /// Colours of `helix ui`: `colors.text`.
    case colors

    /// The purpose of one of them.
    var summary: String {
        switch self {
        case .alias: "Your alias for a command."
        case .keys: "Your key in 'helix ui'."
        case .colors: "Your colour in 'helix ui'."
        }
    }

    /// One of them, in words.
    var noun: String {
        switch self {
        case .alias: "alias"
        case .keys: "key"
        case .colors: "colour"
        }
    }
}

/// A setting of a family: `alias.standup`.
struct FamilySetting: Hashable, Sendable {
    let family: SettingFamily
    let name: String

    /// The setting with a name; nil for one of no family.
    init?(_ key: String) {
        let parts = key.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let family = SettingFamily(rawValue: parts[0]) else { return nil }
        (self.family, name) = (family, parts[1])
    }

    /// A setting.
    init(_ family: SettingFamily, _ name: String) { (self.family, self.name) = (family, name) }

    /// The whole name.
    var key: String { family.rawValue + "." + name }

    /// Rejects a value that cannot be used.
    /// - Throws: ``HelixError`` of code `usage`.
    func check(_ value: String) throws {
        if family == .alias { return try ConfigurationKey.checkAlias(name, value) }
        do {
            if family == .keys { _ = try UIKeymap.own([name: value]) }
            if family == .colors { try ScreenTheme.Colors.check(name, value) }
        } catch let error as HelixError where error.code == .configuration {
            throw HelixError(.usage, error.message, hint: error.hint)
        }
    }
}
