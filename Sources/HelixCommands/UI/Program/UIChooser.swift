import HelixTerminal

/// A list over the screen, of which one item is chosen by typing a part of its name.
struct UIChooser: Sendable {
    /// An item.
    struct Choice: Sendable {
        /// The name, which is searched.
        var name: String
        /// The kind, or another remark at its right.
        var detail = ""
        /// The effect of the choice.
        var effect: Effect
    }

    /// The effect of a choice.
    enum Effect: Sendable {
        case open(UIItem)
        /// The line begins a command that is completed by hand.
        case type(String)
        case call(UICall)
        case place(UIPlaceName)
    }

    let title: String
    let choices: [Choice]
    private(set) var typed = ""
    private(set) var found: [Int]
    var list = UIList()

    init(_ title: String, _ choices: [Choice]) {
        (self.title, self.choices) = (title, choices)
        found = Array(choices.indices)
        list.count = choices.count
    }

    /// The lines of a list on a screen of some lines.
    static func height(in lines: Int) -> Int { max(1, min(lines - 4, 20)) }

    /// The chosen item.
    var chosen: Choice? { found.indices.contains(list.cursor) ? choices[found[list.cursor]] : nil }

    /// Takes a typed text.
    mutating func type(_ text: String) {
        typed = text
        let words = text.lowercased().split(separator: " ").map(String.init)
        if words.isEmpty {
            found = Array(choices.indices)
        } else {
            let scored = choices.indices.compactMap { index in
                UIChooser.score(choices[index], words).map { (index, $0) }
            }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
            // Initials count only where nothing else matches.
            let near = scored.prefix { $0.1 < UIChooser.far }
            found = (near.isEmpty ? scored[...] : near).map(\.0)
        }
        list.count = found.count
        list.go(to: 0)
    }

    /// The distance of a choice from words, the nearest first; nil if a word is not in it.
    ///
    /// The beginning of a name is nearer than that of a word, which is nearer than any other place; initials are farthest.
    private static func score(_ choice: Choice, _ words: [String]) -> Int? {
        let name = choice.name.lowercased()
        let detail = choice.detail.lowercased()
        var sum = min(name.count, 99)
        for word in words {
            if name.hasPrefix(word) {
                sum += 0
            } else if name.contains(" " + word) {
                sum += 100
            } else if name.contains(word) {
                sum += 300
            } else if detail.contains(word) {
                sum += 600
            } else if hasInitials(word, name) {
                sum += far
            } else {
                return nil
            }
        }
        return sum
    }

    /// The distance of initials.
    private static let far = 10_000

    /// Whether letters are the initials of the first words of a text: `cw` of `cal week`.
    private static func hasInitials(_ letters: String, _ text: String) -> Bool {
        let initials = text.split(separator: " ").compactMap(\.first)
        return letters.count > 1 && initials.starts(with: letters)
    }

    /// The part of the screen that it takes.
    func box(in area: ScreenArea) -> ScreenArea {
        let width = min(area.width - 2, 78)
        let lines = min(UIChooser.height(in: area.height), max(found.count, 1))
        return ScreenArea(x: area.x + (area.width - width) / 2, y: area.y + 1, width: width, height: lines + 3)
    }

    /// Draws the list over the screen.
    func draw(on frame: inout ScreenFrame, in area: ScreenArea) {
        let box = box(in: area)
        let (width, lines) = (box.width, box.height - 3)
        frame.grid.drawBox(box, title: title)
        var head = StyledText("› ", .bold)
        head.append(typed)
        frame.grid.put(head, x: box.x + 2, y: box.y + 1, limit: width - 4)
        frame.cursor = ScreenFrame.Place(x: min(box.x + width - 2, box.x + 4 + TextWidth.of(typed)), y: box.y + 1)
        if found.isEmpty { frame.grid.put("Nothing has these words.", x: box.x + 4, y: box.y + 2, style: .dim) }
        for (offset, place) in list.shown.prefix(lines).enumerated() {
            let choice = choices[found[place]]
            let y = box.y + 2 + offset
            let room = width - 6
            let detail = StyledText(choice.detail, .dim).fitted(max(0, min(room / 2, 30)))
            frame.grid.put(
                StyledText(choice.name), x: box.x + 4, y: y, limit: max(0, room - detail.width - 1))
            frame.grid.put(detail, x: box.x + width - 2 - detail.width, y: y)
            if place == list.cursor {
                frame.grid.put("▸", x: box.x + 2, y: y, style: .bold)
                frame.grid.lay(.selection, x: box.x + 1, y: y, width: width - 2)
            }
        }
    }
}

extension CellGrid {
    /// Draws an empty box with a title.
    mutating func drawBox(_ box: ScreenArea, title: String) {
        guard box.width > 1, box.height > 1 else { return }
        let line = String(repeating: "─", count: box.width - 2)
        put("┌" + line + "┐", x: box.x, y: box.y, style: .dim)
        put(StyledText(" " + title + " ", .bold), x: box.x + 2, y: box.y, limit: box.width - 4)
        for y in (box.y + 1)..<(box.y + box.height - 1) {
            put("│" + String(repeating: " ", count: box.width - 2) + "│", x: box.x, y: y, style: .dim)
        }
        put("└" + line + "┘", x: box.x, y: box.y + box.height - 1, style: .dim)
    }
}
