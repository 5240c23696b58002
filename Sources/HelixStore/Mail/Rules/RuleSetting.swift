import HelixContacts
import HelixMail
import HelixModel
import HelixTasks

/// The settings that rules for mail need besides the store.
public struct RuleSetting: Sendable {
    /// The parser of dates in queries, tasks and snoozes. Its present is the store's.
    var dates: DatePhraseParser
    /// The user's own addresses, the preferred one first.
    var own: [String]
    /// The hour at which snoozed messages of a day come back: `9:00`.
    var morning: String

    /// Creates the settings.
    public init(dates: DatePhraseParser, own: [String], morning: String) {
        (self.dates, self.own, self.morning) = (dates, own, morning)
    }

    /// The present.
    var present: Instant { dates.now }

    /// The user's own addresses, the preferred one first.
    public var addresses: [String] { own }

    /// The settings at the present of a store.
    func now(in store: Store) -> RuleSetting {
        var setting = self
        setting.dates.now = store.now
        return setting
    }

    /// The parser of the rules' queries.
    public func queries(_ store: Store) -> MailQueryParser {
        MailQueryParser(
            dates: dates, own: own, addresses: { try store.contactAddresses(named: $0) },
            saved: { try store.savedQuery(named: $0) })
    }

    /// The fields of the task that an action adds.
    /// - Throws: ``HelixError`` of code `usage`.
    public func task(_ line: String) throws -> TaskChanges {
        try TaskLineParser(dates: dates.looking(.ahead), me: own.first).changes(line)
    }

    /// The time until which an action snoozes.
    /// - Throws: ``HelixError`` of code `usage`.
    public func snooze(_ phrase: String) throws -> Instant {
        try MessageAway.end(phrase, dates: dates, morning: morning)
    }

    /// Checks that actions can be read.
    /// - Throws: ``HelixError`` of code `usage`.
    public func check(_ rule: MailRule, in store: Store) throws {
        for action in rule.actions {
            switch action {
            case .label(let name), .unlabel(let name): try Change.check(label: name)
            case .move(let mailbox): _ = try Store.mailboxParts(mailbox)
            case .snooze(let phrase):
                guard try snooze(phrase) > dates.now else {
                    throw HelixError(
                        .usage, "'\(phrase)' is in the past", hint: "Use a time that comes again: mon 8:00, in 3 hours."
                    )
                }
            case .task(let line): _ = try task(line)
            case .archive, .trash, .read, .star, .mute: break
            }
        }
        guard rule.actions.count(where: \.isMove) <= 1 else {
            throw HelixError(.usage, "the rule '\(rule.name)' moves a message twice", hint: "Use one of them.")
        }
        func names(_ pick: (MailRuleAction) -> String?) -> Set<String> { Set(rule.actions.compactMap(pick)) }
        let both = names { if case .label(let name) = $0 { name.lowercased() } else { nil } }
            .intersection(names { if case .unlabel(let name) = $0 { name.lowercased() } else { nil } })
        if let name = both.first {
            throw HelixError(
                .usage, "the rule '\(rule.name)' adds and removes the label '\(name)'", hint: "Use one of them.")
        }
        // An unknown mailbox or account is an error now, not when mail arrives.
        _ = try store.messageCount(try queries(store).parse(rule.query))
    }
}

extension Store {
    /// The most contacts whose addresses stand for a name in a query.
    private static let namedContactLimit = 50

    /// All addresses of the contacts whose name has the words of a text, for queries such as `from:ana`.
    /// - Throws: ``HelixError``.
    public func contactAddresses(named name: String) throws -> [String] {
        guard !name.contains("@"), name.hasIndexedWord, profile?.read.contains(.contacts) ?? true else { return [] }
        let words = name.split(whereSeparator: \.isWhitespace).map(String.init).filter(\.hasIndexedWord)
        let query = ContactQuery.any([
            .all(words.map { .words($0, inName: true, isPrefix: false) }), .called(name),
        ])
        // A query of hundreds of addresses would find anybody.
        let (found, isTruncated) = try contacts(query, limit: Store.namedContactLimit)
        let warning =
            "More than \(Store.namedContactLimit) contacts are called '\(name)': only the addresses of the first ones by name are searched."
        if isTruncated, !warnings.contains(warning) { warnings.append(warning) }
        return found.flatMap(\.emails).filter(\.hasIndexedWord).uniqued
    }
}
