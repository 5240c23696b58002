import ArgumentParser
import HelixCalendar
import HelixContacts
import HelixMail
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix fields`
struct Fields: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "fields", abstract: "List the fields of filters and searches.",
        discussion: """
            The nouns are \(QueryNoun.byCommand.map(\.command).joined(separator: ", ")). See helix-query(7) for the query \
            language.

              helix fields tasks
              helix fields mail
            """)
    static let reports: [PrintedReport] = [.json(FieldsReport.self)]

    @Argument(
        help: ArgumentHelp("Only this noun.", valueName: "noun"),
        completion: .list(QueryNoun.byCommand.map(\.command)))
    var noun: String?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let nouns = QueryNoun.byCommand.filter { noun == nil || $0.command == noun }
        guard !nouns.isEmpty else {
            throw HelixError(
                .notFound, "'\(noun ?? "")' has no fields",
                hint: "Use one of: \(QueryNoun.byCommand.map(\.command).joined(separator: ", ")).")
        }
        let items = nouns.flatMap { noun in noun.noun.fields.map { FieldItem(command: noun.command, field: $0) } }
        try context.present(FieldsReport(items: items, showsNouns: noun == nil))
    }
}

extension QueryNoun {
    /// The nouns whose items can be queried, by command.
    static let byCommand: [(command: String, noun: QueryNoun)] = [
        ("tasks", .tasks), ("time", .timeEntries), ("cal", .events), ("mail", .mail), ("chat", .chat),
        ("contacts", .contacts),
        ("search", .everything),
    ]
}

/// The fields of nouns.
struct FieldsReport: CuttableReport {
    static let schema = "helix.fields/1"
    var items: [FieldItem]
    var isTruncated = false
    var showsNouns = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(), .init(minimum: 12), .init(minimum: 16)])
        var last = ""
        for item in items {
            if showsNouns, item.command != last {
                table.draw(on: &canvas, indent: 2)
                table = Table([.init(), .init(minimum: 12), .init(minimum: 16)])
                if !last.isEmpty { canvas.line() }
                canvas.line(StyledText(item.command, .bold))
            }
            last = item.command
            table.row([
                StyledText(item.field.name, TextStyle(.cyan)), StyledText(item.field.values, .dim),
                StyledText(item.field.doc),
            ])
        }
        table.draw(on: &canvas, indent: showsNouns ? 2 : 0)
    }
}

/// A field in a report.
struct FieldItem: DescribedItem {
    let command: String
    let field: QueryField

    static let described = list {
        Field("kind", .choice(["field"]), "The kind of the item.") { _ in "field" }
        Field("noun", .string, "The command whose items have the field.") { $0.command }
        Field("field", .string, "The name of the field.") { $0.field.name }
        Field("aliases", .array(.string), "Alternative names.") { $0.field.aliases }
        Field("values", .string, "The accepted values.") { $0.field.values }
        Field("has_order", .bool, "Whether <, > and ranges are accepted.") { $0.field.hasOrder }
        Field("can_be_none", .bool, "Whether none and any are accepted.") { $0.field.canBeNone }
        Field("summary", .string, "The property that the field matches.") { $0.field.doc }
    }

}
