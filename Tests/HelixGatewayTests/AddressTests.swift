import HelixModel
import Testing

@testable import HelixGateway

@Suite struct AddressTests {
    @Test(arguments: [
        ("wss://gateway.example.org", "wss://gateway.example.org:443"),
        ("https://gateway.example.org/helix", "wss://gateway.example.org:443/helix"),
        ("ws://127.0.0.1", "ws://127.0.0.1:18789"), ("http://127.0.0.1:80/", "ws://127.0.0.1:80"),
        ("gateway.example.org", "wss://gateway.example.org:443"), ("localhost", "ws://localhost:18789"),
        ("localhost:9", "ws://localhost:9"), ("[::1]:9", "ws://[::1]:9"),
        ("wss://[2001:db8::7]", "wss://[2001:db8::7]:443"),
    ])
    func addressesAreCompleted(_ text: String, _ expected: String) throws {
        let address = try GatewayAddress(text)
        #expect(address.text == expected)
        #expect(try GatewayAddress(address.text) == address)
    }

    @Test(arguments: [
        "", "ftp://example.org", "wss://", "wss://ana@example.org", "wss://example.org:0", "wss://example.org:70000",
        "wss://example.org?x=1", "wss://example.org#x",
    ])
    func othersAreRefused(_ text: String) {
        #expect(throws: HelixError.self) { try GatewayAddress(text) }
    }
}
