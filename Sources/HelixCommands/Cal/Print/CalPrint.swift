import ArgumentParser
import HelixGraphics
import HelixModel
import HelixStore
import HelixTerminal

/// The sheets of a calendar.
enum SheetKind: String, CaseIterable, ExpressibleByArgument, Sendable {
    case week, month
}

extension PaperSize: ExpressibleByArgument {}

/// `helix cal print`
struct CalPrint: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "print", abstract: "Write weeks or months as pages to print.",
        discussion: """
            A range takes a page for each of its weeks or months. Where a day has more events than its page has room for, the \
            page says so, and a further page lists all of them.

              helix cal print week -o week.pdf
              helix cal print month december --calendar work -o december.pdf
              helix cal print month 2027 --paper letter -o 2027.pdf
            """)
    static let reports: [PrintedReport] = []

    @Argument(help: ArgumentHelp("week or month.", valueName: "sheet"))
    var sheet: SheetKind

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The week or month, or a range of them; default: the current one.", valueName: "range"))
    var range: [String] = []

    @Option(name: .long, help: ArgumentHelp("a3, a4, a5, letter or legal.", valueName: "size"))
    var paper = PaperSize.a4

    @Flag(name: .long, help: "Print upright; default: landscape.")
    var portrait = false

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var file: PictureOptions
    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var output: OutputOptions

    /// The most pages of one run.
    private static let longest = 120

    func validate() throws {
        if file.path == nil { throw ValidationError("'cal print' needs a file: --output FILE.pdf.") }
        try output.refuseMachine("pages")
        try output.refuseLimit("a page lists all events")
    }

    func run(in context: CommandContext) throws {
        let starts = try firstDays(context)
        guard starts.count <= CalPrint.longest else {
            throw HelixError(
                .usage, "cannot print \(starts.count) pages",
                hint: "Use a range of up to \(CalPrint.longest) \(sheet)s.")
        }
        var pages: [Picture] = []
        for start in starts {
            let days = sheet == .week ? 7 : start.adding(months: 1) - start
            let first = sheet == .week ? start : start.startOfWeek(on: context.configuration.firstWeekday)
            let count = sheet == .week ? 7 : ((start + days - 1 - first) / 7 + 1) * 7
            let items = try context.items(from: first, count: count, calendars: calendars)
            let printed = PrintedDays(
                items: items, first: first, count: count, month: sheet == .month ? start..<(start + days) : nil,
                hours: context.configuration.hours, viewer: context.viewer)
            pages += printed.pages(paper, isPortrait: portrait)
        }
        _ = try file.write(pages, context)
    }

    /// The first day of each page.
    private func firstDays(_ context: CommandContext) throws -> [CivilDate] {
        let firstWeekday = context.configuration.firstWeekday
        func start(_ day: CivilDate) -> CivilDate {
            sheet == .week ? day.startOfWeek(on: firstWeekday) : day.startOfMonth
        }
        func next(_ day: CivilDate) -> CivilDate { sheet == .week ? day + 7 : day.adding(months: 1) }
        let words = try range.plainWords(of: "cal print")
        let span = try bounds.range(words, context, of: sheet == .week ? .week : .month) {
            PhraseRange(start: .date(context.today), end: .date(context.today + 1))
        }.timeRange(in: context.zone)
        let last = context.zone.date(span.end - 1)
        // '1800' is a time of today: nobody prints a month for that.
        guard span.start == context.zone.startOfDay(context.zone.date(span.start)),
            span.end == context.zone.startOfDay(last + 1)
        else {
            throw HelixError(
                .usage, "'\(words.joined(separator: " "))' is a time, and a \(sheet.rawValue) has whole days",
                hint: "Name days, such as 2026-12, 'next week' or 2026-11-25.")
        }
        var day = start(context.zone.date(span.start))
        var starts: [CivilDate] = []
        while day <= last, starts.count <= CalPrint.longest {
            starts.append(day)
            day = next(day)
        }
        return starts
    }
}
