import ArgumentParser
import HelixCalendar
import HelixModel

/// The options that describe an event, for `add` and `edit`.
struct EventOptions: ParsableArguments {
    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Start.", valueName: "when"))
    var start: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("End. For all-day events, the last day (inclusive).", valueName: "when"))
    var end: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Duration.", valueName: "length"))
    var duration: String?

    @Flag(name: .long, help: "All day.")
    var allDay = false

    @Option(name: .long, help: ArgumentHelp("Location; '' removes it from an event.", valueName: "text"))
    var location: String?

    @Option(name: .long, help: ArgumentHelp("Notes; '' removes them from an event.", valueName: "text"))
    var description: String?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Attendee: an address, a contact or a group; may be repeated. In an existing event, +who adds one and -who removes one.",
            valueName: "who"), completion: .custom(CompletionLists.people))
    var attendee: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Reminder before the start; may be repeated. In an existing event, +10m adds one and -10m removes one.",
            valueName: "length"))
    var alarm: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Category; may be repeated. In an existing event, +word adds one and -word removes one.", valueName: "word")
    )
    var category: [String] = []

    @Option(name: .long, help: "confirmed, tentative or cancelled.")
    var status: EventStatus?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Show the time as free; --no-free as busy.")
    var free: Bool?

    @Option(name: .long, help: ArgumentHelp("URL; '' removes it from an event.", valueName: "address"))
    var url: String?

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Repetition: 'every 2 weeks mon,thu until 2027-03-01', 'last fri of the month', weekdays, never.",
            valueName: "phrase"), completion: .list(CompletionLists.repetitions))
    var repetition: String?

    @Option(name: .long, help: ArgumentHelp("Repeat by this RRULE of RFC 5545.", valueName: "rule"))
    var rrule: String?

    /// No options set.
    static var unset: EventOptions {
        var options = EventOptions()
        (options.start, options.end, options.duration, options.allDay) = (nil, nil, nil, false)
        (options.location, options.description, options.url, options.status) = (nil, nil, nil, nil)
        (options.attendee, options.alarm, options.category, options.free) = ([], [], [], nil)
        (options.repetition, options.rrule) = (nil, nil)
        return options
    }

    /// Whether any option is set.
    var isGiven: Bool {
        start != nil || end != nil || duration != nil || allDay || location != nil || description != nil || url != nil
            || status != nil || free != nil || repetition != nil || rrule != nil
            || ![attendee, alarm, category].allSatisfy(\.isEmpty)
    }

    func validate() throws {
        if end != nil && duration != nil { throw ValidationError("--end and --duration exclude each other.") }
        if repetition != nil && rrule != nil { throw ValidationError("--repeat and --rrule exclude each other.") }
    }

    /// The changes that the options set, except times and rule.
    /// - Throws: ``HelixError`` of code `usage`.
    func changes(_ context: CommandContext) throws -> EventChanges {
        var changes = EventChanges()
        changes.location = location
        changes.description = description
        changes.url = try url.map(EventOptions.page)
        changes.status = status
        changes.isOpaque = free.map { !$0 }
        changes.categories = try EventOptions.list(category.flatMap(EventOptions.items), EventOptions.category)
        changes.attendees = try EventOptions.list(
            try attendee.flatMap { try context.attendees($0) }, EventOptions.person)
        changes.alarms = try EventOptions.list(alarm) { try context.dates.duration($0) }
        return changes
    }

    /// The address of a page; a name without a scheme is one of the Web.
    /// - Throws: ``HelixError`` of code `usage`.
    static func page(_ text: String) throws -> String {
        let text = text.trimmingBlanks()
        if text.isEmpty || ICalendarProperty.isURI(text) { return text }
        let host = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard host.contains("."), !host.hasPrefix("."), !text.contains(where: \.isWhitespace) else {
            throw HelixError(.usage, "'\(text)' is no address of a page", hint: "Such as https://example.org/meeting.")
        }
        return "https://" + text
    }

    /// The values of a comma-separated list, whose first sign applies to all: `+a,b`.
    private static func items(_ text: String) -> [String] {
        let sign = text.first.flatMap { "+-".contains($0) ? String($0) : nil }
        let parts = text.split(separator: ",").map { String($0).trimmingBlanks() }.filter { !$0.isEmpty }
        guard let sign else { return parts.isEmpty ? [text] : parts }
        return parts.map { $0.hasPrefix("+") || $0.hasPrefix("-") ? $0 : sign + $0 }
    }

    /// Checks a category.
    /// - Throws: ``HelixError`` of code `usage` for one that could not be removed by its name.
    private static func category(_ text: String) throws -> String {
        guard let first = text.first, !"+-".contains(first) else {
            throw HelixError(.usage, "invalid category '\(text)'", hint: "Write +word to add one, -word to remove one.")
        }
        return text
    }

    /// Whether an attendee is added.
    var addsAttendees: Bool {
        attendee.contains { !$0.trimmingBlanks().hasPrefix("-") && !["", "none"].contains($0.lowercased()) }
    }

    /// The change of a list: plain values replace it, `+x` adds x, `-x` removes x.
    /// - Throws: what `read` throws.
    private static func list<Element: Hashable & Sendable>(
        _ values: [String], _ read: (String) throws -> Element
    ) throws -> ListChange<Element>? {
        if values.isEmpty { return nil }
        var change = ListChange<Element>()
        for value in values.map({ $0.trimmingBlanks() }) {
            switch value.first {
            case "+": change.additions.append(try read(String(value.dropFirst()).trimmingBlanks()))
            case "-": change.removals.append(try read(String(value.dropFirst()).trimmingBlanks()))
            default:
                // An empty text or `none` is an empty list.
                let isNone = value.isEmpty || value.lowercased() == "none"
                if isNone, values.count > 1 {
                    throw HelixError(.usage, "'\(value)' removes all", hint: "Use it alone.")
                }
                change.replacement = (change.replacement ?? []) + (isNone ? [] : [try read(value)])
            }
        }
        return change
    }

    /// Rejects removals of elements that an event's lists do not have.
    /// - Throws: ``HelixError`` of code `usage`.
    static func check(_ changes: EventChanges, of events: [EventComponent], _ viewer: Viewer) throws {
        func refuse<Element>(
            _ change: ListChange<Element>?, _ name: String, _ list: [String], _ text: (Element) -> String
        ) throws {
            for gone in change?.removals ?? [] {
                let word = text(gone)
                guard !list.contains(where: { $0.lowercased() == word.lowercased() }) else { continue }
                throw HelixError(
                    .usage, "the event has no \(name) '\(word)'",
                    hint: list.isEmpty ? "It has none." : "It has: \(list.joined(separator: ", ")).")
            }
        }
        try refuse(changes.categories, "category", events.flatMap(\.categories)) { $0 }
        try refuse(changes.attendees, "attendee", events.flatMap(\.attendees).map(\.address)) { $0.address }
        try refuse(changes.alarms, "reminder", events.flatMap(\.alarms).map(viewer.text)) {
            viewer.text(Alarm(trigger: .fromStart(-$0), action: "display"))
        }
    }

    /// The requested rule for an event that starts at `start`; an empty text for none.
    /// - Throws: ``HelixError`` of code `usage`.
    func rule(start: EventTime, _ context: CommandContext) throws -> String? {
        if let rrule {
            let text = rrule.uppercased().hasPrefix("RRULE:") ? String(rrule.dropFirst(6)) : rrule
            if text.isEmpty { return "" }
            do throws(RecurrenceRuleError) {
                return try RecurrenceRule(text).aligned(to: start, clock: start.clock).text
            } catch {
                throw HelixError(
                    .usage, "invalid rule '\(rrule)': \(error.reason)", hint: "Write it like FREQ=WEEKLY;BYDAY=MO,TH.")
            }
        }
        guard let repetition else { return nil }
        if isNever(repetition) { return "" }
        return try RecurrenceRule(try context.dates.repetition(repetition), start: start).text
    }

    /// Whether the words remove a recurrence.
    func isNever(_ repetition: String) -> Bool { ["never", "none", "no", ""].contains(repetition.lowercased()) }

    static func person(_ text: String) throws -> Attendee {
        var address = text.trimmingBlanks()
        var name: String?
        if let open = address.lastIndex(of: "<"), address.hasSuffix(">") {
            // Names with commas and the like are in quotes (RFC 5322 §3.2.4).
            let written = String(address[..<open]).trimmingBlanks()
            let isQuoted = written.count > 1 && written.hasPrefix("\"") && written.hasSuffix("\"")
            name = isQuoted ? String(written.dropFirst().dropLast()).replacing("\\\"", with: "\"") : written
            address = String(address[address.index(after: open)...].dropLast())
        }
        let sides = address.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty }),
            !address.contains(where: { $0.isWhitespace || "<>,;:\"".contains($0) })
        else {
            throw HelixError(
                .usage, "invalid mail address '\(text)'",
                hint: "Write it like ana@example.com or 'Ana Rossi <ana@example.com>'.")
        }
        return Attendee(address: address.lowercased(), name: name?.isEmpty ?? true ? nil : name)
    }
}

extension EventStatus: ExpressibleByArgument {}
