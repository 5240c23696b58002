import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixGateway

@Suite struct IdentityTests {
    @Test func aConnectRequestIsSignedByItsDevice() throws {
        let identity = try DeviceIdentity()
        let request = ConnectRequest(
            version: "1.0", scopes: ["operator.read"], secret: .token("secret"), deviceName: "laptop")
        let params = try request.params(identity, nonce: "n1", moment: 1_795_255_200_000)
        let device = try #require(params["device"])
        let text = ConnectRequest.signedText(
            device: identity.id, client: "cli", mode: "cli", role: "operator", scopes: ["operator.read"],
            moment: 1_795_255_200_000, token: "secret", nonce: "n1")
        #expect(text == "v2|\(identity.id)|cli|cli|operator|operator.read|1795255200000|secret|n1")
        let (key, signature) = (device["publicKey"]?.text ?? "", device["signature"]?.text ?? "")
        #expect(try DeviceIdentity.isValid(signature: signature, of: text, key: key))
        #expect(try !DeviceIdentity.isValid(signature: signature, of: text + "x", key: key))
        #expect(try !DeviceIdentity.isValid(signature: "", of: text, key: key))
        #expect(try !DeviceIdentity.isValid(signature: signature, of: text, key: try DeviceIdentity().publicKey))
        #expect(DeviceIdentity.id(ofKey: try #require(Base64URL.bytes(key))) == identity.id)
        // A password is sent, not signed; a user who registers says so.
        let signUp = ConnectRequest(
            version: "1.0", scopes: [], secret: .password("ana:pw"), deviceName: nil, signsUp: true)
        let auth = try signUp.params(identity, nonce: "n", moment: 0)["auth"]
        #expect(auth?["password"]?.text == "ana:pw" && auth?["bootstrapToken"]?.text == GatewayProtocol.signUp)
    }

    @Test func theIdentityOfAFolderStays() throws {
        let home = try HelixHome()
        let folder = home.folder.path + "/keys"
        let first = try DeviceIdentity.load(from: folder)
        #expect(try DeviceIdentity.load(from: folder).id == first.id)
        let path = folder + "/device.json"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: HelixError.self) { try DeviceIdentity.load(from: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        try Data("{}".utf8).write(to: URL(filePath: path))
        // A damaged key is an error, not a new device.
        #expect(throws: HelixError.self) { try DeviceIdentity.load(from: folder) }
    }

    @Test func aTokenBelongsToItsAccountAndDevice() throws {
        let home = try HelixHome()
        let tokens = DeviceTokens(folder: home.folder.path + "/keys")
        let (account, other) = (EntityID(), EntityID())
        #expect(try tokens.token(for: account, device: "d") == nil)
        let token = DeviceTokens.Token(text: "t1", role: "operator", scopes: ["operator.read"])
        try tokens.keep(token, for: account, device: "d")
        #expect(try tokens.token(for: account, device: "d") == token)
        #expect(try tokens.token(for: account, device: "e") == nil)
        #expect(try tokens.token(for: other, device: "d") == nil)
        tokens.remove(for: account)
        #expect(try tokens.token(for: account, device: "d") == nil)
    }

    @Test func base64ForURLsIsStrict() {
        for count in 0..<70 {
            let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 251) })
            let text = Base64URL.text(bytes)
            #expect(!text.contains { "+/=".contains($0) } && Base64URL.bytes(text) == bytes)
        }
        for text in ["a+b", "a/b", "aGk=", "a", "é"] { #expect(Base64URL.bytes(text) == nil, "\(text)") }
    }
}
