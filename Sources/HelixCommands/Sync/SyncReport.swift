import HelixModel
import HelixSync
import HelixTerminal

/// The result of syncing an account.
struct SyncItem: DescribedItem {
    let outcome: SyncOutcome
    let isDryRun: Bool

    static let described = list {
        Field("kind", .choice(["sync"]), "The kind of the item.") { _ in "sync" }
        Field("account", .string, "The account.") { $0.outcome.account }
        Field("dry_run", .bool, "Whether it was a dry run.") { $0.isDryRun }
        Field("ok", .bool, "Whether the account is in sync now.") {
            $0.outcome.failure == nil && $0.outcome.problems.isEmpty
        }
        Field(
            "steps", listing: { $0.outcome.steps }, "The changes made, or planned in a dry run."
        ) {
            ReportField("side", .choice(["here", "there"]), "The changed side: here (local) or there (server).") {
                $0.side.rawValue
            }
            ReportField("verb", .string, "The action.") { $0.verb }
            ReportField("count", .integer, "Number of items.") { $0.count }
            ReportField("place", .string, "The mailbox or calendar.") { $0.place }
        }
        Field("notes", .array(.string), "Changes that may need your attention.") { $0.outcome.notes }
        Field("problems", .array(.string), "Changes that failed; the next sync retries them.") { $0.outcome.problems }
        Field("error", .string, required: false, "The error, if the sync failed as a whole.") {
            $0.outcome.failure?.message
        }
        Field("round_trips", .integer, "Number of round trips to the server.") { $0.outcome.roundTrips }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
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
        case "send":
            let thing = step.place == "files" ? "file" : "message"
            return "\(verb) \(step.count) \(thing)\(step.count == 1 ? "" : "s")"
        case "complete": return "\(verb) \(step.count) message\(step.count == 1 ? "" : "s")"
        case "create", "rename", "color", "remove mailbox": return "\(verb) \(step.place)"
        case "move": return "\(verb) \(step.count) to \(step.place)"
        case "remove": return "\(verb) \(step.count) from \(step.place)"
        default: return "\(verb) \(step.count) in \(step.place)"
        }
    }
}
