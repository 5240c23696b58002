import HelixModel

extension CompletionClient {
    /// An answer, which grows while it is streamed.
    public struct Answer: Sendable {
        /// The text.
        public var text = ""
        /// The reasoning before it, of models that return it.
        public var thinking = ""
        /// The functions that the model calls.
        public var calls: [Call] = []
        /// The number of tokens of request and answer, if the server tells it.
        public var tokens: Int?
        /// The reason for which the model ended before its answer did: `length`, `content_filter`; nil if it did not.
        var cutReason: String?
        /// Whether it is complete.
        public var isWhole = false

        /// The size in bytes of what arrived.
        var size: Int { text.utf8.count + thinking.utf8.count + calls.reduce(0) { $0 + 1 + $1.arguments.utf8.count } }

        /// Takes a part, or a whole answer of a server without streaming.
        mutating func take(_ json: JSONText) {
            if let total = json["usage"]?["total_tokens"]?.integer { tokens = Int(clamping: total) }
            let choice = json["choices"]?.elements?.first
            if let reason = choice?["finish_reason"]?.text, ["length", "content_filter"].contains(reason) {
                cutReason = reason
            }
            guard let part = choice?["delta"] ?? choice?["message"] else { return }
            text += part["content"]?.text ?? ""
            thinking += Answer.thinking(part)
            for (place, call) in (part["tool_calls"]?.elements ?? []).enumerated() {
                let index = call["index"]?.integer.map { Int(clamping: $0) } ?? place
                // A model that counts without end must not take all memory.
                guard (0..<100).contains(index) else { continue }
                while calls.count <= index { calls.append(Call()) }
                if let id = call["id"]?.text, !id.isEmpty { calls[index].id = id }
                calls[index].name += call["function"]?["name"]?.text ?? ""
                let arguments = call["function"]?["arguments"]
                calls[index].arguments += arguments?.text ?? arguments?.compact ?? ""
            }
        }

        /// The reasoning in a part: each family of servers has its own name for it.
        private static func thinking(_ part: JSONText) -> String {
            ["reasoning_content", "reasoning", "thinking"].lazy.compactMap { part[$0]?.text }.first ?? ""
        }
    }

    /// A call of a function.
    public struct Call: Hashable, Sendable {
        /// The name of the call, which its result repeats.
        public var id = ""
        /// The name of the function.
        public var name = ""
        /// The arguments, as JSON.
        public var arguments = ""
    }
}

extension CompletionClient.Turn {
    /// The message in the protocol's form.
    public var json: JSONText { ["role": .string(role), "content": .string(content)] }
}
