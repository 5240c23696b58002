import ArgumentParser
import HelixCalendar
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix cal add`
struct CalAdd: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add an event.",
        discussion: """
            One line says it all: words about time and place are taken out, the rest is the title. What was understood is \
            shown with its date and zone.

              helix cal add "Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma"
              helix cal add "Standup 9:15-9:30" --repeat weekdays --calendar work
              helix cal add "Fair" --start 2026-12-01 --end 2026-12-03 --all-day
              helix cal add --from-mail k3f7
              helix cal add "Call Boston" --start "fri 9am" --tz America/New_York --on-conflict suggest
            """)

    @Argument(help: ArgumentHelp("What, when and where.", valueName: "text"))
    var text: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Add what this message invites to, or an event that is linked with it and has its subject for a title if none is said.",
            valueName: "id"),
        completion: .custom(CompletionLists.messageIDs))
    var fromMail: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Link it with this chat message, whose words are the title if none is said.", valueName: "id"),
        completion: .custom(CompletionLists.chatMessageIDs))
    var fromChat: String?

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The calendar to add it to.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: String?

    @OptionGroup var event: EventOptions
    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.text, command.calendar, command.fromMail, command.fromChat) = (words, nil, nil, nil)
        (command.event, command.conflicts, command.output) = (.unset, .unset, .unset)
        return command
    }

    func run(in context: CommandContext) throws {
        let message = try fromMail.map { try context.store().message(try context.messageID($0)) }
        if let message, text.isEmpty, try addInvitation(of: message, context) { return }
        var phrase = context.dates.event(text.joined(separator: " "))
        if let message, phrase.title.isEmpty { phrase.title = message.plainSubject }
        let said = try fromChat.map { try context.chatMessage($0) }
        if let said {
            // 'Lunch tomorrow 12:30?' says it all.
            if text.isEmpty { phrase = context.dates.event(said.title) }
            if phrase.title.isEmpty { phrase.title = said.title }
        }
        if said == nil || !text.isEmpty { try checkLeftovers(phrase.title, context) }
        guard !phrase.title.isEmpty else {
            throw HelixError(
                .usage, "the event has no title", hint: "Say what it is: helix cal add \"Lunch tomorrow 12:30\".")
        }
        guard let span = try EventSpan(phrase.when, event, current: nil, context) else {
            throw HelixError(
                .usage, "'\(phrase.title)' says no date or time",
                hint: "Say when: helix cal add \"\(phrase.title) tomorrow 12:30\", or use --start.")
        }
        var changes = try event.changes(context)
        changes.title = phrase.title
        changes.location = event.location ?? phrase.location
        changes.start = span.start
        changes.end = span.end
        changes.duration = span.length
        changes.rule = try event.rule(start: span.start, context)
        try context.align(&changes)
        let uid = EntityID().text + "@helix"
        let component = ICalendarComponent.event(uid: uid, now: context.now, changes)
        let store = try context.store()
        let saved = try context.suggesting(conflicts.onConflict) {
            try store.change("add '\(phrase.title)'", command: "cal add") { change in
                let target = try calendar.map { try change.calendar(named: $0) } ?? change.defaultCalendar()
                let id = try change.createEvent([component], uid: uid, zones: nil, in: target.id)
                for origin in [message?.id, said?.id].compactMap({ $0 }) {
                    _ = try change.addLink(id, origin, .related)
                }
                return try SavedEvent(id, change, context, conflicts.onConflict)
            }
        }
        try context.presentSaved("Added", [saved])
    }
}

extension CalAdd {
    /// Adds the event that a message invites to.
    /// - Returns: false if it invites to none.
    private func addInvitation(of message: EmailMessage, _ context: CommandContext) throws -> Bool {
        let parsed = try MIMEMessage(path: try context.wholeFile(message.id))
        // The same invitation often comes twice, as a part and as a file.
        guard let part = parsed.parts.first(where: \.isCalendar) else { return false }
        return try addEvents(in: parsed.text(of: part), linkedWith: message.id, context)
    }

    /// Adds the events of a piece of iCalendar that came with a message.
    /// - Returns: false if there are none.
    func addEvents(in text: String, linkedWith origin: EntityID, _ context: CommandContext) throws -> Bool {
        let store = try context.store()
        let (method, groups) = SchedulingFile.read(text)
        guard let first = groups.first,
            let invitation = Invitation(first, method: method, zone: context.zone, now: context.now)
        else { return false }
        guard ["REQUEST", "PUBLISH"].contains(method) else {
            throw HelixError(
                .badInput, "the message invites to nothing: it says \(method) of '\(invitation.event.title)'",
                hint: "Say what to add: helix cal add \"Lunch tomorrow 12:30\".")
        }
        let saved = try context.suggesting(conflicts.onConflict) {
            try store.change("add '\(invitation.event.title)'", command: "cal add") { change in
                let target = try calendar.map { try change.calendar(named: $0) } ?? change.defaultCalendar()
                let importer = try EventImporter(change, calendar: target.id)
                var saved: [SavedEvent] = []
                for group in groups {
                    switch try importer.add(group) {
                    case .created(let id), .updated(let id):
                        _ = try change.addLink(id, origin, .related)
                        saved.append(try SavedEvent(id, change, context, conflicts.onConflict))
                    case .unchanged, .older:
                        throw HelixError(
                            .conflict, "'\(invitation.event.title)' is in the calendar '\(target.name)' already",
                            hint: "helix cal search \(invitation.event.title)")
                    case .rejected:
                        let reason = importer.defects.first?.reason ?? "it cannot be read"
                        throw HelixError(.badInput, "the invitation cannot be used: \(reason)")
                    }
                }
                return saved
            }
        }
        try context.presentSaved("Added", saved)
        return true
    }

    /// Refuses a title that has something in it which was meant as a time but is none.
    private func checkLeftovers(_ title: String, _ context: CommandContext) throws {
        let words = title.split(separator: " ").map(String.init)
        for (index, word) in words.enumerated() {
            let digits = word.split(separator: ":").map { $0.allSatisfy(\.isNumber) ? $0.count : 0 }
            let isClock =
                digits.count >= 2 && word.count >= 4 && (1...2).contains(digits[0])
                && digits.dropFirst().allSatisfy { $0 == 2 }
            let isSlashed = word.split(separator: "/").count == 3 && word.allSatisfy { $0.isNumber || $0 == "/" }
            if isClock || isSlashed { _ = try context.dates.moment(word) }
            let isLast = index == words.count - 1
            if word.lowercased() == "every", isLast || DateWords.weekday(words[index + 1].lowercased()) != nil {
                throw HelixError(
                    .usage, "the title has 'every' in it",
                    hint: "Say how it repeats with --repeat: --repeat 'every mon'.")
            }
            if isLast, ["UTC", "GMT"].contains(word) || word.contains("/") && ZoneDatabase.zone(named: word) != nil {
                throw HelixError(
                    .usage, "the title ends with the zone '\(word)'", hint: "Name the zone with --tz \(word).")
            }
        }
    }
}

extension CommandContext {
    /// Lets a repeating event begin on the first day that its rule names, so that there is no odd one before.
    /// - Throws: ``HelixError`` of code `usage` for a rule that ends before it begins.
    func align(_ changes: inout EventChanges) throws {
        guard let start = changes.start, let text = changes.rule, !text.isEmpty, let rule = try? RecurrenceRule(text)
        else {
            return
        }
        var starts = rule.occurrences(from: start.civil, zone: start.clock).makeIterator()
        guard let first = starts.next() else {
            throw HelixError(
                .usage, "the rule '\(rule.phrase)' gives no occurrence from \(ISO8601.text(start.civil.date)) on",
                hint: "Say a later end, or an earlier start.")
        }
        guard first != start.civil else { return }
        changes.end = changes.end.map { $0.at($0.civil + (first - start.civil)) }
        changes.start = start.at(first)
    }
}

/// An event that was saved, with what it conflicts with.
struct SavedEvent {
    let id: EntityID
    let occurrence: Occurrence?
    let conflicts: [Conflict]
    /// How it repeats, in words.
    let repeats: String?

    /// Judges the event inside its change, so that a refusal takes everything back.
    init(
        _ id: EntityID, _ change: Change, _ context: CommandContext, _ option: OnConflict, at start: EventTime? = nil,
        isSingle: Bool = false
    )
        throws
    {
        self.id = id
        let series = try change.series(of: id)
        repeats = series.master.flatMap { series.components[$0].rules.first?.phrase }
        var found = option == .allow ? [] : try change.conflicts(of: id, series: series, context: context)
        if isSingle, let start {
            // Of one occurrence that was changed, the others' conflicts are no news.
            let instant = start.instant(in: context.zone)
            found = found.filter { ($0.a.event == id ? $0.a : $0.b).start(in: context.zone) == instant }
        }
        conflicts = found
        try context.judge(conflicts, of: id, option)
        if let start {
            let instant = start.instant(in: context.zone)
            let range = TimeRange(start: instant, end: instant + 1)
            let found = try change.occurrences(in: range, zone: context.zone, calendars: .all, event: id)
            if let moved = found.first(where: { $0.start(in: context.zone) == instant }) {
                occurrence = moved
                return
            }
        }
        occurrence = try series.next(after: context.now).flatMap { instance -> Occurrence? in
            let start =
                instance.basis == .instant
                ? Instant(instance.start) : context.zone.instant(CivilDateTime(seconds: instance.start))
            let range = TimeRange(start: start, end: start + 1)
            return try change.occurrences(in: range, zone: context.zone, calendars: .all, event: id).first
        }
    }
}

extension CommandContext {
    /// Says what was saved, and what it conflicts with.
    /// - Throws: ``HelixError``.
    func presentSaved(_ verb: String, _ saved: [SavedEvent]) throws {
        for event in saved { warn(event.conflicts, of: event.id) }
        let fixed = try store().readOnlyCalendars()
        if !fixed.isEmpty {
            for name in Set(saved.compactMap { $0.occurrence?.calendar }.filter { fixed.contains($0.id) }.map(\.name)) {
                note(
                    StyledText(
                        "'\(name)' can only be read from its server: the change stays on this machine.",
                        TextStyle(.yellow)))
            }
        }
        let items = saved.compactMap { event in
            event.occurrence.map { occurrence in
                OccurrenceItem(
                    occurrence: occurrence,
                    conflicts: event.conflicts.map { $0.a.event == event.id ? $0.b.event : $0.a.event })
            }
        }
        let rules = Dictionary(saved.map { ($0.id, $0.repeats) }) { first, _ in first }.compactMapValues { $0 }
        try present(SavedReport(items: items, verb: verb, rules: rules), ids: items.map(\.occurrence.event))
    }
}

/// Events that were saved.
struct SavedReport: Report {
    static let schema = "helix.cal.saved/1"
    let items: [OccurrenceItem]
    let verb: String
    /// How the events repeat, in words.
    var rules: [EntityID: String] = [:]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items {
            let event = item.occurrence
            var line = StyledText(verb + " ", TextStyle(.green))
            line.append(viewer.short(event.event) + "  ", .dim)
            line.append(event.title, .bold)
            canvas.line(line.fitted(canvas.width))
            let zone = event.time.isAllDay ? "" : " " + viewer.zone.identifier
            let length =
                event.time.isAllDay ? "" : " (\(DateWords.text(duration: event.time.range(in: viewer.zone).duration)))"
            canvas.line("  " + viewer.span(event.time) + length + zone + (event.isRecurring ? " ↻" : ""))
            if let rule = rules[event.event] { canvas.line(("  ↻ " + rule).fitted(canvas.width)) }
            let place = event.location.map { "  at " + $0 } ?? ""
            canvas.line(StyledText("  \(event.calendar.name)\(place)", .dim).fitted(canvas.width))
        }
    }
}
