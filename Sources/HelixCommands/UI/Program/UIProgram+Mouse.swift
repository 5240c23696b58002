import HelixTerminal

/// The mouse: whatever is drawn as a key or as an item can be clicked.
extension UIProgram {
    /// Takes an event of the mouse.
    mutating func take(_ mouse: MouseEvent) -> [Effect] {
        let isPress = mouse.kind == .press
        if isPress, mouse.y == 0, let name = UIFrame.place(atColumn: mouse.x, self) { return go(to: name) }
        // An open question is answered by keys.
        guard line == nil else { return [] }
        // Before the click ends the message.
        let isCut = isMessageCut
        if isPress { clearMessage() }
        if tour != nil {
            if isPress, tour?.press("enter") == false { tour = nil }
            return []
        }
        if isPress, mouse.y == height - 2 { return pressHint(atColumn: mouse.x) }
        if isPress, mouse.y == height - 1, isCut { return perform(.program(.output)) }
        if chooser != nil { return pressList(mouse) }
        if overlay != nil {
            if mouse.kind == .wheelDown { _ = overlay?.text.move(.down) }
            if mouse.kind == .wheelUp { _ = overlay?.text.move(.up) }
            return []
        }
        var own = mouse
        // The place must know of a drag that ends outside of it.
        let isDragging = mouse.kind == .drag || mouse.kind == .release
        guard isDragging || body.contains(x: mouse.x, y: mouse.y) else { return [] }
        own.y -= body.y
        return follow(current.take(own))
    }

    /// Presses the key whose name is drawn at a column of the line of the state.
    private mutating func pressHint(atColumn x: Int) -> [Effect] {
        guard let hint = UIFrame.hint(atColumn: x, self) else { return [] }
        if overlay != nil || chooser != nil {
            (overlay, chooser) = (nil, nil)
            return []
        }
        return perform(hint.deed)
    }

    /// Chooses the item of the list under the mouse; a click beside the list closes it.
    private mutating func pressList(_ mouse: MouseEvent) -> [Effect] {
        guard let open = chooser else { return [] }
        switch mouse.kind {
        case .wheelDown: return choose("down")
        case .wheelUp: return choose("up")
        case .press:
            let box = open.box(in: body)
            guard box.contains(x: mouse.x, y: mouse.y) else { return choose("esc") }
            let row = open.list.top + mouse.y - box.y - 2
            guard mouse.y >= box.y + 2, open.list.shown.contains(row) else { return [] }
            chooser?.list.go(to: row)
            return choose("enter")
        case .drag, .release: return []
        }
    }
}
