import CLoopback
import FoundationEssentials
import Glibc
import HelixModel

/// Receives the browser's redirect on this machine (RFC 8252 §7.3).
public final class LoopbackReceiver {
    private let listener: Int32
    /// The port for the redirect.
    public let port: UInt16
    /// The maximum size of a request's headers.
    private static let longest = 32 << 10

    /// - Throws: ``HelixError`` if no port is available.
    public init() throws {
        var port: UInt16 = 0
        listener = helix_loopback_listen(&port)
        guard listener >= 0 else {
            throw HelixError(
                .unexpected, "cannot listen on a port of this machine",
                hint: "Sign in with --device, if the provider supports it.")
        }
        self.port = port
    }

    deinit { close(listener) }

    /// Waits for the answer to a request; other requests get an error.
    ///
    /// - Parameter end: the timeout.
    /// - Returns: the authorization code.
    /// - Throws: ``HelixError`` of code `authentication` if the user did not agree, or the time is over.
    public func code(for request: OAuthRequest, until end: Date) throws -> String {
        var room = [CChar](repeating: 0, count: LoopbackReceiver.longest)
        while true {
            let rest = end.timeIntervalSinceNow
            guard rest > 0 else {
                throw HelixError(
                    .authentication, "the sign-in timed out", hint: "Try again: helix account sign-in NAME")
            }
            let connection = helix_loopback_accept(listener, Int32(min(rest, 3600) * 1000) + 1, &room, room.count)
            if connection == -2 { throw HelixError(.unexpected, "cannot listen on the port for the browser") }
            guard connection >= 0 else { continue }
            let head = String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard let answer = LoopbackReceiver.answer(in: head), answer["state"] == request.state else {
                reply(connection, "404 Not Found", "There is nothing here.")
                continue
            }
            if let code = answer["code"], !code.isEmpty {
                reply(connection, "200 OK", "You are signed in. This page can be closed.")
                return code
            }
            reply(connection, "200 OK", "You are not signed in. This page can be closed.")
            let reason = answer["error_description"] ?? answer["error"] ?? "no reason"
            throw HelixError(
                .authentication,
                answer["error"] == "access_denied"
                    ? "the sign-in failed: you did not agree" : "the provider refused the sign-in: \(reason)",
                hint: "Try again: helix account sign-in NAME")
        }
    }

    /// The query values of a redirect; nil for other requests.
    static func answer(in head: String) -> [String: String]? {
        let words = head.prefix { !$0.isNewline }.split(separator: " ")
        guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/?"),
            let parts = URLComponents(string: String(words[1]))
        else { return nil }
        var values: [String: String] = [:]
        for item in parts.percentEncodedQueryItems ?? [] {
            // A repeated value is invalid (RFC 6749 §3.1).
            guard values[item.name] == nil else { return nil }
            values[item.name] = item.value?.replacing("+", with: " ").percentDecoded ?? ""
        }
        return values
    }

    private func reply(_ connection: Int32, _ status: String, _ text: String) {
        let body = "<!doctype html><meta charset=utf-8><title>helix</title><p>\(text)"
        let answer =
            "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Cache-Control: no-store\r\nConnection: close\r\n\r\n\(body)"
        helix_loopback_answer(connection, answer, answer.utf8.count)
    }
}
