/// The rights of an AI agent: what it may read, change and send. The store enforces it, and so does the network's door.
public struct AgentProfile: Hashable, Sendable {
    /// A domain of the store.
    public enum Domain: String, Sendable, CaseIterable {
        case mail
        case calendar
        case tasks
        case time
        case chat
        case contacts
    }

    /// The rule for messages that leave: mail, invitations and chat.
    public enum Sending: String, Sendable, CaseIterable {
        /// Nothing leaves.
        case never
        /// Messages wait in the outbox until a person releases them.
        case held
        /// Messages leave if all their recipients were written to before.
        case known
        /// Messages leave.
        case allowed
    }

    /// The way of its changes.
    public enum Changes: String, Sendable, CaseIterable {
        /// They are made.
        case direct
        /// They are proposals, which a person accepts or rejects.
        case propose
    }

    /// The name, which is also the author of its changes.
    public var name: String
    /// The domains that it may read.
    public var read: Set<Domain> = Set(Domain.allCases)
    /// The domains that it may change.
    public var change: Set<Domain> = []
    /// The way of its changes.
    public var changes: Changes = .direct
    /// The only accounts that it sees, by name; nil for all.
    public var accounts: [String]?
    /// The only calendars that it sees, by name; nil for all.
    public var calendars: [String]?
    /// The only boards that it sees, by name; nil for all.
    public var boards: [String]?
    /// The only mailboxes that it sees, by name; nil for all.
    public var mailboxes: [String]?
    /// The only labels whose messages it sees; nil for all messages.
    public var labels: [String]?
    /// The labels of messages that it does not see.
    public var hiddenLabels: [String] = []
    /// The addresses, or parts of addresses such as `@bank.example`, whose messages it does not see.
    public var hiddenSenders: [String] = []
    /// Whether it does not see private and confidential events (RFC 5545, 3.8.1.3).
    public var hidesPrivate = false
    /// The only commands that it may run, such as `cal week`; nil for all.
    public var commands: [String]?
    /// The rule for messages that leave.
    public var send: Sending = .never
    /// The maximum number of changes in an hour; nil for no limit.
    public var hourly: Int?

    /// Creates a profile that reads everything and changes nothing.
    public init(_ name: String) { self.name = name }

    /// The profiles that come with helix.
    public static let builtIn: [AgentProfile] = {
        var noSend = AgentProfile("no-send")
        noSend.change = Set(Domain.allCases)
        return [AgentProfile("read-only"), noSend, assistant(seeing: []), assistant(seeing: []).reader]
    }()

    /// A text that is the same for two profiles that see the same.
    public var sight: String {
        func list(_ words: [String]?) -> String { words.map { "[" + $0.joined(separator: ",") + "]" } ?? "all" }
        let domains = read.map(\.rawValue).sorted()
        let only = [domains, accounts, calendars, boards, mailboxes, labels].map(list)
        return (only + [list(hiddenLabels), list(hiddenSenders), hidesPrivate ? "public" : "all"])
            .joined(separator: " ")
    }

    /// The name of the profile under which helix's own assistants work.
    public static let assistantName = "assistant"

    /// The name of the profile under which assistants read: proposals are no facts for them.
    public static let readerName = "assistant-reader"

    /// The profile under which assistants read what the profile of assistants sees.
    public var reader: AgentProfile {
        var reader = self
        (reader.name, reader.change, reader.changes, reader.send) = (AgentProfile.readerName, [], .direct, .never)
        return reader
    }

    /// The profile of helix's own assistants: they see what is not marked as private, and propose changes.
    ///
    /// - Parameter words: what else, or what only, they see: `private`, `label:NAME`, `calendar:NAME`.
    public static func assistant(seeing words: [String]) -> AgentProfile {
        var profile = AgentProfile(assistantName)
        profile.change = [.mail, .calendar, .tasks, .time]
        (profile.changes, profile.send) = (.propose, .held)
        let isAll = words.contains("private")
        profile.hidesPrivate = !isAll
        profile.hiddenLabels = isAll ? [] : ["private"]
        func names(_ prefix: String) -> [String]? {
            let own = words.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
            return own.isEmpty ? nil : own
        }
        profile.labels = names("label:")?.map { String($0.drop { $0 == "+" }) }
        profile.calendars = names("calendar:")
        return profile
    }

    /// The words that the history has for other actors.
    private static let reserved: Set<String> = ["person", "script", "agent", "device", "sync"]

    /// Whether a word can name a profile.
    public static func isName(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.count <= 40 && !word.hasPrefix("-") && !reserved.contains(word)
            && word.utf8.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x7A) || $0 == 0x2D || $0 == 0x5F
            }
    }

    /// Whether it sees everything in the store.
    public var seesAll: Bool {
        read == Set(Domain.allCases) && accounts == nil && calendars == nil && boards == nil && mailboxes == nil
            && labels == nil && hiddenLabels.isEmpty && hiddenSenders.isEmpty && !hidesPrivate
    }
}

extension AgentProfile {
    /// A setting of a profile: `agent.NAME.KEY`.
    public enum Key: String, Sendable, CaseIterable {
        case read
        case change
        case changes
        case accounts
        case calendars
        case boards
        case mailboxes
        case labels
        case hiddenLabels = "hide-labels"
        case hiddenSenders = "hide-senders"
        case hidesPrivate = "hide-private"
        case commands
        case send
        case hourly

        /// The purpose, for people.
        public var summary: String {
            switch self {
            case .read: "What it may read: mail, calendar, tasks, time, chat; all by default."
            case .change: "What it may change: mail, calendar, tasks, time, chat; nothing by default."
            case .changes: "Its changes: direct, or propose, which 'helix review' accepts or rejects."
            case .accounts: "The only accounts that it sees."
            case .calendars: "The only calendars that it sees."
            case .boards: "The only boards that it sees."
            case .mailboxes: "The only mailboxes that it sees."
            case .labels: "The only labels whose messages it sees."
            case .hiddenLabels: "Labels of messages and tags of tasks that it does not see."
            case .hiddenSenders: "Addresses or domains (@bank.example) whose messages it does not see."
            case .hidesPrivate: "Whether it does not see private events."
            case .commands: "The only commands that it may run, such as 'cal week'."
            case .send: "Messages that leave: never, held for your release, known (to people you wrote to), allowed."
            case .hourly: "The maximum number of changes in an hour."
            }
        }
    }

    /// The value of a setting as text; nil if it is not set.
    public func text(_ key: Key) -> String? {
        func list(_ words: [String]?) -> String? { words.map { $0.joined(separator: ", ") } }
        func domains(_ set: Set<Domain>) -> String {
            set.isEmpty ? "none" : Domain.allCases.filter(set.contains).map(\.rawValue).joined(separator: ", ")
        }
        return switch key {
        case .read: domains(read)
        case .change: domains(change)
        case .changes: changes.rawValue
        case .accounts: list(accounts)
        case .calendars: list(calendars)
        case .boards: list(boards)
        case .mailboxes: list(mailboxes)
        case .labels: list(labels)
        case .hiddenLabels: hiddenLabels.isEmpty ? nil : list(hiddenLabels)
        case .hiddenSenders: hiddenSenders.isEmpty ? nil : list(hiddenSenders)
        case .hidesPrivate: hidesPrivate ? "true" : "false"
        case .commands: list(commands)
        case .send: send.rawValue
        case .hourly: hourly.map { String($0) }
        }
    }

    /// Sets a value.
    /// - Parameter words: its words; those of a list.
    /// - Throws: ``HelixError`` of code `badInput` for an invalid value, whose message continues the name of the setting.
    public mutating func set(_ key: Key, _ words: [String]) throws {
        func one() throws -> String {
            guard words.count == 1 else { throw HelixError(.badInput, "takes one value") }
            return words[0]
        }
        func choice<Value: RawRepresentable & CaseIterable>(_ type: Value.Type) throws -> Value
        where Value.RawValue == String {
            let word = try one()
            if let value = Value(rawValue: word) { return value }
            let all = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw HelixError(.badInput, "takes one of \(all), not '\(word)'")
        }
        func domains() throws -> Set<Domain> {
            if words == ["all"] { return Set(Domain.allCases) }
            if words == ["none"] { return [] }
            return Set(
                try words.map { word in
                    if let domain = Domain(rawValue: word) { return domain }
                    let all = Domain.allCases.map(\.rawValue).joined(separator: ", ")
                    throw HelixError(.badInput, "takes \(all), all or none, not '\(word)'")
                })
        }
        // The word for no restriction.
        let names = words == ["all"] ? nil : words
        switch key {
        case .read: read = try domains()
        case .change: change = try domains()
        case .changes: changes = try choice(Changes.self)
        case .accounts: accounts = names
        case .calendars: calendars = names
        case .boards: boards = names
        case .mailboxes: mailboxes = names
        case .labels: labels = names?.map { String($0.drop { $0 == "+" }) }
        case .hiddenLabels:
            // Commands write labels with a sign before them.
            hiddenLabels = words == ["none"] ? [] : words.map { String($0.drop { $0 == "+" }) }
        case .hiddenSenders:
            hiddenSenders = words == ["none"] ? [] : words.map { String($0.lowercased().drop { $0 == "*" }) }
            if hiddenSenders.contains(where: { !$0.contains("@") || $0.contains(" ") || $0.contains("*") }) {
                throw HelixError(.badInput, "takes addresses, or domains such as @bank.example")
            }
        case .hidesPrivate:
            let word = try one()
            guard ["true", "false"].contains(word) else { throw HelixError(.badInput, "takes true or false") }
            hidesPrivate = word == "true"
        case .commands: commands = names?.map { $0.split(separator: " ").joined(separator: " ") }
        case .send: send = try choice(Sending.self)
        case .hourly:
            guard let number = Int(try one()), number > 0 else {
                throw HelixError(.badInput, "takes a positive number")
            }
            hourly = number
        }
    }

    /// The profile as JSON, as the store keeps it.
    public var json: JSONText {
        .object(
            Key.allCases.compactMap { key in
                words(key).map { .init(name: key.rawValue, value: .array($0.map { .string($0) })) }
            })
    }

    /// The words of a setting; nil if it is not set.
    private func words(_ key: Key) -> [String]? {
        switch key {
        case .accounts: accounts
        case .calendars: calendars
        case .boards: boards
        case .mailboxes: mailboxes
        case .labels: labels
        case .hiddenLabels: hiddenLabels
        case .hiddenSenders: hiddenSenders
        case .commands: commands
        case .read: read.isEmpty ? ["none"] : read.map(\.rawValue).sorted()
        case .change: change.isEmpty ? ["none"] : change.map(\.rawValue).sorted()
        default: text(key).map { [$0] }
        }
    }

    /// Reads a profile that the store keeps.
    /// - Throws: ``HelixError`` if it was written by a newer helix: a rule that is not understood must not be left out.
    public init(_ name: String, json: JSONText) throws {
        self.init(name)
        for field in json.fields ?? [] {
            guard let key = Key(rawValue: field.name), let words = field.value.elements?.compactMap(\.text) else {
                throw HelixError(
                    .configuration, "the profile '\(name)' was written by a newer helix", hint: "Update helix.")
            }
            try set(key, words)
        }
    }
}
