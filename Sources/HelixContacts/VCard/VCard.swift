import HelixCalendar
import HelixModel

/// A vCard with all of its lines in order (RFC 6350; RFC 2426 for version 3), so that unknown ones survive an edit.
public struct VCard: Hashable, Sendable {
    /// The component `VCARD`.
    public var component: ICalendarComponent

    /// Creates a vCard of a component.
    public init(_ component: ICalendarComponent) { self.component = component }

    /// Parses the text of one vCard in the form that ``text`` writes; nil if it has none.
    public init?(text: String) {
        guard let found = ICalendarComponent.list(text).first(where: { $0.name == "VCARD" }) else { return nil }
        component = found
    }

    /// Creates an empty vCard of version 3, which all servers and programs accept (RFC 6352 §5.1).
    public init(uid: String) {
        component = ICalendarComponent("VCARD", items: [.line("VERSION:3.0")])
        append(ICalendarProperty("UID", text: uid))
    }

    /// The unfolded lines from BEGIN to END, each ended by a line feed, in the form of the store.
    public var text: String { component.text }

    /// The UID; nil without one.
    public var uid: String? {
        first("UID").map { $0.text.trimmingBlanks() }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether it is of version 4.
    public var isVersion4: Bool { first("VERSION")?.value.trimmingBlanks().hasPrefix("4") ?? false }

    /// The properties with a name (upper case), of any group, in order.
    public func all(_ name: String) -> [ICalendarProperty] {
        component.items.compactMap { item in
            guard case .line(let line) = item, VCard.isNamed(line, name) else { return nil }
            return ICalendarProperty(line: line)
        }
    }

    /// The first property with a name (upper case), of any group.
    public func first(_ name: String) -> ICalendarProperty? {
        for item in component.items {
            if case .line(let line) = item, VCard.isNamed(line, name) { return ICalendarProperty(line: line) }
        }
        return nil
    }

    /// Adds a property at the end.
    public mutating func append(_ property: ICalendarProperty) { component.items.append(.line(property.line)) }

    /// Replaces the first property of that name, and removes the others; nil removes all.
    public mutating func set(_ name: String, _ property: ICalendarProperty?) {
        let place = component.items.firstIndex { VCard.isNamed($0, name) }
        guard let property else { return remove { VCard.isNamed($0, name) } }
        guard let place else { return append(property) }
        component.items[place] = .line(property.line)
        let later = component.items[(place + 1)...].filter { !VCard.isNamed($0, name) }
        component.items = component.items[...place] + later
    }

    /// Replaces the first property of that name, and leaves others of it, such as forms in other languages (ALTID).
    mutating func replaceFirst(_ name: String, _ property: ICalendarProperty) {
        guard let place = component.items.firstIndex(where: { VCard.isNamed($0, name) }) else {
            return append(property)
        }
        component.items[place] = .line(property.line)
    }

    /// Removes the properties of a name for which `isGone` holds, and the labels of their groups.
    public mutating func remove(_ name: String, where isGone: (ICalendarProperty) -> Bool) {
        let gone = all(name).filter(isGone)
        if gone.isEmpty { return }
        let lines = Set(gone.map(\.line))
        remove { item in
            guard case .line(let line) = item, VCard.isNamed(line, name) else { return false }
            return ICalendarProperty(line: line).map { lines.contains($0.line) } ?? false
        }
        // A group that has nothing but a label (X-ABLabel, X-ABADR) describes nothing.
        for group in Set(gone.compactMap(\.group)) {
            let rest = component.properties.filter { $0.group == group }
            if rest.allSatisfy({ $0.plainName.hasPrefix("X-AB") }) { remove { VCard.isOfGroup($0, group) } }
        }
    }

    private mutating func remove(_ isGone: (ICalendarComponent.Item) -> Bool) {
        component.items.removeAll(where: isGone)
    }

    private static func isOfGroup(_ item: ICalendarComponent.Item, _ group: String) -> Bool {
        guard case .line(let line) = item else { return false }
        return ICalendarProperty(line: line)?.group == group
    }

    private static func isNamed(_ item: ICalendarComponent.Item, _ name: String) -> Bool {
        guard case .line(let line) = item else { return false }
        return isNamed(line, name)
    }

    /// Whether a line has a name, with or without a group; cheaper than parsing it.
    static func isNamed(_ line: String, _ name: String) -> Bool {
        var rest = line.utf8[...]
        let head = rest.prefix { $0 != 0x3A && $0 != 0x3B }
        if head.count == rest.count { return false }
        if let point = head.firstIndex(of: 0x2E) { rest = rest[rest.index(after: point)...] }
        let bare = rest.prefix { $0 != 0x3A && $0 != 0x3B }
        return bare.count == name.utf8.count
            && zip(bare, name.utf8).allSatisfy { $0 == $1 || ((0x61...0x7A).contains($0) && $0 - 32 == $1) }
    }

    /// The vCard as a file: CRLF line ends, lines folded at 75 octets.
    public var file: [UInt8] {
        var writer = ICalendarWriter()
        writer.lines(text)
        return writer.take()
    }
}
