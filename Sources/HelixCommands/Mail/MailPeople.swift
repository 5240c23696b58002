import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// `helix mail people`
struct MailPeople: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "people", abstract: "Look up addresses in your mail.",
        discussion: """
            Sorted by how often and how lately you write to them, then by how often they write to you. Matches prefixes.

              helix mail people ana
              helix mail people --limit 5 --fields address --jsonl
            """)
    static let reports: [PrintedReport] = [.json(PeopleReport.self)]

    @Argument(help: "Words of names or addresses.")
    var words: [String] = []

    @OptionGroup var mail: MailOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let limit = context.listLimit(25)
        let own = Set(context.configuration.list(.email).map { $0.lowercased() })
        let ranked = try Self.ranked(words, own: own, in: store, now: context.now)
        try context.present(
            PeopleReport(items: Array(ranked.prefix(limit)), isTruncated: ranked.count > limit))
    }

    /// The people that match `words`, those first to whom one wrote most often and most lately.
    static func ranked(
        _ words: [String], own: Set<String>, in store: Store, now: Instant
    ) throws -> [PersonItem] {
        let wanted = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }.map { PersonItem.folded(String($0)) }
            .filter { $0.contains { $0.isLetter || $0.isNumber } }
        var people: [String: PersonItem] = [:]
        try store.correspondence(wanted, limit: 5000) { message in
            func note(_ line: Substring, isRecipient: Bool, isWritten: Bool) {
                let address = MailAddress(text: line)
                let key = address.address.lowercased()
                guard key.contains("@"), !own.contains(key) else { return }
                var person = people[key] ?? PersonItem(name: address.name, address: address.address, last: message.date)
                // The newest display name; messages arrive newest first.
                if person.name.isEmpty { person.name = address.name }
                // A message of half a year ago counts half as much as one of today.
                let share = 1 / (1 + Double(max(0, now.seconds - message.date.seconds)) / (180 * 86_400))
                if isWritten {
                    person.written += 1
                    person.weight += 5 * share
                } else if !isRecipient {
                    person.received += 1
                    person.weight += share
                }
                people[key] = person
            }
            let isOwn =
                message.isSent || own.contains { message.sender.lowercased().contains($0) }
            for line in message.sender.split(separator: "\n") { note(line, isRecipient: false, isWritten: false) }
            for line in message.recipients.split(separator: "\n") { note(line, isRecipient: true, isWritten: isOwn) }
        }
        let found = people.values.filter { person in
            let text = PersonItem.folded(person.name + " " + person.address)
            return wanted.allSatisfy { word in
                text.split { !($0.isLetter || $0.isNumber) }.contains { $0.hasPrefix(word) }
                    || text.contains(" " + word)
                    || text.hasPrefix(word)
            }
        }
        return found.sorted {
            ($1.weight, $1.last.seconds, $0.address) < ($0.weight, $0.last.seconds, $1.address)
        }
    }
}

/// A correspondent.
struct PersonItem: DescribedItem {
    var name: String
    var address: String
    var last: Instant
    var written = 0
    var received = 0

    init(name: String, address: String, last: Instant) {
        self.name = name
        self.address = address
        self.last = last
    }

    /// The rank: mail to a person counts more than mail from them, and late mail more than early.
    var weight = 0.0

    /// Folds case and removes accents.
    static func folded(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                (text.normalized(.nfd) ?? text).unicodeScalars.filter {
                    $0.properties.generalCategory != .nonspacingMark
                })
        ).lowercased()
    }

    static let described = list {
        Field("kind", .choice(["person"]), "The kind of item.") { _ in "person" }
        Field("name", .string, "The name.") { $0.name }.foreign
        Field("address", .string, "The address.") { $0.address }.foreignUnlessWord
        Field("written", .integer, "Messages you sent to them, among the newest.") { $0.written }
        Field("received", .integer, "Messages they sent, among the newest.") { $0.received }
        Field("last", .time, "The newest message with them.") { $1.iso($0.last) }
    }

}

/// A list of correspondents.
struct PeopleReport: OrderedReport {
    static let schema = "helix.mail.people/1"
    var items: [PersonItem]
    var isTruncated: Bool

    func limited(to count: Int) -> PeopleReport {
        PeopleReport(items: Array(items.prefix(count)), isTruncated: isTruncated || items.count > count)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("Nobody found.", .dim)) }
        var table = Table([
            .init("name", minimum: 10), .init("address", minimum: 12), .init("to", right: true, importance: 2),
            .init("from", right: true, importance: 1), .init("last", right: true, importance: 3),
        ])
        for person in items {
            table.row([
                StyledText(person.name, .bold), StyledText(person.address), StyledText("\(person.written)"),
                StyledText("\(person.received)"), StyledText(viewer.brief(person.last), .dim),
            ])
        }
        if !items.isEmpty { table.draw(on: &canvas) }
        if isTruncated { canvas.line(StyledText("More results: raise --limit or narrow the search.", .dim)) }
    }
}
