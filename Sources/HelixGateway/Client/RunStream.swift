import HelixModel

/// An assistant's answer as it is streamed in protocols 3 and 4: whole texts, or pieces to append.
public struct RunStream: Sendable {
    /// The end of an answer.
    public enum End: Hashable, Sendable {
        /// Complete. Some gateways do not send the final text; then it must be requested.
        case final(hasText: Bool)
        /// Aborted.
        case aborted
        /// Failed, with a message.
        case failed(String)
    }

    /// The identity of the run.
    public let run: String
    /// The answer so far.
    public private(set) var text = ""
    /// The end of the answer; nil while it is being streamed.
    public private(set) var end: End?
    /// The complete message as a helix gateway stores it.
    public private(set) var entry: JSONText?

    /// Creates an empty stream for a run.
    public init(run: String) { self.run = run }

    /// Consumes the payload of a `chat` event.
    /// - Returns: whether it belongs to this run.
    public mutating func take(_ payload: JSONText) -> Bool {
        guard payload["runId"]?.text == run, end == nil else { return false }
        let whole = payload["message"].flatMap(RunStream.text)
        switch payload["state"]?.text {
        case "delta":
            if let whole {
                text = whole
            } else if let piece = payload["deltaText"]?.text {
                text = payload["replace"]?.bool == true ? piece : text + piece
            }
        case "final":
            // The user's own message is echoed with the same run; it is not the answer.
            guard payload["message"]?["role"]?.text != "user" else { return false }
            if let whole { text = whole }
            entry = payload["entry"]
            end = .final(hasText: whole != nil)
        case "aborted":
            if let whole { text = whole }
            entry = payload["entry"]
            end = .aborted
        case "error": end = .failed(payload["errorMessage"]?.text ?? "the assistant failed without a reason")
        default: break
        }
        return true
    }

    /// Takes the text of an answer that ended without one, as the gateway's history has it.
    public mutating func complete(with answer: String) { if text.isEmpty { text = answer } }

    /// The text of a message: a string, or the text parts of a list.
    public static func text(of message: JSONText) -> String? {
        if let plain = message["content"]?.text { return plain }
        guard let pieces = message["content"]?.elements else { return message["text"]?.text }
        let texts = pieces.compactMap { $0["type"]?.text == "text" ? $0["text"]?.text : nil }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }
}
