import ArgumentParser
import HelixModel

/// A tool of the MCP server: a command of helix with the arguments that an agent may set. Names, types and descriptions are those
/// of the command's own declarations; its answer is the command's JSON.
struct MCPTool: Sendable {
    /// The effect of a tool on the store, as agents are told.
    enum Effect: Sendable {
        /// It changes nothing.
        case reads
        /// It adds something.
        case adds
        /// It changes something; the same call again changes nothing more.
        case edits
        /// It changes something by what is there, such as a date by a week: the same call again changes more.
        case amends
        /// It removes something.
        case removes
    }

    /// The name, in the words of the field.
    let name: String
    /// The words of the command.
    let command: [String]
    /// The domains of a profile that it needs: to read, or to change if it changes something.
    let domains: Set<AgentProfile.Domain>
    /// Its effect.
    let effect: Effect
    /// The purpose, and when to use it.
    let summary: String
    /// The names of the command's options that an agent may set, without dashes.
    let options: [String]
    /// Further words of the command, which an agent cannot set.
    let fixed: [String]
    /// Whether the command takes words without an option.
    let words: Words

    /// The words without an option.
    enum Words: Sendable {
        case none
        case optional(String, String)
        case required(String, String)
    }

    init(
        _ name: String, _ command: String, _ domains: Set<AgentProfile.Domain>, effect: Effect = .reads,
        words: Words = .none, options: [String] = [], fixed: [String] = [], _ summary: String
    ) {
        (self.name, self.command) = (name, command.split(separator: " ").map(String.init))
        (self.domains, self.effect, self.summary) = (domains, effect, summary)
        (self.words, self.options, self.fixed) = (words, options, fixed)
    }

    /// The command's type.
    var type: any ParsableCommand.Type { HelixProgram.leafType(command)?.type ?? Helix.self }

    /// Whether an agent with a profile may call it at all.
    func isOffered(to profile: AgentProfile) -> Bool {
        if let commands = profile.commands, !commands.contains(command.joined(separator: " ")) { return false }
        if domains.isEmpty { return effect == .reads || !profile.change.isEmpty }
        return !domains.isDisjoint(with: effect == .reads ? profile.read : profile.change)
    }

    /// Whether its answer is a list, which has a limit and a cursor.
    var isList: Bool { type is any ListingCommand.Type }

    // MARK: Description

    /// Its description for `tools/list`. The inputs are looked up, which takes milliseconds: ``MCPToolSchemas`` has them.
    func described(input: JSONText) -> JSONText {
        var annotations: JSONText = [
            "title": .string(title), "readOnlyHint": .bool(effect == .reads), "openWorldHint": false,
        ]
        if effect != .reads {
            annotations = annotations.setting("destructiveHint", .bool(effect == .removes))
                .setting("idempotentHint", .bool(effect == .edits || effect == .removes))
        }
        return [
            "name": .string(name), "title": .string(title), "description": .string(summary), "inputSchema": input,
            "outputSchema": output, "annotations": annotations,
        ]
    }

    private var title: String {
        let words = name.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The JSON Schema of its answers.
    var output: JSONText {
        guard let printing = type as? any HelixCommand.Type else { return ["type": "object"] }
        let own = printing.reports.filter { $0.option == nil }.map(\.report)
        guard let text = Schema.Entry.compact(own) else { return ["type": "object"] }
        return text
    }

    /// The JSON Schema of its arguments, made of the command's declarations.
    func input() -> JSONText {
        var properties: [JSONText.Field] = []
        var required: [JSONText] = []
        switch words {
        case .none: break
        case .optional(let name, let summary), .required(let name, let summary):
            properties.append(.init(name: name, value: ["type": "string", "description": .string(summary)]))
            if case .required = words { required.append(.string(name)) }
        }
        let declared = DeclaredOption.all(of: type)
        for option in options + (isList ? ["limit", "after"] : []) {
            guard let known = declared.first(where: { $0.names.contains("--" + option) }) else { continue }
            properties.append(.init(name: MCPTool.property(option), value: known.schema))
        }
        return [
            "type": "object", "properties": .object(properties), "required": required.isEmpty ? nil : .array(required),
            "additionalProperties": false,
        ]
    }

    /// The name of an option as a property: `on_conflict`.
    static func property(_ option: String) -> String { option.replacing("-", with: "_") }

    // MARK: Call

    /// The words of the command for a call.
    /// - Throws: ``HelixError`` of code `usage` for arguments that the tool does not take.
    func words(of arguments: JSONText) throws -> [String] {
        guard let fields = arguments.fields else { throw HelixError(.usage, "the arguments must be an object") }
        var rest = fields.filter { !$0.value.isNull }
        var line = command + fixed + ["--json"]
        var plain: [String] = []
        switch words {
        case .none: break
        case .optional(let name, _), .required(let name, _):
            if let place = rest.firstIndex(where: { $0.name == name }) {
                guard let text = rest.remove(at: place).value.text else { throw wrong(name, "must be a string") }
                // The command takes filters in its place, too: a tool that names one item changes no others.
                guard name != "id" || text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
                    throw wrong(name, "must be one id, as lists show it")
                }
                plain = MCPTool.lines.contains(name) ? MCPTool.split(text) : [text]
            } else if case .required = words {
                throw wrong(name, "is required")
            }
        }
        let known = options + (isList ? ["limit", "after"] : [])
        for field in rest {
            guard let option = known.first(where: { MCPTool.property($0) == field.name }) else {
                throw wrong(field.name, "is unknown")
            }
            for value in field.value.elements ?? [field.value] {
                switch value {
                // Standard input has the protocol.
                case .string("-"): throw wrong(field.name, "must be a text; '-' is none")
                // One word: a value cannot become an option of its own.
                case .string(let text): line.append("--\(option)=\(text)")
                case .number(let digits): line.append("--\(option)=\(digits)")
                case .bool(true): line.append("--\(option)")
                case .bool(false): continue
                default: throw wrong(field.name, "must be a string, a number, true or false, or a list of these")
                }
            }
        }
        // With a blank before it, a word with a dash is no option. After "--" some commands take words for a title alone.
        return line + plain.map { $0.hasPrefix("-") ? " " + $0 : $0 }
    }

    /// The words without an option that are a line of several, such as a query; others are one text, or an id.
    private static let lines: Set = ["query", "filter", "range", "words", "labels"]

    /// The words of a line, as a shell would pass them; blanks in quotation marks belong to a word.
    private static func split(_ line: String) -> [String] {
        var words: [String] = []
        var (word, isQuoted) = ("", false)
        for sign in line {
            if sign == "\"" { isQuoted.toggle() }
            if sign.isWhitespace, !isQuoted {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(sign)
            }
        }
        // An open quotation is left for the parser of the query to report.
        return words + (word.isEmpty ? [] : [word])
    }

    private func wrong(_ name: String, _ problem: String) -> HelixError {
        HelixError(.usage, "the argument '\(name)' of \(self.name) \(problem)")
    }
}

extension DeclaredOption {
    /// The JSON Schema of its values.
    fileprivate var schema: JSONText {
        var schema: JSONText = takesValue ? ["type": "string"] : ["type": "boolean"]
        if takesValue, !choices.isEmpty { schema = schema.setting("enum", .strings(choices)) }
        if takesValue, names.contains("--limit") { schema = ["type": "string"] }
        if isRepeating { schema = ["type": "array", "items": schema] }
        return summary.isEmpty ? schema : schema.setting("description", .string(summary))
    }
}

extension Schema.Entry {
    /// The JSON Schema of reports, without its own name and dialect.
    static func compact(_ reports: [any Report.Type]) -> JSONText? {
        guard let first = reports.first else { return nil }
        func text(_ report: any Report.Type) -> JSONText? {
            let document = Schema.Entry("", [report]).document
            guard let read = try? JSONText(Array(JSONValue.object(document).text(indent: nil).utf8)) else { return nil }
            return read.setting("$schema", nil)
        }
        guard reports.count > 1 else { return text(first) }
        return ["type": "object", "anyOf": .array(reports.compactMap(text))]
    }
}
