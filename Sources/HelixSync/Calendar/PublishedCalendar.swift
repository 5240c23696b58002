import FoundationEssentials
import HelixModel
import HelixNetwork

/// A published calendar, which is read-only.
final class PublishedCalendar: CalendarRemote {
    private let client: HTTPClient
    private let url: URL
    private let name: String
    private var objects: [String: RemoteObject] = [:]
    private let former: RemoteState

    /// Its state as of the last sync.
    struct RemoteState {
        var marker: String?
    }

    var roundTrips: Int { client.roundTrips }

    /// - Throws: ``HelixError``.
    init(_ account: Account, known: RemoteState) throws {
        guard var parts = account.settings.url.flatMap({ URLComponents(string: $0) }) else {
            throw HelixError(.configuration, "the account '\(account.name)' has no calendar address")
        }
        if parts.scheme == "webcal" { parts.scheme = "https" }
        guard let url = parts.url else { throw HelixError(.configuration, "the calendar's address is invalid") }
        self.url = url
        name = account.name
        former = known
        client = try account.httpClient(url)
    }

    func collections() throws -> [RemoteCollection] {
        var headers = ["Accept: text/calendar"]
        if let marker = former.marker {
            headers.append(
                (marker.hasPrefix("\"") || marker.hasPrefix("W/") ? "If-None-Match: " : "If-Modified-Since: ") + marker)
        }
        let (answer, _) = try client.request("GET", url, headers: headers)
        var collection = RemoteCollection(
            href: url.absoluteString, name: name, isReadOnly: true, takesTasks: false, marker: former.marker, token: nil
        )
        if answer.status == 304 { return [collection] }
        guard answer.isGood else {
            throw HelixError(
                answer.status >= 500 ? .offline : .notFound,
                "\(url.host ?? "the server") answers \(answer.status) for the calendar")
        }
        guard answer.body.firstRange(of: Array("BEGIN:VCALENDAR".utf8)) != nil else {
            throw HelixError(.protocol, "\(url.absoluteString) is not a calendar")
        }
        collection.marker = answer.fields["etag"] ?? answer.fields["last-modified"]
        objects = try PublishedEvents.split(answer.body)
        return [collection]
    }

    func changes(
        in collection: RemoteCollection, since token: String?, isFirst: Bool
    ) throws -> RemoteCalendarChanges {
        RemoteCalendarChanges(changed: objects.mapValues(\.etag), gone: nil, token: nil)
    }

    func fetch(_ hrefs: [String], in collection: RemoteCollection) throws -> [RemoteObject] {
        hrefs.compactMap { objects[$0] }
    }

    func href(forUID uid: String, in collection: RemoteCollection) -> String { uid }

    func create(_ name: String, color: CalendarColor?, events: Bool, tasks: Bool) throws -> String {
        throw HelixError(.notAllowed, "a published calendar is read-only")
    }

    func put(_ bytes: [UInt8], to href: String, replacing etag: String?) throws -> RemoteWrite {
        .refused("a published calendar is read-only")
    }

    func delete(_ href: String, _ etag: String) throws -> RemoteWrite { .refused("a published calendar is read-only") }
}
