import ArgumentParser
import HelixModel
import HelixTerminal

/// `helix dates`
struct Dates: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "dates", abstract: "Show how a phrase is parsed as dates and times.",
        discussion: """
            Prints the meaning of each part and of the whole phrase. Stores nothing. Phrases mean the future by default; \
            --back parses them as time tracking does, where friday means last Friday.

              helix dates "Lunch with Ana tomorrow 12:30 for 45m"
              helix dates "every 2 weeks on friday 16:00 until 31 dec"
              helix dates --back "fri 14:00 for 45m"
            """)
    static let reports: [PrintedReport] = [.json(DatesReport.self)]

    @Argument(help: ArgumentHelp("A phrase as typed in other commands.", valueName: "phrase"))
    var phrase: [String]

    @Flag(name: .long, help: "Parse the phrase as a past time.")
    var back = false

    @OptionGroup var output: OutputOptions

    /// It shows nothing of the store.
    var admission: LockAdmission { .passes }

    func run(in context: CommandContext) throws {
        let dates = context.dates.looking(back ? .back : .ahead)
        let line = phrase.joined(separator: " ")
        let explanation: PhraseExplanation
        do { explanation = try dates.explanation(of: line) } catch {
            // `3d` and `1st` are times only where a time must follow, such as after due:.
            guard let value = try? dates.explanation(ofValue: line) else { throw error }
            explanation = value
        }
        let whole = dates.description(of: explanation.when)
        try context.present(DatesReport(explanation: explanation, whole: whole))
    }
}

/// A phrase and its interpretation.
struct DatesReport: Report {
    static let schema = "helix.dates/1"
    static let isList = true
    let explanation: PhraseExplanation
    let whole: String

    var items: [DatesItem] { explanation.rows.map(DatesItem.init) }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(minimum: 8), .init(), .init(minimum: 16)])
        for row in explanation.rows {
            let isTime = row.kind != "words"
            table.row([
                StyledText(row.text, isTime ? .bold : .plain), StyledText(row.kind, .dim), StyledText(row.meaning),
            ])
        }
        table.draw(on: &canvas)
        canvas.line()
        canvas.paragraph(whole.isEmpty ? "No date or time." : whole, style: .bold)
        if !explanation.title.isEmpty { canvas.paragraph("Left for a title: \(explanation.title)", style: .dim) }
    }
}

/// A piece of a phrase in a report.
struct DatesItem: DescribedItem {
    let row: PhraseExplanation.Row

    static let described = list {
        Field("kind", .choice(["phrase"]), "The kind of the item.") { _ in "phrase" }
        Field("text", .string, "The words as typed.") { $0.row.text }
        Field("sort", .string, "The type of time: day, time, length, repetition …; words if it is not a time.") {
            $0.row.kind
        }
        Field("meaning", .string, "The meaning in words; empty if it is not a time.") { $0.row.meaning }
    }

}
