import HelixModel
import HelixSync
import HelixTerminal

/// What a sync of an account did.
struct SyncItem: ReportItem {
    let outcome: SyncOutcome
    let isDryRun: Bool

    static let fields = [
        SchemaField("kind", .choice(["sync"]), "What the item is."),
        SchemaField("account", .string, "The account."),
        SchemaField("dry_run", .bool, "Whether nothing was done."),
        SchemaField("ok", .bool, "Whether both sides are the same now."),
        SchemaField(
            "steps",
            .array(
                .object([
                    SchemaField(
                        "side", .choice(["here", "there"]), "Where the change goes: to this machine, or the server."),
                    SchemaField("verb", .string, "What becomes of them."),
                    SchemaField("count", .integer, "How many."),
                    SchemaField("place", .string, "The mailbox or calendar."),
                ])), "What was done, or would be."),
        SchemaField("notes", .array(.string), "What was done, and somebody may want to look at."),
        SchemaField("problems", .array(.string), "What could not be done; it is tried again the next time."),
        SchemaField("error", .string, required: false, "Why it could not be done at all."),
        SchemaField("round_trips", .integer, "How often the server was waited for."),
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

/// What syncs did.
struct SyncReport: CuttableReport {
    static let schema = "helix.sync/1"
    var items: [SyncItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            return canvas.paragraph(
                "No account has a server. 'helix account add work imap …' adds one.", style: .dim)
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
            "create": "made", "rename": "renamed", "color": "coloured", "merge": "merged",
            "complete": "fetched the rest of",
            "remove mailbox": "removed the empty",
        ]
        let plain = ["flag": "mark", "create": "make", "complete": "fetch the rest of"]
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
