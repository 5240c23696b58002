import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// The check of an export by libical, before it is written.
final class ExportCheck {
    private let context: CommandContext
    private let all: Bool
    /// The events that helix wrote, each with its text before; nil for new ones.
    private let edited: [EntityID: String?]
    private var foreign: [FoundError] = []
    private var events = 0

    /// - Parameter all: whether all events are checked, or none; nil for those that helix wrote.
    /// - Returns: nil if nothing is to be checked.
    /// - Throws: ``HelixError``: `configuration` if the user asks for a check, and libical is not installed.
    init?(all: Bool?, _ context: CommandContext) throws {
        if all == false { return nil }
        self.context = context
        self.all = all ?? false
        edited = try context.store().editedEvents()
        if self.all { try CalendarCheck.requireLibrary() }
        if edited.isEmpty, !self.all { return nil }
        if !CalendarCheck.isAvailable {
            context.note("Not checked by libical, which is not installed: apt-get install libical3")
            return nil
        }
    }

    /// Checks the next event.
    /// - Throws: ``HelixError`` of code `unexpected` if helix wrote it, and it is not valid.
    func add(_ event: StoredEvent) throws {
        if let former = edited[event.id] {
            let own = try CalendarCheck.ownFindings(inText: event.text, zones: event.zones, former: former) {
                try context.store().isLine($0, ofEventBesides: event.id)
            }
            if let first = own.first {
                throw HelixError(
                    .unexpected,
                    "the event \(event.id.text.prefix(6)), which helix wrote, is not valid: \(first.text); nothing was written",
                    hint: "This is an error of helix; please report it. --no-check exports the event as it is.")
            }
        }
        guard all else { return }
        let found = CalendarCheck.findings(inText: event.text, zones: event.zones, comparesReadings: false)
        if found.isEmpty { return }
        events += 1
        foreign += found.map { FoundError(finding: $0, event: event) }
    }

    /// Tells what was found in events of other programs, which are exported as they are.
    func finish() throws {
        guard all, let first = foreign.first, let event = first.event else { return }
        let rest = events == 1 ? "" : "; 'helix cal check --store' lists all"
        let subject = events == 1 ? "1 event is" : "\(events) events are"
        context.note(
            StyledText(
                "\(subject) not valid, and exported with errors of other programs: \(event.id.text.prefix(6)), \(first.finding.text)\(rest)",
                TextStyle(.yellow)))
    }
}
