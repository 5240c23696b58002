import FoundationEssentials
import HelixModel

/// The session object of a JMAP server (RFC 8620 §2).
public struct JMAPSession: Sendable {
    /// The id of the mail account.
    public let account: String
    /// The server's name for the user.
    public let user: String
    /// The server's capabilities for the account.
    public let capabilities: Set<String>
    /// The maximum number of objects in one get request.
    public let mostInGet: Int
    /// The maximum number of objects in one set request.
    public let mostInSet: Int
    /// The maximum size of an upload in bytes.
    public let mostUploaded: Int
    /// The state of the session; nil if the server returns none.
    public let state: String?
    /// The whole session as text, to remember it.
    public let stored: String
    let api: URL
    let download: String
    let upload: String
    let events: String

    /// Restores a remembered session; nil if the text is invalid.
    public init?(stored: String) {
        guard let json = try? JSONText(Array(stored.utf8)), let session = json["session"],
            let base = json["base"]?.text.flatMap({ URL(string: $0) }), let own = try? JMAPSession(session, base)
        else { return nil }
        self = own
    }

    /// Creates the session of a server that is reached in another way than by addresses.
    /// - Parameter capabilities: those besides mail.
    public init(
        account: String, user: String, capabilities: Set<String>, mostInGet: Int, mostInSet: Int, mostUploaded: Int
    ) {
        (self.account, self.user) = (account, user)
        self.capabilities = capabilities.union([JMAPClient.core, JMAPClient.mail])
        (self.mostInGet, self.mostInSet, self.mostUploaded) = (mostInGet, mostInSet, mostUploaded)
        (state, stored, download, upload, events) = (nil, "", "", "", "")
        api = URL(fileURLWithPath: "/")
    }

    /// Requests the session.
    /// - Throws: ``HelixError``.
    static func get(_ url: URL, _ http: HTTPClient) throws -> JMAPSession {
        let isServer = url.path.isEmpty || url.path == "/"
        let first = isServer ? url.appendingPathComponent(".well-known/jmap") : url
        let headers = ["Accept: application/json"]
        var (answer, base) = try http.request("GET", first, headers: headers)
        if !answer.isGood, first != url { (answer, base) = try http.request("GET", url, headers: headers) }
        guard answer.isGood, let json = try? JSONText(answer.body), json["capabilities"] != nil else {
            throw HelixError(
                .protocol, "\(url.absoluteString) is not a JMAP session (HTTP \(answer.status))",
                hint: "Give the address of the session, such as https://api.example.org/jmap/session.")
        }
        return try JMAPSession(json, base)
    }

    private init(_ json: JSONText, _ base: URL) throws {
        guard let capabilities = json["capabilities"]?.fields,
            capabilities.contains(where: { $0.name == JMAPClient.mail }),
            let account = json["primaryAccounts"]?[JMAPClient.mail]?.text
        else {
            throw HelixError(
                .protocol, "the server at \(base.host ?? base.absoluteString) has no JMAP mail for this user")
        }
        func place(_ name: String) throws -> String {
            guard let text = json[name]?.text, !text.isEmpty else {
                throw HelixError(.protocol, "the JMAP session has no \(name)")
            }
            return text
        }
        guard let api = URL(string: try place("apiUrl"), relativeTo: base)?.absoluteURL else {
            throw HelixError(.protocol, "the JMAP session has no address for requests")
        }
        let limits = json["capabilities"]?[JMAPClient.core]
        func limit(_ name: String, _ usual: Int) -> Int {
            Int(clamping: max(1, limits?[name]?.integer ?? Int64(usual)))
        }
        let own = json["accounts"]?[account]?["accountCapabilities"]?.fields ?? capabilities
        self.account = account
        user = json["username"]?.text ?? ""
        self.capabilities = Set(own.map(\.name))
        mostInGet = limit("maxObjectsInGet", 500)
        mostInSet = limit("maxObjectsInSet", 500)
        mostUploaded = limit("maxSizeUpload", 50_000_000)
        state = json["state"]?.text
        self.api = api
        download = Self.absolute(try place("downloadUrl"), base)
        upload = Self.absolute(try place("uploadUrl"), base)
        events = json["eventSourceUrl"]?.text.map { Self.absolute($0, base) } ?? ""
        stored = (["base": .string(base.absoluteString), "session": json] as JSONText).compact
    }

    /// Resolves an address template, which is an invalid address while it contains braces.
    private static func absolute(_ template: String, _ base: URL) -> String {
        if template.contains("://") { return template }
        var root = "\(base.scheme ?? "https")://\(base.host ?? "")"
        if let port = base.port { root += ":\(port)" }
        return template.hasPrefix("/") ? root + template : root + "/" + template
    }
}
