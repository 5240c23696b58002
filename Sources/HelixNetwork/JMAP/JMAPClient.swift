import Foundation
import HelixModel

/// A client of JMAP (RFC 8620): one session with one account of mail. It belongs to one thread.
public final class JMAPClient {
    /// The session as the server describes it (RFC 8620 §2).
    public struct Session: Sendable {
        /// The account that mail is in.
        public var account: String
        /// The name that the server has for who signed in.
        public var user: String
        /// The extensions that the server has for the account, by their names.
        public var capabilities: Set<String>
        /// The most objects that one request may get.
        public var mostInGet: Int
        /// The most objects that one request may change.
        public var mostInSet: Int
        /// The most calls that one request may have.
        public var mostCalls: Int
        /// The most bytes that may be uploaded at once.
        public var mostUploaded: Int
        fileprivate var api: URL
        fileprivate var download: String
        fileprivate var upload: String
        fileprivate var events: String
    }

    /// An answer to one call: the arguments, by the place of the call.
    public struct Answers {
        fileprivate var byCall: [Int: [(name: String, arguments: JSONText)]] = [:]

        /// The arguments of the answer to a call.
        /// - Throws: ``ServerRefusal`` if it was refused.
        public func of(_ call: Int) throws -> JSONText {
            guard let answers = byCall[call], let first = answers.first else {
                throw HelixError(.protocol, "the server gives no answer to a part of what it was asked")
            }
            if first.name == "error" { throw JMAPClient.refusal(first.arguments, "the request") }
            return first.arguments
        }

        /// Whether the call was refused for that reason (RFC 8620 §3.6.2).
        public func isRefused(_ call: Int, for type: String) -> Bool {
            byCall[call]?.first.map { $0.name == "error" && $0.arguments["type"]?.text == type } ?? false
        }
    }

    /// What the server said of itself.
    public let session: Session
    private let http: HTTPClient
    private let makeHTTP: () throws -> HTTPClient
    /// Further lines to the server, for bytes.
    private var lines: [JMAPLine] = []

    /// How often the server was waited for.
    public var roundTrips: Int { http.roundTrips + lines.reduce(0) { $0 + $1.http.roundTrips } }

    /// The capability of all servers of JMAP.
    public static let core = "urn:ietf:params:jmap:core"
    /// The capability of mail (RFC 8621).
    public static let mail = "urn:ietf:params:jmap:mail"
    /// The capability of sending mail (RFC 8621 §7).
    public static let submission = "urn:ietf:params:jmap:submission"

    /// Signs in.
    ///
    /// - Parameters:
    ///   - url: the address of the session, or of the server: then its well-known one is asked for (RFC 8620 §2.2).
    ///   - makeHTTP: makes a client that signs in there.
    /// - Throws: ``HelixError``.
    public init(_ url: URL, makeHTTP: @escaping () throws -> HTTPClient) throws {
        self.makeHTTP = makeHTTP
        http = try makeHTTP()
        session = try JMAPClient.session(url, http)
        trust(http)
    }

    private static func session(_ url: URL, _ http: HTTPClient) throws -> Session {
        var places = [url]
        if url.path.isEmpty || url.path == "/" {
            places = [url.appendingPathComponent(".well-known/jmap")]
        }
        var (answer, base) = try http.request("GET", places[0], headers: ["Accept: application/json"])
        if !answer.isGood, places[0] != url {
            (answer, base) = try http.request("GET", url, headers: ["Accept: application/json"])
        }
        guard answer.isGood, let json = try? JSONText(answer.body), let capabilities = json["capabilities"]?.fields
        else {
            throw HelixError(
                .protocol, "\(url.absoluteString) is no session of JMAP (HTTP \(answer.status))",
                hint: "Name the address of the session, such as https://api.example.org/jmap/session.")
        }
        guard capabilities.contains(where: { $0.name == mail }), let account = json["primaryAccounts"]?[mail]?.text
        else {
            throw HelixError(
                .protocol, "the server at \(base.host ?? url.absoluteString) has no mail by JMAP for this user")
        }
        let own = json["accounts"]?[account]?["accountCapabilities"]?.fields ?? capabilities
        func place(_ name: String) throws -> String {
            guard let text = json[name]?.text, !text.isEmpty else {
                throw HelixError(.protocol, "the session of JMAP names no \(name)")
            }
            return text
        }
        guard let api = URL(string: try place("apiUrl"), relativeTo: base)?.absoluteURL else {
            throw HelixError(.protocol, "the session of JMAP names no address for requests")
        }
        let limits = json["capabilities"]?[core]
        func limit(_ name: String, _ usual: Int) -> Int {
            let number = limits?[name]?.integer ?? Int64(usual)
            return Int(clamping: max(1, number))
        }
        return Session(
            account: account, user: json["username"]?.text ?? "", capabilities: Set(own.map(\.name)),
            mostInGet: limit("maxObjectsInGet", 500), mostInSet: limit("maxObjectsInSet", 500),
            mostCalls: limit("maxCallsInRequest", 16),
            mostUploaded: limit("maxSizeUpload", 50_000_000), api: api,
            download: absolute(try place("downloadUrl"), base),
            upload: absolute(try place("uploadUrl"), base),
            events: json["eventSourceUrl"]?.text.map { absolute($0, base) } ?? "")
    }

    /// A template of an address, which is no address as long as there are braces in it.
    private static func absolute(_ template: String, _ base: URL) -> String {
        if template.contains("://") { return template }
        var root = "\(base.scheme ?? "https")://\(base.host ?? "")"
        if let port = base.port { root += ":\(port)" }
        return template.hasPrefix("/") ? root + template : root + "/" + template
    }

    /// The servers of the session see what one signed in with: it names them for that (RFC 8620 §2).
    private func trust(_ http: HTTPClient) {
        for place in [session.api.absoluteString, session.download, session.upload, session.events] {
            let plain = place.prefix { $0 != "{" && $0 != "?" }
            if let url = URL(string: String(plain)) { _ = http.trust(url, by: .session) }
        }
    }

    // MARK: Calls

    /// Does several things in one request, each with its arguments; the account is added to them.
    /// - Throws: ``HelixError``, ``ServerRefusal`` if the request as a whole is refused.
    public func call(_ calls: [(name: String, arguments: JSONText)], using: [String] = [mail]) throws -> Answers {
        try JMAPClient.call(calls, using: using, in: session, by: http)
    }

    static func call(
        _ calls: [(name: String, arguments: JSONText)], using: [String], in session: Session, by http: HTTPClient
    ) throws -> Answers {
        let methods = calls.enumerated().map { place, call -> JSONText in
            .array([
                .string(call.name), call.arguments.setting("accountId", .string(session.account)), .string("\(place)"),
            ])
        }
        let body: JSONText = ["using": .strings([JMAPClient.core] + using), "methodCalls": .array(methods)]
        let headers = ["Content-Type: application/json", "Accept: application/json"]
        let (answer, _) = try http.request("POST", session.api, headers: headers, body: Array(body.compact.utf8))
        guard let json = try? JSONText(answer.body) else {
            throw HelixError(
                answer.status >= 500 ? .offline : .protocol,
                "the server answers a request of JMAP with HTTP \(answer.status)")
        }
        guard answer.isGood, let responses = json["methodResponses"]?.elements else {
            throw JMAPClient.refusal(json, "a request of JMAP")
        }
        var answers = Answers()
        for response in responses {
            guard let parts = response.elements, parts.count >= 3, let name = parts[0].text,
                let place = parts[2].text.flatMap({ Int($0) })
            else { throw HelixError(.protocol, "an answer of JMAP has no name") }
            answers.byCall[place, default: []].append((name, parts[1]))
        }
        return answers
    }

    /// A value that an earlier call of the request gives (RFC 8620 §3.7).
    public static func result(of call: Int, _ name: String, _ path: String) -> JSONText {
        ["resultOf": .string("\(call)"), "name": .string(name), "path": .string(path)]
    }

    /// The refusal that an error means: of a request, a call or one object (RFC 8620 §3.6, §5.3; RFC 8621).
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
        return ServerRefusal(command: what, code: code, text: words.isEmpty ? "for no reason that it says" : words)
    }

    // MARK: Bytes

    func address(of blob: String) throws -> URL {
        let values = [
            "accountId": session.account, "blobId": blob, "name": "message.eml", "type": "application/octet-stream",
        ]
        return try filled(session.download, values)
    }

    /// So many lines to the server, each used by one thread at a time.
    /// - Throws: ``HelixError``.
    func lines(_ count: Int) throws -> [JMAPLine] {
        while lines.count < count {
            let other = try makeHTTP()
            trust(other)
            lines.append(JMAPLine(other))
        }
        return Array(lines.prefix(count))
    }

    /// Gives the server bytes.
    /// - Returns: the name of the blob.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    public func upload(_ bytes: [UInt8], type: String = "message/rfc822") throws -> String {
        guard bytes.count <= session.mostUploaded else {
            throw ServerRefusal(
                command: "an upload", code: "LIMIT",
                text:
                    "it has \(bytes.count / 1_048_576) MB, and the server takes up to \(session.mostUploaded / 1_048_576) MB"
            )
        }
        let url = try filled(session.upload, ["accountId": session.account])
        let (answer, _) = try http.request("POST", url, headers: ["Content-Type: \(type)"], body: bytes)
        let json = try? JSONText(answer.body)
        guard answer.isGood, let blob = json?["blobId"]?.text else {
            throw JMAPClient.refusal(json ?? ["detail": .string("HTTP \(answer.status)")], "an upload")
        }
        return blob
    }

    /// Waits until the server tells that mail has changed (RFC 8620 §7.3).
    ///
    /// - Parameters:
    ///   - seconds: at most so long.
    ///   - goesOn: asked about once a second; false breaks off.
    /// - Returns: whether the server told something; nil if it cannot tell.
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
            let safe = value.addingPercentEncoding(withAllowedCharacters: JMAPClient.unreserved) ?? value
            text = text.replacing("{\(name)}", with: safe)
        }
        guard let url = URL(string: text) else {
            throw HelixError(.protocol, "the session of JMAP names no address: \(template)")
        }
        return url
    }

    private static let unreserved = CharacterSet.alphanumerics.intersection(
        CharacterSet(charactersIn: "\u{0}"..."\u{7F}")
    )
    .union(CharacterSet(charactersIn: "-._~"))
}
