import HelixGateway
import HelixGatewayStore
import HelixModel

/// The answer to a client that signs in: `hello-ok` with the methods, events and limits of the gateway.
struct GatewayGreeting: Sendable {
    /// The version of helix.
    let version: String
    /// The names of the methods, sorted.
    let methods: [String]
    let clients: ClientNotifier
    let clock: GatewayClock
    /// The start of the gateway.
    let started = ContinuousClock.now

    /// The answer to a client.
    func json(for session: ClientSession) -> JSONText {
        let scopes = session.scopes.map(\.rawValue).sorted()
        let form = session.dialect.form
        return [
            "type": "hello-ok", "protocol": .integer(session.version),
            "server": ["version": .string(version), "connId": .string(session.connection)],
            "features": [
                "methods": .strings(methods), "events": .strings(ClientNotifier.eventNames),
                "capabilities": form.version >= 4 || form.isHelix
                    ? [.string(GatewayProtocol.helixCapability)] : nil,
            ],
            "snapshot": [
                "presence": .array(clients.presence(of: session.user.id)), "health": ["ok": true],
                "stateVersion": ["presence": 0, "health": 0],
                "uptimeMs": .integer(started.duration(to: .now).components.seconds * 1000),
                "sessionDefaults": [
                    "defaultAgentId": "main", "mainKey": "main", "mainSessionKey": "agent:main:main",
                ],
            ],
            // In protocol 3 it has a token, or is missing.
            "auth": form.version < 4 && session.token == nil
                ? nil
                : [
                    "deviceToken": session.token.map { .string($0) }, "role": .string(session.role),
                    "scopes": .strings(scopes),
                    "issuedAtMs": session.token == nil ? nil : .integer(clock.milliseconds),
                ],
            "policy": policy(form),
        ]
    }

    /// The limits: those that the protocol names, and for helix its own.
    private func policy(_ form: ClientDialect.Form) -> JSONText {
        let known: [JSONText.Field] = [
            .init(name: "maxPayload", value: .integer(GatewayConfiguration.largestFrame(form.version))),
            .init(name: "maxBufferedBytes", value: .integer(GatewayConfiguration.mostBuffered)),
            .init(name: "tickIntervalMs", value: .integer(GatewayConfiguration.tick * 1000)),
        ]
        let own: [JSONText.Field] = [
            .init(name: "maxPending", value: .integer(GatewayConfiguration.mostPending)),
            .init(name: "maxConnectionsPerUser", value: .integer(UserLimits.mostConnections)),
            .init(name: "maxConnectionsPerDevice", value: .integer(UserLimits.mostOfDevice)),
            .init(name: "maxGroupsPerDay", value: .integer(GatewayLimits.groupsPerDay)),
            .init(name: "maxGroupMembers", value: .integer(GatewayLimits.members)),
            .init(name: "maxFiles", value: .integer(GatewayLimits.uploads)),
        ]
        return .object(form.isHelix ? known + own : known)
    }
}
