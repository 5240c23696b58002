import CCurl
import Foundation
import HelixModel

/// A client of HTTP that signs in at one server, and keeps its connection. It belongs to one thread.
public final class HTTPClient {
    /// What a server answers.
    public struct Answer: Sendable {
        /// The status: 200 and its like are good.
        public var status: Int
        /// The fields of its head, names in lower case.
        public var fields: [String: String]
        /// The body.
        public var body: [UInt8]

        /// An answer of these parts.
        public init(status: Int, fields: [String: String], body: [UInt8]) {
            (self.status, self.fields, self.body) = (status, fields, body)
        }

        /// Whether it was done.
        public var isGood: Bool { (200..<300).contains(status) }
    }

    private let handle: OpaquePointer
    /// What its requests are recorded as. Of ``Trace/Kind/dav`` and ``Trace/Kind/jmap`` the bodies are, too; others may hold secrets.
    public var traceKind = Trace.Kind.http
    private let patience: Int32
    private let user: String
    private var credential: Endpoint.Credential
    /// Gets another token in the place of one that a server refuses.
    private let renewal: ((String) throws -> String)?
    private let authorities: String?
    /// The server that one signs in at.
    private let origin: String
    /// The servers that may see the password.
    private var origins: Set<String>
    private let host: String
    /// How often a server was waited for.
    public private(set) var roundTrips = 0
    /// The time on the server's clock with its last answer (RFC 9110 §6.6.1).
    public private(set) var serverTime: Date?
    /// No answer that makes sense is larger.
    private static let largest = 256 << 20

    /// - Parameters:
    ///   - url: an address of the server that one signs in at.
    ///   - patience: after so many seconds the other side counts as gone.
    ///   - renewal: gets another token in the place of one that a server refuses, once a request.
    /// - Throws: ``HelixError``: `configuration` for an address that is none, `notAllowed` for a password in the clear.
    public init(
        _ url: URL, user: String, credential: Endpoint.Credential, authorities: String?, patience: Int = 120,
        renewal: ((String) throws -> String)? = nil
    ) throws {
        self.renewal = renewal
        self.patience = Int32(patience) * 1000
        guard let origin = HTTPClient.origin(url), let host = url.host else {
            throw HelixError(
                .configuration, "'\(url.absoluteString)' is no address of a server", hint: "It begins with https://.")
        }
        if url.scheme == "http", !Endpoint.isLoopback(host) {
            if case .none = credential {
            } else {
                throw HelixError(
                    .notAllowed, "a password would go to \(host) in the clear, and was not sent", hint: "Use https://.")
            }
        }
        guard let handle = helix_curl_http_new() else {
            throw HelixError(
                .unexpected, "libcurl cannot be opened, and helix reaches servers through it",
                hint: "Install it: apt-get install libcurl4.")
        }
        self.handle = handle
        self.user = user
        self.credential = credential
        self.authorities = authorities
        self.origin = origin
        self.host = host.lowercased()
        origins = [origin]
    }

    /// The way in which one server leads to another.
    public enum Referral: Sendable {
        /// It sends a request on (RFC 9110 §15.4), before anybody signed in.
        case redirect
        /// It names an address to somebody who signed in.
        case property
        /// It names an address in a session of JMAP, where the same sign-in is for all of them (RFC 8620 §2).
        case session
    }

    /// Lets a server see the password that the account's own server leads to, if it belongs to that.
    /// - Returns: whether it may.
    public func trust(_ url: URL, by referral: Referral) -> Bool {
        guard let other = HTTPClient.origin(url) else { return false }
        if origins.contains(other) { return true }
        // Over TLS, or at the very server: nobody sends a password from a safe line to an open one.
        if referral == .session, url.scheme?.lowercased() == "https" {
            origins.insert(other)
            return true
        }
        guard HTTPClient.isPart(url, of: host, by: referral) else { return false }
        origins.insert(other)
        return true
    }

    /// Whether an address belongs to a server: it has the same name or one below it, over TLS. Nobody but its owner can give
    /// those out, which is not true of names beside it or above it (`a.co.uk` and `b.co.uk`).
    ///
    /// An address that was named to somebody who signed in may also be one of the machines behind that name, as
    /// `p7-caldav.icloud.com` is for `caldav.icloud.com`.
    ///
    /// - Parameter host: in lower case.
    public static func isPart(_ url: URL, of host: String, by referral: Referral) -> Bool {
        guard url.scheme?.lowercased() == "https", let name = url.host?.lowercased() else { return false }
        if name == host { return true }
        let levels = host.split(separator: ".")
        guard levels.count > 1, let last = levels.last, !last.allSatisfy(\.isNumber) else { return false }
        if name.hasSuffix("." + host) { return true }
        // A name like `example.co.uk` was bought, and `other-example.co.uk` may have been by somebody else.
        let isBought = levels.count < 3 || levels.count == 3 && last.count == 2 && levels[1].count <= 3
        return referral == .property && !isBought && name.hasSuffix("-" + host)
    }

    deinit { helix_curl_http_free(handle) }

    private static let single: Set<String> = ["location", "etag", "date", "content-type", "content-length"]

    /// `Tue, 24 Nov 2026 07:00:00 GMT`
    private static func date(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count >= 5, let day = Int(words[1]), let year = Int(words[3]),
            let month = DateWords.month(abbreviation: words[2]),
            let date = CivilDate(validYear: year, month: month, day: day)
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3 else { return nil }
        let seconds = CivilDateTime(date).seconds + Int64(time[0] * 3600 + time[1] * 60 + time[2])
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// `https://host:443`; nil for what is no such address.
    private static func origin(_ url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(),
            ["http", "https"].contains(scheme)
        else { return nil }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }

    /// Sends a request, and follows where the server sends it.
    ///
    /// - Parameters:
    ///   - headers: `Name: value`.
    ///   - isOnce: whether it must not be sent again by itself where a line breaks: what it does would be done twice.
    /// - Returns: the answer, and the address that gave it.
    /// - Throws: ``HelixError``.
    public func request(
        _ method: String, _ url: URL, headers: [String] = [], body: [UInt8]? = nil, isOnce: Bool = false
    ) throws -> (answer: Answer, url: URL) {
        helix_curl_http_once(handle, isOnce ? 1 : 0)
        defer { helix_curl_http_once(handle, 0) }
        var url = url
        for _ in 0..<6 {
            var answer = try once(method, url, headers, body)
            if answer.status == 401, let renewal, case .token(let token) = credential,
                HTTPClient.origin(url).map(origins.contains) ?? false
            {
                credential = .token(try renewal(token))
                answer = try once(method, url, headers, body)
            }
            if answer.status == 401, let other = HTTPClient.origin(url), !origins.contains(other) {
                throw HelixError(
                    .authentication,
                    "\(host) leads to \(other), which is another server and was not sent the password",
                    hint: "If that is yours, it is an account of its own: helix account add NAME caldav \(other)")
            }
            if answer.status == 401 {
                throw HelixError(
                    .authentication, "\(url.host ?? "the server") does not accept the user name or the password",
                    hint: "Try the password by hand, and look at the user name: 'helix account edit' changes it.")
            }
            guard [301, 302, 303, 307, 308].contains(answer.status), let place = answer.fields["location"],
                let next = URL(string: place, relativeTo: url)?.absoluteURL
            else { return (answer, url) }
            // Nobody sends a password from a safe line to an open one.
            guard url.scheme == "http" || next.scheme == "https" else {
                throw HelixError(.notAllowed, "\(url.host ?? "the server") leads from https to \(place)")
            }
            url = next
            _ = trust(url, by: .redirect)
        }
        throw HelixError(.protocol, "\(url.host ?? "the server") leads from one address to the next without end")
    }

    /// Sends a request, and gives the body of a good answer to `body` as it comes.
    ///
    /// - Parameter take: takes bytes; none about once a second while nothing comes. It returns false to break off.
    /// - Returns: the answer; its body is empty if it was good. Nil if it was broken off.
    /// - Throws: ``HelixError``.
    public func stream(
        _ method: String, _ url: URL, headers: [String] = [], body: [UInt8]? = nil, take: (([UInt8]) -> Bool)
    ) throws -> Answer? {
        try withoutActuallyEscaping(take) { take in
            let sink = StreamSink(take)
            return try withExtendedLifetime(sink) {
                helix_curl_http_stream(
                    handle,
                    { context, bytes, count in
                        guard let context else { return 0 }
                        let sink = Unmanaged<StreamSink>.fromOpaque(context).takeUnretainedValue()
                        let piece = bytes.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
                        sink.goesOn = sink.goesOn && sink.take(piece)
                        return sink.goesOn ? 1 : 0
                    }, Unmanaged.passUnretained(sink).toOpaque())
                defer { helix_curl_http_stream(handle, nil, nil) }
                do { return try once(method, url, headers, body) } catch {
                    if !sink.goesOn { return nil }
                    throw error
                }
            }
        }
    }

    /// Sends a request and returns the answer as it is: redirections are not followed, and 401 is no error.
    /// - Throws: ``HelixError``.
    func plain(_ method: String, _ url: URL, headers: [String] = [], body: [UInt8]? = nil) throws -> Answer {
        try once(method, url, headers, body)
    }

    private func once(_ method: String, _ url: URL, _ headers: [String], _ body: [UInt8]?) throws -> Answer {
        roundTrips += 1
        // Another server than the one that was named does not see the password.
        let isOwn = HTTPClient.origin(url).map(origins.contains) ?? false
        let endpoint = Endpoint(
            scheme: "http", host: url.host ?? "", port: url.port ?? 0, security: .tls, user: isOwn ? user : "",
            credential: isOwn ? credential : .none, authorities: authorities)
        var problem = helix_curl_problem()
        var answer = helix_curl_answer()
        let texts = headers.map { strdup($0) }
        defer { for text in texts { free(text) } }
        var pointers: [UnsafePointer<CChar>?] = texts.map { UnsafePointer($0) }
        pointers.append(nil)
        let bytes = body ?? []
        let isDone = NetworkStream.with(endpoint, url: url.absoluteString) { target in
            var target = target
            return bytes.withUnsafeBufferPointer { buffer in
                // An empty array has no address, and a body of nothing is a body still.
                var nothing: UInt8 = 0
                return withUnsafePointer(to: &nothing) { empty in
                    helix_curl_http_request(
                        handle, &target, method, pointers, body == nil ? nil : buffer.baseAddress ?? empty,
                        buffer.count,
                        HTTPClient.largest, patience, &answer, &problem)
                }
            }
        }
        traceRequest(method, url, headers, body)
        guard isDone == 1 else {
            let error = NetworkProblem.error(problem, url.host ?? url.absoluteString)
            Trace.note(traceKind, "< \(error.message)")
            throw error
        }
        var fields: [String: String] = [:]
        let head = String(decoding: UnsafeBufferPointer(start: answer.head, count: answer.head_count), as: UTF8.self)
        for line in head.split(whereSeparator: \.isNewline).dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            // A field may be sent in several lines, which are one list (RFC 9110 §5.3).
            let name = line[..<colon].lowercased()
            fields[name] =
                fields[name].map { HTTPClient.single.contains(name) ? String(value) : "\($0), \(value)" }
                ?? String(value)
        }
        if isOwn { serverTime = fields["date"].flatMap(HTTPClient.date) }
        let taken = Answer(
            status: Int(answer.status), fields: fields,
            body: Array(UnsafeBufferPointer(start: answer.body, count: answer.body_count)))
        Trace.note(
            traceKind,
            "< \(taken.status) \(taken.body.count) bytes\(recorded(taken.body, taken.fields["content-type"]))")
        return taken
    }

    private func traceRequest(_ method: String, _ url: URL, _ headers: [String], _ body: [UInt8]?) {
        guard Trace.isOn(traceKind) else { return }
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        // Addresses may hold tokens.
        if parts?.query != nil { parts?.query = "..." }
        parts?.user = nil
        parts?.password = nil
        let shown = headers.filter {
            !$0.lowercased().hasPrefix("authorization") && !$0.lowercased().hasPrefix("cookie")
        }
        let kind = headers.first { $0.lowercased().hasPrefix("content-type:") }
        Trace.note(
            traceKind,
            "> \(method) \(parts?.string ?? "")\(shown.isEmpty ? "" : " [\(shown.joined(separator: "; "))]")"
                + (body.map { recorded($0, kind) } ?? ""))
    }

    /// A body as it is recorded: text of calendars and of JMAP, without secrets.
    private func recorded(_ body: [UInt8], _ type: String?) -> String {
        guard !body.isEmpty, let type = type?.lowercased() else { return "" }
        let isShown =
            traceKind == .dav && (type.contains("xml") || type.contains("calendar"))
            || traceKind == .jmap && type.contains("json")
        return isShown ? "\n" + Trace.withoutSecrets(String(decoding: body.prefix(1 << 18), as: UTF8.self)) : ""
    }
}

/// What takes a body as it comes.
private final class StreamSink {
    let take: ([UInt8]) -> Bool
    var goesOn = true

    init(_ take: @escaping ([UInt8]) -> Bool) { self.take = take }
}
