import ArgumentParser
import HelixModel
import HelixTerminal

/// The options that every command has: what comes out, and how.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print JSON.")
    var json = false

    @Flag(name: .long, help: "Print JSON, one item a line.")
    var jsonl = false

    @Option(name: .long, help: ArgumentHelp("Print only these JSON fields, separated by commas.", valueName: "a,b"))
    var fields: String?

    @Option(name: .long, help: ArgumentHelp("Print at most so many items.", valueName: "n"))
    var limit: Int?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Use colours: auto, always or never.", valueName: "when"))
    var color: String?

    @Flag(name: .long, help: "Draw with ASCII characters only.")
    var ascii = false

    @Option(
        name: .long, help: ArgumentHelp("Show and read times in this zone.", valueName: "zone"),
        completion: .custom(CompletionLists.zones))
    var tz: String?

    /// None of them given.
    static var unset: OutputOptions {
        var options = OutputOptions()
        (options.json, options.jsonl, options.ascii) = (false, false, false)
        (options.fields, options.limit, options.color, options.tz) = (nil, nil, nil, nil)
        return options
    }

    /// Whether programs read the output.
    var isMachine: Bool { json || jsonl || fields != nil }

    /// The fields asked for.
    var fieldList: [String]? {
        fields?.split(separator: ",").map { String($0).trimmingBlanks() }.filter { !$0.isEmpty }
    }

    /// Refuses the options for JSON where a command prints something else.
    func refuseMachine(_ what: String) throws {
        if isMachine { throw ValidationError("This prints \(what), and no JSON beside it.") }
    }

    func validate() throws {
        if json && jsonl { throw ValidationError("--json and --jsonl exclude each other.") }
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
        if let color, Terminal.ColorMode(rawValue: color) == nil {
            throw ValidationError("--color takes auto, always or never, not '\(color)'.")
        }
        if let fields, fieldList?.isEmpty ?? true { throw ValidationError("--fields takes names, not '\(fields)'.") }
    }
}
