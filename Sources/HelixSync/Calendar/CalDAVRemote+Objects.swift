import FoundationEssentials
import HelixModel
import HelixNetwork

// The objects of a CalDAV calendar: changes, fetching, writing.
extension CalDAVRemote {
    func changes(
        in collection: RemoteCollection, since token: String?, isFirst: Bool
    ) throws -> RemoteCalendarChanges {
        if let token, let changes = try report(collection, since: token) { return changes }
        // An empty response counts only if another kind of request confirms it.
        if isFirst, let changes = try everything(collection), !changes.changed.isEmpty { return changes }
        // A sync report is faster for servers than a check of each object.
        if collection.token != nil, let changes = try report(collection, since: ""), !changes.changed.isEmpty {
            return changes
        }
        return RemoteCalendarChanges(changed: try listed(collection), token: collection.token)
    }

    /// The addresses and ETags of all objects, from a list of the collection.
    /// - Throws: ``HelixError`` of code `notFound` if the collection was deleted.
    func listed(_ collection: RemoteCollection) throws -> [String: String] {
        guard let (found, _) = try propfind(try url(collection.href), "<D:getetag/><D:resourcetype/>", depth: 1) else {
            throw HelixError(
                .notFound, "the \(service.collectionWord) '\(collection.name)' does not exist on the server")
        }
        var objects: [String: String] = [:]
        for resource in found
        where !Self.isSame(resource.href, collection.href)
            && resource.first("resourcetype")?.first("collection") == nil && resource.status != 404
        {
            // An address with a trailing slash and without an ETag is not an object.
            if resource.href.hasSuffix("/"), resource.text("getetag") == nil { continue }
            // Without an ETag, the object is fetched by each sync.
            objects[resource.href] = resource.text("getetag") ?? ""
        }
        return objects
    }

    /// Whether two addresses are equal up to a trailing slash.
    static func isSame(_ a: String, _ b: String) -> Bool {
        func plain(_ href: String) -> Substring { href.hasSuffix("/") ? href.dropLast() : href[...] }
        return plain(a) == plain(b)
    }

    /// All objects in one response (RFC 4791 §7.8), cached until requested; nil if the server does not support that. With 5,000
    /// events Radicale needs half a second for it, and eleven to list them (PROPFIND).
    private func everything(_ collection: RemoteCollection) throws -> RemoteCalendarChanges? {
        let body =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><C:\(service.collection)-query \(service.namespaces)><D:prop><D:getetag/>"
            + "<C:\(service.data)/></D:prop>\(service.query)</C:\(service.collection)-query>"
        let (answer, _) = try client.request(
            "REPORT", try url(collection.href),
            headers: ["Depth: 1", "Content-Type: application/xml; charset=utf-8"], body: Array(body.utf8))
        guard answer.isGood, let found = try? Self.resources(answer.body) else { return nil }
        // The server truncated the response.
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
            guard let data = resource.first(service.data)?.text else { return nil }
            // Without an ETag, the object is fetched by each sync.
            return RemoteObject(href: resource.href, etag: resource.text("getetag") ?? "", bytes: Array(data.utf8))
        }
    }

    /// The changes since a sync token, or all objects if it is empty; nil if the server rejects the token.
    private func report(_ collection: RemoteCollection, since token: String) throws -> RemoteCalendarChanges? {
        var changes = RemoteCalendarChanges(gone: [], token: token)
        // A server may split the response.
        for _ in 0..<1000 {
            let body = """
                <?xml version="1.0" encoding="utf-8"?><D:sync-collection \(service.namespaces)><D:sync-token>\
                \(XMLText.escaped(changes.token ?? ""))</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop>\
                </D:sync-collection>
                """
            let (answer, _) = try client.request(
                "REPORT", try url(collection.href),
                headers: ["Depth: 0", "Content-Type: application/xml; charset=utf-8"],
                body: Array(body.utf8))
            // Tokens expire, and some servers do not support them.
            if [400, 403, 404, 405, 409, 415, 501].contains(answer.status) { return nil }
            try check(answer, try url(collection.href))
            let node = try XMLNode(answer.body)
            var isCut = false
            for resource in try Self.resources(answer.body)
            where !Self.isSame(resource.href, collection.href) || resource.status == 507 {
                if resource.status == 507 {
                    isCut = true
                } else if resource.status == 404 {
                    changes.gone?.append(resource.href)
                    changes.changed[resource.href] = nil
                } else if !resource.href.hasSuffix("/") {
                    changes.changed[resource.href] = resource.text("getetag") ?? ""
                    changes.gone?.removeAll { $0 == resource.href }
                }
            }
            guard let next = node.first("sync-token")?.text, !next.isEmpty else { return nil }
            let isSame = next == changes.token
            changes.token = next
            if !isCut || isSame {
                // The response lists all objects: the rest were deleted.
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
        let list = try hrefs.map { "<D:href>\(XMLText.escaped(try url($0).path(percentEncoded: true)))</D:href>" }
            .joined()
        let body =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><C:\(service.multiget) \(service.namespaces)><D:prop><D:getetag/>"
            + "<C:\(service.data)/></D:prop>\(list)</C:\(service.multiget)>"
        let place = try url(collection.href)
        let (answer, _) = try client.request(
            "REPORT", place, headers: ["Depth: 1", "Content-Type: application/xml; charset=utf-8"],
            body: Array(body.utf8))
        try check(answer, place)
        let resources = try Self.resources(answer.body)
        let found = objects(resources)
        let forbidden = resources.filter { [401, 403].contains($0.status) }.map(\.href)
        self.forbidden.formUnion(forbidden)
        let come = Set(found.map(\.href) + forbidden)
        let missing = hrefs.filter { !come.contains($0) }
        let gone = Set(resources.filter { [404, 410].contains($0.status) }.map(\.href)).intersection(missing)
        // If a server reports all as missing, one object is checked; if that is missing too, the server is believed.
        guard let sample = missing.first(where: gone.contains) else { return try found + missing.compactMap(one) }
        let tried = try one(sample)
        let isTrue = tried == nil && !ungiven.contains(sample) && !self.forbidden.contains(sample)
        let rest = missing.filter { $0 != sample && !(isTrue && gone.contains($0)) }
        return try found + (tried.map { [$0] } ?? []) + rest.compactMap(one)
    }

    /// Fetches a single object that the response to a multiget left out; nil if it was deleted.
    private func one(_ href: String) throws -> RemoteObject? {
        let (answer, _) = try client.request("GET", try url(href))
        if [404, 410].contains(answer.status) { return nil }
        if [401, 403].contains(answer.status) { forbidden.insert(href) }
        guard answer.isGood else {
            if !forbidden.contains(href) { ungiven.insert(href) }
            return nil
        }
        return RemoteObject(href: href, etag: answer.fields["etag"] ?? "", bytes: answer.body)
    }

    func href(forUID uid: String, in collection: RemoteCollection) -> String {
        collection.href + (collection.href.hasSuffix("/") ? "" : "/") + fileName(forUID: uid, in: collection)
    }

    func put(_ bytes: [UInt8], to href: String, replacing etag: String?) throws -> RemoteWrite {
        var headers = ["Content-Type: \(service.mediaType); charset=utf-8", "Expect:"]
        guard let etag else {
            headers.append("If-None-Match: *")
            let (answer, place) = try client.request("PUT", try url(href), headers: headers, body: bytes)
            return try outcome(answer, place)
        }
        return try conditionally(href, etag) { condition in
            try client.request("PUT", try url(href), headers: headers + condition, body: bytes)
        }
    }

    /// Writes an object if it still has the given ETag.
    ///
    /// Weak ETags are invalid in If-Match (RFC 9110 §13.1.1), but some servers have no others: such a tag is sent as a strong one
    /// first; if that is refused, the present ETag is compared, and the tag is sent as it is, and at last without a condition.
    private func conditionally(
        _ href: String, _ etag: String, _ body: ([String]) throws -> (answer: HTTPClient.Answer, url: URL)
    ) throws -> RemoteWrite {
        // Without an ETag the newest state is overwritten.
        if etag.isEmpty {
            let (answer, place) = try body([])
            return try outcome(answer, place)
        }
        let isWeak = etag.hasPrefix("W/")
        var (answer, place) = try body(["If-Match: \(isWeak ? String(etag.dropFirst(2)) : etag)"])
        for condition in [["If-Match: \(etag)"], []] where isWeak && answer.status == 412 {
            let found = try propfind(try url(href), "<D:getetag/>", depth: 0)?.found.first?.text("getetag")
            guard found == etag else { break }
            (answer, place) = try body(condition)
        }
        return try outcome(answer, place)
    }

    func delete(_ href: String, _ etag: String) throws -> RemoteWrite {
        try conditionally(href, etag) { condition in
            let (answer, place) = try client.request("DELETE", try url(href), headers: condition)
            // An object that is gone already needs no deletion.
            if [404, 410].contains(answer.status) {
                return (HTTPClient.Answer(status: 204, fields: [:], body: []), place)
            }
            return (answer, place)
        }
    }

    func setAppearance(_ appearance: RemoteAppearance, of collection: RemoteCollection) throws -> RemoteWrite {
        try setAppearance(appearance, of: collection, hasAlpha: false)
    }

    private func setAppearance(
        _ appearance: RemoteAppearance, of collection: RemoteCollection, hasAlpha: Bool
    ) throws -> RemoteWrite {
        let name = appearance.name.map { "<D:displayname>\(XMLText.escaped($0))</D:displayname>" } ?? ""
        let color =
            appearance.color.map { "<A:calendar-color>\($0.hex)\(hasAlpha ? "FF" : "")</A:calendar-color>" } ?? ""
        let body =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><D:propertyupdate \(service.namespaces)><D:set><D:prop>\(name)\(color)"
            + "</D:prop></D:set></D:propertyupdate>"
        let (answer, place) = try client.request(
            "PROPPATCH", try url(collection.href), headers: ["Content-Type: application/xml; charset=utf-8"],
            body: Array(body.utf8))
        // Each property has its own status (RFC 4918 §9.2).
        if answer.status == 207, let node = try? XMLNode(answer.body) {
            let lines = node.all("response").flatMap { $0.all("propstat") + [$0] }.compactMap {
                $0.first("status")?.text
            }
            guard let refused = lines.first(where: { !$0.contains(" 2") }) else { return .done(etag: "") }
            if let again = try setLongColor(appearance, of: collection, hasAlpha) { return again }
            return .refused("the server answers \(refused)")
        }
        if answer.status == 400, let again = try setLongColor(appearance, of: collection, hasAlpha) { return again }
        return try outcome(answer, place)
    }

    /// Sets a colour with opacity, as Apple's programs do: some servers accept no other form.
    private func setLongColor(
        _ appearance: RemoteAppearance, of collection: RemoteCollection, _ hasAlpha: Bool
    ) throws -> RemoteWrite? {
        appearance.color == nil || hasAlpha ? nil : try setAppearance(appearance, of: collection, hasAlpha: true)
    }

    private func outcome(_ answer: HTTPClient.Answer, _ url: URL) throws -> RemoteWrite {
        switch answer.status {
        case 200..<300: return .done(etag: answer.fields["etag"] ?? "")
        case 412: return .changedMeanwhile
        case 404, 409: return .changedMeanwhile
        case 403: return .forbidden("the server does not allow it")
        case 413: return .forbidden("it is too large for the server")
        case 423: return .refused("it is locked on the server")
        case 507: return .refused("the server is out of space")
        case 400, 415, 422: return .forbidden("the server answers \(answer.status)")
        case 400...499: return .refused("the server answers \(answer.status)")
        default:
            try check(answer, url)
            return .refused("the server answers \(answer.status)")
        }
    }
}
