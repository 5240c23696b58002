import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal search`
struct CalSearch: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "search", abstract: "Find events by the words in them.",
        discussion: """
            Titles, places, descriptions, people and categories are searched. All words must be there, each whole or as \
            the beginning of one; accents and case do not matter. Each event is shown once, at its next time.

              helix cal search budget review
              helix cal search ana --calendar work --json
            """)

    @Argument(help: "The words.")
    var words: [String]

    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.words, command.calendars, command.output) = (words, .unset, .unset)
        return command
    }

    func run(in context: CommandContext) throws {
        let (hits, isTruncated) = try context.store().searchEvents(
            words, calendars: try context.selection(calendars.calendar), zone: context.zone, limit: output.limit ?? 25)
        let found = try context.linked(hits.map { OccurrenceItem(occurrence: $0.occurrence, conflicts: []) })
        let items = zip(found, hits).map { SearchItem(item: $0, snippet: $1.snippet) }
            .sorted { $0.item.occurrence.start(in: context.zone) < $1.item.occurrence.start(in: context.zone) }
        try context.present(
            SearchReport(items: items, isTruncated: isTruncated), ids: items.map(\.item.occurrence.event))
    }
}

/// An event that was found.
struct SearchItem: ReportItem {
    let item: OccurrenceItem
    let snippet: String

    static let fields =
        OccurrenceItem.fields + [
            SchemaField("snippet", .string, "The place where the words were found.")
        ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = item.json(for: viewer)
        json.set("snippet", snippet.filter { $0 != "\u{2}" && $0 != "\u{3}" })
        return json
    }
}

/// What a search found.
struct SearchReport: Report {
    static let schema = "helix.cal.search/1"
    let items: [SearchItem]
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
        if isTruncated { canvas.line(StyledText("There is more; raise --limit or add words.", .dim)) }
    }

    /// The snippet with what was found in bold; nothing if it only repeats the title.
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
