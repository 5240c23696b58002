import FoundationEssentials
import Glibc

/// The place of a PostgreSQL database, and how to sign in there.
public struct PostgresTarget: Sendable {
    /// The URI as it was given: `postgresql://gateway@db1,db2/helix`. It has no password.
    public let uri: String
    /// Returns the password, for each connection anew; nil for the sources of libpq: a service file or `~/.pgpass`.
    private let password: (@Sendable () throws -> String)?

    /// An invalid URI, with what is wrong.
    public struct Invalid: Error {
        /// The problem, and the remedy.
        public let (message, hint): (String, String)
    }

    /// - Parameters:
    ///   - uri: a connection URI (https://www.postgresql.org/docs/15/libpq-connect.html#id-1.7.3.8.3.6).
    ///   - password: returns the password.
    /// - Throws: ``Invalid``.
    public init(_ uri: String, password: (@Sendable () throws -> String)? = nil) throws {
        guard let scheme = ["postgresql://", "postgres://"].first(where: uri.hasPrefix) else {
            throw Invalid(
                message: "'\(PostgresTarget.shown(uri))' is no address of a PostgreSQL database",
                hint: "Example: postgresql://gateway@db1.example.org,db2.example.org/helix")
        }
        let rest = uri.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let user = authority.lastIndex(of: "@").map { authority[..<$0] }
        guard user?.contains(":") != true, !rest.contains("password=") else {
            throw Invalid(
                message: "the address of the database has a password, which other users of this machine can read",
                hint: "Name a command with --password-command, or use a service file or ~/.pgpass.")
        }
        self.uri = uri
        self.password = password
    }

    /// The URI without parameters, for messages.
    public var shown: String { PostgresTarget.shown(uri) }

    private static func shown(_ uri: String) -> String {
        let place = uri.prefix { $0 != "?" }
        guard let at = place.lastIndex(of: "@"), let colon = place[..<at].lastIndex(of: ":"),
            !place[colon...].hasPrefix("://")
        else { return String(place) }
        return String(place[..<colon] + place[at...])
    }

    /// The parameters of libpq: defaults, the URI, and what must not be overridden.
    func parameters(_ application: String) throws -> [(name: String, value: String)] {
        var list = [
            ("connect_timeout", "5"), ("keepalives_idle", "20"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", "20000"), ("target_session_attrs", "read-write"),
        ]
        // A service file says what its server can.
        if !isLocal, !usesService {
            list.append(("sslmode", "verify-full"))
            if let authorities = PostgresTarget.systemAuthorities { list.append(("sslrootcert", authorities)) }
        }
        list.append(("dbname", uri))
        if let password { list.append(("password", try password())) }
        list.append(("fallback_application_name", application))
        list.append(("client_encoding", "UTF8"))
        return list.map { (name: $0.0, value: $0.1) }
    }

    /// Whether the parameters come from a service file.
    private var usesService: Bool {
        uri.contains("?service=") || uri.contains("&service=")
            || ProcessInfo.processInfo.environment["PGSERVICE"]?.isEmpty == false && uri.hasSuffix("://")
    }

    /// The hosts and ports of a URI that names several; empty otherwise.
    var severalHosts: [(host: String, port: String)] {
        let authority = uri.drop { $0 != ":" }.dropFirst(3).prefix { $0 != "/" && $0 != "?" }
        let all = authority.split(separator: "@", omittingEmptySubsequences: false).last?.split(separator: ",") ?? []
        guard all.count > 1 else { return [] }
        return all.map { word in
            // An address of IPv6 stands in brackets.
            let end = word.lastIndex(of: "]") ?? word.startIndex
            let colon = word[end...].firstIndex(of: ":") ?? word.endIndex
            let host = word[..<colon].filter { $0 != "[" && $0 != "]" }
            return (host: host, port: String(word[colon...].dropFirst()))
        }
    }

    /// Whether all hosts are on this machine: then nothing is encrypted unless the URI says so.
    var isLocal: Bool {
        guard !uri.contains("service=") else { return false }
        let rest = uri.drop { $0 != ":" }.dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let hosts = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let query = uri.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let named = query.split(separator: "&").filter { $0.hasPrefix("host=") || $0.hasPrefix("hostaddr=") }
            .map { $0.drop { $0 != "=" }.dropFirst() }
        let all = (hosts.isEmpty ? [] : [hosts]) + named
        return all.joined(separator: ",").split(separator: ",").allSatisfy { host in
            host.hasPrefix("/") || host.hasPrefix("%2F") || host.hasPrefix("%2f") || host.hasPrefix("localhost")
                || host.hasPrefix("127.") || host.hasPrefix("[::1]") || host.hasPrefix("::1")
        }
    }

    /// The file of the system's authorities, unless the user has one for PostgreSQL, which libpq finds itself.
    private static var systemAuthorities: String? {
        if let home = getenv("HOME").map({ String(cString: $0) }), access(home + "/.postgresql/root.crt", R_OK) == 0 {
            return nil
        }
        return ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
            .first { access($0, R_OK) == 0 }
    }
}
