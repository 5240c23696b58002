import FoundationEssentials
import TestSupport
import Testing

@testable import HelixNetwork

/// An address has a host that a name or an address can have.
@Suite struct AddressTests {
    @Test(arguments: [
        "https://example.org", "wss://example.org:8443/path", "http://127.0.0.1:1", "http://localhost/",
        "https://a_b.example.org",
        "http://[::1]:80/", "http://[fe80::1%25eth0]/", "https://bücher.example/", "https://例え.テスト",
        "https://example.org.",
        "https://xn--bcher-kva.example",
    ])
    func hostsAreTaken(_ text: String) { #expect(URL(address: text) != nil) }

    @Test(arguments: [
        "", "example.org", "/path", "https://", "https:///path", "wss://not an address", "https://a%20b.example/",
        "https://a..b/",
        "https://.b/", "https://a<b>/", "https://a\u{7F}b/", "https://a\u{E000}/",
        "https://a b:99/",
        "https://[::g]/", "https://[not an address]/", "wss://[not]", "https://exa mple.org/path",
        "https://" + String(repeating: "a", count: 254),
    ])
    func whatIsNoHostIsRefused(_ text: String) { #expect(URL(address: text) == nil) }

    /// Random texts: what is taken is a host by a rule of its own.
    @Test func randomTextsHaveHostsOrAreRefused() {
        var random = SeededGenerator(seed: 7)
        let signs = Array("ab1-._ %<>\"{}|\\^`:/@[]?#\t\u{A0}ü例\u{200B}").map(String.init)
        for _ in 0..<5_000 {
            let host = (0..<Int.random(in: 1...6, using: &random)).map { _ in signs.randomElement(using: &random) ?? "a"
            }
            .joined()
            guard let url = URL(address: "https://" + host), let taken = url.host else { continue }
            #expect(!taken.contains { " <>\"{}|\\^`\t\u{A0}\u{200B}/@".contains($0) }, "\(host) \(taken)")
        }
    }
}
