import ArgumentParser
import FoundationEssentials
import HelixGateway
import HelixModel
import HelixSync
import HelixSystem
import HelixTerminal

/// `helix gateway call`
struct GatewayCall: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "call", abstract: "Call a gateway method and print its result as JSON.",
        discussion: """
            The parameters are a JSON object; '-' reads them from standard input.

              helix gateway call health
              helix gateway call tasks.list '{"board_id": "k3f7…"}'
            """)
    static let reports: [PrintedReport] = []

    @Argument(help: "The method.")
    var method: String

    @Argument(help: "The parameters, a JSON object, or '-'.")
    var params: String?

    @OptionGroup var which: GatewayOptions

    @Option(name: .long, help: ArgumentHelp("Timeout in seconds.", valueName: "seconds"))
    var timeout = 30

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if output.jsonl || output.fields != nil { throw ValidationError("Only the gateway's response is printed.") }
        if !(1...3600).contains(timeout) { throw ValidationError("--timeout takes 1 to 3600 seconds.") }
    }

    func run(in context: CommandContext) throws {
        let text =
            params == "-"
            ? [UInt8](try context.invocation.inputData()) : Array((params ?? "{}").utf8)
        let given: JSONText
        do { given = try JSONText(text) } catch let defect as JSONText.Defect {
            throw HelixError(
                .badInput, "the parameters are not JSON: \(defect.reason) at byte \(defect.offset)",
                hint: "Use the form '{\"id\": \"k3f7\"}'.")
        }
        guard given.fields != nil else {
            throw HelixError(.badInput, "the parameters are not a JSON object", hint: "Use '{\"id\": \"k3f7\"}'.")
        }
        let account = try context.gatewayAccount(which.account)
        if context.isDryRun {
            return try context.presentPlan("call \(method) at '\(account.name)' with \(JSONValue(given).text())")
        }
        let client = try context.gateway(account)
        defer { client.close() }
        let answer = try client.call(method, given, milliseconds: timeout * 1000)
        try context.gatewayAccess(account).keepToken(of: answer, to: method)
        guard context.terminal.write(JSONValue(answer).text(indent: 0) + "\n", pager: nil) else {
            throw HelixError(.cannotCreate, "cannot write the response")
        }
    }
}

extension JSONValue {
    /// Converts a value of foreign JSON; numbers out of range become strings.
    init(_ json: JSONText) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let digits):
            if let number = Int(digits) {
                self = .integer(number)
            } else {
                self = Double(digits).map { .number($0) } ?? .string(digits)
            }
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { JSONValue($0) })
        case .object(let fields):
            var object = JSONObject()
            for field in fields { object.set(field.name, JSONValue(field.value)) }
            self = .object(object)
        }
    }
}
