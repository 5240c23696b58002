import HelixMail
import HelixModel
import HelixSystem

/// The rows of each table that a profile sees, as conditions on a row `e`.
///
/// Every table that tells something of an entity has a condition, so that hidden entities appear nowhere: in no list, search,
/// count or history. A test compares the list with the schema.
struct ConfinedTables {
    private let profile: AgentProfile

    init(_ profile: AgentProfile) { self.profile = profile }

    /// The tables with their conditions.
    var conditions: [(table: String, condition: String)] {
        let mail = reads(.mail)
        let tasks = reads(.tasks)
        let projects = profile.read.contains(.tasks) || profile.read.contains(.time) ? "1" : "0"
        let both = "\(exists("entity", "id = e.a", in: "temp")) AND \(exists("entity", "id = e.b", in: "temp"))"
        return [
            ("account", names("e.name", profile.accounts)),
            ("address_book", reads(.contacts)), ("contact", contact("e")),
            ("contact_card", exists("contact c", "c.n = e.n AND \(contact("c"))")),
            ("contact_address", exists("contact c", "c.n = e.contact AND \(contact("c"))")),
            ("mailbox", mail + account("e.account") + and(names("e.name", profile.mailboxes))),
            ("message", message("e")), ("message_body", exists("message m", "m.n = e.n AND \(message("m"))")),
            ("message_signature", exists("message m", "m.n = e.n AND \(message("m"))")),
            ("message_decrypted", exists("message m", "m.n = e.n AND \(message("m"))")), ("autocrypt_peer", "0"),
            ("message_content", exists("message m", "m.n = e.n AND \(message("m"))")),
            ("outgoing", outgoing), ("saved_search", profile.hidesMail ? "0" : mail),
            ("mail_rule", profile.hidesMail ? "0" : mail), ("rule_intake", "0"), ("rule_problem", "0"),
            ("sieve_script", "0"), ("sent_label", "0"), ("attachment_pending", "0"),
            ("calendar", calendar("e")), ("event", event("e")),
            ("component", exists("event v", "v.n = e.event AND \(event("v"))")),
            ("occurrence", exists("event v", "v.n = e.event AND \(event("v"))")),
            ("board", board("e")), ("board_column", exists("board b", "b.id = e.board AND \(board("b"))")),
            ("task", task("e")),
            (
                "time_entry",
                reads(.time)
                    + and("(e.task IS NULL OR \(exists("task t", "t.id = e.task AND \(isShown("t"))")))")
                    + and("(e.origin IS NULL OR NOT \(exists("event v", "v.id = e.origin AND NOT (\(event("v")))")))")
            ),
            ("saved_view", profile.boards == nil ? tasks : "0"), ("project", projects), ("material", projects),
            ("invoice", projects),
            ("attachment", projects),
            ("link", both),
            ("conversation", conversation("e")),
            ("chat_message", exists("conversation c", "c.id = e.conversation AND \(conversation("c"))")),
            ("chat_member", exists("conversation c", "c.id = e.conversation AND \(conversation("c"))")),
            ("chat_attachment", exists("chat_message m", "m.id = e.message", in: "temp")),
            ("change_set", own), ("change", exists("change_set s", "s.n = e.change_set", in: "temp")),
            ("mailbox_change", "0"), ("assistant_text", "0"),
            // An agent sees what it proposed itself.
            ("proposal", "e.profile = '\(profile.name)'"),
            ("proposal_step", exists("proposal p", "p.n = e.proposal", in: "temp")),
            ("proposal_change", exists("proposal p", "p.n = e.proposal", in: "temp")),
            ("proposal_comment", exists("proposal p", "p.n = e.proposal", in: "temp")),
            // The states of synced things at servers: texts and names of all of them.
            (
                "remote_object",
                "(e.event IS NULL OR \(exists("event", "id = e.event", in: "temp"))) AND "
                    + "(e.task IS NULL OR \(exists("task", "id = e.task", in: "temp"))) AND "
                    + "(e.contact IS NULL OR \(exists("contact", "id = e.contact", in: "temp")))"
            ),
            ("remote_sending", "0"), ("refused_object", "0"), ("sync_conflict", "0"), ("replica_conflict", "0"),
            ("replica", exists("entity", "id = e.entity", in: "temp")), ("chat_withdrawal", "0"), ("departed", "0"),
            ("remote_mailbox", exists("mailbox b", "b.account = e.account AND b.path = e.path", in: "temp")),
            ("remote_message", exists("remote_mailbox b", "b.n = e.mailbox", in: "temp")),
            ("remote_email", exists("message m", "m.n = e.n", in: "temp")),
            ("served_message", exists("message m", "m.n = e.n", in: "temp")),
            (
                "remote_calendar",
                "(e.calendar IS NULL OR \(exists("calendar", "id = e.calendar", in: "temp"))) AND "
                    + "(e.board IS NULL OR \(exists("board", "id = e.board", in: "temp"))) AND "
                    + "(e.book IS NULL OR \(exists("address_book", "id = e.book", in: "temp")))"
            ),
            ("lost_label", exists("message m", "m.id = e.id", in: "temp")),
            ("invitation_mail", exists("message m", "m.id = e.message", in: "temp")),
            ("mail_intake", exists("message m", "m.id = e.message", in: "temp")), ("notice", "0"),
            ("mail_folder", exists("account a", "a.n = e.account", in: "temp")),
        ]
    }

    /// The tables that need no condition, each with the reason.
    static let open: [String: String] = [
        "account_number": "numbers of accounts", "invoice_number_given": "numbers of invoices",
        "mailbox_number": "numbers of mailboxes", "thread_reference": "hashes",
        "setting": "values of this machine", "chat_cursor": "positions", "replica_cursor": "positions",
        "replica_file": "hashes", "replica_time": "times of changes, by identity", "remote_mail_state": "positions",
        "served_round": "positions", "sync_state": "times of syncs", "sync_failure": "times of failures",
        "embedding": "joined with entities", "message_text": "joined with messages",
        "event_text": "joined with components",
        "task_text": "joined with tasks", "contact_text": "joined with contacts",
        "chat_message_text": "joined with chat messages",
    ]

    // MARK: Parts

    private func reads(_ domain: AgentProfile.Domain) -> String { profile.read.contains(domain) ? "1" : "0" }

    private func and(_ condition: String) -> String { condition == "1" ? "" : " AND " + condition }

    /// Whether a row exists, among all or among those that the profile sees.
    private func exists(_ table: String, _ condition: String, in schema: String = "main") -> String {
        "EXISTS (SELECT 1 FROM \(schema).\(table) WHERE \(condition))"
    }

    private func names(_ column: String, _ names: [String]?) -> String {
        guard let names else { return "1" }
        return "\(folded(column)) IN (\(names.map { quoted(Store.folded($0)) }.joined(separator: ", ")))"
    }

    private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    /// The account with a row number is visible.
    private func account(_ column: String) -> String {
        profile.accounts == nil
            ? "" : " AND " + exists("account a", "a.n = \(column) AND \(names("a.name", profile.accounts))")
    }

    private func message(_ row: String) -> String {
        var condition = reads(.mail)
        if profile.accounts != nil || profile.mailboxes != nil {
            condition +=
                " AND "
                + exists(
                    "mailbox b",
                    "b.n = \(row).mailbox AND "
                        + "\(names("b.name", profile.mailboxes))\(account("b.account"))")
        }
        if let labels = profile.labels {
            let any = labels.map { contains("ifnull(\(row).labels, '')", " \($0) ") }
            condition += " AND (" + (any.isEmpty ? "0" : any.joined(separator: " OR ")) + ")"
        }
        // An answer to a hidden message quotes it.
        if !profile.hiddenLabels.isEmpty {
            let any = profile.hiddenLabels.map { contains("ifnull(h.labels, '')", " \($0) ") }.joined(separator: " OR ")
            condition += " AND NOT " + exists("message h", "h.thread = \(row).thread AND (\(any))")
        }
        for label in profile.hiddenLabels {
            condition += " AND NOT \(contains("ifnull(\(row).labels, '')", " \(label) "))"
        }
        for address in profile.hiddenSenders.flatMap(MailAddress.forms) {
            for column in ["sender", "recipients", "cc", "bcc", "reply_to"] {
                condition += " AND NOT \(names("ifnull(\(row).\(column), '')", address))"
            }
        }
        return condition
    }

    private func contains(_ text: String, _ part: String) -> String {
        "(instr(\(folded(text)), \(quoted(Store.folded(part)))) > 0)"
    }

    /// A text as rules compare it; SQLite's own functions know the letters of ASCII alone.
    private func folded(_ text: String) -> String { "helix_folded(\(text))" }

    /// Whether a text names an address; a domain is named by those below it, too.
    private func names(_ text: String, _ address: String) -> String {
        address.hasPrefix("@")
            ? "(\(contains(text, address)) OR \(contains(text, "." + address.dropFirst())))" : contains(text, address)
    }

    private var outgoing: String {
        var condition = reads(.mail)
        if profile.accounts != nil {
            condition += " AND " + exists("account a", "a.id = e.account AND \(names("a.name", profile.accounts))")
        }
        for address in profile.hiddenSenders.flatMap(MailAddress.forms) {
            condition += " AND NOT \(names("e.recipients", address))"
        }
        // A queued message has no labels, and may answer a hidden one: of those only its own are seen.
        if !profile.hiddenLabels.isEmpty || profile.labels != nil || profile.mailboxes != nil {
            condition +=
                " AND "
                + exists(
                    "change c JOIN main.change_set s ON s.n = c.change_set",
                    "c.entity = e.id AND s.actor_name = \(quoted(profile.name))")
        }
        return condition
    }

    private func calendar(_ row: String) -> String {
        reads(.calendar) + and(names("\(row).name", profile.calendars))
    }

    private func event(_ row: String) -> String {
        var condition = reads(.calendar)
        if profile.calendars != nil {
            condition +=
                " AND " + exists("calendar k", "k.id = \(row).calendar AND \(names("k.name", profile.calendars))")
        }
        if profile.hidesPrivate {
            // A class that is not known is private, too (RFC 5545, 3.8.1.3).
            let text = "upper(\(row).text)"
            func count(_ line: String, _ length: Int) -> String {
                "(length(\(text)) - length(replace(\(text), \(line), ''))) / \(length)"
            }
            let (any, open) = ("char(10) || 'CLASS'", "char(10) || 'CLASS:PUBLIC' || char(10)")
            condition += " AND \(count(any, 6)) = \(count(open, 14))"
        }
        return condition
    }

    /// A contact of a hidden sender is hidden, too.
    private func contact(_ row: String) -> String {
        var condition = reads(.contacts)
        for address in profile.hiddenSenders.flatMap(MailAddress.forms) {
            condition += " AND NOT \(names("\(row).text", address))"
        }
        return condition
    }

    private func board(_ row: String) -> String { reads(.tasks) + and(names("\(row).name", profile.boards)) }

    private func isOnBoard(_ row: String) -> String {
        profile.boards == nil
            ? "1"
            : exists(
                "board_column k",
                "k.id = \(row).column_id AND "
                    + exists("board b", "b.id = k.board AND \(names("b.name", profile.boards))"))
    }

    private func task(_ row: String) -> String { reads(.tasks) + and(isShown(row)) }

    /// Whether no rule for tasks hides it: such as its time, for a profile that reads no tasks.
    private func isShown(_ row: String) -> String {
        var condition = isOnBoard(row)
        for label in profile.hiddenLabels {
            condition += " AND NOT \(contains("ifnull(\(row).tags, '')", " \(label) "))"
        }
        return condition
    }

    private func conversation(_ row: String) -> String {
        reads(.chat)
            + (profile.accounts == nil
                ? ""
                : " AND (\(row).account IS NULL OR "
                    + exists("account a", "a.id = \(row).account AND \(names("a.name", profile.accounts))") + ")")
    }

    private var own: String { "e.actor_name = \(quoted(profile.name))" }
}

extension Store {
    /// A text in small letters and one normal form, as rules compare names, labels and addresses.
    static func folded(_ text: String) -> String {
        let small = text.lowercased()
        return small.normalized(.nfd) ?? small
    }
}

extension AgentProfile {
    /// Whether it does not see some of the mail: then saved searches, which may name it, are hidden.
    fileprivate var hidesMail: Bool {
        accounts != nil || mailboxes != nil || labels != nil || !hiddenLabels.isEmpty || !hiddenSenders.isEmpty
    }
}
