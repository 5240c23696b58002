/// A change of a list: a replacement, additions and removals.
public struct ListChange<Element: Hashable & Sendable>: Hashable, Sendable {
    /// The replacement; nil keeps the existing list.
    public var replacement: [Element]?
    /// The elements to add.
    public var additions: [Element] = []
    /// The elements to remove.
    public var removals: [Element] = []

    /// Creates a change.
    public init(replacement: [Element]? = nil) { self.replacement = replacement }

    /// Replaces the list.
    public static func set(_ list: [Element]) -> ListChange { ListChange(replacement: list) }

    /// The list after the change; `isSame` returns whether two elements are equal.
    public func applied(to list: [Element], isSame: (Element, Element) -> Bool) -> [Element] {
        var changed = replacement ?? list
        changed.removeAll { element in removals.contains { isSame($0, element) } }
        for element in additions where !changed.contains(where: { isSame($0, element) }) { changed.append(element) }
        return changed
    }
}
