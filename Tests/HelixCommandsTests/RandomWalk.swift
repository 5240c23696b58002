import Foundation
import HelixModel
import HelixSQLite
import TestSupport

@testable import HelixCommands
@testable import HelixStore

/// A user who runs commands at random, in one home.
struct RandomWalk {
    let home: HelixHome
    private(set) var random: SeededGenerator
    private let database: Database
    /// A number for new names.
    private var count = 0
    /// The time since the first command.
    private var minutes = 0

    /// A home with an account of mail, an event and a task.
    init(seed: UInt64) throws {
        home = try HelixHome(zone: "UTC")
        random = SeededGenerator(seed: seed)
        for file in ["note.txt", "plan.txt"] { try home.write("the text of \(file)\n", to: file) }
        let maildir = try TestMaildir(home)
        for number in 0..<8 {
            try maildir.deliver(
                "From: Ana <ana@example.org>\nTo: me@example.org\nSubject: word \(number)\nMessage-ID: <m\(number)@walk>\n"
                    + "Date: Tue, 17 Nov 2026 09:0\(number):00 +0000\n\nwords of \(number)\n")
        }
        try maildir.deliver(
            """
            From: Ana <ana@example.org>
            To: me@example.org
            Subject: Invitation
            Message-ID: <invitation@walk>
            Date: Tue, 17 Nov 2026 09:00:00 +0000
            MIME-Version: 1.0
            Content-Type: text/calendar; method=REQUEST; charset=utf-8

            BEGIN:VCALENDAR
            VERSION:2.0
            PRODID:-//walk//walk//EN
            METHOD:REQUEST
            BEGIN:VEVENT
            UID:invitation@walk
            DTSTAMP:20261101T000000Z
            DTSTART:20261125T090000Z
            DTEND:20261125T100000Z
            SUMMARY:Invitation
            ORGANIZER:mailto:ana@example.org
            ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:me@example.org
            END:VEVENT
            END:VCALENDAR

            """)
        for words in [
            ["config", "set", "user.email", "me@example.org"], ["config", "set", "user.name", "Me"],
            ["account", "add", "home", "maildir", maildir.path],
            ["mail", "index"], ["cal", "add", "\"word first\" today 9:00"], ["tasks", "add", "word first"],
            ["projects", "add", "house"], ["chat", "new", "Room"],
        ] {
            let result = try home.perform(words)
            guard result.status == 0 else { throw OracleFailure(message: "\(words): \(result.errors)") }
        }
        database = try Database(path: home.store)
    }

    // MARK: Choices

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func one(_ choices: [String]) -> String {
        choices.randomElement(using: &random) ?? "zzzz"
    }

    /// A value of a column; a word that names nothing if there are none.
    mutating func some(_ sql: String) throws -> String {
        one(try String.fetchAll(database, sql: sql, arguments: []))
    }

    private mutating func task() throws -> String {
        // Open ones more often: most commands work only on these.
        try some("SELECT id FROM task" + (number(0..<3) > 0 ? " WHERE state = 'open'" : "") + " ORDER BY n")
    }
    private mutating func event() throws -> String { try some("SELECT id FROM event ORDER BY n") }
    private mutating func entry() throws -> String { try some("SELECT id FROM time_entry ORDER BY start, id") }
    mutating func mail() throws -> String {
        try some(
            """
            SELECT m.id FROM message m JOIN mailbox b ON b.n = m.mailbox WHERE b.role IS NOT 'deleted' ORDER BY m.n
            """)
    }
    private mutating func project() throws -> String { try some("SELECT name FROM project ORDER BY id") }
    private mutating func calendar() throws -> String { try some("SELECT name FROM calendar ORDER BY n") }
    private mutating func room() throws -> String { try some("SELECT id FROM conversation ORDER BY n") }
    private mutating func line() throws -> String { try some("SELECT id FROM chat_message ORDER BY n") }
    private mutating func board() throws -> String { try some("SELECT name FROM board ORDER BY id") }
    private mutating func column() throws -> String { try some("SELECT name FROM board_column ORDER BY id") }
    mutating func outgoing() throws -> String { try some("SELECT id FROM outgoing ORDER BY n") }
    private mutating func any() throws -> String {
        switch number(0..<4) {
        case 0: try task()
        case 1: try event()
        case 2: try mail()
        default: try entry()
        }
    }
    /// The two ends of a link.
    private mutating func linked(_ kind: String) throws -> [String] {
        try some("SELECT a || ' ' || b FROM link WHERE kind = '\(kind)' ORDER BY a, b").split(separator: " ").map(
            String.init)
    }
    mutating func name(_ kind: String) -> String {
        count += 1
        return "\(kind) \(count)"
    }
    mutating func day() -> String { "2026-1\(number(1..<3))-\(number(10..<29))" }
    private mutating func time() -> String { "\(number(8..<18)):\(one(["00", "15", "30"]))" }

    // MARK: Commands

    /// Commands that change something and are not part of the walk, with the reason.
    static let outside: [String: String] = [
        "review accept": "a person decides about the proposals of agents", "review reject": "the same",
        "review reopen": "the same",
        "review comment": "it changes no data",
        "account add": "changes settings, which have no undo", "account edit": "changes settings",
        "account remove": "changes settings",
        "account sign-in": "needs a server", "lock": "nothing locks a walk",
        "vault create": "needs FUSE",
        "vault remove": "needs a vault", "vault close": "needs a vault", "vault passphrase": "needs a vault",
        "config set": "changes the settings file", "config unset": "changes the settings file",
        "backup": "writes a file", "restore": "replaces the store", "undo": "walks back", "redo": "walks forth",
        "sync resolve": "needs a conflict with a server", "chat ask": "needs an assistant",
        "ask": "needs an assistant",
        "plan day": "needs an assistant",
        "plan week": "needs an assistant",
        "extract": "needs an assistant",
        "mail summarize": "needs an assistant",
        "mail draft": "needs an assistant",
        "mail unsubscribe": "needs a list and its server",
        "mail keys fetch": "changes the keyring of GnuPG", "mail keys import": "changes the keyring of GnuPG",
        "mail triage": "needs an assistant",
        "mail rules upload": "needs a server", "mail rules remove": "needs a server",
        "mail vacation set": "needs a server", "mail vacation off": "needs a server",
        "chat summarize": "needs an assistant",
        "chat suggest": "needs an assistant",
        "chat improve": "needs an assistant",
        "chat invite": "needs a gateway", "chat leave": "needs a gateway", "chat members": "needs a gateway",
        "chat typing": "needs a gateway", "gateway approve": "changes the gateway's own store",
        "gateway database migrate": "changes a database", "gateway database import": "changes a database",
        "gateway database export": "needs a database",
        "gateway call": "needs a gateway", "gateway device-file": "needs a gateway", "gateway pair": "needs a gateway",
        "gateway reject": "changes the gateway",
        "gateway revoke": "changes the gateway", "gateway token": "changes the gateway",
        "gateway user add": "changes the gateway",
        "gateway user disable": "changes the gateway", "gateway user enable": "changes the gateway",
        "gateway user password": "changes the gateway", "gateway password": "changes the gateway",
        "gateway end": "changes the gateway",
        "gateway push add": "changes the gateway", "gateway push remove": "changes the gateway",
        "gateway push test": "changes the gateway", "chat links": "needs a gateway", "chat join": "needs a gateway",
        "open": "changes nothing but groups of a gateway", "chat react": "needs a gateway",
        "chat pin": "needs a gateway",
        "chat profile": "changes the gateway", "chat block": "changes the gateway",
        "chat unblock": "changes the gateway", "cal import": "has tests of its own",
        "contacts import": "has tests of its own",
        "tasks import": "has tests of its own", "time import": "has tests of its own",
        "mail import": "writes mail, which is deleted only by name", "sync run": "needs a server",
    ]

    /// The words of a random use of a command; nil if the walk does not know it. Each comes some minutes after the one before.
    mutating func words(_ command: String) throws -> [String]? {
        minutes += number(1..<9)
        home.environment["HELIX_NOW"] = ISO8601.text(CivilDateTime(seconds: 1_795_000_000 + Int64(minutes) * 60))
        let rest: [String]?
        switch command.prefix(while: { $0 != " " }) {
        case "cal": rest = try calendarWords(command)
        case "tasks": rest = try taskWords(command)
        case "time": rest = try timeWords(command)
        case "projects": rest = try projectWords(command)
        case "mail", "outbox": rest = try mailWords(command)
        case "chat": rest = try chatWords(command)
        case "contacts": rest = try contactWords(command)
        case "link": rest = [try any(), try any()]
        case "remind":
            rest =
                number(0..<3) == 0
                ? [try task(), "in \(number(1..<90)) minutes"]
                : [name("reminder"), "in", "\(number(1..<90))", "minutes"]
        case "reminders": rest = command.hasSuffix("snooze") ? [try ringing(), "--for", "5m"] : ["--all"]
        case "unlink": rest = try linked("related")
        default: rest = nil
        }
        return rest.map { command.split(separator: " ").map(String.init) + $0 }
    }

    /// A task or an event with a reminder that went off; any task if there is none.
    private mutating func ringing() throws -> String {
        let from = ISO8601.text(CivilDateTime(seconds: 1_795_000_000 + Int64(minutes) * 60 - 86_400))
        let ids = try home.perform("reminders", "list", "--from", from, "--to", "now", "--ids").output
        return try ids.split(separator: "\n").map(String.init).sorted().first ?? task()
    }

    private mutating func calendarWords(_ command: String) throws -> [String]? {
        switch command {
        case "cal add":
            let repeated = number(0..<4) == 0 ? ["--repeat", one(["daily", "weekly", "monthly"])] : []
            return ["\"\(name("event"))\" \(day()) \(time())"] + repeated + ["--on-conflict", "allow"]
        case "cal edit":
            return [try event()]
                + (number(0..<2) == 0 ? ["--title", "word \(name("edited"))"] : ["--location", name("place")])
        case "cal move": return [try event(), "\(day()) \(time())", "--on-conflict", "allow"]
        case "cal copy": return [try event(), "\(day()) \(time())", "--on-conflict", "allow"]
        case "cal delete": return [try event(), "--yes"]
        case "cal rsvp":
            return [
                try some("SELECT id FROM message WHERE message_id = 'invitation@walk'"),
                one(["accept", "decline", "tentative"]),
            ]
        case "cal invite": return [try event(), "bo@example.org"] + (number(0..<3) == 0 ? ["--remove"] : [])
        case "cal calendars add": return [name("calendar")]
        case "cal calendars rename": return [try calendar(), name("renamed")]
        case "cal calendars color": return [try calendar(), one(["red", "green", "blue"])]
        case "cal calendars delete": return [try calendar(), "--yes"]
        case "cal calendars hide", "cal calendars show", "cal calendars default": return [try calendar()]
        default: return nil
        }
    }

    private mutating func taskWords(_ command: String) throws -> [String]? {
        switch command {
        case "tasks add":
            return ["word \(name("task")) +tag\(number(0..<3)) \(one(["", "due:\(day())", "priority:high"]))"]
                + (number(0..<3) == 0 ? ["--project", try project()] : [])
        case "tasks edit":
            return [try task()]
                + [
                    one(["priority:low", "due:\(day())", "+new", "-tag1", "estimate:2h", "due:", "wait:\(day())"]),
                    name("edited"),
                ].prefix(number(1..<3))
        case "tasks done", "tasks drop", "tasks reopen": return [try task()]
        case "tasks start": return [try task()]
        case "tasks stop": return []
        case "tasks delete": return [try task(), "--yes"]
        case "tasks move": return [try task(), try column()]
        case "tasks depend": return [try task(), try task()]
        case "tasks undepend": return try linked("blocks").reversed()
        case "tasks schedule": return [try task(), "--duration", "45m"]
        case "tasks boards add": return [name("board")]
        case "tasks boards rename": return [try board(), name("renamed")]
        case "tasks boards delete": return [try board()]
        case "tasks boards default": return [try board()]
        case "tasks columns add": return [name("column")]
        case "tasks columns edit": return [try column(), "--limit-to", "\(number(1..<9))"]
        case "tasks columns delete": return [try column()]
        case "tasks view save": return ["view\(number(0..<4))", "due:\(day())"]
        case "tasks view delete": return ["view\(number(0..<4))"]
        default: return nil
        }
    }

    private mutating func timeWords(_ command: String) throws -> [String]? {
        switch command {
        case "time add":
            let hour = number(0..<22)
            return ["2026-11-\(number(10..<18)) \(hour):00-\(hour + 1):30", "word \(name("entry"))", "--adjust"]
        case "time start": return [name("timer"), "--at", "\(number(5..<50)) min ago"]
        case "time stop", "time cancel", "time resume": return []
        case "time switch": return [try task()]
        case "time break": return ["\(number(1..<5))m"]
        case "time edit": return [try entry(), one(["title:changed", "+phone", "project:house", "-phone"])]
        case "time split": return [try entry()]
        case "time join":
            return try some(
                """
                SELECT a.id || ' ' || b.id FROM time_entry a JOIN time_entry b ON b.start = (
                    SELECT MIN(start) FROM time_entry WHERE start > a.start) ORDER BY a.start
                """
            ).split(separator: " ").map(String.init)
        case "time move": return [try entry(), one(["+1d", "-2h", "yesterday", "-30m"]), "--adjust"]
        case "time delete": return [try entry(), "--yes"]
        case "time propose": return ["2026-11-10..2026-11-24", "--accept", "1"]
        default: return nil
        }
    }

    private mutating func projectWords(_ command: String) throws -> [String]? {
        let file = home.folder.path + "/" + one(["note.txt", "plan.txt"])
        switch command {
        case "projects add": return [name("project")]
        case "projects edit": return [try project(), "--customer", name("customer"), "--currency", "EUR"]
        case "projects start", "projects complete": return [try project()]
        case "projects delete":
            return [
                try some(
                    "SELECT name FROM project p WHERE NOT EXISTS (SELECT 1 FROM attachment a WHERE a.project = p.id) ORDER BY id"
                )
            ]
        case "projects material add": return [try project(), name("pipe"), "\(number(1..<20))", "m", "4.80"]
        case "projects material delete": return [try some("SELECT id FROM material ORDER BY id")]
        case "projects invoices add": return [try project(), "--tax", "\(number(0..<20))"]
        case "projects invoices cancel": return [try some("SELECT id FROM invoice ORDER BY id")]
        case "projects blocks add": return [try project(), name("block")]
        case "projects blocks rename": return try block() + [name("renamed")]
        case "projects blocks move": return try block()
        case "projects blocks remove": return try block()
        case "projects attach": return [try project(), file]
        case "projects files remove": return [try some("SELECT id FROM attachment ORDER BY id")]
        default: return nil
        }
    }

    private mutating func block() throws -> [String] {
        let project = try project()
        let list = try home.perform("projects", "blocks", "list", project, "--json")
        let names = list.status == 0 ? try list.items().compactMap { $0["name"] as? String } : []
        return [project, one(names)]
    }

    mutating func mailbox() throws -> String {
        try some("SELECT name FROM mailbox WHERE role IS NULL ORDER BY n")
    }

    mutating func draft() throws -> String {
        try some("SELECT m.id FROM message m JOIN mailbox b ON b.n = m.mailbox WHERE b.role = 'drafts' ORDER BY m.n")
    }

    private mutating func chatWords(_ command: String) throws -> [String]? {
        switch command {
        case "chat new": return [name("Room")]
        case "chat send": return [try room(), "words \(name("line"))"]
        case "chat message":
            return [try line()]
                + (number(0..<2) == 0
                ? ["--edit", name("edited")] : [one(["--delete", "--to-task", "--to-event tomorrow 9:00"])])
                .flatMap { $0.split(separator: " ").map(String.init) }
        case "chat rename": return [try room(), name("Renamed")]
        case "chat archive", "chat mute": return [try room()] + (number(0..<2) == 0 ? ["--off"] : [])
        case "chat read": return [try room()]
        case "chat delete": return [try room(), "--yes"]
        case "chat share": return [try room(), try any()]
        default: return nil
        }
    }

    // MARK: States

    /// All rows of all entities, and what is derived from events.
    func state() throws -> [String: String] {
        var state: [String: String] = [:]
        /// The rows of a statement as lines: one text is read and compared sooner than thousands.
        func lines(_ statement: String) throws -> String {
            try String.fetchOne(
                database, sql: "SELECT ifnull(group_concat(line, char(10)), '') FROM (\(statement))", arguments: [])
                ?? ""
        }
        for table in EntityDescriptor.all.map(\.table) {
            let columns = (["id"] + table.columns).map { "quote(\"\($0)\")" }.joined(separator: " || ' ' || ")
            // Deleted messages stay for a month, where nobody sees them.
            let seen =
                table.name == "message" ? "WHERE mailbox NOT IN (SELECT n FROM mailbox WHERE role = 'deleted')" : ""
            state[table.name] = try lines("SELECT \(columns) AS line FROM \(table.name) \(seen) ORDER BY id")
        }
        state["link"] = try lines("SELECT a || ' ' || b || ' ' || kind AS line FROM link ORDER BY 1")
        // Far occurrences of series are computed when somebody looks there.
        state["occurrence"] = try lines(
            """
            SELECT o.start || ' ' || o."end" || ' ' || e.id AS line FROM occurrence o JOIN event e ON e.n = o.event
            WHERE o.start < 1830000000 ORDER BY 1
            """)
        return state
    }
}
