import HelixModel

/// A tool for agents: a method of the gateway with some of its parameters.
struct AgentTool: Sendable {
    /// The effect of a tool, as agents are told.
    enum Effect: Sendable {
        /// It changes nothing.
        case reads
        /// It adds something.
        case adds
        /// It changes something; the same call again changes nothing more.
        case edits
        /// It removes something.
        case removes
    }

    /// A parameter of a tool.
    struct Parameter: Sendable {
        /// The name.
        let name: String
        /// The JSON Schema of its values.
        let schema: JSONText
        /// Whether it must be given.
        let isRequired: Bool
        /// The name of the method's parameter.
        let target: String
    }

    /// The name, in the words of the field.
    let name: String
    /// The method.
    let method: String
    /// The domain of a token's rights.
    let domain: AgentProfile.Domain
    /// Its effect.
    let effect: Effect
    /// The purpose.
    let summary: String
    /// The parameters.
    let parameters: [Parameter]
    /// The form of its answer.
    let form: AgentForm
    /// The list in the answer that may be cut; nil if the answer has none, empty if it is the answer itself.
    let list: String?

    init(
        _ name: String, _ method: String, _ domain: AgentProfile.Domain, effect: Effect = .reads,
        returns form: AgentForm, list: String? = nil, takes parameters: [Parameter] = [], _ summary: String
    ) {
        (self.name, self.method, self.domain, self.effect) = (name, method, domain, effect)
        (self.form, self.list, self.parameters, self.summary) = (form, list, parameters, summary)
    }

    /// The description for `tools/list`.
    var described: JSONText {
        var annotations: JSONText = [
            "title": .string(title), "readOnlyHint": .bool(effect == .reads), "openWorldHint": false,
        ]
        if effect != .reads {
            annotations = annotations.setting("destructiveHint", .bool(effect == .removes))
                .setting("idempotentHint", .bool(effect != .adds))
        }
        let required = parameters.filter(\.isRequired).map(\.name)
        return [
            "name": .string(name), "title": .string(title), "description": .string(summary),
            "inputSchema": [
                "type": "object",
                "properties": .object(parameters.map { .init(name: $0.name, value: $0.schema) }),
                "required": required.isEmpty ? nil : .strings(required), "additionalProperties": false,
            ],
            "outputSchema": form.schema, "annotations": annotations,
        ]
    }

    private var title: String {
        let words = name.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The parameters of the method for a call. The method checks their values.
    /// - Throws: ``HelixError`` of code `usage` for an argument that the tool does not take, or a missing one.
    func params(of arguments: JSONText) throws -> JSONText {
        guard let fields = arguments.fields else { throw HelixError(.usage, "the arguments must be an object") }
        let given = fields.filter { !$0.value.isNull }
        if let missing = parameters.first(where: { known in
            known.isRequired && !given.contains { $0.name == known.name }
        }) {
            throw HelixError(.usage, "the argument '\(missing.name)' of \(name) is required")
        }
        var params: [JSONText.Field] = []
        for field in given {
            guard let known = parameters.first(where: { $0.name == field.name }) else {
                throw HelixError(.usage, "the argument '\(field.name)' of \(name) is unknown")
            }
            if field.name == "limit", let limit = field.value.integer, limit > Parameter.largestLimit {
                throw HelixError(.usage, "the argument 'limit' of \(name) is at most \(Parameter.largestLimit)")
            }
            params.append(.init(name: known.target, value: field.value))
        }
        let hasLimit = parameters.contains { $0.name == "limit" }
        if hasLimit, !given.contains(where: { $0.name == "limit" }) {
            params.append(.init(name: "limit", value: .integer(Parameter.usualLimit)))
        }
        return .object(params)
    }
}

extension AgentTool.Parameter {
    private init(_ name: String, _ schema: JSONText, _ summary: String, as target: String?, required: Bool) {
        (self.name, isRequired, self.target) = (name, required, target ?? name)
        self.schema = schema.setting("description", .string(summary))
    }

    /// A text.
    static func text(_ name: String, _ summary: String, as target: String? = nil, required: Bool = false) -> Self {
        Self(name, ["type": "string"], summary, as: target, required: required)
    }

    /// A list of texts.
    static func texts(_ name: String, _ summary: String, as target: String? = nil, required: Bool = false) -> Self {
        Self(name, ["type": "array", "items": ["type": "string"]], summary, as: target, required: required)
    }

    /// One of some words.
    static func choice(_ name: String, _ words: [String], _ summary: String, required: Bool = false) -> Self {
        Self(name, ["type": "string", "enum": .strings(words)], summary, as: nil, required: required)
    }

    /// A list of some words.
    static func choices(_ name: String, _ words: [String], _ summary: String) -> Self {
        let items: JSONText = ["type": "string", "enum": .strings(words)]
        return Self(name, ["type": "array", "items": items], summary, as: nil, required: false)
    }

    /// True or false.
    static func flag(_ name: String, _ summary: String, as target: String? = nil, required: Bool = false) -> Self {
        Self(name, ["type": "boolean"], summary, as: target, required: required)
    }

    /// A number.
    static func number(_ name: String, _ summary: String) -> Self {
        Self(name, ["type": "number"], summary, as: nil, required: false)
    }

    /// The number of items without a limit, and the largest limit.
    static let (usualLimit, largestLimit) = (20, 100)

    /// The maximum number of items.
    static let limit = Self(
        "limit", ["type": "integer", "minimum": 1, "maximum": .integer(largestLimit)],
        "The maximum number of items; \(usualLimit) without it.",
        as: nil,
        required: false)

    /// The number of items to skip.
    static let offset = Self(
        "offset", ["type": "integer", "minimum": 0], "The number of items to skip: those that were already read.",
        as: nil,
        required: false)
}
