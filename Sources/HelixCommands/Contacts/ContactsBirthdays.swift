import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix contacts birthdays`
struct ContactsBirthdays: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "birthdays", abstract: "List the next birthdays.",
        discussion: """
            The birthdays of the next 60 days, or of --days. They are also events of the calendar 'Birthdays', which helix keeps \
            up to date: 'helix config set contacts.birthdays false' ends that.

              helix contacts birthdays
              helix contacts birthdays --days 365 --json
            """)
    static let reports: [PrintedReport] = [.json(BirthdaysReport.self)]

    @Option(name: .long, help: ArgumentHelp("The number of days, at most 366.", valueName: "count"))
    var days: Int?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let days, !(1...366).contains(days) { throw ValidationError("--days takes 1 to 366.") }
    }

    func run(in context: CommandContext) throws {
        let found = try context.store().birthdays(from: context.today, days: days ?? 60)
        let items = found.map { BirthdayItem(birthday: $0) }
        try context.present(BirthdaysReport(items: items), ids: found.map(\.contact))
    }
}

/// A birthday in a list.
struct BirthdayItem: DescribedItem {
    let birthday: Birthday

    static let described = list {
        Field("kind", .choice(["contact"]), "The kind of the item.") { _ in EntityKind.contact.rawValue }
        Field("id", .id, "The contact's identity.") { $0.birthday.contact }
        Field("name", .string, "The name.") { $0.birthday.name }.foreign
        Field("date", .string, "The day of the next birthday.") { ISO8601.text($0.birthday.day) }
        Field("age", .integer, required: false, "The age on that day, if the year is known.") { $0.birthday.age }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// Birthdays in order.
struct BirthdaysReport: OrderedReport {
    static let schema = "helix.contacts.birthdays/1"
    var items: [BirthdayItem]
    var isTruncated = false

    func limited(to count: Int) -> BirthdaysReport {
        BirthdaysReport(items: Array(items.prefix(count)), isTruncated: isTruncated || items.count > count)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No birthdays in these days.", .dim)) }
        let today = viewer.zone.civil(viewer.now).date
        var table = Table([.init(), .init(), .init(minimum: 8), .init(minimum: 14, importance: 1)])
        for birthday in items.map(\.birthday) {
            let rest = birthday.day.dayNumber - today.dayNumber
            let words = rest == 0 ? "today" : rest == 1 ? "tomorrow" : "in \(rest) days"
            table.row([
                StyledText(viewer.short(birthday.contact), .dim),
                StyledText(DateWords.text(birthday.day), rest == 0 ? TextStyle(.green, bold: true) : TextStyle()),
                StyledText(birthday.name, .bold),
                StyledText((birthday.age.map { $0 > 0 ? "turns \($0), " : "" } ?? "") + words, .dim),
            ])
        }
        if !items.isEmpty { table.draw(on: &canvas) }
        if isTruncated { canvas.line(StyledText("More birthdays: raise --limit.", .dim)) }
    }
}
