import HelixModel

/// An assistant's answer while it comes, as the protocols 3 and 4 tell it: whole texts, or pieces to put behind each other.
public struct RunStream: Sendable {
    /// How an answer ended.
    public enum End: Hashable, Sendable {
        /// It is whole. Some gateways do not say what it was; then it must be asked for.
        case final(hasText: Bool)
        /// It was broken off.
        case aborted
        /// It failed.
        case failed(String)
    }

    /// What the run is called.
    public let run: String
    /// The answer as far as it has come.
    public private(set) var text = ""
    /// How it ended; nil while it comes.
    public private(set) var end: End?
    /// The message as a gateway of helix keeps it, once it is whole.
    public private(set) var entry: JSONText?

    /// Nothing has come yet.
    public init(run: String) { self.run = run }

    /// Takes the payload of an event `chat`.
    /// - Returns: whether it was of this run.
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
            // One's own words come back under the same name; they are no answer.
            guard payload["message"]?["role"]?.text != "user" else { return false }
            if let whole { text = whole }
            entry = payload["entry"]
            end = .final(hasText: whole != nil)
        case "aborted":
            if let whole { text = whole }
            entry = payload["entry"]
            end = .aborted
        case "error": end = .failed(payload["errorMessage"]?.text ?? "the assistant failed and does not say why")
        default: break
        }
        return true
    }

    /// The words of a message: a text, or pieces of which some are text.
    public static func text(of message: JSONText) -> String? {
        if let plain = message["content"]?.text { return plain }
        guard let pieces = message["content"]?.elements else { return message["text"]?.text }
        let texts = pieces.compactMap { $0["type"]?.text == "text" ? $0["text"]?.text : nil }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }
}
