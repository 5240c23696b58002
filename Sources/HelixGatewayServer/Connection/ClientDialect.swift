import HelixGateway
import HelixModel
import Synchronization

/// The form of answers and events that a client knows. Its schemas are closed: a field that its protocol lacks makes a whole
/// frame unreadable.
final class ClientDialect: Sendable {
    /// The form of an event; clients of the same form receive the same bytes.
    struct Form: Hashable, Sendable {
        /// The version of the protocol.
        var version: Int
        /// Whether the client knows helix's own fields.
        var isHelix: Bool
    }

    /// The form of its events.
    let form: Form
    /// Whether the client is the family's app for Android.
    let isAndroid: Bool
    /// The keys by which the client asked for conversations: events have the same ones, and others are ignored by the apps.
    private let keys = Mutex<[EntityID: String]>([:])
    /// The maximum number of remembered keys.
    private static let mostKeys = 1_000

    init(_ params: ConnectParams) {
        form = Form(
            version: params.version, isHelix: params.capabilities.contains(GatewayProtocol.helixCapability))
        isAndroid = params.clientID == "openclaw-android" || params.platform.lowercased().contains("android")
    }

    init(version: Int, isHelix: Bool, isAndroid: Bool = false) {
        form = Form(version: version, isHelix: isHelix)
        self.isAndroid = isAndroid
    }

    /// Remembers the key by which the client asked for a conversation.
    func note(_ key: String, of conversation: EntityID) {
        if form.isHelix { return }
        keys.withLock { keys in
            if keys.count >= ClientDialect.mostKeys, keys[conversation] == nil { keys = [:] }
            keys[conversation] = key
        }
    }

    /// The key of a conversation in events for the client; nil for the conversation's own.
    func key(of conversation: EntityID) -> String? { keys.withLock { $0[conversation] } }
}

extension ClientDialect.Form {
    /// Whether the client has a use for an event: helix reads the events of conversations, not those of runs.
    func takes(_ event: String) -> Bool { !isHelix || event != "agent" }

    /// The payload of an event without the fields that the client's protocol lacks.
    func payload(_ payload: JSONText, of event: String) -> JSONText {
        guard !isHelix, event == "chat", let fields = payload.fields else { return payload }
        var unknown: Set<String> = ["entry", "cursor"]
        if version < 4 { unknown.formUnion(["deltaText", "replace"]) }
        return .object(fields.filter { !unknown.contains($0.name) })
    }
}
