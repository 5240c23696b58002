import ArgumentParser
import HelixModel
import HelixStore

/// The option that selects calendars.
struct CalendarOptions: ParsableArguments {
    @Option(
        name: [.customShort("c"), .long],
        help: ArgumentHelp("Only this calendar; may be repeated.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: [String] = []

    /// No options set.
    static var unset: CalendarOptions {
        var options = CalendarOptions()
        options.calendar = []
        return options
    }
}

/// The options of a time range: from and to.
struct RangeOptions: ParsableArguments {
    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("The first day or time.", valueName: "when"))
    var from: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("End by this day or time.", valueName: "when"))
    var to: String?

    /// No options set.
    static var unset: RangeOptions {
        var options = RangeOptions()
        (options.from, options.to) = (nil, nil)
        return options
    }

    /// Whether an option is set.
    var isGiven: Bool { from != nil || to != nil }

    /// The range from words or options, or `fallback`.
    /// - Parameters:
    ///   - direction: back for time that was spent: `nov 1` is the last one.
    ///   - unit: the unit that `prev` and `-2` count.
    /// - Throws: ``HelixError`` of code `usage`.
    func range(
        _ words: [String], _ context: CommandContext, looking direction: DatePhraseParser.Direction = .neutral,
        of unit: PhraseUnit? = nil,
        fallback: () -> PhraseRange
    ) throws -> PhraseRange {
        let dates = context.dates.looking(direction)
        let phrase = words.joined(separator: " ")
        if from == nil, to == nil, let unit, let period = dates.period(phrase, of: unit) { return period }
        if from == nil && to == nil { return phrase.isEmpty ? fallback() : try dates.span(phrase) }
        guard phrase.isEmpty else {
            throw HelixError(.usage, "two ranges: '\(phrase)', and --from or --to")
        }
        let usual = fallback()
        let start = try from.map { try dates.moment($0) } ?? usual.start
        var end = try to.map { try dates.moment($0) } ?? usual.end
        if to == nil, from != nil, direction == .back {
            // Up to now, and the rest of today.
            end = .date(context.today + 1)
        } else if to == nil, from != nil {
            // As long as the usual range.
            let length = usual.timeRange(in: context.zone).duration
            end = .date(start.date(in: context.zone) + max(1, length / 86_400))
        }
        guard start.instant(in: context.zone) < end.instant(in: context.zone) else {
            throw HelixError(.usage, "the range ends before it starts", hint: "--to is the day after the last one.")
        }
        return PhraseRange(start: start, end: end)
    }
}

extension CommandContext {
    /// The day named by words, or today; `next` and `+1` count the units of the view.
    /// - Throws: ``HelixError`` of code `usage`.
    func day(_ words: [String], of unit: PhraseUnit) throws -> CivilDate {
        let phrase = words.joined(separator: " ")
        return phrase.isEmpty ? today : try dates.day(phrase, of: unit)
    }

    /// The event whose id begins with `prefix`.
    /// - Throws: ``HelixError``.
    func event(_ prefix: String) throws -> StoredEvent {
        let store = try store()
        return try store.event(try store.entity(EntityPrefix(prefix), kinds: [.event]).id)
    }
}
