import HelixGateway
import HelixGatewayStore
import HelixModel

/// The keys of conversations as clients of the family write them: a session is a conversation, and its key is the
/// conversation's identity, `agent:main:main` for the main conversation with the assistant that every user has, or
/// `agent:NAME:SESSION` for another one.
enum SessionKeys {
    /// The key of the main conversation.
    static let main = "agent:main:main"

    /// The last part of a key: `agent:main:k3f7…` is the conversation `k3f7…`.
    static func bare(_ key: String) -> String { key.split(separator: ":").last.map(String.init) ?? key }

    /// The requested conversation.
    /// - Parameter makes: whether the main conversation is created on its first message.
    static func conversation(
        _ call: inout MethodCall, _ store: any GatewayChatStore, key name: String = "sessionKey", makes: Bool
    ) throws -> GatewayConversation {
        let key = try call.params.needed(name, most: 200)
        let user = call.session.user.id
        let found: GatewayConversation
        if isMain(key) {
            if !makes, let known = try store.mainConversation(of: user) {
                found = known
            } else {
                guard makes || call.session.can(.write) else {
                    throw HelixError(.notFound, "no conversation with the assistant yet")
                }
                found = try store.makeMainConversation(
                    of: user, former: ChatAssistant.formerMainConversation(of: user), now: call.now)
            }
        } else if let id = EntityID(bare(key)), let known = try identified(id, key, store, user, makes: makes) {
            found = known
        } else {
            found = try named(key, call, store, name, makes: makes)
        }
        call.session.dialect.note(key, of: found.id)
        return found
    }

    /// The conversation with an identity, which is the last part of a key; nil if there is none and a client may have chosen the
    /// key.
    private static func identified(
        _ id: EntityID, _ key: String, _ store: any GatewayChatStore, _ user: EntityID, makes: Bool
    ) throws -> GatewayConversation? {
        // A message is checked again when it is stored.
        if makes, let recent = store.recentConversation(id, of: user) { return recent }
        do { return try store.conversation(id, of: user) } catch let error as HelixError
            where error.code == .notFound && key.hasPrefix("agent:")
        { return nil }
    }

    /// The conversation of a key that a client chose, `agent:NAME:SESSION`: another one with the assistant, which its first
    /// message creates.
    private static func named(
        _ key: String, _ call: MethodCall, _ store: any GatewayChatStore, _ name: String, makes: Bool
    ) throws -> GatewayConversation {
        guard isChosen(key) else { throw call.params.wrong(name, "is not a session") }
        let id = call.services.identities.identity("session", call.session.user.id, key)
        let user = call.session.user.id
        if let known = try HelixError.ifFound({ try store.conversation(id, of: user) }) {
            // Gateways of earlier versions did not store the key.
            if known.sessionKey == nil, call.session.can(.write) { try store.setSessionKey(key, of: id, by: user) }
            return known
        }
        guard makes else { throw HelixError(.notFound, "no session '\(key)'") }
        let title = key.split(separator: ":").dropFirst().joined(separator: " ")
        let made = try store.beginConversation(
            id, .assistant, name: Conversation.isName(title) ? title : "Assistant", others: [], by: user, now: call.now)
        try store.setSessionKey(key, of: id, by: user)
        return made
    }

    /// Whether a key has the form of those that clients choose.
    private static func isChosen(_ key: String) -> Bool {
        let parts = key.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[0] == "agent" && parts.allSatisfy { !$0.isEmpty }
    }

    static func isMain(_ key: String) -> Bool { ["main", "agent:main:main"].contains(key) }

    /// The requested conversation; nil for the main one if the user has not started it.
    static func conversationIfBegun(
        _ call: inout MethodCall, _ store: any GatewayChatStore
    ) throws -> (conversation: GatewayConversation?, key: String) {
        let key = try call.params.needed("sessionKey", most: 200)
        let user = call.session.user.id
        var found: GatewayConversation?
        if isMain(key) {
            found = try store.mainConversation(of: user)
        } else if let id = EntityID(bare(key)), let known = try identified(id, key, store, user, makes: false) {
            found = known
        } else if key.hasPrefix("agent:") {
            found = try HelixError.ifFound { try named(key, call, store, "sessionKey", makes: false) }
        } else {
            throw call.params.wrong("sessionKey", "is not a session")
        }
        if let found { call.session.dialect.note(key, of: found.id) }
        return (found, key)
    }

    /// The conversation of a key, if it exists.
    static func known(_ key: String, _ call: MethodCall, _ store: any GatewayChatStore) throws -> EntityID? {
        if isMain(key) { return try store.mainConversation(of: call.session.user.id)?.id }
        if let id = EntityID(bare(key)) {
            let user = call.session.user.id
            let found = try HelixError.ifFound { try identified(id, key, store, user, makes: false) }
            // Nil is a key that the client chose.
            if found != .some(nil) { return id }
        }
        guard isChosen(key) else { return nil }
        return try HelixError.ifFound { try named(key, call, store, "key", makes: false) }?.id
    }

    /// The key under which a client finds a conversation in lists: the one that it asked with, or the conversation's identity.
    static func shown(_ conversation: GatewayConversation, main: EntityID?, _ session: ClientSession) -> String {
        if session.dialect.form.isHelix { return conversation.id.text }
        if let key = session.dialect.key(of: conversation.id) { return key }
        if let key = conversation.sessionKey {
            // Events have the key that lists have.
            session.dialect.note(key, of: conversation.id)
            return key
        }
        return conversation.id == main ? SessionKeys.main : conversation.id.text
    }
}
