import FoundationEssentials
import HelixModel

/// A JMAP client over HTTP (RFC 8620): one session with one mail account. It belongs to one thread.
public final class JMAPClient: JMAPConnection {
    /// The session object of the server: its addresses, limits and account (RFC 8620 §2).
    public private(set) var session: JMAPSession
    /// Whether the session was remembered from an earlier run, and may be outdated.
    private var isRemembered = false
    /// Whether the server has reported a new session state (RFC 8620 §2).
    public private(set) var isOutdated = false
    private let url: URL
    private let http: HTTPClient
    private let makeHTTP: () throws -> HTTPClient
    /// Further connections to the server, for blobs.
    private var lines: [JMAPLine] = []

    /// The number of round trips.
    public var roundTrips: Int { http.roundTrips + lines.reduce(0) { $0 + $1.http.roundTrips } }

    /// The capability of all JMAP servers.
    public static let core = "urn:ietf:params:jmap:core"
    /// The mail capability (RFC 8621).
    public static let mail = "urn:ietf:params:jmap:mail"
    /// The capability for sending mail (RFC 8621 §7).
    public static let submission = "urn:ietf:params:jmap:submission"

    /// Signs in.
    ///
    /// - Parameters:
    ///   - url: the address of the session, or of the server: then its well-known address is used (RFC 8620 §2.2).
    ///   - remembered: the session of an earlier run, which saves a round trip while it is valid.
    ///   - makeHTTP: creates a client that signs in there.
    /// - Throws: ``HelixError``.
    public init(_ url: URL, remembered: JMAPSession? = nil, makeHTTP: @escaping () throws -> HTTPClient) throws {
        (self.url, self.makeHTTP) = (url, makeHTTP)
        http = try makeHTTP()
        http.traceKind = .jmap
        isRemembered = remembered != nil
        session = try remembered ?? JMAPSession.get(url, http)
        trust(http)
    }

    /// Lets the servers that the session names receive the credential (RFC 8620 §2).
    private func trust(_ http: HTTPClient) {
        for place in [session.api.absoluteString, session.download, session.upload, session.events] {
            let plain = place.prefix { $0 != "{" && $0 != "?" }
            if let url = URL(string: String(plain)) { _ = http.trust(url, by: .session) }
        }
    }

    // MARK: Calls

    /// Sends several calls in one request, each with its arguments; the account is added to them.
    /// - Throws: ``HelixError``, ``ServerRefusal`` if the request as a whole is refused.
    public func call(_ calls: [(name: String, arguments: JSONText)], using: [String]) throws -> JMAPAnswers {
        do {
            let answers = try JMAPClient.call(calls, using: using, in: session, by: http)
            if isRemembered, answers.isRefused(0, for: "accountNotFound") {
                throw JMAPClient.refusal(["type": "accountNotFound"], "the account")
            }
            if answers.sessionState != session.state { isOutdated = true }
            return answers
        } catch  where isRemembered && JMAPClient.mayBeTheSession(error, calls) {
            // Its addresses and limits may have changed.
            session = try JMAPSession.get(url, http)
            (isRemembered, isOutdated) = (false, false)
            trust(http)
            return try JMAPClient.call(calls, using: using, in: session, by: http)
        }
    }

    /// Methods that must not be repeated: a second call would have a second effect.
    private static let onceOnly: Set<String> = ["Email/import", "EmailSubmission/set", "Mailbox/set"]

    static func call(
        _ calls: [(name: String, arguments: JSONText)], using: [String], in session: JMAPSession, by http: HTTPClient
    ) throws -> JMAPAnswers {
        let methods = calls.enumerated().map { place, call -> JSONText in
            .array([
                .string(call.name), call.arguments.setting("accountId", .string(session.account)), .string("\(place)"),
            ])
        }
        let body: JSONText = ["using": .strings([JMAPClient.core] + using), "methodCalls": .array(methods)]
        let headers = ["Content-Type: application/json", "Accept: application/json"]
        let isOnce = calls.contains { onceOnly.contains($0.name) }
        let (answer, _) = try http.request(
            "POST", session.api, headers: headers, body: Array(body.compact.utf8), isOnce: isOnce)
        guard let json = try? JSONText(answer.body) else {
            throw HelixError(
                answer.status >= 500 ? .offline : .protocol,
                "the server answered a JMAP request with HTTP \(answer.status)")
        }
        guard answer.isGood, json["methodResponses"] != nil else {
            throw JMAPClient.refusal(json, "a JMAP request")
        }
        return try JMAPAnswers(json)
    }

    /// Whether an error may be due to an outdated session (its addresses or limits), and the calls can be repeated.
    private static func mayBeTheSession(
        _ error: any Error, _ calls: [(name: String, arguments: JSONText)]
    ) -> Bool {
        if error is ServerRefusal { return true }
        // An unreadable response may belong to a call that was carried out.
        guard let error = error as? HelixError, !calls.contains(where: { onceOnly.contains($0.name) }) else {
            return false
        }
        return error.code != .offline && error.code != .authentication
    }

    /// A reference to the result of an earlier call of the request (RFC 8620 §3.7).
    public static func result(of call: Int, _ name: String, _ path: String) -> JSONText {
        ["resultOf": .string("\(call)"), "name": .string(name), "path": .string(path)]
    }

    /// Converts an error of a request, a call or one object to a refusal (RFC 8620 §3.6, §5.3; RFC 8621).
    public static func refusal(_ error: JSONText, _ what: String) -> ServerRefusal {
        let type = error["type"]?.text ?? ""
        let short = type.split(separator: ":").last.map(String.init) ?? type
        let code =
            switch short {
            case "forbidden", "accountReadOnly", "forbiddenFrom", "forbiddenMailFrom", "forbiddenToSend": "NOPERM"
            case "overQuota": "OVERQUOTA"
            case "tooLarge", "rateLimit", "limit", "requestTooLarge", "tooManyMailboxes", "tooManyKeywords": "LIMIT"
            case "notFound", "accountNotFound", "mailboxNotFound": "NONEXISTENT"
            case "serverUnavailable": "UNAVAILABLE"
            case "serverFail", "serverPartialFail": "SERVERBUG"
            case "alreadyExists": "ALREADYEXISTS"
            default: "CANNOT"
            }
        let words = error["description"]?.text ?? error["detail"]?.text ?? short
        return ServerRefusal(command: what, code: code, text: words.isEmpty ? "without a reason" : words)
    }

    // MARK: Bytes

    func address(of blob: String) throws -> URL {
        let values = [
            "accountId": session.account, "blobId": blob, "name": "message.eml", "type": "application/octet-stream",
        ]
        return try filled(session.download, values)
    }

    /// Further connections to the server, opened when needed; each is used by one thread at a time.
    /// - Throws: ``HelixError``.
    func lines(_ count: Int) throws -> [JMAPLine] {
        while lines.count < count {
            let other = try makeHTTP()
            other.traceKind = .jmap
            trust(other)
            lines.append(JMAPLine(other))
        }
        return Array(lines.prefix(count))
    }

    /// Uploads bytes.
    /// - Returns: the id of the blob.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    public func upload(_ bytes: [UInt8], type: String) throws -> String {
        guard bytes.count <= session.mostUploaded else {
            throw ServerRefusal(
                command: "an upload", code: "LIMIT",
                text:
                    "its size is \(bytes.count / 1_048_576) MB, and the server accepts up to \(session.mostUploaded / 1_048_576) MB"
            )
        }
        let url = try filled(session.upload, ["accountId": session.account])
        let (answer, _) = try http.request("POST", url, headers: ["Content-Type: \(type)"], body: bytes)
        let json = try? JSONText(answer.body)
        guard answer.isGood, let blob = json?["blobId"]?.text else {
            let isBusy = answer.status == 429 || answer.status >= 500
            let known = json.flatMap { $0["type"] == nil ? nil : $0 }
            throw JMAPClient.refusal(
                known ?? [
                    "type": .string(isBusy ? "serverUnavailable" : "serverRefused"),
                    "detail": .string("HTTP \(answer.status)"),
                ], "an upload")
        }
        return blob
    }

    /// The state of the messages, requested over another connection: this one may be listening.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    public func stateBesides() throws -> String? {
        let answers = try JMAPClient.call(
            [("Email/get", ["ids": .array([])])], using: [JMAPClient.mail], in: session, by: try lines(1)[0].http)
        return try answers.of(0)["state"]?.text
    }

    /// Waits until the server pushes a mail change (RFC 8620 §7.3).
    ///
    /// - Parameters:
    ///   - seconds: the timeout.
    ///   - goesOn: called once a second; returns false to abort.
    /// - Returns: whether the server pushed a change; nil if it cannot push.
    /// - Throws: ``HelixError``.
    public func waitForChange(seconds: Int, goesOn: () -> Bool) throws -> Bool? {
        guard !session.events.isEmpty else { return nil }
        let values = ["types": "Email,Mailbox", "closeafter": "state", "ping": "30"]
        let url = try filled(session.events, values)
        let end = Date() + Double(seconds)
        var isNews = false
        var text: [UInt8] = []
        let answer = try http.stream("GET", url, headers: ["Accept: text/event-stream"]) { bytes in
            text += bytes
            if text.count > 1 << 16 { text.removeFirst(text.count - 1 << 15) }
            let said = String(decoding: text, as: UTF8.self)
            isNews = isNews || said.contains("event: state") || said.contains("\"StateChange\"")
            return !isNews && Date() < end && goesOn()
        }
        if isNews { return true }
        return answer.map { $0.isGood } == false ? nil : false
    }

    private func filled(_ template: String, _ values: [String: String]) throws -> URL {
        var text = template
        for (name, value) in values {
            let safe = value.percentEncoded(keeping: String.unreservedSigns)
            text = text.replacing("{\(name)}", with: safe)
        }
        guard let url = URL(string: text) else {
            throw HelixError(.protocol, "the JMAP session has an invalid address: \(template)")
        }
        return url
    }
}
