import HelixCalendar
import HelixModel
import HelixStore

/// Objects that were being sent when the connection broke: only a new diff shows whether they arrived. Until then the changes of
/// neither side are known.
struct UnsureObjects {
    private let sync: CalendarSync
    private let diff: CollectionDiff

    init(_ sync: CalendarSync, _ diff: CollectionDiff) {
        self.sync = sync
        self.diff = diff
    }

    /// Records for all sent objects whether both sides have them.
    ///
    /// - Parameter objects: the other side's objects at these addresses.
    /// - Returns: those that differ from the form in which they were sent.
    /// - Throws: ``HelixError``.
    func settle(_ objects: [RemoteObject]) throws -> [RemoteObject] {
        if diff.unsure.isEmpty { return objects }
        var rest: [RemoteObject] = []
        var synced: [SyncedObject] = []
        for object in objects {
            guard let sent = diff.unsure[object.href] else {
                rest.append(object)
                continue
            }
            let isSame = (try? ParsedObject.read(object.bytes)).map {
                $0?.hasMore == false && Self.facts($0?.text ?? "") == Self.facts(sent.text)
            }
            if isSame == true {
                synced.append(SyncedObject(href: object.href, etag: object.etag, item: sent.item, text: sent.text))
                continue
            }
            rest.append(object)
            // A new object arrived, and was changed since.
            if diff.known[object.href] == nil {
                synced.append(SyncedObject(href: object.href, etag: "", item: sent.item, text: sent.text))
            }
        }
        try sync.store.writeRemoteCalendars { writer in
            for object in synced { try writer.save(object, in: diff.calendar) }
            for href in diff.unsure.keys { try writer.endSending(href, in: diff.calendar) }
        }
        for object in synced { diff.known[object.href] = object }
        diff.unsure = [:]
        diff.local = try sync.store.localChanges(diff.calendar, zone: sync.options.zone)
        return rest
    }

    /// The content of components regardless of order: servers reorder properties.
    private static func facts(_ text: String) -> [[String]] {
        func facts(_ component: ICalendarComponent) -> [String] {
            let own = component.properties.map { property in
                var property = property
                property.parameters.sort { $0.name < $1.name }
                return property.line
            }
            return [component.name] + (own + component.components.map { facts($0).joined(separator: "\n") }).sorted()
        }
        return ICalendarComponent.list(text).map(facts).sorted { $0.joined() < $1.joined() }
    }
}
