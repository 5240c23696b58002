import Foundation
import HelixModel
import TestSupport
import Testing

/// Rules that sort arriving mail.
@Suite struct MailRuleTests {
    var home: HelixHome
    let maildir: TestMaildir

    init() throws {
        home = try HelixHome(now: "2026-11-18T10:20:00", zone: "Europe/Rome")
        maildir = try TestMaildir(home)
        try maildir.deliver(mail("Invoice 1", id: "old@x", from: "Water <bills@water.example>"))
        try home.perform("account", "add", "home", "maildir", maildir.path)
    }

    private func items(_ words: String...) throws -> [[String: Any]] {
        try home.perform(words + ["--json"]).items()
    }

    private func message(_ id: String) throws -> [String: Any] {
        try #require(try items("mail", "list", "mid:\(id)").first)
    }

    @Test func aRuleRunsOnWhatArrives() throws {
        let added = try home.perform(
            "mail", "rules", "add", "invoices", "subject:invoice from:@water.example", "--label", "bills", "--move",
            "Bills", "--task", "due:+14d +bills")
        #expect(added.status == 0 && added.errors.contains("no mailbox 'Bills' yet"), "\(added)")
        // What was there is as it was.
        #expect(try message("old@x")["labels"] as? [String] == [])
        try maildir.deliver(mail("Invoice 2", id: "new@x", from: "Water <bills@water.example>"))
        try maildir.deliver(mail("Invoice 3", id: "other@x"))
        let listed = try home.perform("mail", "list")
        #expect(listed.errors.contains("rule 'invoices': 1 message, 1 task; to undo: helix undo "), "\(listed.errors)")
        let found = try message("new@x")
        #expect(found["labels"] as? [String] == ["bills"])
        #expect(found["mailbox"] as? String == "Bills")
        #expect(try message("other@x")["mailbox"] as? String == "INBOX")
        let task = try #require(try items("tasks", "list").first)
        #expect(task["title"] as? String == "Invoice 2")
        #expect(task["due"] as? String == "2026-12-02")
        #expect(task["tags"] as? [String] == ["bills"])
        #expect(task["links"] as? [String] == [try #require(found["id"] as? String)])
        // Only once.
        #expect(try home.perform("mail", "list").errors.isEmpty)
        #expect(try items("tasks", "list").count == 1)
    }

    @Test func whatARuleDidIsUndoneByItsIDOnly() throws {
        try home.perform("tasks", "add", "Mine")
        try home.perform("mail", "rules", "add", "all", "in:inbox", "--label", "seen", "--archive", "--task", "Look")
        try maildir.deliver(mail("Hello", id: "new@x"))
        try home.perform("mail", "list")
        #expect(try message("new@x")["mailbox"] as? String == "Archive")
        let history = try items("history")
        let change = try #require(history.first { ($0["summary"] as? String)?.hasPrefix("rule 'all'") ?? false })
        #expect(change["origin"] as? String == "rule")
        // The last change of the person.
        try home.perform("undo")
        #expect(try items("mail", "rules").isEmpty)
        #expect(try message("new@x")["mailbox"] as? String == "Archive")
        let id = try #require(change["id"] as? String)
        #expect(try home.perform("undo", id).status == 0)
        let back = try message("new@x")
        #expect(back["mailbox"] as? String == "INBOX" && back["labels"] as? [String] == [])
        #expect(try items("tasks", "list").map { $0["title"] as? String } == ["Mine"])
        #expect(try maildir.files().count == 2)
    }

    @Test func rulesRunInOrderUntilOneStops() throws {
        try home.perform("mail", "rules", "add", "first", "subject:hello", "--label", "one")
        try home.perform("mail", "rules", "add", "second", "label:one", "--label", "two", "--stop")
        try home.perform("mail", "rules", "add", "third", "in:inbox", "--label", "three")
        try maildir.deliver(mail("Hello", id: "a@x"))
        try maildir.deliver(mail("Other", id: "b@x"))
        try home.perform("mail", "list")
        #expect(try message("a@x")["labels"] as? [String] == ["one", "two"])
        #expect(try message("b@x")["labels"] as? [String] == ["three"])
        try home.perform("mail", "rules", "move", "third", "--before", "first")
        #expect(try items("mail", "rules").map { $0["name"] as? String } == ["third", "first", "second"])
        try home.perform("mail", "rules", "edit", "first", "--off")
        try maildir.deliver(mail("Hello", id: "c@x"))
        try home.perform("mail", "list")
        #expect(try message("c@x")["labels"] as? [String] == ["three"])
    }

    @Test func rulesRunOnWhatIsThere() throws {
        try home.perform("mail", "rules", "add", "invoices", "subject:invoice", "--label", "bills", "--task", "")
        let dry = try home.perform("mail", "rules", "run", "--dry-run")
        #expect(dry.output.contains("1 message matches") && dry.output.contains("would: label bills"), "\(dry.output)")
        #expect(try message("old@x")["labels"] as? [String] == [])
        let json = try items("mail", "rules", "run")
        #expect(json.first?["matches"] as? Int == 1)
        #expect((json.first?["messages"] as? [String])?.count == 1)
        #expect((json.first?["tasks"] as? [String])?.count == 1)
        #expect(try message("old@x")["labels"] as? [String] == ["bills"])
        let again = try home.perform("mail", "rules", "run")
        #expect(again.output.contains("as the rule wants it"), "\(again.output)")
        #expect(try items("tasks", "list").count == 1)
        try home.perform("undo")
        #expect(try items("tasks", "list").isEmpty)
        #expect(try message("old@x")["labels"] as? [String] == [])
        #expect(try items("mail", "rules", "run", "in:inbox subject:nothing").first?["matches"] as? Int == 0)
    }

    @Test func aRuleThatCannotRunIsToldAndOthersRun() throws {
        try home.perform("mail", "search", "save", "bills", "subject:invoice")
        try home.perform("mail", "rules", "add", "broken", "@bills", "--label", "one")
        try home.perform("mail", "rules", "add", "whole", "in:inbox", "--label", "two")
        try home.perform("mail", "search", "delete", "bills")
        try maildir.deliver(mail("Invoice", id: "a@x"))
        let listed = try home.perform("mail", "list", "--json")
        #expect(listed.status == 0 && listed.errors.contains("'broken' did not run: no saved search"), "\(listed)")
        #expect(try message("a@x")["labels"] as? [String] == ["two"])
        #expect((try items("mail", "rules").first?["problem"] as? String)?.contains("no saved search") ?? false)
        #expect(try home.perform("mail", "rules", "run").status == 66)
        let named = try home.perform("mail", "rules", "run", "whole")
        #expect(named.status == 64 && named.errors.contains("--only 'whole'"), "\(named)")
        try home.perform("mail", "rules", "edit", "broken", "--query", "subject:invoice")
        try maildir.deliver(mail("Invoice", id: "b@x"))
        try home.perform("mail", "list")
        #expect(try message("b@x")["labels"] as? [String] == ["one", "two"])
        #expect(try items("mail", "rules").first?["problem"] == nil)
    }

    static let bad: [([String], Int32)] = [
        (["x", "subject:a"], 64), (["x", "subject:a", "--move", "A", "--archive"], 64),
        (["x", "subject:(", "--archive"], 64), (["x", "in:nowhere", "--archive"], 66), (["", "a", "--archive"], 64),
        (["x", "a", "--label", "two words"], 64), (["x", "a", "--task", "due:nonsense"], 64),
        (["x", "a", "--snooze", "nonsense"], 64), (["x", "a", "--mark", "answered"], 64),
        (["x", "a", "--label", "l", "--unlabel", "L"], 64), (["x", "a", "--snooze", "yesterday"], 64),
        (["x", "from:(ana", "--archive"], 64), (["x", "a", "--archive", "--before", "none"], 66),
        (["x", "a\nb", "--label", "x", "--move", "a\nb"], 64),
    ]

    @Test(arguments: bad) func badRulesAreRefused(_ words: [String], _ status: Int32) throws {
        let result = try home.perform(["mail", "rules", "add"] + words)
        #expect(result.status == status, "\(words): \(result)")
        #expect(try items("mail", "rules").isEmpty)
    }

    @Test func whatNeverMatchesOrLosesItsTargetIsTold() throws {
        let added = try home.perform("mail", "rules", "add", "a", "in:inbox subject:x", "--move", "Box/In")
        #expect(!added.errors.contains("asks for the mailbox"))
        try maildir.deliver(mail("x", id: "a@x"))
        try home.perform("mail", "list")
        let other = try home.perform("mail", "rules", "add", "b", "in:Box", "--label", "x")
        #expect(other.errors.contains("asks for the mailbox 'Box'"), "\(other)")
        let renamed = try home.perform("mail", "mailboxes", "rename", "Box/In", "Box/Out")
        #expect(renamed.errors.contains("rule 'a' moves messages to 'Box/In'"), "\(renamed)")
    }

    @Test func tasksAreCalledAsTheRuleSays() throws {
        try home.perform("mail", "rules", "add", "a", "subject:call", "--task", "Answer '{subject}' +phone")
        try maildir.deliver(mail("Call +me due:never", id: "a@x"))
        try home.perform("mail", "list")
        let task = try #require(try items("tasks", "list").first)
        #expect(task["title"] as? String == "Answer 'Call +me due:never'")
        #expect(task["tags"] as? [String] == ["phone"])
    }

    /// A complete address is that address alone: neither a part of another one, nor a name that looks like it.
    @Test func anAddressIsMeantExactly() throws {
        for (number, sender) in [
            "Ann <ann@shop.example>", "ANN@SHOP.EXAMPLE", "Mary <mary.ann@shop.example>", "ann@shop.example.org",
            "\"ann@shop.example\" <evil@x.example>", "\"<ann@shop.example>\" <evil@x.example>",
        ].enumerated() {
            try maildir.deliver(mail("Shop", id: "s\(number)@x", from: sender, to: sender))
        }
        func found(_ query: String) throws -> Set<String> {
            Set(
                try home.perform("mail", "search", "--json", "--", query).items()
                    .compactMap { $0["message_id"] as? String })
        }
        #expect(try found("from:ann@shop.example") == ["s0@x", "s1@x"])
        #expect(try found("to:Ann@Shop.example") == ["s0@x", "s1@x"])
        #expect(try found("-from:ann@shop.example subject:shop").count == 4)
        #expect(try found("from:@shop.example").count == 6)
        #expect(try found("from:(ann@shop.example or evil@x.example)").count == 4)
    }

    @Test func namesAreUniqueAndListed() throws {
        try home.perform("mail", "rules", "add", "a", "subject:x", "--archive")
        #expect(try home.perform("mail", "rules", "add", "A", "subject:y", "--trash").status == 80)
        #expect(try items("mail", "rules").count == 1)
        #expect(try home.perform("mail", "rules", "edit", "a", "--name", "b", "--no-stop").status == 0)
        #expect(try home.perform("mail", "rules", "delete", "a").status == 66)
        #expect(try home.perform("mail", "rules", "delete", "B").output.contains("helix undo"))
        try home.perform("undo")
        let shown = try home.perform("mail", "rules").output
        #expect(shown == "b  subject:x\n  → archive\n", "\(shown)")
    }

    /// Random rules on random messages, against a model that reads the rules one after the other.
    @Test(arguments: 1...6) func randomRulesDoWhatAModelSays(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func one<Value>(_ list: [Value]) -> Value { list[Int.random(in: 0..<list.count, using: &generator)] }
        func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
        struct Message {
            var words: Set<String>, sender: String, labels: [String] = [], mailbox = "INBOX", flags: Set<String> = []
        }
        struct Rule {
            var name: String, word: String?, sender: String?, label: String?, isNot: Bool, actions: [String],
                stops: Bool
        }
        let words = ["apple", "plum", "pear", "fig"]
        let senders = ["ana", "bo", "cy"]
        var rules: [Rule] = []
        for number in 0..<Int.random(in: 3...8, using: &generator) {
            var rule = Rule(
                name: "r\(number)", word: chance(0.6) ? one(words) : nil,
                sender: chance(0.4) ? one(senders) : nil,
                label: chance(0.3) ? "l\(Int.random(in: 0..<3, using: &generator))" : nil, isNot: chance(0.2),
                actions: [],
                stops: chance(0.3))
            if rule.word == nil, rule.sender == nil, rule.label == nil { rule.word = "apple" }
            let choices = ["label l0", "label l1", "label l2", "unlabel l1", "read", "star", "move Box", "archive"]
            var left = choices
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let action = one(left)
                left.removeAll {
                    $0 == action || action.hasPrefix("move") && $0 == "archive"
                        || action == "archive" && $0.hasPrefix("move")
                }
                left.removeAll { $0.hasSuffix("l1") && action.hasSuffix("l1") }
                rule.actions.append(action)
            }
            rules.append(rule)
            var query: [String] = []
            if let word = rule.word { query.append("subject:\(word)") }
            if let sender = rule.sender { query.append("from:\(sender)@x.example") }
            if let label = rule.label { query.append("label:\(label)") }
            let text = rule.isNot ? "-(\(query.joined(separator: " ")))" : query.joined(separator: " ")
            var options: [String] = rule.stops ? ["--stop"] : []
            for action in rule.actions {
                let parts = action.split(separator: " ").map(String.init)
                switch parts[0] {
                case "read", "star": options += ["--mark", parts[0] == "read" ? "read" : "starred"]
                default: options += ["--" + parts[0]] + parts.dropFirst()
                }
            }
            let added = try home.perform(["mail", "rules", "add", rule.name] + options + ["--", text])
            try #require(added.status == 0, "\(added)")
        }
        var messages: [Message] = []
        for number in 0..<25 {
            let own = Set(words.filter { _ in chance(0.4) })
            let message = Message(words: own, sender: one(senders))
            messages.append(message)
            try maildir.deliver(
                mail(own.sorted().joined(separator: " "), id: "m\(number)@x", from: "\(message.sender)@x.example"))
        }
        for index in messages.indices {
            for rule in rules {
                let message = messages[index]
                let matches =
                    (rule.word.map { message.words.contains($0) } ?? true)
                    && (rule.sender.map { $0 == message.sender } ?? true)
                    && (rule.label.map { message.labels.contains($0) } ?? true)
                guard matches != rule.isNot else { continue }
                for action in rule.actions {
                    let parts = action.split(separator: " ").map(String.init)
                    switch parts[0] {
                    case "label":
                        if !messages[index].labels.contains(parts[1]) { messages[index].labels.append(parts[1]) }
                    case "unlabel": messages[index].labels.removeAll { $0 == parts[1] }
                    case "read": messages[index].flags.insert("read")
                    case "star": messages[index].flags.insert("starred")
                    case "move": messages[index].mailbox = "Box"
                    default: messages[index].mailbox = "Archive"
                    }
                }
                if rule.stops { break }
            }
        }
        try home.perform("mail", "list")
        for (number, wanted) in messages.enumerated() {
            let found = try message("m\(number)@x")
            #expect(Set(found["labels"] as? [String] ?? []) == Set(wanted.labels), "m\(number) of \(seed)")
            #expect(found["mailbox"] as? String == wanted.mailbox, "m\(number) of \(seed)")
            #expect(Set(found["flags"] as? [String] ?? []) == wanted.flags, "m\(number) of \(seed)")
        }
    }

    @Test func importedMailDoesNotArrive() throws {
        try home.perform("account", "add", "own", "local")
        try home.perform("mail", "rules", "add", "all", "in:inbox", "--label", "seen")
        let file = home.folder.appendingPathComponent("box.mbox")
        try Data(("From x Tue Nov 17 09:00:00 2026\n" + mail("Imported", id: "i@x")).utf8).write(to: file)
        try home.perform("mail", "import", file.path, "--to", "own", "--mailbox", "INBOX")
        try home.perform("mail", "list")
        let imported = try items("mail", "list", "mid:i@x")
        #expect(imported.allSatisfy { $0["labels"] as? [String] == [] }, "\(imported)")
    }

    @Test func agentsCannotMakeRules() throws {
        try home.perform("mail", "rules", "add", "a", "subject:x", "--archive")
        try home.perform("config", "set", "agent.helper.change", "mail")
        try home.perform("config", "set", "agent.helper.read", "mail")
        for words in [["add", "b", "subject:x", "--trash"], ["edit", "a", "--off"], ["delete", "a"]] {
            let refused = try home.perform(["--as", "helper", "mail", "rules"] + words)
            #expect(refused.status == 77, "\(words): \(refused)")
        }
        // Arrivals wait for the person.
        try maildir.deliver(mail("x", id: "a@x"))
        try home.perform("--as", "helper", "mail", "list")
        #expect(try home.perform("mail", "list").errors.contains("rule 'a'"))
    }

    @Test func watchDoesNotAnnounceWhatARuleTookAway() throws {
        try home.perform("config", "set", "notify.mail", "in:inbox")
        try home.perform("mail", "rules", "add", "lists", "subject:news", "--move", "Lists")
        try home.perform("watch", "--once", "--jsonl")
        try maildir.deliver(mail("News of today", id: "a@x", date: "Wed, 18 Nov 2026 10:00:00 +0100"))
        try maildir.deliver(mail("For you", id: "b@x", date: "Wed, 18 Nov 2026 10:01:00 +0100"))
        let told = try home.perform("watch", "--once", "--jsonl").output
        #expect(told.contains("For you") && !told.contains("News of today"), "\(told)")
    }
}
