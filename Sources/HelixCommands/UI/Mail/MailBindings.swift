/// The keys of mail.
enum MailBindings {
    /// All of them, each once.
    static var all: [UIBinding] {
        (reader + review + triage).reduce(into: list) { all, own in
            if !all.contains(where: { $0.name == own.name }) { all.append(own) }
        }
    }

    /// The acts on messages, in the list and in the reader.
    private static let acts: [UIBinding] = [
        UIBinding("archive", ["a"], "Archive", runs: "mail archive {ids}"),
        UIBinding("trash", ["d", "delete"], vim: ["d d", "delete"], "Move to the trash", runs: "mail trash {ids}"),
        UIBinding(
            "snooze", ["z"], vim: ["z z"], "Snooze until a time",
            UITemplate(line: "mail snooze {ids} {?}", question: "Until", suggestion: "tomorrow 9:00")),
        UIBinding("reply", ["r"], "Reply", UITemplate(line: "mail reply {id} --draft", needsTerminal: true)),
        UIBinding(
            "reply-all", ["g"], vim: ["R"], "Reply to all",
            UITemplate(line: "mail reply-all {id} --draft", needsTerminal: true)
        ),
        UIBinding(
            "forward", ["f"], "Forward",
            UITemplate(line: "mail forward {id} --to={?} --draft", question: "Forward to", needsTerminal: true)),
        UIBinding(
            "new", ["m"], vim: ["c", "m"], "Write a message", UITemplate(line: "mail new --draft", needsTerminal: true)),
        UIBinding("task", ["x"], "Make a task of it", runs: "tasks add --from-mail {id}"),
        UIBinding(
            "label", ["+"], vim: ["+", "L"], "Add or remove labels: +word -word",
            UITemplate(line: "mail label {ids} {?*}", question: "Labels", suggestion: "+")),
        UIBinding(
            "move", ["s"], "Move to a mailbox", UITemplate(line: "mail move {ids} --to {?}", question: "Move to")),
        UIBinding("star", ["F"], "Star", runs: "mail mark starred {ids}"),
        UIBinding("unstar", ["W"], "Remove the star", runs: "mail mark unstarred {ids}"),
        UIBinding("unread", ["N"], "Mark as unread", runs: "mail mark unread {ids}"),
        UIBinding("seen", ["O"], "Mark as read", runs: "mail mark read {ids}"),
        UIBinding("mute", ["M"], "Mute the conversation", runs: "mail mute {ids}"),
        UIBinding("accept", ["i a"], "Accept the invitation", runs: "cal rsvp {id} accept"),
        UIBinding("decline", ["i d"], "Decline the invitation", runs: "cal rsvp {id} decline"),
        UIBinding("tentative", ["i t"], "Answer 'perhaps'", runs: "cal rsvp {id} tentative"),
        UIBinding(
            "propose", ["i p"], "Propose another time",
            UITemplate(line: "cal rsvp {id} tentative --propose {?}", question: "Another time")),
        UIBinding(
            "attachments", ["v"], "List the attachments",
            UITemplate(line: "mail attachments list {id}", showsOutput: true)),
        UIBinding(
            "save-attachments", ["V"], "Save the attachments in a folder",
            UITemplate(line: "mail attachments save {id} --to={?}", question: "Save in", suggestion: ".")),
        UIBinding(
            "thread", ["C"], "Show the conversation as a tree",
            UITemplate(line: "mail thread {id}", showsOutput: true)),
        UIBinding(
            "edit-draft", ["e"], "Edit the draft",
            UITemplate(line: "mail edit {draft} --draft", missing: "That is not a draft.", needsTerminal: true)),
        UIBinding(
            "unsubscribe", ["U"], "Leave the mailing list", UITemplate(line: "mail unsubscribe {id}", showsOutput: true)
        ),
        UIBinding(
            "browser", ["B"], "Show the page in a browser", UITemplate(line: "mail open {id}", needsTerminal: true)),
    ]

    /// The keys of the list.
    static let list: [UIBinding] =
        acts + UIBindings.list + [
            UIBinding("open", ["enter", "right"], vim: ["enter", "l", "right"], "Read", .motion(.open)),
            UIBinding("search", ["/", "l"], vim: ["/"], "Search as you type", .motion(.search)),
            UIBinding("mailboxes", ["c", "y"], vim: ["b"], "Choose a mailbox or a saved search", .motion(.boxes)),
            UIBinding("mark", ["space", "t"], "Mark, for the next command", .motion(.mark)),
            UIBinding("mark-pattern", ["T"], "Mark all that match a query", .motion(.markPattern)),
            UIBinding("unmark", ["ctrl-t"], "Remove all marks", .motion(.unmark)),
            UIBinding("threads", ["X"], "Fold conversations, or list all messages", .motion(.foldAll)),
            UIBinding("unfold", ["o", "tab"], "Unfold the conversation", .motion(.fold)),
            UIBinding("preview", ["p"], "Preview: below, beside or none", .motion(.preview)),
            UIBinding("triage", ["!"], "Triage: one message after the other", .motion(.triage)),
        ]

    /// The keys of the reader.
    static let reader: [UIBinding] =
        acts + [
            UIBinding("scroll-down", ["j", "down", "enter"], "Scroll down", .motion(.down)),
            UIBinding("scroll-up", ["k", "up"], "Scroll up", .motion(.up)),
            UIBinding("page", ["space", "pagedown", "ctrl-f"], "Next page, or next message", .motion(.pageDown)),
            UIBinding("page-back", ["-", "pageup", "ctrl-b"], "Previous page", .motion(.pageUp)),
            UIBinding("half-down", ["]"], vim: ["ctrl-d"], "Half a page down", .motion(.halfDown)),
            UIBinding("half-up", ["["], vim: ["ctrl-u"], "Half a page up", .motion(.halfUp)),
            UIBinding("top", ["home", "="], vim: ["g g", "home"], "Beginning", .motion(.first)),
            UIBinding("end", ["end", "*"], vim: ["G", "end"], "End", .motion(.last)),
            UIBinding("next", ["J", "right", "n"], "Next message", .motion(.next)),
            UIBinding("previous", ["K", "left", "p"], vim: ["K", "p"], "Previous message", .motion(.previous)),
            UIBinding("links", ["o"], "Open a link by its number", .motion(.links)),
            UIBinding("quotes", ["T"], "Show quoted text whole, or fold it", .motion(.fold)),
            UIBinding(
                "headers", ["h"], "Show all headers", UITemplate(line: "mail read {id} --headers", showsOutput: true)),
        ]

    /// The keys of the review of a draft, before it leaves.
    static let review: [UIBinding] =
        [
            UIBinding("send", ["y"], "Send it", UITemplate(line: "mail send {id} {now}", isBackground: true)),
            UIBinding(
                "send-later", ["l"], "Send it at a time",
                UITemplate(line: "mail send {id} --at={?}", question: "Send at", suggestion: "tomorrow 8:00")),
            UIBinding(
                "edit-draft", ["e"], "Edit it again", UITemplate(line: "mail edit {id} --draft", needsTerminal: true)),
            UIBinding(
                "to", ["t"], "Set the recipients",
                UITemplate(line: "mail edit {id} --to={?}", question: "To", suggestion: "{to}")),
            UIBinding(
                "cc", ["c"], "Set the Cc recipients",
                UITemplate(line: "mail edit {id} --cc={?}", question: "Cc", suggestion: "{cc}")),
            UIBinding(
                "subject", ["s"], "Set the subject",
                UITemplate(line: "mail edit {id} --subject={?}", question: "Subject", suggestion: "{subject}")),
            UIBinding(
                "attach", ["a"], "Attach a file", UITemplate(line: "mail edit {id} --attach={?}", question: "Attach")),
            UIBinding("signature", ["S"], "Add the signature", runs: "mail edit {id} --signature"),
            UIBinding("encrypt", ["p"], "Encrypt it", runs: "mail edit {id} --encrypt"),
            UIBinding("no-encrypt", ["P"], "Do not encrypt it", runs: "mail edit {id} --no-encrypt"),
            UIBinding("sign", ["i"], "Sign it", runs: "mail edit {id} --sign"),
            UIBinding("no-sign", ["I"], "Do not sign it", runs: "mail edit {id} --no-sign"),
            UIBinding(
                "discard", ["d"], "Discard it",
                UITemplate(line: "mail discard {id}", confirms: "Discard the draft")),
        ] + reader.filter { ["scroll-down", "scroll-up", "page", "page-back", "top", "end"].contains($0.name) }

    /// The keys of triage: each goes on to the next message.
    static let triage: [UIBinding] =
        [
            UIBinding("skip", ["space", "n"], "Next message, leave this one", .motion(.next))
        ] + acts
}
