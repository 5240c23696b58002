import HelixCrypto
import HelixGateway
import HelixGatewayStore
import HelixSignatures
import Testing

@testable import HelixGatewayServer

/// The encryption of Web Push (RFC 8291); the other side is tried with a receiver of another library in `PushTests`.
struct WebPushTests {
    private func bytes(_ text: String) throws -> [UInt8] { Array(try #require(Base64URL.bytes(text))) }

    private func receiver() throws -> WebPushReceiver {
        var settings = PushTarget.Settings()
        settings.key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        settings.authentication = "BTBZMqHH6r4Tts7J_aSIgg"
        return try #require(WebPushReceiver(settings))
    }

    /// The example of section 5.
    @Test func theExampleOfTheStandardIsSealedAsThere() throws {
        let sender = try #require(CurveKey(scalar: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")))
        #expect(
            Base64URL.text(sender.publicKey)
                == "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8")
        let sealed = try receiver().sealed(
            Array("When I grow up, I want to be a watermelon".utf8), sender: sender,
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64URL.text(try #require(sealed))
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
                + "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test func keysThatAreNoneAreRefused() throws {
        let good = try receiver()
        #expect(
            good.sealed([UInt8](repeating: 0, count: 3994), sender: CurveKey(), salt: WebPushReceiver.salt()) == nil)
        func isValid(_ key: String?, _ authentication: String?) -> Bool {
            var settings = PushTarget.Settings()
            (settings.key, settings.authentication) = (key, authentication)
            return WebPushReceiver(settings) != nil
        }
        let key = Base64URL.text(CurveKey().publicKey)
        #expect(isValid(key, "BTBZMqHH6r4Tts7J_aSIgg") && isValid(key + "=", "BTBZMqHH6r4Tts7J_aSIgg=="))
        // A point that is not on the curve would reveal a key that is used more than once.
        let wrong = Base64URL.text([4] + [UInt8](repeating: 7, count: 64))
        for other in [nil, "", "AAAA", wrong] { #expect(!isValid(other, "BTBZMqHH6r4Tts7J_aSIgg")) }
        for secret in [nil, "", "AAAA", "?"] { #expect(!isValid(key, secret)) }
    }
}
