import FoundationEssentials
import HelixModel

/// A client for chat completions, by the protocol of OpenAI's `/chat/completions`, which other programs offer, too.
public struct CompletionClient: Sendable {
    /// A message of the conversation.
    public struct Turn: Sendable {
        /// `system`, `user` or `assistant`.
        public var role: String
        /// The text.
        public var content: String

        /// Creates a message.
        public init(role: String, content: String) {
            self.role = role
            self.content = content
        }
    }

    let base: URL
    private let model: String?
    private let key: String?
    let label: String
    /// The address of a local Ollama.
    public static let local = "http://127.0.0.1:11434/v1"
    /// The maximum size of an answer in bytes.
    private static let largest = 4 << 20

    /// - Parameters:
    ///   - url: the base address of `/chat/completions`.
    ///   - model: the name of the model; nil for the first one available.
    ///   - key: the API key.
    /// - Throws: ``HelixError`` of code `configuration`.
    public init(url: String, model: String?, key: String?) throws {
        guard let base = URL(address: url.hasSuffix("/") ? String(url.dropLast()) : url) else {
            throw HelixError(
                .configuration, "'\(url)' is not an assistant's address", hint: "Example: https://api.example.org/v1.")
        }
        self.base = base
        self.model = model
        self.key = key
        label = base.host ?? url
    }

    /// Whether a server answers at the address.
    public static func isThere(_ url: String) -> Bool {
        guard let client = try? CompletionClient(url: url, model: nil, key: nil) else { return false }
        return (try? client.models(patience: 2)) != nil
    }

    /// The available models.
    /// - Throws: ``HelixError``.
    public func models(patience: Int = 15) throws -> [String] {
        let url = base.appendingPathComponent("models")
        let answer: HTTPClient.Answer
        do {
            answer = try http(url, patience: patience).request("GET", url, headers: ["Accept: application/json"]).answer
        } catch let error as HelixError where error.code == .authentication {
            throw problem(HTTPClient.Answer(status: 401, fields: [:], body: []))
        }
        guard answer.isGood, let list = try? JSONText(answer.body), let models = list["data"]?.elements else {
            throw problem(answer)
        }
        return models.compactMap { $0["id"]?.text }
    }

    func http(_ url: URL, patience: Int) throws -> HTTPClient {
        try HTTPClient(
            url, user: "", credential: key.map { .token($0) } ?? .none, authorities: nil, patience: patience)
    }

    /// The name of the model that answers.
    /// - Throws: ``HelixError``.
    public func modelName() throws -> String {
        if let name = try model ?? models().first { return name }
        throw HelixError(
            .configuration, "\(label) has no model", hint: "helix config set assistant.model NAME; or: ollama pull NAME"
        )
    }

    /// Continues a conversation.
    ///
    /// - Parameter progress: receives the whole answer so far, also while nothing arrives; returns false to abort.
    /// - Throws: ``HelixError``.
    public func answer(_ turns: [Turn], progress: (String) -> Bool) throws -> Answer {
        let answer = try answer(turns.map(\.json), tools: [], progress: progress)
        guard !answer.text.isEmpty || !answer.isWhole else {
            throw HelixError(.protocol, "\(label) returned an empty answer")
        }
        return answer
    }

    /// Continues a conversation in which the model may call functions.
    ///
    /// - Parameters:
    ///   - messages: the conversation, in the protocol's own form.
    ///   - tools: the functions that the model may call, in the protocol's own form.
    ///   - progress: receives the whole answer so far, also while nothing arrives; returns false to abort.
    /// - Throws: ``HelixError``.
    public func answer(
        _ messages: [JSONText], tools: [JSONText], progress: (String) -> Bool
    ) throws -> Answer {
        let body: JSONText = [
            "model": .string(try modelName()), "stream": true, "messages": .array(messages),
            "tools": tools.isEmpty ? nil : .array(tools),
        ]
        let url = base.appendingPathComponent("chat/completions")
        var reader = EventStreamReader()
        var (result, failure, isEnded): (Answer, String?, Bool) = (Answer(), nil, false)
        let answer = try http(url, patience: 600).stream(
            "POST", url, headers: ["Content-Type: application/json", "Accept: text/event-stream"],
            body: Array(body.compact.utf8)
        ) { bytes in
            for data in reader.take(bytes) {
                guard let json = try? JSONText(Array(data.utf8)) else { continue }
                if let error = json["error"] { failure = error["message"]?.text ?? error.text ?? "it failed" }
                if json["choices"]?.elements?.first?["finish_reason"]?.text != nil { isEnded = true }
                result.take(json)
                if let reason = result.cutReason { failure = "it did not finish its answer (\(reason))" }
            }
            if reader.rest.count > CompletionClient.largest { failure = "its answer is too long" }
            return failure == nil && result.size < CompletionClient.largest && progress(result.text)
        }
        if let failure { throw HelixError(.protocol, "\(label): \(withoutKey(failure))") }
        guard let answer else { return result }
        guard answer.isGood else { throw problem(answer) }
        // A server without streaming returns one object.
        if result.size == 0, let whole = try? JSONText(Array(reader.rest)) {
            result.take(whole)
            isEnded = true
            if let reason = result.cutReason {
                throw HelixError(.protocol, "\(label): it did not finish its answer (\(reason))", hint: "Ask for less.")
            }
        }
        guard isEnded || reader.isDone else {
            throw HelixError(
                .protocol, "\(label) \(result.size == 0 ? "returned an empty answer" : "aborted the answer")",
                hint: "Ask again.")
        }
        result.isWhole = true
        return result
    }

    /// Removes the key from a message of the server, which is shown to users and logged.
    private func withoutKey(_ text: String) -> String {
        guard let key, !key.isEmpty else { return text }
        return text.replacing(key, with: "…")
    }

    func problem(_ answer: HTTPClient.Answer) -> HelixError {
        let json = try? JSONText(answer.body)
        let said = withoutKey(
            json?["error"]?["message"]?.text ?? json?["error"]?.text ?? "HTTP status \(answer.status)")
        switch answer.status {
        case 401, 403:
            return HelixError(
                .authentication, "\(label) refuses the sign-in: \(said)",
                hint: "Check the output of assistant.key-command: helix config list.")
        case 404:
            return HelixError(
                .configuration, "\(label) has no such model or address: \(said)",
                hint: "helix config set assistant.model NAME; helix config set assistant.url URL")
        case 429, 503: return HelixError(.busy, "\(label) is busy: \(said)", hint: "Try again in a while.")
        default: return HelixError(.protocol, "\(label): \(said)")
        }
    }
}
