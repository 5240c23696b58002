extension RandomWalk {
    /// The words after a command of mail; nil if it is unknown.
    mutating func mailWords(_ command: String) throws -> [String]? {
        let text = ["--body", "words \(name("text"))"]
        switch command {
        case "mail mark": return [one(["read", "unread", "starred", "unstarred"]), try mail()]
        case "mail label": return [try mail(), one(["+l1", "+l2", "-l1"])]
        case "mail move": return [try mail(), "--to", "Box\(number(0..<3))", "--create"]
        case "mail archive", "mail trash": return [try mail()]
        case "mail snooze": return [try mail(), one(["tomorrow", "in 2 hours", "off"])]
        case "mail follow-up": return [try mail(), one(["3d", "fri 9:00", "off"])]
        case "mail bounce": return [try mail(), "--to", "bo@example.org"]
        case "mail mute": return one(["--off", "on"]) == "on" ? [try mail()] : [try mail(), "--off"]
        case "mail delete": return [try mail(), "--yes"]
        case "mail resend": return [try mail(), "--to", "bo@example.org", "--send"]
        case "mail new":
            return ["--to", "bo@example.org", "-s", name("subject")] + text + (number(0..<2) == 0 ? ["--draft"] : [])
        case "mail reply", "mail reply-all": return [try mail()] + text
        case "mail forward": return [try mail(), "--to", "bo@example.org"] + text
        case "mail edit": return [try draft(), "-s", name("subject")] + text
        case "mail send", "mail discard": return [try draft()]
        case "mail mailboxes add": return [name("Mailbox")]
        case "mail mailboxes rename": return [try mailbox(), name("Renamed")]
        case "mail mailboxes delete": return [try mailbox()]
        case "mail rules add":
            return [
                name("rule"), "subject:\(one(["word", "subject", "re"]))", "--label", one(["l1", "l2"]), "--task",
                "Look at it",
            ] + (number(0..<2) == 0 ? ["--archive"] : ["--stop"])
        case "mail rules edit": return [try rule(), one(["--off", "--on", "--stop", "--no-stop", "--trash"])]
        case "mail rules move": return [try rule(), "--last"]
        case "mail rules delete": return [try rule()]
        case "mail rules run": return number(0..<2) == 0 ? [] : ["subject:subject"]
        case "mail search save": return ["search\(number(0..<4))", "subject:word"]
        case "mail search delete": return ["search\(number(0..<4))"]
        case "outbox edit": return [try outgoing(), "--subject", name("subject")]
        case "outbox hold", "outbox cancel", "outbox retry", "outbox release": return [try outgoing()]
        default: return nil
        }
    }

    private mutating func rule() throws -> String {
        let rules = try home.perform("mail", "rules", "--json").items().compactMap { $0["name"] as? String }
        return one(rules.isEmpty ? ["none"] : rules)
    }
}
