import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixGatewayServer

/// Tokens of an issuer in Python are verified; everything that such a token may not be is refused.
@Suite struct JWTTests {
    /// An issuer, and a verifier that has its keys.
    private final class Site {
        let server: TestServer
        let verifier: JWTVerifier
        let now = Instant(Int64(Date().timeIntervalSince1970))

        init(secret: Bool = true) throws {
            server = try TestServer("issuer.py", ports: 1)
            let configuration = try JWTConfiguration(
                secret: secret ? Array("the secret of the issuer has 40 bytes...".utf8) : nil,
                keys: "http://127.0.0.1:\(server.ports[0])/keys", issuer: "https://issuer.example.org",
                audience: "helix")
            verifier = JWTVerifier(
                configuration, fetch: { try Site.fetch($0) }, start: { $0() })
            verifier.refresh(now)
        }

        static func fetch(_ url: String) throws -> [UInt8] {
            let (process, pipe) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
            process.arguments = ["-sSf", url]
            process.standardOutput = pipe
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return Array(data)
        }

        func token(_ query: [String: String]) throws -> String {
            var parts = URLComponents()
            (parts.scheme, parts.host, parts.port, parts.path) = ("http", "127.0.0.1", server.ports[0], "/token")
            parts.queryItems = query.map { URLQueryItem(name: $0.key, value: $0.value) }
            return String(decoding: try Site.fetch(try #require(parts.url).absoluteString), as: UTF8.self)
        }

        func claims(_ query: [String: String]) throws -> JWTClaims {
            try verifier.claims(of: try token(query), now: now)
        }

        /// The reason for refusing a token; nil if it is accepted.
        func refusal(_ query: [String: String]) throws -> String? {
            do {
                _ = try claims(query)
                return nil
            } catch let error as JWTVerifier.Invalid { return error.reason }
        }
    }

    @Test func tokensOfAllAlgorithmsAreAccepted() throws {
        let site = try Site()
        for algorithm in ["HS256", "RS256", "ES256"] {
            for _ in 0..<10 {
                #expect(try site.claims(["alg": algorithm, "sub": "ana 👋"]).subject == "ana 👋")
            }
            #expect(try site.refusal(["alg": algorithm, "kid": "none"]) == nil)
        }
        #expect(try site.claims(["aud": #"json:["other", "helix"]"#]).subject == "u1")
        // An address counts only if the issuer has verified it.
        #expect(try site.claims(["email": "ana@example.org"]).email == nil)
        #expect(
            try site.claims(["email": "ana@example.org", "email_verified": "json:true"]).email == "ana@example.org")
        let metadata = #"json:{"email_verified": true, "preferred_username": "ana"}"#
        let claims = try site.claims(["email": "ana@example.org", "user_metadata": metadata])
        // Users write their metadata themselves.
        #expect(claims.email == nil && claims.name == "ana")
    }

    @Test(arguments: [
        ["alg": "none"], ["alg": "HS512"], ["alg": "HS256", "secret": "another secret of the same length......"],
        ["key": "other"], ["alg": "ES256", "key": "other"], ["alg": "ES256", "kid": "r1"], ["kid": "e1"],
        ["kid": "enc"], ["key": "weak", "kid": "weak"], ["crit": "exp"],
        ["iss": "https://evil.example.org"], ["iss": "none"], ["aud": "other"], ["aud": "none"],
        ["aud": #"json:["a", 7]"#], ["exp": "none"], ["exp": "json:1000000000"], ["exp": "soon"],
        ["nbf": "json:4000000000"], ["nbf": "json:4000000000.5"], ["nbf": "later"], ["iat": "json:4000000000"],
        ["sub": "none"], ["sub": ""], ["sub": "json:7"],
    ])
    func everythingElseIsRefused(_ query: [String: String]) throws {
        #expect(try Site().refusal(query) != nil, "\(query)")
    }

    @Test func aTokenThatIsChangedAnywhereIsRefused() throws {
        let site = try Site()
        for algorithm in ["HS256", "RS256", "ES256"] {
            let token = Array(try site.token(["alg": algorithm]).utf8)
            for place in stride(from: 0, to: token.count - 1, by: 7) {
                var changed = token
                changed[place] = changed[place] == 0x41 ? 0x42 : 0x41
                #expect(throws: JWTVerifier.Invalid.self) {
                    _ = try site.verifier.claims(of: String(decoding: changed, as: UTF8.self), now: site.now)
                }
            }
            for end in [0, 1, token.count / 2, token.count - 5] {
                #expect(throws: JWTVerifier.Invalid.self) {
                    _ = try site.verifier.claims(of: String(decoding: token[..<end], as: UTF8.self), now: site.now)
                }
            }
        }
    }

    @Test func thePublicKeyIsNoSecret() throws {
        // A known attack: HS256 with the text of the RSA key as the secret.
        let site = try Site(secret: false)
        let keys = String(
            decoding: try Site.fetch("http://127.0.0.1:\(site.server.ports[0])/keys"), as: UTF8.self)
        #expect(try site.refusal(["alg": "HS256", "secret": String(keys.prefix(200))]) != nil)
        #expect(try site.refusal(["alg": "HS256"]) != nil)
    }

    @Test func withoutKeysATokenIsRefusedForAMoment() throws {
        let site = try Site()
        let configuration = try JWTConfiguration(
            secret: nil, keys: "nowhere", issuer: "https://issuer.example.org", audience: "helix")
        let verifier = JWTVerifier(
            configuration, fetch: { _ in throw CocoaError(.fileNoSuchFile) }, start: { $0() })
        let token = try site.token([:])
        #expect(throws: JWTVerifier.Invalid(reason: "the keys of the issuer are not known yet", isTemporary: true)) {
            _ = try verifier.claims(of: token, now: site.now)
        }
        #expect(throws: HelixError.self) {
            _ = try JWTConfiguration(secret: Array("short".utf8), keys: nil, issuer: "x", audience: "y")
        }
        #expect(throws: HelixError.self) {
            _ = try JWTConfiguration(secret: nil, keys: nil, issuer: "x", audience: "y")
        }
    }
}
