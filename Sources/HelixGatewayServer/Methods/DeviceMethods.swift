import HelixGateway
import HelixGatewayStore
import HelixModel

/// `health`, `system-presence`, `device.pair.*`, `device.token.*`: the gateway itself, and the client's own devices.
enum DeviceMethods {
    static let all: [GatewayMethod] = [
        .accounts("health", .read) { call, _ in
            try call.params.end()
            return ["ok": true, "ts": .integer(call.services.clock.milliseconds)]
        },
        .accounts("presence", .read) { call, _ in
            try call.params.end()
            return ["presence": .array(call.services.clients.presence(of: call.session.user.id))]
        },
        .accounts("system-presence", .read) { call, _ in
            try call.params.end()
            return .array(call.services.clients.presence(of: call.session.user.id))
        },
        .accounts("device.pair.list", .pairing) { call, store in
            try call.params.end()
            let user = call.session.user
            let waiting = try store.pairings(of: user.id, now: call.now).map { request -> JSONText in
                device(
                    request.device,
                    [
                        "requestId": .string(request.id), "remoteIp": .string(request.remote),
                        "ts": .integer(request.madeAt.seconds * 1000),
                    ])
            }
            let there = Set(call.services.clients.clients(of: user.id).map(\.session.device))
            let paired = try store.devices(of: user.id).map { found -> JSONText in
                device(
                    found,
                    [
                        "approvedAtMs": .integer(found.createdAt.seconds * 1000),
                        "lastSeenAtMs": .integer(found.seenAt.seconds * 1000),
                        "connected": .bool(there.contains(found.id)), "current": .bool(found.id == call.session.device),
                    ])
            }
            return ["pending": .array(waiting), "paired": .array(paired)]
        },
        .accounts("device.pair.approve", .pairing) { call, store in
            let id = try call.params.needed("requestId", most: 64)
            let scopes = try call.params.texts("scopes", most: 8, each: 64)
            try call.params.end()
            guard
                let pairing = try store.pairings(of: call.session.user.id, now: call.now).first(where: { $0.id == id })
            else {
                throw HelixError(.notFound, "unknown pairing request '\(id)'")
            }
            // A client cannot approve itself, nor grant scopes that it lacks or that were not requested.
            guard pairing.device.id != call.session.device else {
                throw GatewayError(.forbidden, "another device must approve more scopes for this one")
            }
            for text in scopes ?? pairing.device.scopes {
                guard pairing.device.scopes.contains(text) || text == GatewayProtocol.Scope.read.rawValue,
                    let scope = GatewayProtocol.Scope(rawValue: text)
                else { throw call.params.wrong("scopes", "contains one that was not requested: \(text)") }
                guard call.session.can(scope) else { throw GatewayError(.forbidden, "missing scope: \(text)") }
            }
            let request = try store.answer(
                pairing: id, of: call.session.user.id, admits: true, scopes: scopes, now: call.now)
            return ["requestId": .string(request.id), "device": device(request.device, [:])]
        },
        .accounts("device.pair.reject", .pairing) { call, store in
            let id = try call.params.needed("requestId", most: 64)
            try call.params.end()
            let request = try store.answer(
                pairing: id, of: call.session.user.id, admits: false, scopes: nil, now: call.now)
            return ["requestId": .string(request.id), "deviceId": .string(request.device.id)]
        },
        .accounts("device.token.create", .pairing) { call, store in try makeAgent(&call, store) },
        revoke("device.token.revoke"), revoke("device.pair.remove"),
        .accounts("device.token.rotate", .read) { call, store in
            let id = try call.params.text("deviceId", most: 128) ?? call.session.device
            _ = try call.params.text("role", most: 32)
            try call.params.end()
            // A token is sent only to its own device.
            guard id == call.session.device else {
                throw GatewayError(.forbidden, "only the device itself may rotate its token")
            }
            let token = try store.makeToken(
                for: id, user: call.session.user.id, epoch: call.session.user.epoch, now: call.now)
            return [
                "deviceId": .string(id), "role": "operator", "token": .string(token),
                "scopes": .strings(call.session.scopes.map(\.rawValue).sorted()),
                "rotatedAtMs": .integer(call.services.clock.milliseconds),
            ]
        },
    ]

    /// Makes a device for an agent, which has no key of its own and signs in with the token alone, at `/mcp`.
    private static func makeAgent(_ call: inout MethodCall, _ store: any GatewayAccountStore) throws -> JSONText {
        let name = try call.params.needed("deviceName", most: 200)
        func domains(_ parameter: String) throws -> Set<AgentProfile.Domain> {
            Set(
                try (call.params.texts(parameter, most: 16, each: 32) ?? []).map { word in
                    guard let domain = AgentProfile.Domain(rawValue: word) else {
                        throw call.params.wrong(parameter, "has an unknown domain: \(word)")
                    }
                    return domain
                })
        }
        let (read, change) = (try domains("read"), try domains("change"))
        try call.params.end()
        guard !read.isEmpty || !change.isEmpty else { throw call.params.wrong("read", "or change must name a domain") }
        guard read.union(change).allSatisfy({ domain in AgentTool.all.contains { $0.domain == domain } }),
            change.allSatisfy({ domain in AgentTool.all.contains { $0.domain == domain && $0.effect != .reads } })
        else { throw call.params.wrong("read", "or change has a domain without tools") }
        // A device grants no right that it lacks.
        let needed: GatewayProtocol.Scope = change.isEmpty ? .read : .write
        guard call.session.can(needed) else {
            throw GatewayError(.forbidden, "missing scope: \(needed.rawValue)")
        }
        guard let user = try store.user(call.session.user.id),
            user.admits(call.session.device, since: call.session.user.epoch)
        else { throw HelixError(.notAllowed, "the session has ended; sign in again") }
        guard try store.devices(of: user.id).count(where: { $0.platform == AgentAccess.platform }) < mostAgents else {
            throw HelixError(.busy, "there are \(mostAgents) agents already", hint: "Revoke one of them.")
        }
        let device = GatewayDevice(
            id: (EntityID().text + EntityID().text).lowercased(), publicKey: "", name: name,
            platform: AgentAccess.platform, scopes: AgentAccess.scopes(read: read, change: change), createdAt: call.now,
            seenAt: call.now)
        try store.admit(device, user: user.id, remote: "", now: call.now)
        let token = try store.makeToken(for: device.id, user: user.id, epoch: user.epoch, now: call.now)
        return [
            "deviceId": .string(device.id), "displayName": .string(name), "token": .string(token),
            "scopes": .strings(device.scopes),
        ]
    }

    /// The maximum number of a user's agents.
    private static let mostAgents = 50

    /// Removes a device, with its tokens: the family has a name for each.
    private static func revoke(_ name: String) -> GatewayMethod {
        .accounts(name, .read) { call, store in
            let id = try call.params.needed("deviceId", most: 128)
            _ = try call.params.text("role", most: 32)
            try call.params.end()
            // Each device may sign itself out.
            if id != call.session.device, !call.session.can(.pairing) {
                throw GatewayError(.forbidden, "missing scope: \(GatewayProtocol.Scope.pairing.rawValue)")
            }
            let user = call.session.user.id
            guard try store.revoke(id, user: user, now: call.now) else {
                throw HelixError(.notFound, "unknown device \(id)")
            }
            // The caller's own connection is closed by the caller, when it has the response.
            for client in call.services.clients.clients(of: user)
            where client.session.device == id && client.session.connection != call.session.connection {
                client.end(code: 1008, reason: "device revoked")
            }
            return ["deviceId": .string(id), "revokedAtMs": .integer(call.services.clock.milliseconds)]
        }
    }

    private static func device(_ device: GatewayDevice, _ more: JSONText) -> JSONText {
        let base: JSONText = [
            "deviceId": .string(device.id), "displayName": .string(device.name), "platform": .string(device.platform),
            "role": "operator", "scopes": .strings(device.scopes),
        ]
        return .object((base.fields ?? []) + (more.fields ?? []))
    }
}
