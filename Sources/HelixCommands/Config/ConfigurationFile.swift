import FoundationEssentials
import HelixModel
import HelixSystem

/// The settings file, edited line by line to preserve comments and order.
struct ConfigurationFile {
    let path: String

    init(_ path: String) { self.path = path }

    /// Creates the file, with all settings as comments, if it does not exist.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    func create() throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        var lines = ["# Settings of helix. 'helix config list' describes each."]
        var section = ""
        for key in ConfigurationKey.allCases {
            let (name, own) = ConfigurationFile.parts(key)
            if name != section {
                lines += ["", "[\(name)]"]
                section = name
            }
            lines.append("# \(key.summary)")
            lines.append("# \(own) = \(ConfigurationFile.literal(key, [key.fallback]))")
        }
        try write(lines.joined(separator: "\n") + "\n")
    }

    /// Sets a value, or removes it.
    /// - Parameter isDryRun: whether to leave the file unchanged.
    /// - Returns: the settings after the change.
    /// - Throws: ``HelixError``: the file cannot be parsed or written.
    func set(_ key: ConfigurationKey, _ values: [String]?, isDryRun: Bool) throws -> Configuration {
        let (section, name) = ConfigurationFile.parts(key)
        return try set(section, name, values.map { ConfigurationFile.literal(key, $0) }, isDryRun: isDryRun)
    }

    /// Sets a setting of a family, or removes it.
    /// - Throws: as ``set(_:_:isDryRun:)``.
    func set(_ setting: FamilySetting, _ value: String?, isDryRun: Bool) throws -> Configuration {
        try set(setting.family.rawValue, setting.name, value.map(ConfigurationFile.quoted), isDryRun: isDryRun)
    }

    /// Sets a rule of an agent's profile, or removes it.
    /// - Throws: as ``set(_:_:isDryRun:)``.
    func set(_ setting: AgentSetting, _ words: [String]?, isDryRun: Bool) throws -> Configuration {
        let literal = words.map { words in
            setting.key.isList
                ? "[" + words.map(ConfigurationFile.quoted).joined(separator: ", ") + "]"
                : ConfigurationFile.quoted(words.first ?? "")
        }
        return try set(
            "\(Configuration.agentSection).\(setting.profile)", setting.key.rawValue, literal, isDryRun: isDryRun)
    }

    private func set(_ section: String, _ name: String, _ literal: String?, isDryRun: Bool) throws -> Configuration {
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        // An error names the place in the file as it is, not in the changed one.
        _ = try Configuration.table(text, file: path)
        var lines = text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        var current = ""
        var place: Int?
        var end: Int?
        for (index, raw) in lines.enumerated() {
            let isHeader = raw.trimmingBlanks().hasPrefix("[")
            if isHeader { current = SettingsSyntax.section(raw) }
            if current == section { end = index + 1 }
            guard !isHeader, let own = SettingsSyntax.key(raw) else { continue }
            if (current.isEmpty ? own : current + "." + own) == section + "." + name { place = index }
        }
        if let place {
            // A list may span several lines.
            var last = place
            let value = lines[place].drop { $0 != "=" }
            if value.contains("["), !value.contains("]") {
                while last + 1 < lines.count, !lines[last].contains("]") { last += 1 }
            }
            // The spelling of the name and a comment after the value are kept.
            let head = lines[place].prefix { $0 != "=" }
            let comment = place == last ? SettingsSyntax.comment(behind: lines[place]) : nil
            let line = literal.map { head + "= " + $0 + (comment.map { "  " + $0 } ?? "") }
            lines.replaceSubrange(place...last, with: line.map { [String($0)] } ?? [])
            if literal == nil { Self.removeEmptySection(section, from: &lines) }
        } else if let literal {
            let line = "\(name) = \(literal)"
            if let end {
                lines.insert(line, at: end)
            } else {
                if !lines.isEmpty { lines.append("") }
                lines += ["[\(section)]", line]
            }
        }
        let changed = lines.joined(separator: "\n") + "\n"
        // A file that cannot be parsed is left alone; a wrong value may be corrected.
        let settings = try Configuration(text: changed, file: path)
        if !isDryRun { try write(changed) }
        return settings
    }

    /// Removes the heading of a section that has no line left, and the empty lines above it.
    private static func removeEmptySection(_ section: String, from lines: inout [String]) {
        func isHeader(_ line: String) -> Bool { line.trimmingBlanks().hasPrefix("[") }
        guard let head = lines.firstIndex(where: { isHeader($0) && SettingsSyntax.section($0) == section }) else {
            return
        }
        let end = lines[(head + 1)...].firstIndex(where: isHeader) ?? lines.count
        guard lines[(head + 1)..<end].allSatisfy({ $0.trimmingBlanks().isEmpty }) else { return }
        var start = head
        while start > 0, lines[start - 1].trimmingBlanks().isEmpty { start -= 1 }
        lines.removeSubrange(start..<end)
        // An empty line separates the sections above and below.
        if start > 0, start < lines.count { lines.insert("", at: start) }
    }

    private static func parts(_ key: ConfigurationKey) -> (section: String, name: String) {
        let sides = key.rawValue.split(separator: ".", maxSplits: 1).map(String.init)
        return (sides[0], sides[1])
    }

    private static func literal(_ key: ConfigurationKey, _ values: [String]) -> String {
        switch key.kind {
        case .bool: return values.first ?? "false"
        case .number, .count: return values.first ?? "0"
        case .list, .words, .languages, .sights:
            return "[" + values.filter { !$0.isEmpty }.map(quoted).joined(separator: ", ") + "]"
        default: return quoted(values.first ?? "")
        }
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                out += "\\u" + ISO8601.padded(0, 2) + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    private func write(_ text: String) throws {
        let folder = path.deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // A symbolic link, as stow and chezmoi make them, is kept, even if its target does not exist yet.
            var target = path
            for _ in 0..<16 {
                guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else { break }
                target = next.hasPrefix("/") ? next : target.deletingLastPathComponent + "/" + next
            }
            let rights = try? FileManager.default.attributesOfItem(atPath: target)[.posixPermissions]
            try Data(text.utf8).write(to: URL(fileURLWithPath: target), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: rights ?? 0o600], ofItemAtPath: target)
        } catch {
            throw HelixError(.cannotCreate, "\(path) cannot be written", hint: "Check the permissions of its folder.")
        }
    }
}
