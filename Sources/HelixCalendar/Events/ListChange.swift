/// A change to a list: another one in its place, or what comes and what goes.
public struct ListChange<Element: Hashable & Sendable>: Hashable, Sendable {
    /// The list in its place; nil keeps the one that is there.
    public var replacement: [Element]?
    /// The elements that come.
    public var additions: [Element] = []
    /// The elements that go.
    public var removals: [Element] = []

    /// A change to a list.
    public init(replacement: [Element]? = nil) { self.replacement = replacement }

    /// Another list in its place.
    public static func set(_ list: [Element]) -> ListChange { ListChange(replacement: list) }

    /// The list after the change; `isSame` tells whether two elements mean the same.
    public func applied(to list: [Element], isSame: (Element, Element) -> Bool) -> [Element] {
        var changed = replacement ?? list
        changed.removeAll { element in removals.contains { isSame($0, element) } }
        for element in additions where !changed.contains(where: { isSame($0, element) }) { changed.append(element) }
        return changed
    }
}
