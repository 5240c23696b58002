import ArgumentParser
import HelixCalendar
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix cal add`
struct CalAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add an event.",
        discussion: """
            Parses time and place from the line; the rest is the title. Prints the result with date and zone, and \
            rejects words that look like a time but do not fit. Words in double quotes, after -- or with --title are \
            always the title.

              helix cal add "Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma"
              helix cal add "Review every 2 weeks on friday 16:00 until 31 dec"
              helix cal add "Trip fri 18:00 to sun 12:00"
              helix cal add mon 9:00 -- Friday demo
              helix cal add "Standup 9:15-9:30" --repeat weekdays --calendar work
              helix cal add "Fair" --start 2026-12-01 --end 2026-12-03 --all-day
              helix cal add --from-mail k3f7
              helix cal add "Call Boston" --start "fri 9am" --tz America/New_York \\
                  --on-conflict suggest
            """)
    static let reports: [PrintedReport] = [.json(SavedReport.self)]

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("Title, time and place; after --, the title only.", valueName: "text"))
    var words: [String] = []

    @Option(name: .long, help: ArgumentHelp("The title; the line then has only time and place.", valueName: "text"))
    var title: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Add the event of this invitation, or an event linked to this message.",
            valueName: "id"),
        completion: .custom(CompletionLists.messageIDs))
    var fromMail: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Link to this chat message; its text is the default title.", valueName: "id"),
        completion: .custom(CompletionLists.chatMessageIDs))
    var fromChat: String?

    @Option(
        name: [.customShort("c"), .long], help: ArgumentHelp("The calendar to add it to.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: String?

    @OptionGroup var event: EventOptions
    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.words, command.calendar, command.fromMail, command.fromChat) = (words, nil, nil, nil)
        command.title = nil
        (command.event, command.conflicts, command.output) = (.unset, .unset, .unset)
        command.changes = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let (text, titleWords) = try words.lineAndTitle(of: "cal add", takesShort: false)
        if let title, !titleWords.isEmpty { throw HelixError.twoTitles(titleWords.joined(separator: " "), title) }
        let message = try fromMail.map { try context.store().message(try context.messageID($0)) }
        // An event of its own, linked with the invitation, if it is described by a title or options.
        let isDescribed = !text.isEmpty || title != nil || !titleWords.isEmpty || event.isGiven
        if let message, !isDescribed, try addInvitation(of: message, context) { return }
        let dates = context.dates.looking(.ahead)
        var phrase = try dates.event(arguments: text)
        if let title = title ?? (titleWords.isEmpty ? nil : titleWords.joined(separator: " ")) {
            guard phrase.title.isEmpty else {
                throw HelixError(
                    .usage, "cannot read '\(phrase.title)' as a time, and the title is already set",
                    hint: "Give only time and place: helix cal add --title \"\(title)\" tomorrow 12:30.")
            }
            (phrase.title, phrase.nearMiss) = (title.trimmingBlanks(), nil)
        }
        if let message, phrase.title.isEmpty { phrase.title = message.plainSubject }
        let said = try fromChat.map { try context.chatMessage($0) }
        if let said {
            // 'Lunch tomorrow 12:30?' is a complete phrase.
            if text.isEmpty { phrase = (try? dates.event(said.title)) ?? EventPhrase(title: said.title) }
            if phrase.title.isEmpty { phrase.title = said.title }
            if text.isEmpty { phrase.nearMiss = nil }
        }
        if let miss = phrase.nearMiss { throw miss.error }
        if title == nil, titleWords.isEmpty, message == nil, said == nil {
            try CalAdd.refuseFields(in: phrase.title, text)
        }
        let added = try eventChanges(phrase, context, isFromMail: message != nil && text.isEmpty && event.start == nil)
        let saved = try save(phrase, added, linkedWith: [message?.id, said?.id].compactMap { $0 }, context)
        try context.presentSaved("Added", [saved])
        if event.addsAttendees { context.noteUnasked([saved]) }
    }

    /// The fields of the new event, from the line and the options.
    private func eventChanges(
        _ phrase: EventPhrase, _ context: CommandContext, isFromMail: Bool
    ) throws -> EventChanges {
        guard !phrase.title.isEmpty else {
            throw HelixError(
                .usage, "the event has no title", hint: "Add one: helix cal add \"Lunch tomorrow 12:30\".")
        }
        guard let span = try EventSpan(phrase.when, event, current: nil, context) else {
            throw HelixError(
                .usage, "no date or time in '\(phrase.title)'",
                hint: isFromMail
                    ? "Add one, or --start, for an event of your own. Without a title and options, 'cal add --from-mail' adds the "
                        + "event of an invitation, and 'helix cal edit' changes that."
                    : "Add one: helix cal add \"\(phrase.title) tomorrow 12:30\", or use --start.")
        }
        var changes = try event.changes(context)
        try EventOptions.check(changes, of: [], context.viewer)
        changes.title = phrase.title
        if let place = phrase.location, let option = event.location, place != option {
            throw HelixError(
                .usage, "two locations: '\(place)' in the line, and --location '\(option)'",
                hint: "Remove one of the two.")
        }
        changes.location = event.location ?? phrase.location
        changes.start = span.start
        changes.end = span.end
        changes.duration = span.length
        changes.rule = try rule(of: phrase, start: span.start, context)
        // A day of the line or of --start must match --repeat; `starting dec 1` need not.
        let isDaySaid = phrase.when.repetition == nil && (phrase.when.date != nil || event.start != nil)
        try context.align(&changes, isDaySaid: isDaySaid)
        return changes
    }

    /// The recurrence rule of an option or of the line.
    private func rule(of phrase: EventPhrase, start: EventTime, _ context: CommandContext) throws -> String? {
        let rule = try event.rule(start: start, context)
        guard let repetition = phrase.when.repetition else { return rule }
        guard rule == nil else {
            throw HelixError(
                .usage, "two recurrences: '\(repetition.phrase)' in the line, and an option",
                hint: "Remove one of the two.")
        }
        guard !start.isDate || repetition.unit.isDays else {
            throw HelixError(
                .usage, "it repeats '\(repetition.phrase)', but has no start time",
                hint: "Write it like 'tomorrow 9:00 every 2 hours'.")
        }
        return try RecurrenceRule(repetition, start: start).text
    }

    private func save(
        _ phrase: EventPhrase, _ added: EventChanges, linkedWith origins: [EntityID], _ context: CommandContext
    ) throws -> SavedEvent {
        let uid = EntityID().text + "@helix"
        var component = ICalendarComponent.event(uid: uid, now: context.now, added)
        if let start = added.start {
            let exceptions = try context.exceptions(event, phrase.when.repetition, start: start)
            component.set("EXDATE", exceptions.map { ICalendarProperty("EXDATE", time: $0) })
        }
        let store = try context.store()
        return try context.suggesting(conflicts.onConflict) {
            try store.change("add '\(phrase.title)'", command: "cal add") { change in
                let target = try calendar.map { try change.calendar(named: $0) } ?? change.defaultCalendar()
                let id = try change.createEvent([component], uid: uid, zones: nil, in: target.id)
                for origin in origins { _ = try change.addLink(id, origin, .related) }
                return try SavedEvent(id, change, context, conflicts.onConflict)
            }
        }
    }
}

extension CalAdd {
    /// Adds the event of an invitation by mail.
    /// - Returns: false if the message is not an invitation.
    private func addInvitation(of message: EmailMessage, _ context: CommandContext) throws -> Bool {
        let parsed = try context.readable(try context.wholeFile(message.id), verifies: false).message
        // An invitation often contains the event twice, as a part and as an attachment.
        guard let part = parsed.parts.first(where: \.isCalendar) else { return false }
        return try addEvents(in: parsed.text(of: part), linkedWith: message.id, context)
    }

    /// Adds the events in the iCalendar text of a message.
    /// - Returns: false if there are none.
    func addEvents(in text: String, linkedWith origin: EntityID, _ context: CommandContext) throws -> Bool {
        let store = try context.store()
        let (method, groups) = SchedulingFile.read(text)
        guard let first = groups.first,
            let invitation = Invitation(first, method: method, zone: context.zone, now: context.now)
        else { return false }
        guard ["REQUEST", "PUBLISH"].contains(method) else {
            throw HelixError(
                .badInput, "the message is no invitation, but \(method) of '\(invitation.event.title)'",
                hint: "Add the event yourself: helix cal add \"Lunch tomorrow 12:30\".")
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
}

extension CalAdd {
    /// The option for a field: `calendar`, a typo such as `categroy`, or the field's name in tasks.
    private static func option(_ field: String) -> String? {
        let others = [
            "cal": "--calendar", "where": "--location", "place": "--location", "with": "--attendee",
            "tag": "--category",
            "note": "--description", "notes": "--description", "starts": "--start", "ends": "--end",
        ]
        let names = DeclaredOption.all(of: CalAdd.self).filter(\.takesValue).flatMap(\.names)
        return others[field] ?? names.first { $0 == "--" + field }
            ?? names.first { field.count >= 5 && EditDistance.isOneSlip(String($0.dropFirst(2)), field) }
    }

    /// Rejects `calendar:work` in a line: events have options for that, and in the title it would have no effect.
    private static func refuseFields(in title: String, _ words: [String]) throws {
        let quoted = words.joined(separator: " ").split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        for word in title.split(separator: " ") {
            guard let colon = word.firstIndex(of: ":"), word.index(after: colon) < word.endIndex,
                word[..<colon].count > 2, word[..<colon].allSatisfy({ $0.isASCII && $0.isLowercase }),
                !word[colon...].hasPrefix("://"), !quoted.contains(where: { $0.contains(word) }),
                let option = option(String(word[..<colon]))
            else { continue }
            throw HelixError(
                .usage, "'\(word)' has no effect in the line of an event",
                hint:
                    "Use \(option) '\(word[colon...].dropFirst())'; in double quotes it is part of the title."
            )
        }
    }
}

extension CommandContext {
    /// The excluded times of a recurrence: `except dec 25`.
    /// - Throws: ``HelixError`` of code `usage`.
    func exceptions(_ options: EventOptions, _ said: Repetition?, start: EventTime) throws -> [EventTime] {
        let other = try options.repetition.flatMap { try options.isNever($0) ? nil : dates.repetition($0) }
        return (said ?? other)?.exceptions.map {
            start.at(CivilDateTime($0, secondOfDay: start.isDate ? 0 : start.civil.secondOfDay))
        } ?? []
    }

    /// Moves the start of a recurring event to the first day that matches its rule.
    /// - Parameter isDaySaid: whether the first day was given, which then must match the rule.
    /// - Throws: ``HelixError`` of code `usage` for a rule that ends before it begins.
    func align(_ changes: inout EventChanges, isDaySaid: Bool = false) throws {
        guard let start = changes.start, let text = changes.rule, !text.isEmpty, let rule = try? RecurrenceRule(text)
        else {
            return
        }
        // `every other monday` begins on the next Monday, not in the second week from now.
        var each = rule
        each.interval = 1
        var starts = each.occurrences(from: start.civil, zone: start.clock).makeIterator()
        guard let first = starts.next() else {
            throw HelixError(
                .usage,
                "the rule '\(rule.phrase(start: start))' has no occurrence from \(ISO8601.text(start.civil.date)) on",
                hint: "Choose a later end, or an earlier start.")
        }
        // `monday to thursday` read as `until thursday` would be a series of one.
        var all = rule.occurrences(from: first, zone: start.clock).makeIterator()
        _ = all.next()
        guard rule.until == nil && rule.count != 1 || all.next() != nil else {
            throw HelixError(
                .usage,
                "it repeats '\(rule.phrase(start: start))', but takes place once, on \(DateWords.text(first.date))",
                hint: "Choose a later end, or omit the recurrence.")
        }
        guard first != start.civil else { return }
        guard !isDaySaid else {
            throw HelixError(
                .usage,
                "it begins on \(DateWords.text(start.civil.date)), but repeats '\(rule.phrase(start: start))'",
                hint: "Choose a first day on which it takes place, such as \(DateWords.text(first.date)).")
        }
        if case .zoned(_, let zone) = start { try EventSpan.refuseSkipped(first, zone, self) }
        changes.end = changes.end.map { $0.at($0.civil + (first - start.civil)) }
        changes.start = start.at(first)
    }
}
