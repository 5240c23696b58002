import FoundationEssentials
import HelixGateway
import HelixGatewayStore
import HelixModel
import HelixNetwork

/// `push.*`: the places that are notified while the user's devices are away (docs/gateway.md, "Push").
enum PushMethods {
    static let all: [GatewayMethod] = [
        .accounts("push.list", .read) { call, store in
            try call.params.end()
            let targets = try store.pushTargets(of: call.session.user.id)
            return [
                "targets": .array(targets.map { json($0, call) }),
                "kinds": .strings(kinds(call).map(\.rawValue)),
                "public_key": .string(call.services.push.signers.publicKey),
            ]
        },
        .accounts("push.register", .write) { call, store in
            guard let kind = try call.params.choice("kind", of: PushTarget.Kind.self) else {
                throw call.params.wrong("kind", "is required")
            }
            let address = try call.params.needed("address", most: PushAddress.longest)
            var settings = PushTarget.Settings()
            settings.topic = try call.params.text("topic", most: 256)
            settings.isSandbox = try call.params.bool("sandbox") ?? false
            settings.key = try call.params.text("key", most: 128)
            settings.authentication = try call.params.text("authentication", most: 64)
            settings.secret = try call.params.text("secret", most: 256)
            let isTried = try call.params.bool("dry_run") ?? false
            let condition = try call.params.choice("condition", of: PushTarget.Condition.self) ?? .device
            try call.params.end()
            let (target, isNew) = try register(kind, address, settings, condition, isTried: isTried, call, store)
            // The key of signatures is told once.
            return [
                "target": json(target, call), "is_new": .bool(isNew),
                "secret": kind == .webhook && isNew && !isTried ? .string(target.settings.secret ?? "") : nil,
            ]
        },
        .accounts("push.unregister", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            try call.params.end()
            guard try store.removePushTarget(id, of: call.session.user.id) else {
                throw HelixError(.notFound, "unknown push target")
            }
            return ["ok": true]
        },
        .later("push.test", .write) { call, done in
            let id = try call.params.identity("id")
            // The family's clients name a device; this user's targets are tested.
            for name in ["nodeId", "title", "body", "environment"] { _ = try call.params.text(name, most: 4096) }
            try call.params.end()
            try test(call, only: { id == nil || $0.id == id }, done)
        },
        .accounts("push.web.vapidPublicKey", .read) { call, _ in
            try call.params.end()
            return ["vapidPublicKey": .string(call.services.push.signers.publicKey)]
        },
        .accounts("push.web.subscribe", .write) { call, store in
            let endpoint = try call.params.needed("endpoint", most: PushAddress.longest)
            guard let given = call.params.take("keys") else { throw call.params.wrong("keys", "is required") }
            try call.params.end()
            var keys = try Params(given, of: "push.web.subscribe keys")
            var settings = PushTarget.Settings()
            settings.key = try keys.needed("p256dh", most: 128)
            settings.authentication = try keys.needed("auth", most: 64)
            try keys.end()
            let target = try register(.webpush, endpoint, settings, .device, call, store).target
            return ["subscriptionId": .string(target.id.text)]
        },
        .accounts("push.web.unsubscribe", .write) { call, store in
            let endpoint = try call.params.needed("endpoint", most: PushAddress.longest)
            try call.params.end()
            let user = call.session.user.id
            let found = try store.pushTargets(of: user).first { $0.kind == .webpush && $0.address == endpoint }
            return ["removed": .bool(try found.map { try store.removePushTarget($0.id, of: user) } ?? false)]
        },
        .later("push.web.test", .write) { call, done in
            for name in ["title", "body"] { _ = try call.params.text(name, most: 4096) }
            try call.params.end()
            let device = call.session.device
            try test(call, only: { $0.kind == .webpush && $0.device == device }, done)
        },
        // The events of the family's telephones; this gateway takes the one that registers a token.
        .accounts("node.event", .write) { call, store in
            let event = try call.params.needed("event", most: 128)
            let text = try call.params.text("payloadJSON", most: 8192)
            let payload = call.params.take("payload") ?? text.flatMap { try? JSONText(Array($0.utf8)) }
            try call.params.end()
            guard event == "push.apns.register" else {
                throw GatewayError(.invalidRequest, "unknown node event: \(event)")
            }
            guard payload?["transport"]?.text ?? "direct" == "direct" else {
                throw GatewayError(.invalidRequest, "this gateway sends to Apple's service itself, not through a relay")
            }
            var settings = PushTarget.Settings()
            settings.topic = payload?["topic"]?.text
            settings.isSandbox = payload?["environment"]?.text != "production"
            _ = try register(
                .apns, payload?["token"]?.text ?? "", settings, .device, call, store)
            return ["ok": true, "handled": true]
        }.forNodes,
    ]

    /// The kinds of targets that this gateway can notify.
    private static func kinds(_ call: MethodCall) -> [PushTarget.Kind] {
        PushTarget.Kind.allCases.filter { $0 != .apns || call.services.push.signers.configuration.apple != nil }
    }

    /// Registers a target.
    /// - Parameter isTried: whether it is only checked.
    private static func register(
        _ kind: PushTarget.Kind, _ given: String, _ settings: PushTarget.Settings, _ condition: PushTarget.Condition,
        isTried: Bool = false, _ call: MethodCall, _ store: any GatewayPushStore
    ) throws -> (target: PushTarget, isNew: Bool) {
        let configuration = call.services.push.signers.configuration
        guard kind != .apns || configuration.apple != nil else {
            throw HelixError(.usage, "this gateway has no key for Apple's push service")
        }
        let address = kind == .apns ? given.lowercased() : given
        let user = call.session.user.id
        let known = try store.pushTargets(of: user).first { $0.kind == kind && $0.address == address }
        var settings = settings
        // A known web hook keeps its key: its receiver has it.
        if kind == .webhook { settings.secret = known?.settings.secret ?? WebhookSecret.random() }
        try PushAddress.check(kind, address, settings, allowsPrivate: configuration.allowsPrivate)
        let target = PushTarget(
            user: user, device: call.session.device, kind: kind, address: address, condition: condition,
            settings: settings, createdAt: call.now)
        return (isTried ? target : try store.savePushTarget(target), known == nil)
    }

    private static func test(
        _ call: MethodCall, only isChosen: @escaping @Sendable (PushTarget) -> Bool,
        _ done: @escaping @Sendable (Result<JSONText, GatewayError>) -> Void
    ) throws {
        call.services.push.test(call.session.user.id, isChosen) { result in
            done(
                result.map { results in
                    [
                        "ok": .bool(!results.isEmpty && results.allSatisfy { $0.outcome.words.problem == nil }),
                        "results": .array(
                            results.map { target, outcome in
                                [
                                    "id": .string(target.id.text), "kind": .string(target.kind.rawValue),
                                    "address": .string(target.shownAddress), "status": .string(outcome.words.name),
                                    "reason": outcome.words.problem.map { .string($0) },
                                ]
                            }),
                    ]
                })
        }
    }

    /// A target without its secrets.
    private static func json(_ target: PushTarget, _ call: MethodCall) -> JSONText {
        [
            "id": .string(target.id.text), "kind": .string(target.kind.rawValue),
            "address": .string(target.shownAddress), "device": .string(target.device),
            "is_this_device": .bool(target.device == call.session.device),
            "condition": .string(target.condition.rawValue),
            "created_at": ChatWire.time(target.createdAt), "failures": .integer(Int64(target.failures)),
            "problem": target.problem.isEmpty ? nil : .string(target.problem),
        ]
    }
}

/// The addresses of push targets.
enum PushAddress {
    /// The maximum length of an address in bytes.
    static let longest = 2048

    /// Checks the address and the settings of a target.
    /// - Parameter allowsPrivate: whether private networks and URLs without TLS are allowed.
    /// - Throws: ``HelixError`` of code `usage`.
    static func check(
        _ kind: PushTarget.Kind, _ address: String, _ settings: PushTarget.Settings, allowsPrivate: Bool
    ) throws {
        func refuse(_ text: String) -> HelixError { HelixError(.usage, text) }
        func isVisible(_ text: String) -> Bool { text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
        if kind == .apns {
            guard (64...200).contains(address.utf8.count), address.allSatisfy(\.isHexDigit), isVisible(address) else {
                throw refuse("a token of Apple's push service has at least 64 hexadecimal digits")
            }
            let topic = settings.topic ?? ""
            let isTopic = topic.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
            guard !topic.isEmpty, isTopic else { throw refuse("'topic' must be the identifier of the app") }
            return
        }
        guard isVisible(address), let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.fragment == nil,
            parts.scheme?.lowercased() == "https" || allowsPrivate && parts.scheme?.lowercased() == "http",
            (1...65_535).contains(parts.port ?? 443)
        else {
            throw refuse("the address of a push target must be \(allowsPrivate ? "a URL" : "an https:// URL")")
        }
        guard allowsPrivate || HTTPClient.isPublic(host) != false else {
            throw refuse("the address of a push target is in a private network, which this gateway does not allow")
        }
        switch kind {
        case .webpush:
            guard WebPushReceiver(settings) != nil else { throw refuse("the keys of the push target are invalid") }
        case .ntfy:
            let topic = parts.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
            let isTopic = topic.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
            guard (1...64).contains(topic.count), isTopic, parts.query == nil else {
                throw refuse("the address of an ntfy target must end with a topic: https://ntfy.sh/TOPIC")
            }
            guard isVisible(settings.secret ?? "") else { throw refuse("the access token is invalid") }
        default: break
        }
    }
}
