import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal search`
struct CalSearch: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "search", abstract: "Search events.",
        discussion: """
            Searches titles, places, descriptions, people and categories. All words must match, as whole words or \
            prefixes; case and accents are ignored. "a phrase", -word, and, or, ( ). Fields: \
            title: place: notes: with: calendar: category: is: date: after: before: length: id:; +category.

            Each event is shown once, at its next occurrence. If both ends of a range are given, by date: or --from and \
            --to, each occurrence in it is shown. See helix-query(7).

              helix cal search budget review
              helix cal search standup date:this_week
              helix cal search with:ana is:repeating length>30m
              helix cal search --calendar work --from 2026-11-01 --to 2026-12-01
            """)
    static let reports: [PrintedReport] = [.json(SearchReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: "Search terms.", completion: .custom(CompletionLists.eventQuery))
    var query: [String] = []

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Not before this day or time.", valueName: "when"))
    var from: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Start before this day or time.", valueName: "when"))
    var to: String?

    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.query, command.from, command.to) = (words, nil, nil)
        (command.calendars, command.list, command.output) = (.unset, .unset, .unset)
        return command
    }

    func validate() throws {
        if list.ids { try output.refuseMachine("ids") }
    }

    func run(in context: CommandContext) throws {
        let words = try query.plainWords(of: "cal search")
        var asked = try EventQueryParser(
            dates: context.dates, own: context.configuration.list(.email), addresses: context.contactAddresses
        )
        .parse(QueryNoun.events.line(words, dates: context.dates))
        if let from { asked = .all([asked, .time(.greaterOrEqual, try context.times(of: from))]) }
        if let to { asked = .all([asked, .time(.less, try context.times(of: to))]) }
        if asked == .everything, calendars.calendar.isEmpty, words != ["*"] {
            throw HelixError(.usage, "no search terms", hint: "helix cal search budget meeting")
        }
        // People get the best matches; programs that read page by page get all in chronological order.
        let isPaged = output.isMachine || list.printsLines
        let limit = isPaged ? ListLimit.everything : context.listLimit(25)
        let (hits, isTruncated) = try context.store().searchEvents(
            asked, calendars: try context.selection(calendars.calendar), zone: context.zone, limit: limit)
        if list.ids, !list.readsAll, output.limit == nil {
            return try context.write(hits.map(\.occurrence.event).uniqued.map { $0.text + "\n" }.joined())
        }
        let found = try context.linked(hits.map { OccurrenceItem(occurrence: $0.occurrence, conflicts: []) })
        let items = zip(found, hits).map { SearchItem(item: $0, snippet: $1.snippet) }
            .sorted { $0.item.occurrence.start(in: context.zone) < $1.item.occurrence.start(in: context.zone) }
        try context.present(
            SearchReport(items: items, isTruncated: isTruncated), ids: items.map(\.item.occurrence.event))
        if items.isEmpty { context.noteWhole(words, of: .events) }
    }
}

extension CommandContext {
    /// The moment of a phrase, on both time scales.
    /// - Throws: ``HelixError`` of code `usage`.
    fileprivate func times(of text: String) throws -> QueryTimes {
        let instant = try dates.moment(text).instant(in: zone)
        let civil = zone.civil(instant).seconds
        return QueryTimes(instants: instant.seconds..<instant.seconds, civil: civil..<civil)
    }
}

/// An event in the search results.
struct SearchItem: DescribedItem {
    let item: OccurrenceItem
    let snippet: String

    static let described =
        OccurrenceItem.described.of { (item: SearchItem) in item.item }
        + list {
            Field("snippet", .string, "The text around the match.") {
                $0.snippet.filter { $0 != "\u{2}" && $0 != "\u{3}" }
            }.foreign
        }
}

/// The search results.
struct SearchReport: OrderedReport {
    static let schema = "helix.cal.search/1"
    var items: [SearchItem]
    let isTruncated: Bool

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("Nothing found.", .dim)) }
        var table = Table([.init(), .init(), .init(minimum: 10), .init(minimum: 8), .init(minimum: 4)])
        let wide = canvas.width >= 60
        for hit in items {
            let event = hit.item.occurrence
            let when = wide ? viewer.span(event.time) : DateWords.text(event.time.days(in: viewer.zone).first)
            table.row([
                StyledText(viewer.short(event.event), .dim), StyledText(when),
                StyledText(hit.item.label, hit.item.style),
                wide ? highlighted(hit.snippet, besides: event.title) : "",
                StyledText(wide ? event.calendar.name : "", TextStyle(event.calendar.color.terminal)),
            ])
        }
        table.draw(on: &canvas)
        if isTruncated { canvas.line(StyledText("More results: raise --limit or narrow the query.", .dim)) }
    }

    /// The snippet with matches in bold; empty if it only repeats the title.
    private func highlighted(_ snippet: String, besides title: String) -> StyledText {
        let plain = snippet.filter { $0 != "\u{2}" && $0 != "\u{3}" && $0 != "…" }
        if title.contains(plain) { return "" }
        var text = StyledText()
        var isHit = false
        for piece in snippet.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\u{2}" || $0 == "\u{3}" })
        {
            text.append(String(piece), isHit ? .bold : .dim)
            isHit.toggle()
        }
        return text
    }
}
