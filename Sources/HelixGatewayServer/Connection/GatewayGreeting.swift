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
        return [
            "type": "hello-ok", "protocol": .integer(session.version),
            "server": ["version": .string(version), "connId": .string(session.connection)],
            "features": [
                "methods": .strings(methods), "events": .strings(ClientNotifier.eventNames),
                "capabilities": ["helix-1"],
            ],
            "snapshot": [
                "presence": .array(clients.presence(of: session.user.id)), "health": ["ok": true],
                "stateVersion": ["presence": 0, "health": 0],
                "uptimeMs": .integer(started.duration(to: .now).components.seconds * 1000),
                "sessionDefaults": [
                    "defaultAgentId": "main", "mainKey": "main", "mainSessionKey": "agent:main:main",
                ],
            ],
            "auth": [
                "deviceToken": session.token.map { .string($0) }, "role": "operator", "scopes": .strings(scopes),
                "issuedAtMs": session.token == nil ? nil : .integer(clock.milliseconds),
            ],
            "policy": [
                "maxPayload": .integer(GatewayConfiguration.largestFrame(session.version)),
                "maxBufferedBytes": .integer(GatewayConfiguration.mostBuffered),
                "tickIntervalMs": .integer(GatewayConfiguration.tick * 1000),
                "maxPending": .integer(GatewayConfiguration.mostPending),
                "maxConnectionsPerUser": .integer(UserLimits.mostConnections),
                "maxConnectionsPerDevice": .integer(UserLimits.mostOfDevice),
                "maxGroupsPerDay": .integer(GatewayLimits.groupsPerDay),
                "maxGroupMembers": .integer(GatewayLimits.members),
                "maxFiles": .integer(GatewayLimits.uploads),
            ],
        ]
    }
}
