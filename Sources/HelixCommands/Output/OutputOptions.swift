import ArgumentParser
import HelixModel
import HelixTerminal

/// The output options that all commands have.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON.")
    var json = false

    @Flag(name: .long, help: "Print JSON, one item a line.")
    var jsonl = false

    @Option(
        name: .long, help: ArgumentHelp("Print only these JSON fields, separated by commas.", valueName: "a,b"),
        completion: .custom(CompletionLists.fields))
    var fields: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Print these fields as a table with a header, separated by commas.", valueName: "a,b"),
        completion: .custom(CompletionLists.fields))
    var columns: String?

    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp("Limit the number of items; 0 or all for no limit.", valueName: "n"))
    var listLimit: ListLimit?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Use colours: auto, always or never.", valueName: "when"),
        completion: .list(["auto", "always", "never"]))
    var color: String?

    @Flag(name: .long, help: "Use ASCII characters only.")
    var ascii = false

    @Option(
        name: .long, help: ArgumentHelp("Show and read times in this zone.", valueName: "zone"),
        completion: .custom(CompletionLists.zones))
    var tz: String?

    @Flag(help: "Print no notes, no progress and no confirmations of changes.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print the traffic with servers, without passwords.")
    var verbose = false

    /// No options set.
    static var unset: OutputOptions {
        var options = OutputOptions()
        (options.json, options.jsonl, options.ascii) = (false, false, false)
        (options.quiet, options.verbose) = (false, false)
        (options.fields, options.columns, options.listLimit, options.color, options.tz) = (nil, nil, nil, nil, nil)
        return options
    }

    /// Sets one of the most frequent options by its name, without the argument parser; without a value it is a flag.
    /// - Returns: false if there is none of this form, or if the parser must word what is wrong.
    mutating func take(_ option: String, _ value: String?) -> Bool {
        switch (option, value) {
        case ("--json", nil): json = true
        case ("--jsonl", nil): jsonl = true
        case ("--ascii", nil): ascii = true
        case ("--quiet", nil): quiet = true
        case ("--fields", let text?): fields = text
        case ("--columns", let text?): columns = text
        case ("--tz", let text?): tz = text
        case ("--limit", let text?):
            guard let limit = ListLimit(argument: text) else { return false }
            listLimit = limit
        default: return false
        }
        return true
    }

    /// The maximum number of items; nil if not set.
    var limit: Int? { listLimit?.count }

    /// Whether the output is JSON.
    var isJSON: Bool { json || jsonl || fields != nil }

    /// Whether the output is the fields of items, as JSON or in columns: all are read, and nothing is drawn around them.
    var isMachine: Bool { isJSON || columns != nil }

    /// The requested fields.
    var fieldList: [String]? { fields.map(OutputOptions.names) }

    /// The fields to show as columns.
    var columnList: [String]? { columns.map(OutputOptions.names) }

    /// The names in a list, each once: an object has no key twice.
    private static func names(_ text: String) -> [String] {
        var known: Set<String> = []
        return text.split(separator: ",").map { String($0).trimmingBlanks() }.filter {
            !$0.isEmpty && known.insert($0).inserted
        }
    }

    /// Rejects the options for JSON and columns if a command prints something else.
    func refuseMachine(_ what: String) throws {
        if isMachine { throw ValidationError("This prints \(what), not \(isJSON ? "JSON" : "columns").") }
    }

    /// Rejects the limit of lists if another option is similar.
    func refuseLimit(for other: String) throws {
        try refuseLimit("a column is limited by \(other)")
    }

    /// Rejects the limit of lists for a command that prints none.
    func refuseLimit(_ reason: String) throws {
        if limit != nil { throw ValidationError("--limit cuts lists; \(reason).") }
    }

    func validate() throws {
        if quiet && verbose { throw ValidationError("--quiet and --verbose exclude each other.") }
        if json && jsonl { throw ValidationError("--json and --jsonl exclude each other.") }
        if let color, Terminal.ColorMode(rawValue: color) == nil {
            throw ValidationError("--color takes auto, always or never, not '\(color)'.")
        }
        if columns != nil, isJSON { throw ValidationError("--columns is for people; --fields chooses those of JSON.") }
        if let columns, columnList?.isEmpty ?? true {
            throw ValidationError("--columns takes names, not '\(columns)'.")
        }
        if let fields, fieldList?.isEmpty ?? true { throw ValidationError("--fields takes names, not '\(fields)'.") }
    }
}

/// The limit of a list.
struct ListLimit: ExpressibleByArgument {
    /// A limit above the length of any list; sums of it do not overflow.
    static let everything = 1_000_000_000

    /// The maximum number of items.
    let count: Int

    init?(argument: String) {
        if argument == "all" || argument == "0" {
            count = ListLimit.everything
        } else if let count = Int(argument), count > 0 {
            self.count = min(count, ListLimit.everything)
        } else {
            return nil
        }
    }

    static let allValueStrings: [String] = []
    static let defaultCompletionKind = CompletionKind.list(["all"])
}
