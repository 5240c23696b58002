import Foundation
import HelixModel
import HelixNetwork

/// Calendars on a CalDAV server (RFC 4791), with the changes of RFC 6578 where it offers those.
final class CalDAVRemote: CalendarRemote {
    private let client: HTTPClient
    private let start: URL
    /// Objects that came before they were asked for.
    private var ready: [String: RemoteObject] = [:]

    var roundTrips: Int { client.roundTrips }

    /// - Throws: ``HelixError``.
    init(_ account: MailAccount) throws {
        guard let url = account.settings.url.flatMap(URL.init(string:)) else {
            throw HelixError(.configuration, "the account '\(account.name)' has no address of a server")
        }
        start = url
        let credential = account.settings.login.isEmpty ? .none : try Secrets.credential(account)
        client = try HTTPClient(
            url, user: account.settings.login, credential: credential, authorities: account.settings.authorities)
    }

    private static let namespaces =
        "xmlns:D=\"DAV:\" xmlns:C=\"urn:ietf:params:xml:ns:caldav\" xmlns:S=\"http://calendarserver.org/ns/\""
        + " xmlns:A=\"http://apple.com/ns/ical/\""
    private static let calendarProperties =
        "<D:resourcetype/><D:displayname/><A:calendar-color/><C:supported-calendar-component-set/><S:getctag/>"
        + "<D:sync-token/><D:current-user-privilege-set/>"

    // MARK: Asking

    /// What a server says of an address.
    private struct Resource {
        var href: String
        var status: Int
        /// The properties that it has.
        var properties: [XMLNode]

        func first(_ name: String) -> XMLNode? { properties.first { $0.name == name } }
        func text(_ name: String) -> String? {
            first(name).map { $0.text.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap {
                $0.isEmpty ? nil : $0
            }
        }
    }

    private func propfind(_ url: URL, _ properties: String, depth: Int) throws -> (found: [Resource], url: URL)? {
        let body =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><D:propfind \(Self.namespaces)><D:prop>\(properties)</D:prop></D:propfind>"
        let (answer, place) = try client.request(
            "PROPFIND", url, headers: ["Depth: \(depth)", "Content-Type: application/xml; charset=utf-8"],
            body: Array(body.utf8))
        if [404, 405, 501].contains(answer.status) { return nil }
        try check(answer, place)
        let found = try Self.resources(answer.body)
        // Some servers say within their answer that there is nothing.
        if found.allSatisfy({ $0.status == 404 }) { return nil }
        return (found, place)
    }

    private func check(_ answer: HTTPClient.Answer, _ url: URL) throws {
        if answer.isGood { return }
        let code: HelixError.Code =
            switch answer.status {
            case 403: .notAllowed
            case 429, 500...599: .offline
            default: .protocol
            }
        throw HelixError(code, "\(url.host ?? "the server") answers \(answer.status) for \(url.path)")
    }

    private static func resources(_ body: [UInt8]) throws -> [Resource] {
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

    /// An address without its server and without escapes: servers write the same one in several ways.
    private static func normal(_ href: String) -> String {
        var path = href.trimmingCharacters(in: .whitespacesAndNewlines)
        if path.hasPrefix("http://") || path.hasPrefix("https://") {
            path = URLComponents(string: path)?.percentEncodedPath ?? path
        }
        return path.removingPercentEncoding ?? path
    }

    private func url(_ href: String) throws -> URL {
        var parts = URLComponents(url: start, resolvingAgainstBaseURL: false) ?? URLComponents()
        // A semicolon or a plus sign would mean something else to some servers.
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: ";+")
        parts.percentEncodedPath = href.addingPercentEncoding(withAllowedCharacters: allowed) ?? href
        parts.query = nil
        guard let url = parts.url else {
            throw HelixError(.protocol, "the server names an address that is none: \(href)")
        }
        return url
    }

    // MARK: Calendars

    func collections() throws -> [RemoteCollection] { try collections(in: home()) }

    /// The calendars at an address.
    /// - Throws: ``HelixError``.
    func collections(in home: URL) throws -> [RemoteCollection] {
        guard let (found, _) = try propfind(home, Self.calendarProperties, depth: 1) else {
            throw HelixError(.notFound, "there are no calendars at \(home.absoluteString)")
        }
        return found.compactMap { resource in
            // What says nothing of kinds takes all of them.
            let kinds = resource.first("supported-calendar-component-set")?.children.compactMap(\.label) ?? []
            let takesEvents = kinds.isEmpty || kinds.contains("VEVENT")
            let takesTasks = kinds.isEmpty || kinds.contains("VTODO")
            guard resource.first("resourcetype")?.first("calendar") != nil, takesEvents || takesTasks else {
                return nil
            }
            let rights = resource.first("current-user-privilege-set")?.children.flatMap(\.children).map(\.name)
            let canWrite = rights.map { !Set($0).isDisjoint(with: ["all", "write", "write-content", "bind"]) } ?? true
            let last = resource.href.split(separator: "/").last.map(String.init) ?? "calendar"
            return RemoteCollection(
                href: resource.href, name: resource.text("displayname") ?? last,
                color: resource.text("calendar-color"), isReadOnly: !canWrite, takesEvents: takesEvents,
                takesTasks: takesTasks,
                marker: resource.text("sync-token") ?? resource.text("getctag"), token: resource.text("sync-token"))
        }
    }

    /// Where the calendars are: at the address itself, or where the server says (RFC 6764).
    /// - Throws: ``HelixError``.
    func home() throws -> URL {
        let asked = "<D:resourcetype/><D:current-user-principal/><C:calendar-home-set/>"
        var places = [start]
        if start.path.isEmpty || start.path == "/", let known = URL(string: "/.well-known/caldav", relativeTo: start) {
            places.insert(known.absoluteURL, at: 0)
        }
        for place in places {
            guard let (found, url) = try propfind(place, asked, depth: 0), let resource = found.first else { continue }
            if resource.first("resourcetype")?.first("calendar") != nil { return url }
            if let home = Self.href(resource.first("calendar-home-set")) { return try self.url(home) }
            guard let principal = Self.href(resource.first("current-user-principal")) else { continue }
            let whole = try self.url(principal)
            if let (found, _) = try propfind(whole, "<C:calendar-home-set/>", depth: 0),
                let home = Self.href(found.first?.first("calendar-home-set"))
            {
                return try self.url(home)
            }
        }
        return start
    }

    private static func href(_ node: XMLNode?) -> String? {
        node?.first("href").map { normal($0.text) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func create(_ name: String, color: CalendarColor?, events: Bool, tasks: Bool) throws -> String {
        let home = try self.home()
        let kinds = (events ? ["VEVENT"] : []) + (tasks ? ["VTODO"] : [])
        let components = kinds.map { "<C:comp name=\"\($0)\"/>" }.joined()
        let painted = color.map { "<A:calendar-color>\($0.hex)</A:calendar-color>" } ?? ""
        let body = """
            <?xml version="1.0" encoding="utf-8"?><C:mkcalendar \(Self.namespaces)><D:set><D:prop>\
            <D:displayname>\(XMLNode.escaped(name))</D:displayname>\
            <C:supported-calendar-component-set>\(components)</C:supported-calendar-component-set>\(painted)\
            </D:prop></D:set></C:mkcalendar>
            """
        let base = Self.normal(home.path(percentEncoded: true))
        // The plain name first; what has it already may be something else.
        for last in [NewCollections.slug(name), EntityID().text] {
            let href = base + (base.hasSuffix("/") ? "" : "/") + last + "/"
            let (answer, place) = try client.request(
                "MKCALENDAR", try url(href), headers: ["Content-Type: application/xml; charset=utf-8"],
                body: Array(body.utf8))
            if answer.isGood { return href }
            guard [403, 405, 409].contains(answer.status) else {
                try check(answer, place)
                break
            }
        }
        throw HelixError(.notAllowed, "the server lets nobody make calendars at \(home.path)")
    }

    // MARK: Objects

    func changes(
        in collection: RemoteCollection, since token: String?, isFirst: Bool
    ) throws -> RemoteCalendarChanges {
        if let token, let changes = try report(collection, since: token) { return changes }
        if isFirst, let changes = try everything(collection) { return changes }
        // Servers keep a list of what changed, and tell it faster than they look at each object.
        if collection.token != nil, let changes = try report(collection, since: "") { return changes }
        guard let (found, _) = try propfind(try url(collection.href), "<D:getetag/><D:resourcetype/>", depth: 1) else {
            throw HelixError(.notFound, "the calendar '\(collection.name)' is gone from the server")
        }
        var changes = RemoteCalendarChanges(token: collection.token)
        for resource in found
        where resource.href != collection.href && resource.first("resourcetype")?.first("collection") == nil {
            if let etag = resource.text("getetag") { changes.changed[resource.href] = etag }
        }
        return changes
    }

    /// All objects in one answer (RFC 4791 §7.8), kept until they are asked for; nil if the server gives no such answer. With
    /// 5,000 events Radicale needs half a second for it, and eleven to list them (PROPFIND).
    private func everything(_ collection: RemoteCollection) throws -> RemoteCalendarChanges? {
        let body =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><C:calendar-query \(Self.namespaces)><D:prop><D:getetag/>"
            + "<C:calendar-data/></D:prop><C:filter><C:comp-filter name=\"VCALENDAR\"/></C:filter></C:calendar-query>"
        let (answer, _) = try client.request(
            "REPORT", try url(collection.href),
            headers: ["Depth: 1", "Content-Type: application/xml; charset=utf-8"], body: Array(body.utf8))
        guard answer.isGood, let found = try? Self.resources(answer.body) else { return nil }
        // More than the server wants to say at once.
        if found.contains(where: { $0.status == 507 }) { return nil }
        var changes = RemoteCalendarChanges(token: collection.token)
        for object in objects(found) {
            changes.changed[object.href] = object.etag
            ready[object.href] = object
        }
        return changes
    }

    private func objects(_ found: [Resource]) -> [RemoteObject] {
        found.compactMap { resource in
            guard let data = resource.first("calendar-data")?.text, let etag = resource.text("getetag") else {
                return nil
            }
            return RemoteObject(href: resource.href, etag: etag, bytes: Array(data.utf8))
        }
    }

    /// What changed since the server said a token, all of it if that is empty; nil if it does not know that any more.
    private func report(_ collection: RemoteCollection, since token: String) throws -> RemoteCalendarChanges? {
        var changes = RemoteCalendarChanges(gone: [], token: token)
        // A server may tell it in parts.
        for _ in 0..<1000 {
            let body = """
                <?xml version="1.0" encoding="utf-8"?><D:sync-collection \(Self.namespaces)><D:sync-token>\
                \(XMLNode.escaped(changes.token ?? ""))</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop>\
                </D:sync-collection>
                """
            let (answer, _) = try client.request(
                "REPORT", try url(collection.href),
                headers: ["Depth: 0", "Content-Type: application/xml; charset=utf-8"],
                body: Array(body.utf8))
            // Tokens do not last for ever, and not every server takes them.
            if [400, 403, 404, 405, 409, 415, 501].contains(answer.status) { return nil }
            try check(answer, try url(collection.href))
            let node = try XMLNode(answer.body)
            var isCut = false
            for resource in try Self.resources(answer.body)
            where resource.href != collection.href || resource.status == 507 {
                if resource.status == 507 {
                    isCut = true
                } else if resource.status == 404 {
                    changes.gone?.append(resource.href)
                    changes.changed[resource.href] = nil
                } else if let etag = resource.text("getetag") {
                    changes.changed[resource.href] = etag
                    changes.gone?.removeAll { $0 == resource.href }
                }
            }
            guard let next = node.first("sync-token")?.text, !next.isEmpty else { return nil }
            let isSame = next == changes.token
            changes.token = next
            if !isCut || isSame {
                // What is not among all there is, is gone.
                if token.isEmpty { changes.gone = nil }
                return changes
            }
        }
        return nil
    }

    func fetch(_ hrefs: [String], in collection: RemoteCollection) throws -> [RemoteObject] {
        let known = hrefs.compactMap { ready.removeValue(forKey: $0) }
        let come = Set(known.map(\.href))
        let rest = hrefs.filter { !come.contains($0) }
        return rest.isEmpty ? known : try known + ask(rest, collection)
    }

    private func ask(_ hrefs: [String], _ collection: RemoteCollection) throws -> [RemoteObject] {
        let list = try hrefs.map { "<D:href>\(XMLNode.escaped(try url($0).path(percentEncoded: true)))</D:href>" }
            .joined()
        let body =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><C:calendar-multiget \(Self.namespaces)><D:prop><D:getetag/>"
            + "<C:calendar-data/></D:prop>\(list)</C:calendar-multiget>"
        let place = try url(collection.href)
        let (answer, _) = try client.request(
            "REPORT", place, headers: ["Depth: 1", "Content-Type: application/xml; charset=utf-8"],
            body: Array(body.utf8))
        try check(answer, place)
        return objects(try Self.resources(answer.body))
    }

    func href(forUID uid: String, in collection: RemoteCollection) -> String {
        collection.href + (collection.href.hasSuffix("/") ? "" : "/") + fileName(forUID: uid)
    }

    func put(_ bytes: [UInt8], to href: String, replacing etag: String?) throws -> RemoteWrite {
        var headers = ["Content-Type: text/calendar; charset=utf-8", "Expect:"]
        // A server that told no state takes what is newest.
        if etag != "" { headers.append(etag.map { "If-Match: \($0)" } ?? "If-None-Match: *") }
        let (answer, place) = try client.request("PUT", try url(href), headers: headers, body: bytes)
        return try outcome(answer, place)
    }

    func delete(_ href: String, _ etag: String) throws -> RemoteWrite {
        let (answer, place) = try client.request(
            "DELETE", try url(href), headers: etag.isEmpty ? [] : ["If-Match: \(etag)"])
        if [404, 410].contains(answer.status) { return .done(etag: "") }
        return try outcome(answer, place)
    }

    private func outcome(_ answer: HTTPClient.Answer, _ url: URL) throws -> RemoteWrite {
        switch answer.status {
        case 200..<300: return .done(etag: answer.fields["etag"] ?? "")
        case 412: return .changedMeanwhile
        case 404, 409: return .changedMeanwhile
        case 403: return .refused("the server does not allow it")
        case 413: return .refused("it is too large for the server")
        case 423: return .refused("it is locked on the server")
        case 507: return .refused("the server has no room left")
        case 400...499: return .refused("the server answers \(answer.status)")
        default:
            try check(answer, url)
            return .refused("the server answers \(answer.status)")
        }
    }
}
