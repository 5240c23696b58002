import Foundation
import HelixModel

/// A program that goes on with a conversation, by the protocol of OpenAI's `/chat/completions`, which others speak, too.
public struct CompletionClient: Sendable {
    /// Something that was said before.
    public struct Turn: Sendable {
        /// `system`, `user` or `assistant`.
        public var role: String
        /// The words.
        public var content: String

        /// Such words.
        public init(role: String, content: String) {
            self.role = role
            self.content = content
        }
    }

    private let base: URL
    private let model: String?
    private let key: String?
    private let label: String
    /// Where a local Ollama answers.
    public static let local = "http://127.0.0.1:11434/v1"
    /// No answer is longer, in bytes.
    private static let largest = 4 << 20

    /// - Parameters:
    ///   - url: the address below which `/chat/completions` lies.
    ///   - model: the name of the model; nil is the first one that there is.
    ///   - key: what one signs in with.
    /// - Throws: ``HelixError`` of code `configuration`.
    public init(url: String, model: String?, key: String?) throws {
        guard let base = URL(string: url.hasSuffix("/") ? String(url.dropLast()) : url), base.host != nil else {
            throw HelixError(
                .configuration, "'\(url)' is no address of an assistant", hint: "As in https://api.example.org/v1.")
        }
        self.base = base
        self.model = model
        self.key = key
        label = base.host ?? url
    }

    /// Whether somebody answers there.
    public static func isThere(_ url: String) -> Bool {
        guard let client = try? CompletionClient(url: url, model: nil, key: nil) else { return false }
        return (try? client.models(patience: 2)) != nil
    }

    /// The models that there are.
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

    /// Goes on with a conversation.
    ///
    /// - Parameter progress: told the whole answer as far as it has come, also while nothing new comes; false breaks it off.
    /// - Returns: the answer, and whether it was broken off.
    /// - Throws: ``HelixError``.
    public func answer(_ turns: [Turn], progress: (String) -> Bool) throws -> (text: String, isWhole: Bool) {
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
        var (text, failure, isEnded): (String, String?, Bool) = ("", nil, false)
        let answer = try http(url, patience: 600).stream(
            "POST", url, headers: ["Content-Type: application/json", "Accept: text/event-stream"],
            body: Array(body.compact.utf8)
        ) { bytes in
            for data in reader.take(bytes) {
                guard let json = try? JSONText(Array(data.utf8)) else { continue }
                if let error = json["error"] { failure = error["message"]?.text ?? error.text ?? "it failed" }
                let choice = json["choices"]?.elements?.first
                if choice?["finish_reason"]?.text != nil { isEnded = true }
                text += choice?["delta"]?["content"]?.text ?? choice?["message"]?["content"]?.text ?? ""
            }
            if reader.rest.count > CompletionClient.largest { failure = "it says something without an end" }
            return failure == nil && text.utf8.count < CompletionClient.largest && progress(text)
        }
        if let failure { throw HelixError(.unexpected, "\(label): \(withoutKey(failure))") }
        guard let answer else { return (text, false) }
        guard answer.isGood else { throw problem(answer) }
        // A server that does not stream answers with one object.
        if text.isEmpty, let whole = try? JSONText(Array(reader.rest)) {
            text = whole["choices"]?.elements?.first?["message"]?["content"]?.text ?? ""
            isEnded = true
        }
        guard !text.isEmpty else { throw HelixError(.protocol, "\(label) answers nothing") }
        guard isEnded || reader.isDone else {
            throw HelixError(.protocol, "\(label) broke off in the middle of the answer", hint: "Ask again.")
        }
        return (text, true)
    }

    /// What an assistant says goes to all who ask, and into logs: the key that it may name does not.
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
                .authentication, "\(label) does not let us in: \(said)",
                hint: "Look at what assistant.key-command prints: helix config list.")
        case 404:
            return HelixError(
                .configuration, "\(label) has no such model or address: \(said)",
                hint: "helix config set assistant.model NAME; helix config set assistant.url URL")
        case 429, 503: return HelixError(.busy, "\(label) is busy: \(said)", hint: "Try again in a while.")
        default: return HelixError(.unexpected, "\(label): \(said)")
        }
    }
}

/// Reads a stream of events (https://html.spec.whatwg.org/multipage/server-sent-events.html, 9.2.5) for its data.
struct EventStreamReader {
    /// What came and is no whole line yet; all of it, where no line was one of events.
    private(set) var rest: [UInt8] = []
    private var data: [String] = []
    private var hasEvents = false
    /// Whether the end was said.
    private(set) var isDone = false

    /// Takes bytes in.
    /// - Returns: the data of the events that are whole now.
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
        // The last event may lack the empty line after it.
        // Even the last event may lack the empty line after it.
        isDone = isDone || whole.contains("[DONE]") || data == ["[DONE]"]
        return whole.filter { $0 != "[DONE]" }
    }
}
