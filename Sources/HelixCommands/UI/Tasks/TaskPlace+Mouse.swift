import HelixModel
import HelixTerminal

/// A card that the mouse drags.
struct TaskDrag: Sendable {
    let id: EntityID
    /// Its place on the board.
    let start: TaskPlace.Cursor
    /// The column over which it is.
    var column: Int
    /// Whether the mouse has left the card.
    var isMoved = false
    /// Whether a click that does not move it opens it: it was chosen before.
    var opens = false
}

extension TaskPlace {
    mutating func take(_ mouse: MouseEvent) -> UIAnswer {
        switch mouse.kind {
        case .wheelDown: return press(.down)
        case .wheelUp: return press(.up)
        default: break
        }
        let picture = layout(width)
        let head = picture.columns.isEmpty ? 0 : 2
        let chosen = picture.cards.first { place(of: $0) == cursor }
        let top = top(chosen?.area, head: head, lines: picture.lines.count, height: height)
        let y = mouse.y < head ? -1 : mouse.y + top
        let card = picture.cards.first { $0.area.contains(x: mouse.x, y: y) }
        switch mouse.kind {
        case .press:
            guard let card, let id = item(at: place(of: card))?.task.id else { return .none }
            let opens = cursor == place(of: card)
            cursor = place(of: card)
            dragged = TaskDrag(id: id, start: cursor, column: card.column, opens: opens)
        case .drag:
            if let column = picture.columns.firstIndex(where: { $0.contains(mouse.x) }) { dragged?.column = column }
            if card.map(place) != dragged?.start { dragged?.isMoved = true }
        case .release:
            guard let drag = dragged else { return .none }
            dragged = nil
            guard drag.isMoved else {
                return drag.opens ? .run(UITemplate(line: "tasks show {id}", showsOutput: true)) : .none
            }
            let edges = (picture.columns.first?.lowerBound ?? 0)..<(picture.columns.last?.upperBound ?? 0)
            guard edges.contains(mouse.x), (0..<height).contains(mouse.y) else {
                return .refused("That is outside of the columns: the card stays where it is.")
            }
            let lanes = picture.cards.filter { $0.area.y <= y + 1 }
            let lane = mouse.y < head ? drag.start.lane : lanes.map(\.lane).max() ?? 0
            // Between two columns, it is the line of the nearest one that counts.
            let nearest =
                card
                ?? picture.cards.first {
                    $0.column == drag.column && ($0.area.y..<$0.area.y + $0.area.height).contains(y)
                }
            return drop(
                drag, on: nearest, lane: lane, isLowerHalf: nearest.map { y >= $0.area.y + $0.area.height / 2 } ?? true)
        default: break
        }
        return .none
    }

    private func place(of card: BoardGrid.PlacedCard) -> Cursor {
        Cursor(lane: card.lane, column: card.column, place: card.place)
    }

    /// Puts a card that was dragged above or below another one, or at the end of a column.
    private func drop(
        _ drag: TaskDrag, on card: BoardGrid.PlacedCard?, lane: Int, isLowerHalf: Bool
    ) -> UIAnswer {
        guard lane == drag.start.lane else {
            return .refused("A lane stands for a field of its cards: e changes it.")
        }
        if let card, place(of: card) == drag.start { return .refused("It stays where it is.") }
        if let card, let other = item(at: place(of: card)) {
            // In its own column, it takes the place of the other card.
            let isBelow = card.column == drag.start.column ? card.place > drag.start.place : isLowerHalf
            return .call(
                UICall(words: ["tasks", "move", drag.id.text, isBelow ? "--after" : "--before", other.task.id.text]))
        }
        // The board may have been read again while the mouse was held.
        guard columns.indices.contains(drag.column), cards.indices.contains(lane),
            cards[lane].indices.contains(drag.column)
        else { return .refused("The board has changed: the card stays where it is.") }
        var words = ["tasks", "move", drag.id.text, columns[drag.column].name]
        if drag.column == drag.start.column {
            if cards[lane][drag.column].count == drag.start.place + 1 { return .refused("It stays where it is.") }
            words.append("--last")
        }
        return .call(UICall(words: words))
    }
}
