import FoundationEssentials
import HelixModel
import HelixNetwork

/// Calendars on a CalDAV server (RFC 4791), or address books on a CardDAV server (RFC 6352), with sync reports (RFC 6578) where
/// supported.
final class CalDAVRemote: CalendarRemote {
    let client: HTTPClient
    /// The kind of collections.
    let service: DAVService
    private let start: URL
    /// The server that has the calendars; it may differ from the account's address.
    private var base: URL
    /// Objects that were received before they were requested.
    var ready: [String: RemoteObject] = [:]
    var ungiven: Set<String> = []
    var forbidden: Set<String> = []

    var roundTrips: Int { client.roundTrips }

    /// - Throws: ``HelixError``.
    init(_ account: Account) throws {
        service = account.kind == .carddav ? .contacts : .calendars
        guard let url = account.settings.url.flatMap(URL.init(string:)) else {
            throw HelixError(.configuration, "the account '\(account.name)' has no server address")
        }
        start = url
        base = url
        client = try account.httpClient(url)
        client.traceKind = .dav
    }

    // MARK: Requests

    /// The server's response for an address.
    struct Resource {
        var href: String
        var status: Int
        /// The properties found.
        var properties: [XMLNode]

        func first(_ name: String) -> XMLNode? { properties.first { $0.name == name } }
        func text(_ name: String) -> String? {
            first(name).map { $0.text.trimmingBlanks() }.flatMap {
                $0.isEmpty ? nil : $0
            }
        }
    }

    /// The server's clock as of the last response; the local clock if unknown.
    var serverTime: Date { client.serverTime ?? Date() }

    func propfind(_ url: URL, _ properties: String, depth: Int) throws -> (found: [Resource], url: URL)? {
        let body =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><D:propfind \(service.namespaces)><D:prop>\(properties)</D:prop></D:propfind>"
        let (answer, place) = try client.request(
            "PROPFIND", url, headers: ["Depth: \(depth)", "Content-Type: application/xml; charset=utf-8"],
            body: Array(body.utf8))
        if [404, 405, 501].contains(answer.status) { return nil }
        try check(answer, place)
        let found = try Self.resources(answer.body)
        // Some servers report a missing resource inside a good response.
        if found.allSatisfy({ $0.status == 404 }) { return nil }
        return (found, place)
    }

    func check(_ answer: HTTPClient.Answer, _ url: URL) throws {
        if answer.isGood { return }
        let code: HelixError.Code =
            switch answer.status {
            case 403: .notAllowed
            case 429, 500...599: .offline
            default: .protocol
            }
        throw HelixError(code, "\(url.host ?? "the server") answers \(answer.status) for \(url.path)")
    }

    static func resources(_ body: [UInt8]) throws -> [Resource] {
        try XMLNode(body).all("response").map { response in
            let sets = response.all("propstat").filter { ($0.first("status")?.text ?? "200").contains("200") }
            return Resource(
                href: normal(response.first("href")?.text ?? ""), status: status(response.first("status")?.text) ?? 200,
                properties: sets.flatMap { $0.first("prop")?.children ?? [] })
        }
    }

    private static func status(_ line: String?) -> Int? {
        line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    /// An address without its server and without escapes: servers write the same one in several ways. A slash and a percent sign
    /// within a name stay escaped, because they would have another meaning.
    static func normal(_ href: String) -> String {
        var path = href.trimmingBlanks()
        if path.hasPrefix("http://") || path.hasPrefix("https://") {
            path = URLComponents(string: path)?.percentEncodedPath ?? path
        }
        for sign in ["25", "2F", "2f"] { path = path.replacing("%" + sign, with: "%25" + sign.uppercased()) }
        // A percent sign that begins no escape is literal.
        return path.percentDecoded ?? path.replacing("%", with: "%25").replacing("%2525", with: "%25")
    }

    func url(_ href: String) throws -> URL {
        var parts = URLComponents(url: base, resolvingAgainstBaseURL: false) ?? URLComponents()
        // Some servers misinterpret a semicolon or a plus sign.
        var path = href.percentEncoded(keeping: String.signsOfPaths.filter { $0 != ";" && $0 != "+" })
        for sign in ["25", "2F"] { path = path.replacing("%25" + sign, with: "%" + sign) }
        parts.percentEncodedPath = path
        parts.query = nil
        guard let url = parts.url else {
            throw HelixError(.protocol, "the server returned an invalid address: \(href)")
        }
        return url
    }

    /// The address in a property. It may be on another server of the same domain, which has the calendars then.
    private func address(_ node: XMLNode?, at place: URL) throws -> URL? {
        guard let text = node?.first("href")?.text.trimmingBlanks(), !text.isEmpty
        else { return nil }
        if let other = URL(string: text), let host = other.host, host != place.host || other.port != place.port {
            guard client.trust(other, by: .property) else {
                throw HelixError(
                    .notAllowed,
                    "\(place.host ?? "the server") refers to \(service.collectionWord)s on another server, \(host)",
                    hint:
                        "If you trust it, add it as an account: helix account add NAME \(service.collection == "calendar" ? "caldav" : "carddav") \(other.absoluteString)"
                )
            }
            base = other
        } else {
            base = place
        }
        return try url(Self.normal(text))
    }

    // MARK: Calendars

    func collections() throws -> [RemoteCollection] { try collections(in: home()) }

    /// The calendars at an address.
    /// - Throws: ``HelixError``.
    func collections(in home: URL) throws -> [RemoteCollection] {
        guard let (found, _) = try propfind(home, service.collectionProperties, depth: 1) else {
            throw HelixError(.notFound, "no \(service.collectionWord)s at \(home.absoluteString)")
        }
        return found.compactMap { resource in
            // A calendar without a list of components accepts all of them.
            let kinds = resource.first("supported-calendar-component-set")?.children.compactMap(\.label) ?? []
            let isBook = service.collection == "addressbook"
            let takesEvents = !isBook && (kinds.isEmpty || kinds.contains("VEVENT"))
            let takesTasks = !isBook && (kinds.isEmpty || kinds.contains("VTODO"))
            guard resource.first("resourcetype")?.first(service.collection) != nil, isBook || takesEvents || takesTasks
            else {
                return nil
            }
            let rights = resource.first("current-user-privilege-set")?.children.flatMap(\.children).map(\.name)
            let canWrite = rights.map { !Set($0).isDisjoint(with: ["all", "write", "write-content", "bind"]) } ?? true
            let marker = resource.text("sync-token") ?? resource.text("getctag")
            let last = resource.href.split(separator: "/").last.map(String.init) ?? service.collectionWord
            var collection = RemoteCollection(
                href: resource.href, name: resource.text("displayname") ?? last,
                color: resource.text("calendar-color"), isReadOnly: !canWrite, takesEvents: takesEvents,
                takesTasks: takesTasks, takesContacts: isBook, marker: marker, token: resource.text("sync-token"))
            collection.judgeMarker(at: serverTime)
            return collection
        }
    }

    func schedules() throws -> Bool {
        if service.collection == "addressbook" { return false }
        let (answer, _) = try client.request("OPTIONS", try home())
        return answer.fields["dav"]?.contains("calendar-auto-schedule") ?? false
    }

    /// The calendar home: the address itself, or the one that the server refers to (RFC 6764).
    /// - Throws: ``HelixError``.
    func home() throws -> URL {
        let asked = "<D:resourcetype/><D:current-user-principal/><C:\(service.home)/>"
        var places = [start]
        if start.path.isEmpty || start.path == "/", let known = URL(string: service.wellKnown, relativeTo: start) {
            places.insert(known.absoluteURL, at: 0)
        }
        for place in places {
            guard let (found, url) = try propfind(place, asked, depth: 0), let resource = found.first else { continue }
            if resource.first("resourcetype")?.first(service.collection) != nil {
                base = url
                return url
            }
            if let home = try address(resource.first(service.home), at: url) { return home }
            guard let whole = try address(resource.first("current-user-principal"), at: url) else { continue }
            if let (found, url) = try propfind(whole, "<C:\(service.home)/>", depth: 0),
                let home = try address(found.first?.first(service.home), at: url)
            {
                return home
            }
        }
        base = start
        return start
    }

    func create(_ name: String, color: CalendarColor?, events: Bool, tasks: Bool) throws -> String {
        let home = try self.home()
        let (method, body) = creation(name, color, events: events, tasks: tasks)
        let base = Self.normal(home.path(percentEncoded: true))
        // The plain name comes first; it may be in use.
        for last in [NewCollections.slug(name), EntityID().text] {
            let href = base + (base.hasSuffix("/") ? "" : "/") + last + "/"
            let (answer, place) = try client.request(
                method, try url(href), headers: ["Content-Type: application/xml; charset=utf-8"],
                body: Array(body.utf8))
            if answer.isGood { return href }
            guard [403, 405, 409].contains(answer.status) else {
                try check(answer, place)
                break
            }
        }
        throw HelixError(
            .notAllowed, "the server does not allow creating \(service.collectionWord)s at \(home.path)")
    }

    /// The request that creates a collection: MKCALENDAR (RFC 4791 §5.3.1), or extended MKCOL (RFC 5689).
    private func creation(
        _ name: String, _ color: CalendarColor?, events: Bool, tasks: Bool
    ) -> (method: String, body: String) {
        let shown = "<D:displayname>\(XMLText.escaped(name))</D:displayname>"
        let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
        if service.collection == "addressbook" {
            return (
                "MKCOL",
                """
                \(head)<D:mkcol \(service.namespaces)><D:set><D:prop><D:resourcetype><D:collection/><C:addressbook/>\
                </D:resourcetype>\(shown)</D:prop></D:set></D:mkcol>
                """
            )
        }
        let kinds = (events ? ["VEVENT"] : []) + (tasks ? ["VTODO"] : [])
        let components = kinds.map { "<C:comp name=\"\($0)\"/>" }.joined()
        let painted = color.map { "<A:calendar-color>\($0.hex)</A:calendar-color>" } ?? ""
        return (
            "MKCALENDAR",
            """
            \(head)<C:mkcalendar \(service.namespaces)><D:set><D:prop>\(shown)\
            <C:supported-calendar-component-set>\(components)</C:supported-calendar-component-set>\(painted)\
            </D:prop></D:set></C:mkcalendar>
            """
        )
    }
}
