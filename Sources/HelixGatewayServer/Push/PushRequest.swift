import FoundationEssentials
import HelixCrypto
import HelixGateway
import HelixGatewayStore
import HelixModel
import HelixSignatures

/// An HTTP request that delivers a notice to a target.
struct PushRequest: Sendable {
    var url: String
    var headers: [String]
    var body: [UInt8]

    /// The longest time for which a service keeps a notice of a device that is offline, in seconds.
    private static let lifetime = 86_400

    /// - Parameters:
    ///   - signers: the keys of this gateway.
    ///   - now: the time of the request.
    /// - Throws: ``HelixError`` if the target cannot be served.
    init(_ notice: PushNotice, to target: PushTarget, _ signers: PushSigners, now: Instant) throws {
        switch target.kind {
        case .apns: self = try Self.apple(notice, target, signers, now)
        case .webpush: self = try Self.encrypted(notice, target, signers, now)
        case .unifiedpush: self = Self.wake(notice, target)
        case .ntfy: self = try Self.ntfy(notice, target, signers)
        case .webhook: self = Self.hook(notice, target, signers, now)
        }
    }

    private init(_ url: String, _ headers: [String], _ body: JSONText) {
        (self.url, self.headers, self.body) = (url, headers, Array(body.compact.utf8))
    }

    /// A notification by Apple's service (HTTP/2, with a token signed by ES256).
    private static func apple(
        _ notice: PushNotice, _ target: PushTarget, _ signers: PushSigners, _ now: Instant
    ) throws -> PushRequest {
        guard let apple = signers.configuration.apple else {
            throw HelixError(.configuration, "this gateway has no key for Apple's push service")
        }
        let shown = notice.visible(signers.configuration.content)
        return PushRequest(
            apple.server(isSandbox: target.settings.isSandbox) + "/3/device/" + target.address,
            [
                "authorization: bearer \(signers.appleToken(apple, now: now))", "apns-push-type: alert",
                "apns-priority: 10", "apns-topic: \(target.settings.topic ?? "")",
                "apns-expiration: \(now.seconds + Int64(lifetime))",
                "apns-collapse-id: \(notice.conversation.text)", "content-type: application/json",
            ],
            [
                "aps": [
                    "alert": ["title": .string(shown.title), "body": .string(shown.text)], "sound": "default",
                    "thread-id": .string(notice.conversation.text),
                ],
                "conversation": .string(notice.conversation.text), "message": notice.message.map { .string($0.text) },
                "link": .string(notice.link),
            ])
    }

    /// An encrypted message of Web Push (RFC 8030, RFC 8291, RFC 8292).
    private static func encrypted(
        _ notice: PushNotice, _ target: PushTarget, _ signers: PushSigners, _ now: Instant
    ) throws -> PushRequest {
        let content: JSONText = [
            "title": .string(notice.title), "body": .string(notice.text), "link": .string(notice.link),
            "conversation": .string(notice.conversation.text), "message": notice.message.map { .string($0.text) },
        ]
        guard let receiver = WebPushReceiver(target.settings),
            let sealed = receiver.sealed(Array(content.compact.utf8), sender: CurveKey(), salt: WebPushReceiver.salt())
        else { throw HelixError(.badInput, "the keys of the push target are invalid") }
        // A topic replaces an undelivered message of the same conversation: at most 32 characters.
        var request = PushRequest(
            target.address,
            [
                "ttl: \(lifetime)", "urgency: high", "topic: \(String(notice.conversation.text.prefix(32)))",
                "content-type: application/octet-stream", "content-encoding: aes128gcm",
                "authorization: \(signers.vapid(for: target.address, now: now))",
            ], [])
        request.body = sealed
        return request
    }

    /// A message of UnifiedPush without keys: whoever runs the service can read it, so that it only wakes the app.
    private static func wake(_ notice: PushNotice, _ target: PushTarget) -> PushRequest {
        PushRequest(
            target.address, ["ttl: \(lifetime)", "urgency: high", "content-type: application/json"],
            ["type": notice.message == nil ? "test" : "chat.changed"])
    }

    /// A message for a topic of ntfy, published as JSON at the server's root: header fields cannot have all characters.
    private static func ntfy(
        _ notice: PushNotice, _ target: PushTarget, _ signers: PushSigners
    ) throws -> PushRequest {
        guard let slash = target.address.lastIndex(of: "/") else {
            throw HelixError(.badInput, "the address of the push target is invalid")
        }
        let shown = notice.visible(signers.configuration.content)
        let topic = String(target.address[target.address.index(after: slash)...])
        return PushRequest(
            String(target.address[...slash]),
            ["content-type: application/json"]
                + (target.settings.secret.map { ["authorization: Bearer \($0)"] } ?? []),
            [
                "topic": .string(topic), "title": .string(shown.title), "message": .string(shown.text),
                "click": .string(notice.link), "priority": 4,
            ])
    }

    /// Signed JSON for a program (Standard Webhooks).
    private static func hook(
        _ notice: PushNotice, _ target: PushTarget, _ signers: PushSigners, _ now: Instant
    ) -> PushRequest {
        let shown = notice.visible(signers.configuration.content)
        let body: JSONText = [
            "type": notice.message == nil ? "test" : "chat.message",
            "timestamp": .string(ISO8601.text(notice.sentAt, in: .utc)),
            "data": [
                "title": .string(shown.title), "body": .string(shown.text), "link": .string(notice.link),
                "conversation": .string(notice.conversation.text), "message": notice.message.map { .string($0.text) },
            ],
        ]
        // A program that receives a message twice, because its answer was lost, knows it by this.
        let id = "msg_" + (notice.message ?? notice.conversation).text
        let signed = Array("\(id).\(now.seconds).\(body.compact)".utf8)
        let code = SHA256.authenticationCode(of: signed, key: WebhookSecret.bytes(target.settings.secret ?? ""))
        return PushRequest(
            target.address,
            [
                "content-type: application/json", "webhook-id: \(id)", "webhook-timestamp: \(now.seconds)",
                "webhook-signature: v1,\(Data(code).base64EncodedString())",
            ], body)
    }
}

/// The keys that sign web hooks, as their receivers write them.
enum WebhookSecret {
    private static let prefix = "whsec_"

    /// A random key.
    static func random() -> String {
        prefix + Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
    }

    /// The bytes of a key.
    static func bytes(_ text: String) -> [UInt8] {
        Data(base64Encoded: String(text.dropFirst(prefix.count))).map { Array($0) } ?? []
    }
}
