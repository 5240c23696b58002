import HelixModel
import HelixSync
import HelixTerminal

/// The result of syncing an account.
struct SyncItem: ReportItem {
    let outcome: SyncOutcome
    let isDryRun: Bool

    static let fields = [
        SchemaField("kind", .choice(["sync"]), "The kind of the item."),
        SchemaField("account", .string, "The account."),
        SchemaField("dry_run", .bool, "Whether it was a dry run."),
        SchemaField("ok", .bool, "Whether the account is in sync now."),
        SchemaField(
            "steps",
            .array(
                .object([
                    SchemaField(
                        "side", .choice(["here", "there"]), "The changed side: here (local) or there (server)."),
                    SchemaField("verb", .string, "The action."),
                    SchemaField("count", .integer, "Number of items."),
                    SchemaField("place", .string, "The mailbox or calendar."),
                ])), "The changes made, or planned in a dry run."),
        SchemaField("notes", .array(.string), "Changes that may need your attention."),
        SchemaField("problems", .array(.string), "Changes that failed; the next sync retries them."),
        SchemaField("error", .string, required: false, "The error, if the sync failed as a whole."),
        SchemaField("round_trips", .integer, "Number of round trips to the server."),
        SchemaField("links", .array(.id), "Always empty."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("kind", "sync")
        json.set("account", outcome.account)
        json.set("dry_run", isDryRun)
        json.set("ok", outcome.failure == nil && outcome.problems.isEmpty)
        json.set(
            "steps",
            outcome.steps.map { step in
                var object = JSONObject()
                object.set("side", step.side.rawValue)
                object.set("verb", step.verb)
                object.set("count", step.count)
                object.set("place", step.place)
                return object
            })
        json.set("notes", outcome.notes)
        json.set("problems", outcome.problems)
        json.set("error", outcome.failure?.message)
        json.set("round_trips", outcome.roundTrips)
        json.set("links", [String]())
        return json
    }
}

/// The results of syncs.
struct SyncReport: CuttableReport {
    static let schema = "helix.sync/1"
    var items: [SyncItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            return canvas.paragraph(
                "No account has a server. Add one: 'helix account add work imap …'.", style: .dim)
        }
        for item in items {
            let outcome = item.outcome
            let came = outcome.count(.here)
            let went = outcome.count(.there)
            var line = StyledText(outcome.account, .bold)
            if outcome.failure != nil {
                line.append("  failed", TextStyle(.red))
            } else if came + went == 0, outcome.problems.isEmpty {
                line.append("  nothing new", .dim)
            }
            canvas.line(line)
            for step in outcome.steps {
                let arrow = step.side == .here ? "↓" : "↑"
                canvas.line(
                    StyledText("  \(arrow) ", TextStyle(step.side == .here ? .green : .cyan))
                        + StyledText("\(Self.words(step, item.isDryRun)) "))
            }
            if items.count > 1, let failure = outcome.failure {
                canvas.paragraph("  " + failure.message, style: TextStyle(.red))
            }
            for note in outcome.notes { canvas.paragraph("  " + note, style: .dim) }
            for problem in outcome.problems { canvas.paragraph("  " + problem, style: TextStyle(.yellow)) }
        }
    }

    private static func words(_ step: SyncOutcome.Step, _ isDryRun: Bool) -> String {
        let done = [
            "send": "sent", "fetch": "fetched", "file": "filed", "flag": "marked", "move": "moved", "remove": "removed",
            "create": "created", "rename": "renamed", "color": "coloured", "merge": "merged",
            "complete": "fetched the rest of",
            "remove mailbox": "removed the empty",
        ]
        let plain = ["flag": "mark", "complete": "fetch the rest of"]
        let verb = isDryRun ? "would \(plain[step.verb] ?? step.verb)" : done[step.verb] ?? step.verb
        switch step.verb {
        case "send": return "\(verb) \(step.count) message\(step.count == 1 ? "" : "s")"
        case "complete": return "\(verb) \(step.count) message\(step.count == 1 ? "" : "s")"
        case "create", "rename", "color", "remove mailbox": return "\(verb) \(step.place)"
        case "move": return "\(verb) \(step.count) to \(step.place)"
        case "remove": return "\(verb) \(step.count) from \(step.place)"
        default: return "\(verb) \(step.count) in \(step.place)"
        }
    }
}
