import Foundation
import HelixNetwork
import Testing

/// The password goes to servers of the same owner alone.
struct ReferralTests {
    private func isPart(_ url: String, _ host: String, _ referral: HTTPClient.Referral) throws -> Bool {
        HTTPClient.isPart(try #require(URL(string: url)), of: host, by: referral)
    }

    @Test(arguments: [
        ("https://example.org/", "example.org"), ("https://example.org:8443/", "example.org"),
        ("https://dav.example.org/", "example.org"), ("https://DAV.Example.org/", "example.org"),
        ("https://a.b.example.co.uk/", "example.co.uk"), ("https://127.0.0.1:8443/", "127.0.0.1"),
    ]) func aServerLeadsToItselfAndToNamesBelowItsOwn(_ url: String, _ host: String) throws {
        #expect(try isPart(url, host, .redirect))
        #expect(try isPart(url, host, .property))
    }

    @Test(arguments: [
        ("http://example.org/", "example.org"), ("http://dav.example.org/", "example.org"),
        ("http://127.0.0.1:81/", "127.0.0.1"), ("https://example.net/", "example.org"),
        ("https://evilexample.org/", "example.org"), ("https://example.org.evil.net/", "example.org"),
        ("https://b.co.uk/", "a.co.uk"), ("https://co.uk/", "a.co.uk"), ("https://example.org/", "dav.example.org"),
        ("https://evil-example.org/", "example.org"), ("https://evil-example.co.uk/", "example.co.uk"),
        ("https://evil-example.com.au/", "example.com.au"), ("https://evil.localhost/", "localhost"),
        ("https://1.127.0.0.1/", "127.0.0.1"), ("ftp://example.org/", "example.org"),
    ]) func aServerLeadsToNoOther(_ url: String, _ host: String) throws {
        #expect(try !isPart(url, host, .redirect))
        #expect(try !isPart(url, host, .property))
    }

    @Test func machinesBehindANameAreTrustedWhenTheyAreNamedAfterSigningIn() throws {
        for (url, host) in [
            ("https://p7-caldav.icloud.com/1/", "caldav.icloud.com"),
            ("https://p7-dav.example.co.uk/", "dav.example.co.uk"),
        ] {
            #expect(try isPart(url, host, .property))
            #expect(try !isPart(url, host, .redirect))
        }
    }
}
