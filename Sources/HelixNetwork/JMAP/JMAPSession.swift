import Foundation
import HelixModel

/// The session as a server of JMAP describes it (RFC 8620 §2).
public struct JMAPSession: Sendable {
    /// The account that mail is in.
    public let account: String
    /// The name that the server has for who signed in.
    public let user: String
    /// The extensions that the server has for the account, by their names.
    public let capabilities: Set<String>
    /// The most objects that one request may get.
    public let mostInGet: Int
    /// The most objects that one request may change.
    public let mostInSet: Int
    /// The most bytes that may be uploaded at once.
    public let mostUploaded: Int
    /// The state of the session, which changes with it; nil where the server names none.
    public let state: String?
    /// The whole session as text, to be remembered.
    public let stored: String
    let api: URL
    let download: String
    let upload: String
    let events: String

    /// The session of an earlier time; nil for what is none.
    public init?(stored: String) {
        guard let json = try? JSONText(Array(stored.utf8)), let session = json["session"],
            let base = json["base"]?.text.flatMap({ URL(string: $0) }), let own = try? JMAPSession(session, base)
        else { return nil }
        self = own
    }

    /// Asks for the session.
    /// - Throws: ``HelixError``.
    static func get(_ url: URL, _ http: HTTPClient) throws -> JMAPSession {
        let isServer = url.path.isEmpty || url.path == "/"
        let first = isServer ? url.appendingPathComponent(".well-known/jmap") : url
        let headers = ["Accept: application/json"]
        var (answer, base) = try http.request("GET", first, headers: headers)
        if !answer.isGood, first != url { (answer, base) = try http.request("GET", url, headers: headers) }
        guard answer.isGood, let json = try? JSONText(answer.body), json["capabilities"] != nil else {
            throw HelixError(
                .protocol, "\(url.absoluteString) is no session of JMAP (HTTP \(answer.status))",
                hint: "Name the address of the session, such as https://api.example.org/jmap/session.")
        }
        return try JMAPSession(json, base)
    }

    private init(_ json: JSONText, _ base: URL) throws {
        guard let capabilities = json["capabilities"]?.fields,
            capabilities.contains(where: { $0.name == JMAPClient.mail }),
            let account = json["primaryAccounts"]?[JMAPClient.mail]?.text
        else {
            throw HelixError(
                .protocol, "the server at \(base.host ?? base.absoluteString) has no mail by JMAP for this user")
        }
        func place(_ name: String) throws -> String {
            guard let text = json[name]?.text, !text.isEmpty else {
                throw HelixError(.protocol, "the session of JMAP names no \(name)")
            }
            return text
        }
        guard let api = URL(string: try place("apiUrl"), relativeTo: base)?.absoluteURL else {
            throw HelixError(.protocol, "the session of JMAP names no address for requests")
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

    /// A template of an address, which is no address as long as there are braces in it.
    private static func absolute(_ template: String, _ base: URL) -> String {
        if template.contains("://") { return template }
        var root = "\(base.scheme ?? "https")://\(base.host ?? "")"
        if let port = base.port { root += ":\(port)" }
        return template.hasPrefix("/") ? root + template : root + "/" + template
    }
}
