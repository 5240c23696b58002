import HelixTerminal

/// A cursor in a list of which a part is shown.
struct UIList: Hashable, Sendable {
    /// The number of items.
    var count = 0
    /// The chosen item.
    private(set) var cursor = 0
    /// The first item that is shown.
    private(set) var top = 0
    /// The number of lines.
    var height = 1

    /// The items that are shown.
    var shown: Range<Int> { top..<max(top, min(count, top + max(1, height))) }

    /// Moves the cursor to an item, and shows it.
    mutating func go(to place: Int) {
        cursor = max(0, min(place, count - 1))
        let lines = max(1, height)
        if cursor < top { top = cursor }
        if cursor >= top + lines { top = cursor - lines + 1 }
        top = max(0, min(top, count - lines))
    }

    /// Keeps the cursor in the list after its number of items or lines changed.
    mutating func settle() { go(to: cursor) }

    /// Moves the cursor; false if it is no movement in a list.
    mutating func move(_ motion: UIMotion) -> Bool {
        let page = max(1, height - 1)
        switch motion {
        case .down: go(to: cursor + 1)
        case .up: go(to: cursor - 1)
        case .pageDown: go(to: cursor + page)
        case .pageUp: go(to: cursor - page)
        case .halfDown: go(to: cursor + max(1, height / 2))
        case .halfUp: go(to: cursor - max(1, height / 2))
        case .first: go(to: 0)
        case .last: go(to: count - 1)
        default: return false
        }
        return true
    }
}

/// A text of which a part is shown.
struct UIText: Sendable {
    /// The lines.
    var lines: [StyledText] = []
    /// The first line that is shown.
    private(set) var top = 0
    /// The number of lines on the screen.
    var height = 1

    /// Whether the last line is shown.
    var isAtEnd: Bool { top >= lines.count - height }

    /// Shows a line, and those below it.
    mutating func show(_ line: Int) { top = max(0, min(line, lines.count - height)) }

    /// Moves; false if it is no movement in a text.
    mutating func move(_ motion: UIMotion) -> Bool {
        switch motion {
        case .down: show(top + 1)
        case .up: show(top - 1)
        case .pageDown: show(top + max(1, height - 1))
        case .pageUp: show(top - max(1, height - 1))
        case .halfDown: show(top + max(1, height / 2))
        case .halfUp: show(top - max(1, height / 2))
        case .first: show(0)
        case .last: show(lines.count)
        default: return false
        }
        return true
    }

    /// The lines that are shown.
    var shown: ArraySlice<StyledText> { lines[min(top, lines.count)..<min(lines.count, top + max(0, height))] }

    /// The part that is shown, in words.
    var position: String {
        if lines.count <= height { return "all" }
        return top == 0 ? "top" : isAtEnd ? "end" : "\(100 * top / max(1, lines.count - height))%"
    }
}
