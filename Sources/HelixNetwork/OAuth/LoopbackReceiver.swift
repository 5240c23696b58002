import CLoopback
import Foundation
import HelixModel

/// Waits on this machine for the answer that a browser brings (RFC 8252 §7.3).
public final class LoopbackReceiver {
    private let listener: Int32
    /// The port that the browser is sent back to.
    public let port: UInt16
    /// No head of a request is longer.
    private static let longest = 32 << 10

    /// - Throws: ``HelixError`` if no port can be listened on.
    public init() throws {
        var port: UInt16 = 0
        listener = helix_loopback_listen(&port)
        guard listener >= 0 else {
            throw HelixError(
                .unexpected, "no port of this machine can be listened on",
                hint: "Sign in with --device, where the provider offers that.")
        }
        self.port = port
    }

    deinit { close(listener) }

    /// Waits for the answer to a request; others are sent away.
    ///
    /// - Parameter end: the time at which nobody is waited for any more.
    /// - Returns: the code that tokens are given for.
    /// - Throws: ``HelixError`` of code `authentication` if the user did not agree, or nobody came.
    public func code(for request: OAuthRequest, until end: Date) throws -> String {
        var room = [CChar](repeating: 0, count: LoopbackReceiver.longest)
        while true {
            let rest = end.timeIntervalSinceNow
            guard rest > 0 else {
                throw HelixError(
                    .authentication, "nobody signed in within the time", hint: "helix account sign-in NAME asks again.")
            }
            let connection = helix_loopback_accept(listener, Int32(min(rest, 3600) * 1000) + 1, &room, room.count)
            if connection == -2 { throw HelixError(.unexpected, "the port for the browser cannot be listened on") }
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
                    ? "you did not agree, and are not signed in" : "the provider refused the sign-in: \(reason)",
                hint: "helix account sign-in NAME asks again.")
        }
    }

    /// The values of a request's address; nil for what is none of ours.
    static func answer(in head: String) -> [String: String]? {
        let words = head.prefix { !$0.isNewline }.split(separator: " ")
        guard words.count == 3, words[0] == "GET", words[1].hasPrefix("/?"),
            let parts = URLComponents(string: String(words[1]))
        else { return nil }
        var values: [String: String] = [:]
        for item in parts.percentEncodedQueryItems ?? [] {
            // A value that comes twice is no answer of a provider (RFC 6749 §3.1).
            guard values[item.name] == nil else { return nil }
            values[item.name] = item.value?.replacing("+", with: " ").removingPercentEncoding ?? ""
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
