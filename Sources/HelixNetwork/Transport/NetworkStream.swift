import CCurl
import FoundationEssentials
import Glibc
import HelixCrypto
import HelixModel

/// An authenticated connection to a server. It belongs to one thread.
///
/// It transfers bytes; its user implements the protocol.
public final class NetworkStream {
    private var handle: OpaquePointer
    private let label: String
    /// The timeout in milliseconds without a received byte.
    private let patience: Int32
    /// Set if both sides compress.
    private var deflate: DeflateStream?
    /// The trace of the connection, if enabled.
    private var traces: (out: LineTrace, back: LineTrace)?
    private var room = [UInt8](repeating: 0, count: 1 << 16)

    /// Connects, encrypts and signs in.
    ///
    /// - Parameter patience: the timeout in seconds without a received byte.
    /// - Throws: ``HelixError``: `offline`, `authentication`, `notAllowed` for a certificate, `protocol`.
    public init(_ endpoint: Endpoint, patience: Int = 60) throws {
        try NetworkDoor.requireOpen()
        if endpoint.security == .none, !endpoint.isLoopback {
            if case .none = endpoint.credential {
            } else {
                throw HelixError(
                    .notAllowed, "a password would go to \(endpoint.label) in the clear, and was not sent",
                    hint: "Use TLS or STARTTLS.")
            }
        }
        label = endpoint.label
        self.patience = Int32(patience * 1000)
        var problem = helix_curl_problem()
        let opened = NetworkStream.with(endpoint) { target in
            var target = target
            target.connect_timeout_ms = Int32(min(patience, 30) * 1000)
            return helix_curl_open(&target, &problem)
        }
        guard let opened else {
            let error = NetworkProblem.error(problem, endpoint.label)
            guard case .token = endpoint.credential, error.code == .authentication else { throw error }
            throw HelixError(
                .authentication, "\(endpoint.label) does not accept the OAuth 2.0 token for '\(endpoint.user)'",
                hint: "Get a new one with 'helix account sign-in'; a program that prints tokens may have an old one.")
        }
        handle = opened
        // A connection that begins in the clear has no certificate yet.
        if !endpoint.isBare || endpoint.security == .tls { try checkFingerprint(endpoint) }
    }

    /// Encrypts a connection that began in the clear, after the server has agreed.
    /// - Throws: ``HelixError``.
    func encrypt(_ endpoint: Endpoint) throws {
        var endpoint = endpoint
        endpoint.security = .tls
        var problem = helix_curl_problem()
        let secured = NetworkStream.with(endpoint) { target in
            var target = target
            return helix_curl_encrypt(handle, &target, &problem)
        }
        guard let secured else { throw NetworkProblem.error(problem, endpoint.label) }
        helix_curl_close(handle)
        handle = secured
        try checkFingerprint(endpoint)
    }

    /// Checks that the server has the only trusted certificate, if there is one.
    private func checkFingerprint(_ endpoint: Endpoint) throws {
        guard let wanted = endpoint.fingerprint else { return }
        // No data was sent yet: a server with another certificate learns nothing.
        let found = NetworkStream.fingerprint(ofPEM: helix_curl_certificate(handle).map { String(cString: $0) } ?? "")
        guard found == wanted else {
            throw HelixError(
                .notAllowed,
                "\(endpoint.label) has a certificate with the fingerprint \(found ?? "(none)") instead of the known one",
                hint: "If it was changed on purpose, set the new one: helix account edit NAME --fingerprint …")
        }
    }

    /// The SHA-256 of a certificate, in lower-case hexadecimal digits; nil for invalid text.
    private static func fingerprint(ofPEM text: String) -> String? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN CERTIFICATE") }),
            let end = lines[start...].firstIndex(where: { $0.hasPrefix("-----END CERTIFICATE") }),
            let bytes = Data(base64Encoded: lines[(start + 1)..<end].joined())
        else { return nil }
        return SHA256.hash(bytes).hexadecimal
    }

    deinit { helix_curl_close(handle) }

    /// Calls `body` with a server's settings for libcurl.
    static func with<Value>(_ endpoint: Endpoint, url: String? = nil, _ body: (helix_curl_target) -> Value) -> Value {
        var password: String?
        var token: String?
        switch endpoint.credential {
        case .none: break
        case .password(let text): password = text
        case .token(let text): token = text
        }
        // A protocol that libcurl does not know signs in by itself.
        let user = endpoint.user.isEmpty || endpoint.isBare ? nil : endpoint.user
        if endpoint.isBare { (password, token) = (nil, nil) }
        let texts = [url ?? endpoint.url, user, password, token]
        // libcurl prefers CRAM-MD5, which proves a password, but not a token.
        let ways = token == nil || endpoint.scheme.hasPrefix("http") ? nil : "AUTH=OAUTHBEARER;AUTH=XOAUTH2"
        let pointers = (texts + [endpoint.authorities, ways]).map { $0.flatMap { strdup($0) } }
        defer {
            for pointer in pointers {
                guard let pointer else { continue }
                // Secrets are erased before the memory is freed.
                explicit_bzero(pointer, strlen(pointer))
                free(pointer)
            }
        }
        var target = helix_curl_target()
        target.url = UnsafePointer(pointers[0])
        target.user = UnsafePointer(pointers[1])
        target.password = UnsafePointer(pointers[2])
        target.token = UnsafePointer(pointers[3])
        target.authorities = UnsafePointer(pointers[4])
        target.login_options = UnsafePointer(pointers[5])
        target.must_upgrade = endpoint.security == .starttls ? 1 : 0
        target.trusts_any = endpoint.fingerprint == nil ? 0 : 1
        target.is_bare = endpoint.isBare ? 1 : 0
        target.connect_timeout_ms = 30_000
        return body(target)
    }

    /// Sends all bytes.
    /// - Throws: ``HelixError`` of code `offline` if the connection breaks.
    public func send(_ bytes: some ContiguousBytes) throws {
        try bytes.withUnsafeBytes { whole in
            let plain = whole.bindMemory(to: UInt8.self)
            traces?.out.take(plain)
            guard let deflate else { return try sendRaw(plain) }
            try deflate.pack(plain).withUnsafeBufferPointer { try sendRaw($0) }
        }
    }

    private func sendRaw(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeBufferPointer(rebasing: rest)
            guard let base = part.baseAddress else { return }
            let sent = helix_curl_send(handle, base, part.count)
            if sent < 0 { throw broken() }
            if sent == 0, helix_curl_wait(handle, 1, -1, patience) <= 0 { throw silent() }
            rest = rest.dropFirst(Int(sent))
        }
    }

    /// Traces the connection from here on, if enabled.
    func record(as kind: Trace.Kind, _ endpoint: Endpoint) {
        guard Trace.isOn(kind) else { return }
        traces = (LineTrace(kind, isOut: true), LineTrace(kind, isOut: false))
        let user = endpoint.user.isEmpty ? "" : ", signed in as \(endpoint.user)"
        Trace.note(kind, "connected to \(label)\(user)")
    }

    /// Compresses both directions from now on (RFC 4978).
    /// - Parameter rest: received bytes that are already compressed.
    /// - Returns: their decompressed form.
    /// - Throws: ``HelixError`` of code `protocol` for invalid compressed data.
    func pack(with deflate: DeflateStream, after rest: [UInt8]) throws -> [UInt8] {
        self.deflate = deflate
        var found: [UInt8] = []
        _ = try rest.withUnsafeBufferPointer { try deflate.unpack($0) { found.append(contentsOf: $0) } }
        return found
    }

    /// Waits for bytes and passes them to `body`.
    /// - Throws: ``HelixError`` of code `offline` if the connection breaks or the other side is silent for too long.
    public func receive(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        while true {
            if try receiveNow(body) { return }
            if helix_curl_wait(handle, 0, -1, patience) <= 0 { throw silent() }
        }
    }

    /// Passes the bytes that are available to `body`, without waiting.
    /// - Returns: whether there were any.
    /// - Throws: ``HelixError`` of code `offline` if the connection is broken.
    @discardableResult
    public func receiveNow(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws -> Bool {
        let count = room.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { helix_curl_receive(handle, $0, buffer.count) } ?? -1
        }
        if count < 0 { throw broken() }
        if count == 0 { return false }
        return try room.withUnsafeBufferPointer { buffer in
            let bytes = UnsafeBufferPointer(rebasing: buffer[..<Int(count)])
            if let deflate {
                return try deflate.unpack(bytes) {
                    traces?.back.take($0)
                    try body($0)
                }
            }
            traces?.back.take(bytes)
            try body(bytes)
            return true
        }
    }

    /// The event that ended a wait.
    public enum Event {
        /// Bytes are available.
        case readable
        /// The other descriptor is readable.
        case woken
        /// The wait timed out.
        case timeout
    }

    /// Waits for bytes, for another descriptor, or for the timeout.
    /// - Throws: ``HelixError`` of code `offline`.
    public func wait(seconds: Int, wake: Int32 = -1) throws -> Event {
        try wait(milliseconds: seconds * 1000, wake: wake)
    }

    /// Waits for bytes, for another descriptor, or for the timeout.
    /// - Throws: ``HelixError`` of code `offline`.
    public func wait(milliseconds: Int, wake: Int32 = -1) throws -> Event {
        switch helix_curl_wait(handle, 0, wake, Int32(clamping: milliseconds)) {
        case 1: return .readable
        case 2: return .woken
        case 0: return .timeout
        default: throw broken()
        }
    }

    private func broken() -> HelixError { HelixError(.offline, "the connection to \(label) broke") }

    private func silent() -> HelixError {
        HelixError(.offline, "\(label) has not answered for \(patience / 1000) seconds")
    }
}
