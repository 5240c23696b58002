import HelixCalendar
import HelixModel
import HelixStore

/// Objects that were being sent when the connection broke: only a new diff shows whether they arrived. Until then the changes of
/// neither side are known.
struct UnsureObjects {
    private let sync: CalendarSync
    private let look: CalendarLook

    init(_ sync: CalendarSync, _ look: CalendarLook) {
        self.sync = sync
        self.look = look
    }

    /// Records for all sent objects whether both sides have them.
    ///
    /// - Parameter objects: the other side's objects at these addresses.
    /// - Returns: those that differ from the form in which they were sent.
    /// - Throws: ``HelixError``.
    func settle(_ objects: [RemoteObject]) throws -> [RemoteObject] {
        if look.unsure.isEmpty { return objects }
        var rest: [RemoteObject] = []
        var agreed: [AgreedObject] = []
        for object in objects {
            guard let sent = look.unsure[object.href] else {
                rest.append(object)
                continue
            }
            let isSame = (try? ParsedObject.read(object.bytes)).map {
                $0?.hasMore == false && Self.facts($0?.text ?? "") == Self.facts(sent.text)
            }
            if isSame == true {
                agreed.append(AgreedObject(href: object.href, etag: object.etag, item: sent.item, text: sent.text))
                continue
            }
            rest.append(object)
            // A new object arrived, and was changed since.
            if look.known[object.href] == nil {
                agreed.append(AgreedObject(href: object.href, etag: "", item: sent.item, text: sent.text))
            }
        }
        try sync.store.writeRemoteCalendars { writer in
            for object in agreed { try writer.save(object, in: look.calendar) }
            for href in look.unsure.keys { try writer.endSending(href, in: look.calendar) }
        }
        for object in agreed { look.known[object.href] = object }
        look.unsure = [:]
        look.local = try sync.store.localChanges(look.calendar, zone: sync.options.zone)
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
