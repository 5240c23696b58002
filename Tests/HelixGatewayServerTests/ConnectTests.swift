import HelixGateway
import HelixGatewayStore
import HelixModel
import Testing

@testable import HelixGatewayServer

/// Clients of the family sign in as they do at their own gateways.
@Suite struct ConnectTests {
    /// The parts of a `connect` request that a test varies.
    private struct Request {
        var version = 4
        var role = "operator"
        var scopes = ["operator.read", "operator.write"]
        var platform = "iOS 18.1"
        var family: String?
        var token: String?
        var password: String? = "ana:ana-password"
        var signing = "v3"
        var client = "openclaw-ios"
        var more: JSONText = [:]

        func json(_ identity: DeviceIdentity, nonce: String) throws -> JSONText {
            let moment = TestGateway.now.seconds * 1000
            var text = ConnectRequest.signedText(
                device: identity.id, client: client, mode: "ui", role: role, scopes: scopes, moment: moment,
                token: token ?? "", nonce: nonce)
            if signing == "v3" {
                text = "v3" + text.dropFirst(2) + "|\(platform.lowercased())|\((family ?? "").lowercased())"
            }
            return [
                "minProtocol": .integer(version), "maxProtocol": .integer(version),
                "client": [
                    "id": .string(client), "mode": "ui", "version": "2026.11.1", "platform": .string(platform),
                    "deviceFamily": family.map { .string($0) },
                ],
                "role": .string(role), "scopes": .strings(scopes),
                "device": [
                    "id": .string(identity.id), "publicKey": .string(identity.publicKey),
                    "signature": .string(try identity.signature(of: text)), "signedAt": .integer(moment),
                    "nonce": .string(nonce),
                ],
                "auth": ["token": token.map { .string($0) }, "password": password.map { .string($0) }],
            ]
        }
    }

    /// Signs in, with the hashing of the password in between.
    private func signIn(
        _ gateway: TestGateway, _ request: Request, _ identity: DeviceIdentity
    ) async throws -> ClientSession {
        let params = try ConnectParams(try request.json(identity, nonce: "n1"))
        return try await withCheckedThrowingContinuation { done in
            gateway.queues.accounts.perform { accounts in
                done.resume(
                    with: Result {
                        switch try accounts.admission.begin(
                            params, connection: EntityID().text, nonce: "n1", remote: "192.0.2.7", isLocal: false,
                            now: TestGateway.now)
                        {
                        case .admitted(let session): return session
                        case .password(let question):
                            return try accounts.admission.end(question, try question.answer(), now: TestGateway.now)
                        }
                    })
            }
        }
    }

    private func refusal(
        _ gateway: TestGateway, _ request: Request, _ identity: DeviceIdentity
    ) async -> String? {
        do {
            _ = try await signIn(gateway, request, identity)
            return nil
        } catch let refusal as ConnectRefusal {
            return refusal.error.details?["code"]?.text ?? refusal.error.message
        } catch { return "\(error)" }
    }

    @Test(arguments: [nil, "iPhone", "Mac", "Linux PC"]) func aDeviceFamilyIsPartOfTheSignature(_ family: String?)
        async throws
    {
        let gateway = try TestGateway()
        _ = try await gateway.client("ana")
        let identity = try DeviceIdentity()
        var request = Request()
        request.family = family
        #expect(try await signIn(gateway, request, identity).token != nil)
        // Protocol 3 signs neither.
        request.signing = "v2"
        #expect(await refusal(gateway, request, identity) == nil)
        request.signing = "v3"
        request.platform = "android"
        let params = try ConnectParams(
            try request.json(identity, nonce: "other").setting("role", "operator"))
        #expect(params.deviceFamily == family ?? "")
    }

    @Test func aStaleTokenBesideTheRightPasswordDoesNoHarm() async throws {
        let gateway = try TestGateway()
        _ = try await gateway.client("ana")
        let identity = try DeviceIdentity()
        var request = Request()
        request.token = "stale"
        let session = try await signIn(gateway, request, identity)
        let token = try #require(session.token)
        // The token alone is enough now, and a wrong one alone is refused.
        request.password = nil
        request.token = token
        #expect(try await signIn(gateway, request, identity).token == nil)
        request.token = "stale"
        #expect(await refusal(gateway, request, identity) == "AUTH_DEVICE_TOKEN_MISMATCH")
        request.password = "ana:wrong"
        #expect(await refusal(gateway, request, identity) == "AUTH_PASSWORD_MISMATCH")
    }

    @Test func unknownScopesGrantNothing() async throws {
        let gateway = try TestGateway()
        _ = try await gateway.client("ana")
        var request = Request()
        request.scopes = ["operator.questions", "operator.read", "operator.talk"]
        let session = try await signIn(gateway, request, try DeviceIdentity())
        #expect(session.scopes == [.read])
        // In protocol 4 an empty list means nothing; only unknown ones do, too.
        request.scopes = ["operator.questions"]
        let another = try await gateway.client("bo")
        request.password = "bo:bo-password"
        #expect(try await signIn(gateway, request, try DeviceIdentity()).scopes.isEmpty)
        #expect(another.end == nil)
    }

    @Test func theAppForIOSSignsInAsANode() async throws {
        let gateway = try TestGateway()
        _ = try await gateway.client("ana")
        var request = Request()
        (request.version, request.role, request.scopes, request.signing) = (3, "node", [], "v2")
        let session = try await signIn(gateway, request, try DeviceIdentity())
        #expect(session.role == "node" && session.scopes == [.read, .write])
        request.role = "worker"
        #expect(await refusal(gateway, request, try DeviceIdentity())?.contains("role") == true)
    }

    /// The schemas of `hello-ok` are closed.
    @Test(arguments: [3, 4]) func theGreetingHasTheFieldsOfItsProtocol(_ version: Int) async throws {
        let gateway = try TestGateway()
        _ = try await gateway.client("ana")
        var request = Request()
        request.version = version
        request.signing = "v2"
        let identity = try DeviceIdentity()
        let greeting = GatewayGreeting(
            version: "1", methods: gateway.methods.names, clients: gateway.clients,
            clock: GatewayClock { TestGateway.now.seconds * 1000 })
        for isFirst in [true, false] {
            let session = try await signIn(gateway, request, identity)
            let json = greeting.json(for: session)
            func names(_ json: JSONText?) -> Set<String> { Set(json?.fields?.map(\.name) ?? []) }
            #expect(names(json).isSubset(of: ["type", "protocol", "server", "features", "snapshot", "auth", "policy"]))
            #expect(names(json["policy"]) == ["maxPayload", "maxBufferedBytes", "tickIntervalMs"])
            #expect(
                names(json["features"])
                    == (version < 4 ? ["methods", "events"] : ["methods", "events", "capabilities"]))
            // Protocol 3 has a token in it or no such field; in 4 it is required.
            if version < 4, !isFirst {
                #expect(json["auth"] == nil)
            } else {
                #expect(json["auth"]?["role"]?.text == "operator")
            }
            if isFirst {
                request.token = session.token
                request.password = nil
            }
        }
    }
}
