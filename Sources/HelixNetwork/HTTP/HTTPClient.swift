import CCurl
import FoundationEssentials
import Glibc
import HelixModel

/// An HTTP client with the sign-in for one server; it keeps its connection. It belongs to one thread.
public final class HTTPClient {
    /// A response.
    public struct Answer: Sendable {
        /// The status: 2xx means success.
        public var status: Int
        /// The header fields, names in lower case.
        public var fields: [String: String]
        /// The body.
        public var body: [UInt8]

        /// Creates a response.
        public init(status: Int, fields: [String: String], body: [UInt8]) {
            (self.status, self.fields, self.body) = (status, fields, body)
        }

        /// Whether the request succeeded.
        public var isGood: Bool { (200..<300).contains(status) }
    }

    private let handle: OpaquePointer
    /// The kind of its traces. For ``Trace/Kind/dav`` and ``Trace/Kind/jmap`` bodies are traced, too; others may contain secrets.
    public var traceKind = Trace.Kind.http
    /// Whether HTTP/2 is used with servers that speak it over TLS; HTTP/1.1 with the others.
    public var prefersHTTP2 = false
    /// Whether connections to addresses of private networks, and of this machine, are allowed. A server that connects to addresses
    /// of its users must not.
    public var reachesPrivateNetworks = true
    private let patience: Int32
    private let user: String
    private var credential: Endpoint.Credential
    /// Replaces a token that a server refuses.
    private let renewal: ((String) throws -> String)?
    private let authorities: String?
    /// The server of the sign-in.
    private let origin: String
    /// The servers that may receive the password.
    private var origins: Set<String>
    private let host: String
    /// The number of round trips.
    public private(set) var roundTrips = 0
    /// The server's clock as of its last response (RFC 9110 §6.6.1).
    public private(set) var serverTime: Date?
    /// The maximum size of a response in bytes.
    private static let largest = 256 << 20

    /// - Parameters:
    ///   - url: an address on the server of the sign-in.
    ///   - patience: the timeout in seconds.
    ///   - renewal: replaces a token that a server refuses, once per request.
    /// - Throws: ``HelixError``: `configuration` for an invalid address, `notAllowed` for a password without encryption.
    public init(
        _ url: URL, user: String, credential: Endpoint.Credential, authorities: String?, patience: Int = 120,
        renewal: ((String) throws -> String)? = nil
    ) throws {
        try NetworkDoor.requireOpen()
        self.renewal = renewal
        self.patience = Int32(patience) * 1000
        guard let origin = HTTPClient.origin(url), let host = url.host, Endpoint.isHost(host) else {
            throw HelixError(
                .configuration, "'\(url.absoluteString)' is not a server address", hint: "It begins with https://.")
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
                .configuration, "libcurl cannot be opened, and helix reaches servers through it",
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

    /// The way in which one server refers to another.
    public enum Referral: Sendable {
        /// A redirect (RFC 9110 §15.4), before the sign-in.
        case redirect
        /// An address in a property, after the sign-in.
        case property
        /// An address in a JMAP session, whose servers share the sign-in (RFC 8620 §2).
        case session
    }

    /// Lets a server receive the password if the account's own server refers to it, and it belongs to that.
    /// - Returns: whether it may.
    public func trust(_ url: URL, by referral: Referral) -> Bool {
        guard let other = HTTPClient.origin(url) else { return false }
        if origins.contains(other) { return true }
        // Only over TLS, or to the server itself: a password never goes from an encrypted connection to an unencrypted one.
        if referral == .session, url.scheme?.lowercased() == "https" {
            origins.insert(other)
            return true
        }
        guard HTTPClient.isPart(url, of: host, by: referral) else { return false }
        origins.insert(other)
        return true
    }

    /// Whether an address belongs to a server: it has the same name or one below it, over TLS. Only the owner can assign those,
    /// unlike names beside it or above it (`a.co.uk` and `b.co.uk`).
    ///
    /// An address received after the sign-in may also be one of the machines behind that name, like `p7-caldav.icloud.com` for
    /// `caldav.icloud.com`.
    ///
    /// - Parameter host: in lower case.
    public static func isPart(_ url: URL, of host: String, by referral: Referral) -> Bool {
        guard url.scheme?.lowercased() == "https", let name = url.host?.lowercased() else { return false }
        if name == host { return true }
        let levels = host.split(separator: ".")
        guard levels.count > 1, let last = levels.last, !last.allSatisfy(\.isNumber) else { return false }
        if name.hasSuffix("." + host) { return true }
        // A name like `example.co.uk` was registered, and `other-example.co.uk` may belong to another owner.
        let isBought = levels.count < 3 || levels.count == 3 && last.count == 2 && levels[1].count <= 3
        return referral == .property && !isBought && name.hasSuffix("-" + host)
    }

    deinit { helix_curl_http_free(handle) }

    /// Whether a numeric address is reachable from anywhere; nil for the name of a host.
    public static func isPublic(_ host: String) -> Bool? {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let answer = helix_address_is_public(bare)
        return answer < 0 ? nil : answer == 1
    }

    private static let single: Set<String> = ["location", "etag", "date", "content-type", "content-length"]

    /// Parses `Tue, 24 Nov 2026 07:00:00 GMT`.
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

    /// The origin of an address, `https://host:443`; nil if it is invalid.
    private static func origin(_ url: URL) -> String? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(),
            ["http", "https"].contains(scheme)
        else { return nil }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))"
    }

    /// Sends a request, and follows redirects.
    ///
    /// - Parameters:
    ///   - headers: `Name: value`.
    ///   - isOnce: whether it must not be repeated after a broken connection: its effect would occur twice.
    /// - Returns: the response, and its address.
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
                    "\(host) redirects to another server, \(other), which was not sent the password",
                    hint: "If you trust it, add it as an account: helix account add NAME caldav \(other)")
            }
            if answer.status == 401 {
                throw HelixError(
                    .authentication, "\(url.host ?? "the server") does not accept the user name or the password",
                    hint: "Check the password and the user name; to change them: helix account edit.")
            }
            guard [301, 302, 303, 307, 308].contains(answer.status), let place = answer.fields["location"],
                let next = URL(string: place, relativeTo: url)?.absoluteURL
            else { return (answer, url) }
            // A password never goes from an encrypted connection to an unencrypted one.
            guard url.scheme == "http" || next.scheme == "https" else {
                throw HelixError(.notAllowed, "\(url.host ?? "the server") redirects from https to \(place)")
            }
            url = next
            _ = trust(url, by: .redirect)
        }
        throw HelixError(.protocol, "\(url.host ?? "the server") has too many redirects")
    }

    /// Sends a request, and passes the body of a successful response to `take` as it arrives.
    ///
    /// - Parameter take: receives bytes; none about once a second while nothing arrives. It returns false to abort.
    /// - Returns: the response; its body is empty on success. Nil if it was aborted.
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

    /// Sends a request without following redirects; 401 is not an error.
    /// - Throws: ``HelixError``.
    public func send(_ method: String, _ url: URL, headers: [String] = [], body: [UInt8]? = nil) throws -> Answer {
        try once(method, url, headers, body)
    }

    private func once(_ method: String, _ url: URL, _ headers: [String], _ body: [UInt8]?) throws -> Answer {
        roundTrips += 1
        helix_curl_http_version_2(handle, prefersHTTP2 ? 1 : 0)
        helix_curl_http_public_only(handle, reachesPrivateNetworks ? 0 : 1)
        // Only trusted servers receive the password.
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
                // An empty array has no address, but an empty body is still a body.
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
        // Addresses may contain tokens.
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

    /// The traced form of a body: calendar and JMAP text, without secrets.
    private func recorded(_ body: [UInt8], _ type: String?) -> String {
        guard !body.isEmpty, let type = type?.lowercased() else { return "" }
        let isShown =
            traceKind == .dav && (type.contains("xml") || type.contains("calendar"))
            || traceKind == .jmap && type.contains("json")
        return isShown ? "\n" + Trace.withoutSecrets(String(decoding: body.prefix(1 << 18), as: UTF8.self)) : ""
    }
}

/// Receives a body as it arrives.
private final class StreamSink {
    let take: ([UInt8]) -> Bool
    var goesOn = true

    init(_ take: @escaping ([UInt8]) -> Bool) { self.take = take }
}
