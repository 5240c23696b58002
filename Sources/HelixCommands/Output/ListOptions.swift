import ArgumentParser
import HelixModel
import HelixTerminal

/// The options of commands that print a list: its order, its start, and a custom line format.
struct ListOptions: ParsableArguments {
    @Flag(name: .long, help: "Print only ids, one a line.")
    var ids = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Print one line for each item: '{start} {title}'; the names are those of JSON.", valueName: "text"))
    var format: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Sort by these JSON fields, separated by commas, '-' before one for descending.", valueName: "keys"))
    var sort: String?

    @Flag(name: .long, help: "Reverse the order.")
    var reverse = false

    @Option(
        name: .long,
        help: ArgumentHelp("Start after this item: the 'next' of a truncated list.", valueName: "cursor")
    )
    var after: String?

    /// No options set.
    static var unset: ListOptions {
        var options = ListOptions()
        (options.ids, options.format, options.sort, options.reverse, options.after) = (false, nil, nil, false, nil)
        return options
    }

    /// Sets an option by its name, without the argument parser; without a value it is a flag.
    /// - Returns: false if there is none of this form, or if the parser must word what is wrong.
    mutating func take(_ option: String, _ value: String?) -> Bool {
        switch (option, value) {
        case ("--ids", nil): ids = true
        case ("--reverse", nil): reverse = true
        case ("--format", let text?): format = text
        case ("--sort", let text?): sort = text
        case ("--after", let text?): after = text
        default: return false
        }
        return true
    }

    /// Whether all items are needed to find the first ones.
    var readsAll: Bool { sort != nil || reverse || after != nil }

    /// Whether the output is lines for programs.
    var printsLines: Bool { ids || format != nil }

    func validate() throws {
        if ids, format != nil { throw ValidationError("--ids and --format exclude each other.") }
        if let sort, ListOptions.keys(sort).isEmpty { throw ValidationError("--sort takes names, not '\(sort)'.") }
    }

    /// The names in a list of keys, and whether each is descending.
    static func keys(_ text: String) -> [(name: String, isDescending: Bool)] {
        text.split(separator: ",").map { String($0).trimmingBlanks() }.filter { !$0.isEmpty && $0 != "-" }.map {
            $0.hasPrefix("-") ? (String($0.dropFirst()), true) : ($0, false)
        }
    }
}

/// A command that prints a list.
protocol ListingCommand: HelixCommand {
    var list: ListOptions { get set }
}

extension ListingCommand {
    var listOptions: ListOptions? { list }
    mutating func take(list option: String, _ value: String?) -> Bool { list.take(option, value) }
}

extension CommandContext {
    /// The limit of a list: that of --limit; else none in a pipe and for programs, and `usual` for a person on a terminal.
    func listLimit(_ usual: Int) -> Int {
        if list.readsAll { return ListLimit.everything }
        if let limit = output.limit { return limit }
        return output.isMachine || list.printsLines || !terminal.isInteractive ? ListLimit.everything : usual
    }
}

/// A format with one line for each item, in which names of fields are replaced by their values.
struct LineFormat {
    private enum Part {
        case text(String)
        case field(SchemaField)
    }

    private var parts: [Part] = []

    /// Parses `{start} {title}`. `\t` and `\n` are a tab and a line end, `{{` and `}}` are braces.
    /// - Throws: ``HelixError`` of code `usage` for an unknown field.
    init(_ text: String, of known: [SchemaField]) throws {
        var literal = ""
        var rest = Substring(text)
        while let sign = rest.popFirst() {
            if sign == "\\", let next = rest.first, "tn\\".contains(next) {
                literal += next == "t" ? "\t" : next == "n" ? "\n" : "\\"
                rest.removeFirst()
            } else if sign == "{" || sign == "}", rest.first == sign {
                literal.append(sign)
                rest.removeFirst()
            } else if sign == "{" {
                guard let end = rest.firstIndex(of: "}") else {
                    throw HelixError(.usage, "no '}' after a '{' in '\(text)'", hint: "Write '{{' for a brace.")
                }
                let name = String(rest[..<end]).trimmingBlanks()
                guard let field = known.first(where: { $0.name == name }) else {
                    throw SchemaField.unknown(name, among: known)
                }
                parts += [.text(literal), .field(field)]
                (literal, rest) = ("", rest[rest.index(after: end)...])
            } else {
                literal.append(sign)
            }
        }
        parts.append(.text(literal))
    }

    /// The line of an item.
    func line(_ json: JSONObject, _ viewer: Viewer) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let field):
                json.fields.first { $0.name == field.name }.map { ColumnTable.plain($0.value, field.kind, viewer) }
                    ?? ""
            }
        }.joined()
    }
}

/// The order of a list by the JSON of its items.
struct ListOrder {
    private let keys: [(name: String, isDescending: Bool)]

    /// - Throws: ``HelixError`` of code `usage` for an unknown field.
    init(_ text: String, of known: [SchemaField]) throws {
        keys = ListOptions.keys(text)
        if let unknown = keys.first(where: { key in !known.contains { $0.name == key.name } }) {
            throw SchemaField.unknown(unknown.name, among: known)
        }
    }

    /// The indices of the items in this order. Items without the field are last; equal ones keep their order.
    func places(_ items: [JSONObject]) -> [Int] {
        let values = items.map { item in keys.map { key in item.fields.first { $0.name == key.name }?.value } }
        return items.indices.sorted { one, other in
            for (place, key) in keys.enumerated() {
                switch (values[one][place], values[other][place]) {
                case (nil, nil), (.null?, .null?): continue
                case (_, nil), (_, .null?): return true
                case (nil, _), (.null?, _): return false
                case (let first?, let second?):
                    if first.isBefore(second) { return !key.isDescending }
                    if second.isBefore(first) { return key.isDescending }
                }
            }
            return one < other
        }
    }
}

extension JSONValue {
    /// Whether it is ordered before another value of the same kind; strings are compared ignoring case.
    fileprivate func isBefore(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let one), .string(let two)):
            let (first, second) = (one.lowercased(), two.lowercased())
            return first == second ? one < two : first < second
        case (.integer(let one), .integer(let two)): return one < two
        case (.number(let one), .number(let two)): return one < two
        case (.integer(let one), .number(let two)): return Double(one) < two
        case (.number(let one), .integer(let two)): return one < Double(two)
        case (.bool(let one), .bool(let two)): return !one && two
        default: return text() < other.text()
        }
    }
}

extension JSONObject {
    /// The cursor of an item in a list: its id, and for occurrences also the start; the number of an item of a log.
    var cursor: String? {
        func text(_ name: String) -> String? {
            guard case .string(let text)? = fields.first(where: { $0.name == name })?.value else { return nil }
            return text
        }
        // The same entity may be in a log several times.
        if case .integer(let number)? = fields.first(where: { $0.name == "notice" })?.value { return "\(number)" }
        guard let id = text("id") ?? text("address") ?? text("name") ?? text("key") else {
            // Items without an identity: a field of a noun, a range of time.
            return text("field").map { [text("noun"), $0].compactMap { $0 }.joined(separator: ":") } ?? text("start")
        }
        // An occurrence may have several reminders.
        return ([id] + [text("start"), text("start").flatMap { _ in text("time") }].compactMap { $0 }).joined(
            separator: "@")
    }
}
