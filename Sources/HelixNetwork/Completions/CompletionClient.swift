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

    /// An answer.
    public struct Answer: Sendable {
        /// The text.
        public var text = ""
        /// The reasoning before it, of models that return it.
        public var thinking = ""
        /// Whether it is complete.
        public var isWhole = false
    }

    private let base: URL
    private let model: String?
    private let key: String?
    private let label: String
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
        guard let base = URL(string: url.hasSuffix("/") ? String(url.dropLast()) : url), base.host != nil else {
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

    private func http(_ url: URL, patience: Int) throws -> HTTPClient {
        try HTTPClient(
            url, user: "", credential: key.map { .token($0) } ?? .none, authorities: nil, patience: patience)
    }

    /// Continues a conversation.
    ///
    /// - Parameter progress: receives the whole answer so far, also while nothing arrives; returns false to abort.
    /// - Throws: ``HelixError``.
    public func answer(_ turns: [Turn], progress: (String) -> Bool) throws -> Answer {
        guard let model = try model ?? models().first else {
            throw HelixError(
                .configuration, "\(label) has no model",
                hint: "helix config set assistant.model NAME; or: ollama pull NAME")
        }
        let body: JSONText = [
            "model": .string(model), "stream": true,
            "messages": .array(turns.map { ["role": .string($0.role), "content": .string($0.content)] }),
        ]
        let url = base.appendingPathComponent("chat/completions")
        var reader = EventStreamReader()
        var (text, thinking, failure, isEnded): (String, String, String?, Bool) = ("", "", nil, false)
        let answer = try http(url, patience: 600).stream(
            "POST", url, headers: ["Content-Type: application/json", "Accept: text/event-stream"],
            body: Array(body.compact.utf8)
        ) { bytes in
            for data in reader.take(bytes) {
                guard let json = try? JSONText(Array(data.utf8)) else { continue }
                if let error = json["error"] { failure = error["message"]?.text ?? error.text ?? "it failed" }
                let choice = json["choices"]?.elements?.first
                if choice?["finish_reason"]?.text != nil { isEnded = true }
                let part = choice?["delta"] ?? choice?["message"]
                text += part?["content"]?.text ?? ""
                thinking += CompletionClient.thinking(part)
            }
            if reader.rest.count > CompletionClient.largest { failure = "its answer is too long" }
            return failure == nil && text.utf8.count < CompletionClient.largest && progress(text)
        }
        if let failure { throw HelixError(.unexpected, "\(label): \(withoutKey(failure))") }
        guard let answer else { return Answer(text: text, thinking: thinking) }
        guard answer.isGood else { throw problem(answer) }
        // A server without streaming returns one object.
        if text.isEmpty, let whole = try? JSONText(Array(reader.rest)) {
            let message = whole["choices"]?.elements?.first?["message"]
            (text, thinking) = (message?["content"]?.text ?? "", CompletionClient.thinking(message))
            isEnded = true
        }
        guard !text.isEmpty else { throw HelixError(.protocol, "\(label) returned an empty answer") }
        guard isEnded || reader.isDone else {
            throw HelixError(.protocol, "\(label) aborted the answer", hint: "Ask again.")
        }
        return Answer(text: text, thinking: thinking, isWhole: true)
    }

    /// The reasoning in a part of an answer: each family of servers has its own name for it.
    private static func thinking(_ part: JSONText?) -> String {
        ["reasoning_content", "reasoning", "thinking"].lazy.compactMap { part?[$0]?.text }.first ?? ""
    }

    /// Removes the key from a message of the server, which is shown to users and logged.
    private func withoutKey(_ text: String) -> String {
        guard let key, !key.isEmpty else { return text }
        return text.replacing(key, with: "…")
    }

    private func problem(_ answer: HTTPClient.Answer) -> HelixError {
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
        default: return HelixError(.unexpected, "\(label): \(said)")
        }
    }
}

/// Parses a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html, 9.2.5).
struct EventStreamReader {
    /// The bytes of the incomplete last line; all bytes, if no line was an event.
    private(set) var rest: [UInt8] = []
    private var data: [String] = []
    private var hasEvents = false
    /// Whether the end was received.
    private(set) var isDone = false

    /// Adds received bytes.
    /// - Returns: the data of the events that are complete now.
    mutating func take(_ bytes: [UInt8]) -> [String] {
        rest += bytes
        var whole: [String] = []
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: 0x0A) {
            var line = rest[start..<end]
            if line.last == 0x0D { line = line.dropLast() }
            if line.isEmpty {
                if !data.isEmpty { whole.append(data.joined(separator: "\n")) }
                data = []
            } else if line.starts(with: "data:".utf8) {
                hasEvents = true
                var value = line.dropFirst(5)
                if value.first == 0x20 { value = value.dropFirst() }
                data.append(String(decoding: value, as: UTF8.self))
            } else if !hasEvents, line.first == UInt8(ascii: "{") {
                break
            }
            start = rest.index(after: end)
        }
        if hasEvents || start > rest.startIndex { rest = Array(rest[start...]) }
        // Even the last event may lack the empty line after it.
        isDone = isDone || whole.contains("[DONE]") || data == ["[DONE]"]
        return whole.filter { $0 != "[DONE]" }
    }
}
