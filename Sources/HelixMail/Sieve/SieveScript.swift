import HelixModel

/// The rules for mail, and the answer while the user is away, as a script that a server runs (RFC 5228).
public struct SieveScript: Sendable {
    /// A rule with its parsed query.
    public struct Rule: Sendable {
        /// The rule.
        public var rule: MailRule
        /// Its query.
        public var query: MailQuery

        /// Creates a rule.
        public init(_ rule: MailRule, _ query: MailQuery) { (self.rule, self.query) = (rule, query) }
    }

    /// A rule that the server cannot run, with the reason.
    public struct Remainder: Sendable {
        /// The rule.
        public var rule: MailRule
        /// The reason, as `it adds a task`.
        public var reason: String
    }

    /// The server, and what it is to do besides the rules.
    public struct Site: Sendable {
        /// The account's name.
        public var account: String
        /// The user's own addresses.
        public var own: [String]
        /// The names of mailboxes on the server, by their names and roles in helix, in lower case.
        public var mailboxes: [String: String] = [:]
        /// The beginning of the names of mailboxes, such as `INBOX.`, and what stands between their levels.
        public var names: (prefix: String, delimiter: String) = ("", "/")
        /// The extensions that the server has; nil if they are unknown.
        public var extensions: Set<String>?
        /// The answer while the user is away.
        public var vacation: VacationAnswer?
        /// A script of somebody else that runs first.
        public var included: String?

        /// Creates a site without vacation.
        public init(account: String, own: [String]) { (self.account, self.own) = (account, own) }

        /// The server's name of a mailbox.
        func mailbox(_ name: String) -> String {
            mailboxes[name.lowercased()]
                ?? names.prefix + name.split(separator: "/").joined(separator: names.delimiter)
        }
    }

    /// The name of the script on servers.
    public static let name = "helix"
    /// The line before the answer while the user is away.
    public static let vacationMark = "# Vacation"
    private static let ruleMark = "# Rule: "
    private static let head = "# Written by helix, and overwritten by 'helix mail rules upload'."

    /// Whether helix has written a script.
    public static func isWritten(_ text: String) -> Bool { text.hasPrefix(head) }

    /// The number of rules in a script that helix has written.
    public static func ruleCount(_ text: String) -> Int {
        text.split(whereSeparator: \.isNewline).count { $0.hasPrefix(ruleMark) }
    }

    /// The script that such a script includes.
    public static func included(_ text: String) -> String? {
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("include ") }
        return line.flatMap { $0.split(separator: "\"").dropFirst().first }.map(String.init)
    }

    /// The text.
    public private(set) var text = ""
    /// The rules in it.
    public private(set) var rules: [MailRule] = []
    /// The rules that only helix can run.
    public private(set) var remainders: [Remainder] = []

    private var extensions: Set<String> = []

    /// Translates the active rules among some, in their order.
    public init(_ all: [Rule], at site: Site) {
        var blocks: [String] = []
        var earlier: [Rule] = []
        // The rule that stops messages in a way that the server cannot see.
        var hidden: MailRule?
        for item in all where item.rule.isActive {
            var narrow: String?
            do {
                if let hidden {
                    throw SieveTest.Inexpressible("'\(hidden.name)', which may stop it, runs only in helix")
                }
                let block = try self.block(item, after: earlier, at: site)
                narrow = block.condition
                blocks.append(block.text)
                rules.append(item.rule)
            } catch {
                let reason = (error as? SieveTest.Inexpressible)?.reason ?? "\(error)"
                remainders.append(Remainder(rule: item.rule, reason: reason))
            }
            if item.rule.stops, hidden == nil {
                do {
                    if let text = try end(item, besides: narrow, after: earlier, at: site) { blocks.append(text) }
                } catch { hidden = item.rule }
            }
            earlier.append(item)
        }
        if let vacation = site.vacation { blocks.insert(vacationBlock(vacation, own: site.own), at: 0) }
        if let included = site.included {
            extensions.insert("include")
            blocks.insert("include :personal \(SieveText.quoted(included));", at: 0)
        }
        if extensions.contains("fileinto") {
            blocks.append(Self.filing(["fileinto"]).joined(separator: "\n"))
        }
        if extensions.contains("regex") {
            blocks.insert("# What stands before, between and after words.\n" + SieveText.variables, at: 0)
        }
        if blocks.contains(where: { $0.contains(SieveText.dollar) }) {
            extensions.insert("variables")
            blocks.insert(#"set "dollar" "$";"#, at: 0)
        }
        let head =
            Self.head + "\n"
            + (extensions.isEmpty ? "" : "require \(SieveText.list(extensions.sorted()));\n")
        text = head + blocks.map { "\n" + $0 + "\n" }.joined()
    }

    /// The commands for a rule.
    /// - Throws: ``SieveTest/Inexpressible``.
    private mutating func block(
        _ item: Rule, after earlier: [Rule], at site: Site
    ) throws -> (text: String, condition: String) {
        let rule = item.rule
        for one in earlier where StateQuestions(one.query).areAnswered(by: rule) {
            throw SieveTest.Inexpressible("'\(one.rule.name)' before it asks for what it changes")
        }
        // When helix runs it once more, it would not stop what it does not match any more.
        if rule.stops, StateQuestions(item.query).areAnswered(by: rule) {
            throw SieveTest.Inexpressible("it asks for what it changes")
        }
        let (condition, asked) = try test(item, after: earlier, at: site) { try $0.text(item.query) }
        let (lines, needed) = try Self.actions(of: rule, at: site)
        try need(asked.union(needed), at: site)
        let filing = rule.stops ? Self.filing(needed) + ["stop;"] : []
        let body = (lines + filing).map { "    " + $0 + "\n" }.joined()
        return ("\(Self.ruleMark)\(Self.comment(rule.name))\nif \(condition) {\n\(body)}", condition)
    }

    /// The command that leaves to helix what a rule may stop: the server sees only a part of what it matches.
    /// - Parameter narrow: the condition with which the server runs the rule.
    /// - Throws: ``SieveTest/Inexpressible``.
    private mutating func end(
        _ item: Rule, besides narrow: String?, after earlier: [Rule], at site: Site
    ) throws -> String? {
        let (condition, asked) = try test(item, after: earlier, at: site) { try $0.wideText(item.query) }
        if condition == narrow { return nil }
        try need(asked, at: site)
        let body = (Self.filing(extensions) + ["stop;"]).map { "    " + $0 + "\n" }.joined()
        return
            "# Only helix can tell whether '\(Self.comment(item.rule.name))' stops these.\nif \(condition) {\n\(body)}"
    }

    /// The text of a test, and the extensions that it needs.
    private func test(
        _ item: Rule, after earlier: [Rule], at site: Site, _ body: (inout SieveTest) throws -> String
    ) throws -> (String, Set<String>) {
        for one in earlier where StateQuestions(item.query).areAnswered(by: one.rule) {
            throw SieveTest.Inexpressible("'\(one.rule.name)' before it changes what it asks for")
        }
        var test = SieveTest(account: site.account)
        let text = try body(&test)
        return (text, test.extensions)
    }

    private mutating func need(_ wanted: Set<String>, at site: Site) throws {
        if let known = site.extensions, let missing = wanted.subtracting(known).min() {
            throw SieveTest.Inexpressible("the server does not have the extension '\(missing)'")
        }
        extensions.formUnion(wanted)
    }

    /// The commands of a rule, and the extensions that they need.
    private static func actions(of rule: MailRule, at site: Site) throws -> (lines: [String], needed: Set<String>) {
        var lines: [String] = []
        var needed: Set<String> = []
        func flag(_ command: String, _ name: String) {
            needed.insert("imap4flags")
            lines.append("\(command) \(SieveText.quoted(name));")
        }
        func move(_ name: String) {
            // The last rule decides, and there is one copy.
            needed.formUnion(["fileinto", "mailbox", "variables"])
            lines.append("set \"box\" \(SieveText.quoted(site.mailbox(name)));")
        }
        for action in rule.actions {
            switch action {
            case .label(let name), .unlabel(let name):
                guard MessageKeyword.isKeyword(name) else {
                    throw SieveTest.Inexpressible("the label '\(name)' is no keyword")
                }
                if case .label = action { flag("addflag", name) } else { flag("removeflag", name) }
            case .mute: flag("addflag", MessageAway.muted)
            case .read: flag("addflag", "\\Seen")
            case .star: flag("addflag", "\\Flagged")
            case .move(let name): move(name)
            case .archive: move("Archive")
            case .trash: move("Trash")
            case .snooze: throw SieveTest.Inexpressible("it snoozes")
            case .task: throw SieveTest.Inexpressible("it adds a task")
            }
        }
        return (lines, needed)
    }

    /// The commands that file the message where the rules so far said.
    private static func filing(_ needed: Set<String>) -> [String] {
        needed.contains("fileinto") ? [#"if not string :is "${box}" "" { fileinto :create "${box}"; }"#] : []
    }

    private static func comment(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    private mutating func vacationBlock(_ answer: VacationAnswer, own: [String]) -> String {
        extensions.insert("vacation")
        var tests: [String] = []
        func bound(_ moment: Instant, _ relation: String) {
            extensions.formUnion(["date", "relational"])
            // Texts of one zone are compared as far as the seconds.
            let text = ISO8601.text(Zone.utc.civil(moment))
            tests.append("currentdate :zone \"+0000\" :value \"\(relation)\" \"iso8601\" \"\(text)\"")
        }
        if let start = answer.start { bound(start, "ge") }
        if let end = answer.end { bound(end, "lt") }
        var command = "vacation :days \(answer.days)"
        if let subject = answer.subject { command += " :subject \(SieveText.quoted(subject))" }
        if !own.isEmpty { command += " :addresses \(SieveText.list(own))" }
        command += " \(SieveText.quoted(answer.text));"
        if tests.isEmpty { return Self.vacationMark + "\n" + command }
        let test = tests.count == 1 ? tests[0] : "allof (\(tests.joined(separator: ", ")))"
        return Self.vacationMark + "\nif \(test) {\n    \(command)\n}"
    }
}

/// The states of a message that a query asks for, which rules change.
private struct StateQuestions {
    private(set) var labels = false
    private(set) var flags = false
    private(set) var mailbox = false

    init(_ query: MailQuery) { look(query) }

    /// Whether a rule changes one of them.
    func areAnswered(by rule: MailRule) -> Bool {
        rule.actions.contains { action in
            switch action {
            case .label, .unlabel, .mute: labels
            case .read, .star: flags
            case .snooze: flags || labels
            case .move, .archive, .trash: mailbox
            case .task: false
            }
        }
    }

    private mutating func look(_ query: MailQuery) {
        switch query {
        case .all(let list), .any(let list): for part in list { look(part) }
        case .not(let inner): look(inner)
        case .label: labels = true
        case .mailbox: mailbox = true
        case .has(.unread), .has(.flag), .has(.snoozed): flags = true
        case .has(.muted): labels = true
        default: break
        }
    }
}
