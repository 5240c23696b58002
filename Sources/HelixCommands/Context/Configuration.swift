import FoundationEssentials
import Glibc
import HelixInvoices
import HelixMail
import HelixModel
import HelixNetwork
import HelixTasks
import TOMLKit

/// The user's settings. An invalid value is an error that names the line; an unknown key is a warning.
struct Configuration: Sendable {
    private var values: [ConfigurationKey: [String]] = [:]
    /// The locale's defaults for settings that are not set.
    private var localeDefaults: [ConfigurationKey: String] = [:]
    /// The unknown keys of the file, each with its line.
    private(set) var unknown: [(key: String, line: Int)] = []
    /// The settings whose names are the user's own, by family.
    private var families: [SettingFamily: [String: String]] = [:]
    /// The profiles of agents.
    private(set) var profiles: [AgentProfile] = []
    /// The keys that the file sets.
    var setKeys: Set<ConfigurationKey> { Set(values.keys) }

    /// Reads the settings in `file`; all defaults if the file does not exist.
    /// - Throws: ``HelixError`` of code `configuration`.
    init(file: String) throws {
        if access(file, F_OK) != 0 {
            values = [:]
            return
        }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw HelixError(.configuration, "\(file) cannot be read", hint: "Check its permissions.")
        }
        self = try Configuration(text: String(decoding: data, as: UTF8.self), file: file)
    }

    /// Parses the settings in `text`; `file` is named in errors.
    /// - Throws: ``HelixError`` of code `configuration`.
    init(text: String, file: String) throws {
        let table = try Configuration.table(text, file: file)
        for section in table.keys.sorted() {
            guard let inner = table[section]?.table else {
                unknown.append((section, Configuration.line(of: section, in: text)))
                continue
            }
            if let family = SettingFamily(rawValue: section) {
                for name in inner.keys.sorted() {
                    families[family, default: [:]][name] = inner[name]?.string
                    // Its value is text.
                    if inner[name]?.string == nil {
                        let full = "\(section).\(name)"
                        unknown.append((full, Configuration.line(of: full, in: text)))
                    }
                }
                continue
            }
            if section == Configuration.agentSection {
                profiles = try Configuration.profiles(inner, text, file: file)
                continue
            }
            for name in inner.keys.sorted() {
                let full = "\(section).\(name)"
                guard let key = ConfigurationKey(rawValue: full) else {
                    unknown.append((full, Configuration.line(of: full, in: text)))
                    continue
                }
                let found = inner[name].map(Configuration.texts) ?? nil
                guard let texts = found, Configuration.problem(key, texts) == nil else {
                    let problem = found.flatMap { Configuration.problem(key, $0) } ?? "has an invalid value"
                    throw HelixError(
                        .configuration, "\(file), line \(Configuration.line(of: full, in: text)): \(full) \(problem)",
                        hint: "'helix config list' describes each setting.")
                }
                if key.isList { values[key] = Configuration.split(texts) } else { values[key] = texts }
            }
        }
        if let words = values[.assistantSees], !words.isEmpty {
            profiles += [.assistant(seeing: words), AgentProfile.assistant(seeing: words).reader]
        }
    }

    /// The profile of helix's own assistants.
    var assistantProfile: AgentProfile {
        profiles.first { $0.name == AgentProfile.assistantName } ?? .assistant(seeing: [])
    }

    /// The maximum number of tokens of a command's request to an assistant and of the answer.
    var assistantBudget: Int { text(.assistantBudget).flatMap(Int.init) ?? 60_000 }

    /// The settings of a family, by name.
    func family(_ family: SettingFamily) -> [String: String] { families[family] ?? [:] }

    /// The user's command aliases, each with its expansion.
    var aliases: [String: String] { family(.alias) }

    static func texts(_ value: any TOMLValueConvertible) -> [String]? {
        if let text = value.string { return [text] }
        if let bool = value.bool { return [bool ? "true" : "false"] }
        if let number = value.int { return [String(number)] }
        if let number = value.double { return [String(number)] }
        if let array = value.array {
            let texts = array.compactMap { $0.string }
            return texts.count == array.count ? texts : nil
        }
        return nil
    }

    /// The words of a list, which commas may also separate.
    static func split(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split(separator: ",") }.map { String($0).trimmingBlanks() }.filter { !$0.isEmpty }
    }

    private static func addressProblem(_ text: String) -> String? {
        do {
            return try MailAddress.typed(text).count == 1 ? nil : "takes mail addresses, not '\(text)'"
        } catch { return "takes mail addresses, not '\(text)'" }
    }

    /// The reason why `texts` are invalid for `key`, as the end of a sentence; nil if they are valid.
    static func problem(_ key: ConfigurationKey, _ texts: [String]) -> String? {
        let parser = DatePhraseParser(now: Instant(0), zone: .utc)
        if key.isList { return listProblem(key, texts) }
        guard texts.count == 1, let text = texts.first else { return "takes one value" }
        switch key.kind {
        case .text, .list, .words, .languages, .sights: return nil
        case .clock:
            return (try? parser.timeOfDay(text)) != nil ? nil : "takes a time of day such as 9:00, not '\(text)'"
        case .command(let noun):
            let isCommand = DefaultCommand.isCommand(text.split(separator: " ").map(String.init), of: noun)
            return isCommand ? nil : "takes a command of 'helix\(noun.isEmpty ? "" : " " + noun)', not '\(text)'"
        case .number:
            return Double(text).map(\.isFinite) == true ? nil : "takes a number such as 4.5, not '\(text)'"
        case .count(let least):
            return Int(text).map { $0 >= least } == true
                ? nil : "takes a whole number of at least \(least), not '\(text)'"
        case .bool: return ["true", "false"].contains(text) ? nil : "takes true or false, not '\(text)'"
        case .choice(let words):
            return words.contains(text) ? nil : "takes \(words.joined(separator: ", ")), not '\(text)'"
        case .duration:
            return (try? parser.duration(text)) != nil ? nil : "takes a duration such as 45m, not '\(text)'"
        case .hours: return (try? parser.hours(text)) != nil ? nil : "takes hours such as 9-17, not '\(text)'"
        case .wait:
            return (try? parser.duration(text)).map { $0 > 0 } ?? false
                ? nil : "takes a duration such as 45m, not '\(text)'"
        case .mailQuery:
            if text.lowercased() == "none" { return nil }
            do {
                let line = QueryNoun.mail.line([text], dates: parser)
                // Saved searches and mailboxes are known to the store alone.
                _ = try MailQueryParser(dates: parser, own: [], saved: { _ in "is:unread" }).parse(line)
                return nil
            } catch { return "takes a query such as 'in:inbox is:unread', or none, not '\(text)'" }
        case .nightHours:
            return text.isEmpty || NightHours(text, parser) != nil
                ? nil : "takes hours such as 22:00-7:00, not '\(text)'"
        case .weekdays: return (try? parser.weekdays(text)) != nil ? nil : "takes days such as mon-fri, not '\(text)'"
        case .url:
            let address = URL(address: text)
            let isGood = ["http", "https"].contains(address?.scheme?.lowercased())
            return isGood || text.isEmpty ? nil : "takes an address such as https://api.example.org/v1, not '\(text)'"
        case .invoice(let term): return term.problem(text)
        case .zone:
            return text.isEmpty || ZoneDatabase.zone(typed: text) != nil
                ? nil : "takes a zone such as Europe/Rome, not '\(text)'"
        }
    }

    /// The reason why `texts` are invalid for a setting with several values.
    private static func listProblem(_ key: ConfigurationKey, _ texts: [String]) -> String? {
        let words = Configuration.split(texts)
        switch key.kind {
        case .list: return words.lazy.compactMap(Configuration.addressProblem).first
        case .languages:
            let codes = DatePhraseParser.languages.map(\.code)
            let unknown = words.first { !codes.contains($0) && $0 != "none" }
            let list = codes.joined(separator: ", ")
            return unknown.map { "takes language codes (\(list)) or none, not '\($0)'" }
        case .sights:
            let wrong = words.first { word in
                word != "private"
                    && !["label:", "calendar:"].contains { word.hasPrefix($0) && word.utf8.count > $0.utf8.count }
            }
            return wrong.map { "takes label:NAME, calendar:NAME and private, not '\($0)'" }
        default: return nil
        }
    }

    /// Parses a settings file.
    /// - Throws: ``HelixError`` of code `configuration` with the line of a syntax error.
    static func table(_ text: String, file: String) throws -> TOMLTable {
        if text.utf8.count > SettingsSyntax.sizeLimit {
            throw HelixError(.configuration, "\(file) is too large for a settings file")
        }
        if let (line, reason) = SettingsSyntax.problem(text) {
            throw HelixError(.configuration, "\(file), line \(line): \(reason)", hint: "'helix config edit' opens it.")
        }
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw HelixError(
                .configuration, "cannot read \(file), line \(error.source.begin.line): \(error.description)",
                hint: "'helix config edit' opens it.")
        }
    }

    /// Warnings about unknown keys, each with the closest known name.
    func warnings(_ file: String) -> [String] {
        unknown.map { key, line in
            let names = ConfigurationKey.allCases.map(\.rawValue)
            let near = EditDistance.suggestion(for: key.lowercased(), among: names)
            return "\(file), line \(line): unknown setting '\(key)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
        }
    }

    /// The settings overridden by those of the environment: `HELIX_CALENDAR_DAYS` is `calendar.days` for one run.
    /// - Throws: ``HelixError`` of code `configuration` for an invalid value.
    func overlaid(by environment: [String: String]) throws -> Configuration {
        var changed = self
        changed.localeDefaults = TimeLocale(environment).defaults
        guard !Configuration.variables(environment).isEmpty else { return changed }
        for key in ConfigurationKey.allCases {
            guard let text = environment[key.variable], !text.isEmpty else { continue }
            // The rights of a profile are those of the file.
            if case .sights = key.kind {
                throw HelixError(
                    .configuration, "\(key.variable) has no effect", hint: "Set it: helix config set \(key.rawValue) …")
            }
            if let problem = Configuration.problem(key, [text]) {
                throw HelixError(.configuration, "\(key.variable) \(problem)")
            }
            changed.values[key] = key.isList ? Configuration.split([text]) : [text]
        }
        return changed
    }

    /// The variables that may be settings: `HELIX_SECTION_KEY`.
    private static func variables(_ environment: [String: String]) -> [String] {
        environment.keys.filter { $0.hasPrefix("HELIX_") && $0.utf8.dropFirst(6).contains(UInt8(ascii: "_")) }
    }

    /// Warnings about variables that are named like settings and are none: `HELIX_CALENDAR_HOUR`.
    static func unknownVariables(_ environment: [String: String]) -> [String] {
        let named = variables(environment)
        if named.isEmpty { return [] }
        let known = Set(ConfigurationKey.allCases.map(\.variable))
        let sections = Set(
            ConfigurationKey.allCases.map { "HELIX_" + $0.rawValue.prefix { $0 != "." }.uppercased() + "_" })
        return named.filter { name in !known.contains(name) && sections.contains { name.hasPrefix($0) } }
            .sorted().map { name in
                let near = EditDistance.suggestion(for: name, among: Array(known))
                return "unknown setting in the environment: \(name)" + (near.map { "; did you mean \($0)?" } ?? "")
            }
    }

    /// The number of the line with a key, from 1.
    static func line(of key: String, in text: String) -> Int {
        func plain(_ name: some StringProtocol) -> String {
            String(name).filter { $0 != "\"" && $0 != "'" && $0 != " " }
        }
        var section = ""
        for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = String(raw).trimmingBlanks()
            if line.hasPrefix("["), let close = line.firstIndex(of: "]") {
                section = plain(line[line.index(after: line.startIndex)..<close])
                if section == key { return index + 1 }
                continue
            }
            let name = plain(line.prefix { $0 != "=" })
            if name == key || section + "." + name == key { return index + 1 }
        }
        return 1
    }

    /// The default value: that of the locale, or the fallback.
    func usual(_ key: ConfigurationKey) -> String { localeDefaults[key] ?? key.fallback }

    /// The value set for `key`, or its fallback; nil if both are empty.
    func text(_ key: ConfigurationKey) -> String? {
        let text = values[key]?.joined(separator: ", ") ?? usual(key)
        return text.isEmpty ? nil : text
    }

    /// The values of a list.
    func list(_ key: ConfigurationKey) -> [String] { values[key] ?? [] }
    /// The value of a Boolean setting.
    func bool(_ key: ConfigurationKey) -> Bool { text(key) == "true" }

    /// A duration in seconds.
    func seconds(_ key: ConfigurationKey) -> Int {
        let parser = DatePhraseParser(now: Instant(0), zone: .utc)
        return text(key).flatMap { try? parser.duration($0) } ?? 0
    }

    /// The amount that each property of a task adds to its urgency.
    var urgency: UrgencyCoefficients {
        var changed: [String: Double] = [:]
        for key in ConfigurationKey.urgency where setKeys.contains(key) {
            changed[key.shortName] = text(key).flatMap { Double($0) }
        }
        return UrgencyCoefficients(changed)
    }

    /// The first day of the week.
    var firstWeekday: Weekday { text(.firstWeekday).flatMap(DateWords.weekday) ?? .monday }

    /// Working hours in seconds after midnight.
    var hours: (start: Int, end: Int) {
        let parser = DatePhraseParser(now: Instant(0), zone: .utc)
        return text(.hours).flatMap { try? parser.hours($0) } ?? (9 * 3600, 17 * 3600)
    }

    /// The times of the parts of the day, in seconds after midnight.
    var partHours: [DayPart: Int] {
        let parser = DatePhraseParser(now: Instant(0), zone: .utc)
        let keys: [(DayPart, ConfigurationKey)] = [
            (.morning, .morning), (.afternoon, .afternoon), (.evening, .evening), (.night, .night),
        ]
        var hours = parser.partHours
        for (part, key) in keys where setKeys.contains(key) {
            hours[part] = text(key).flatMap { try? parser.timeOfDay($0) } ?? hours[part]
        }
        return hours
    }

    /// Codes of the languages in which dates are parsed besides English; nil if the locale decides.
    var languages: [String]? { setKeys.contains(.languages) ? list(.languages) : nil }

    /// Working days.
    var days: Set<Weekday> {
        let parser = DatePhraseParser(now: Instant(0), zone: .utc)
        return text(.days).flatMap { try? parser.weekdays($0) } ?? []
    }
}
