import HelixModel

/// A component with all its items in order, so that unknown ones survive an edit.
public struct ICalendarComponent: Hashable, Sendable {
    /// A part of a component.
    public enum Item: Hashable, Sendable {
        /// An unfolded content line as written in the file.
        case line(String)
        case component(ICalendarComponent)
    }

    /// `VEVENT`, in upper case.
    public var name: String
    /// The parts in the order of the file.
    public var items: [Item]

    /// Creates a component.
    public init(_ name: String, items: [Item] = []) {
        self.name = name
        self.items = items
    }

    /// Parses the consecutive components in `text`, in the form that ``text`` writes.
    public static func list(_ text: String) -> [ICalendarComponent] {
        var done: [ICalendarComponent] = []
        var stack: [ICalendarComponent] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("BEGIN:") {
                stack.append(ICalendarComponent(line.dropFirst(6).uppercased()))
            } else if line.hasPrefix("END:") {
                guard let closed = stack.popLast() else { continue }
                if stack.isEmpty {
                    done.append(closed)
                } else {
                    stack[stack.count - 1].items.append(.component(closed))
                }
            } else if !stack.isEmpty {
                stack[stack.count - 1].items.append(.line(String(line)))
            }
        }
        return done
    }

    /// The unfolded lines from BEGIN to END, each ended by a line feed, in the form of the store.
    public var text: String {
        var text = "BEGIN:\(name)\n"
        for item in items {
            switch item {
            case .line(let line): text += line + "\n"
            case .component(let component): text += component.text
            }
        }
        return text + "END:\(name)\n"
    }

    /// The properties, in order, without those of children.
    public var properties: [ICalendarProperty] {
        items.compactMap { item in
            if case .line(let line) = item { ICalendarProperty(line: line) } else { nil }
        }
    }

    /// The child components, in order.
    public var components: [ICalendarComponent] {
        items.compactMap { if case .component(let component) = $0 { component } else { nil } }
    }

    /// The first property called `name` (upper case).
    public func first(_ name: String) -> ICalendarProperty? {
        for item in items {
            if case .line(let line) = item, ICalendarComponent.isNamed(line, name) {
                return ICalendarProperty(line: line)
            }
        }
        return nil
    }

    /// All properties called `name` (upper case).
    public func all(_ name: String) -> [ICalendarProperty] {
        items.compactMap { item in
            if case .line(let line) = item, ICalendarComponent.isNamed(line, name) {
                ICalendarProperty(line: line)
            } else {
                nil
            }
        }
    }

    /// Removes all properties called `name`.
    public mutating func remove(_ name: String) {
        items.removeAll { if case .line(let line) = $0 { ICalendarComponent.isNamed(line, name) } else { false } }
    }

    /// Replaces the first property of that name and removes the others, or appends `property` if there is none.
    /// Nil removes all.
    public mutating func set(_ name: String, _ property: ICalendarProperty?) {
        set(name, property.map { [$0] } ?? [])
    }

    /// Replaces all properties called `name` with `properties`.
    public mutating func set(_ name: String, _ properties: [ICalendarProperty]) {
        let isNamed: (Item) -> Bool = { item in
            if case .line(let line) = item { ICalendarComponent.isNamed(line, name) } else { false }
        }
        let isComponent: (Item) -> Bool = { if case .component = $0 { true } else { false } }
        let place = items.firstIndex(where: isNamed) ?? items.firstIndex(where: isComponent) ?? items.count
        let before = items[..<place].filter { !isNamed($0) }
        let after = items[place...].filter { !isNamed($0) }
        items = before + properties.map { .line($0.line) } + after
    }

    /// Replaces all children called `name` with `components`.
    public mutating func setComponents(_ name: String, _ components: [ICalendarComponent]) {
        items.removeAll { if case .component(let child) = $0 { child.name == name } else { false } }
        items += components.map { .component($0) }
    }

    private static func isNamed(_ line: String, _ name: String) -> Bool {
        let length = name.utf8.count
        guard line.utf8.count > length else { return false }
        var index = line.utf8.startIndex
        for expected in name.utf8 {
            let byte = line.utf8[index]
            guard byte == expected || ((0x61...0x7A).contains(byte) && byte - 32 == expected) else { return false }
            index = line.utf8.index(after: index)
        }
        let next = line.utf8[index]
        return next == 0x3A || next == 0x3B
    }
}
