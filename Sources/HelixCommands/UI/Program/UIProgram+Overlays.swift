import HelixTerminal

/// The lists and texts that lie over the screen.
extension UIProgram {
    /// Takes a key for the list.
    mutating func choose(_ key: Key) -> [Effect] {
        guard var open = chooser else { return [] }
        defer { if chooser != nil { chooser = open } }
        switch key {
        case "esc", "ctrl-c", "ctrl-g":
            chooser = nil
        case "down", "ctrl-n", "tab": _ = open.list.move(.down)
        case "up", "ctrl-p", "shift-tab": _ = open.list.move(.up)
        case "pagedown": _ = open.list.move(.pageDown)
        case "pageup": _ = open.list.move(.pageUp)
        case "backspace": open.type(String(open.typed.dropLast()))
        case "ctrl-u": open.type("")
        case "enter": return accept(&open)
        default: if let character = key.character { open.type(open.typed + String(character)) }
        }
        return []
    }

    /// Does what the chosen item of a list stands for.
    private mutating func accept(_ open: inout UIChooser) -> [Effect] {
        guard let chosen = open.chosen else { return [] }
        chooser = nil
        switch chosen.effect {
        case .open(let item): return self.open(item)
        case .place(let name): return go(to: name)
        case .call(let call): return [.call(call)]
        case .type(let text): line = UILine(.command, label: ":", text: text, history: history)
        }
        return []
    }

    /// Takes a key for the text.
    mutating func look(_ key: Key) -> [Effect] {
        if case .binding(let binding) = keymap.match([key], in: [UIBindings.list, UIBindings.program]) {
            switch binding.deed {
            case .motion(.back): overlay = nil
            case .motion(let motion): _ = overlay?.text.move(motion)
            case .program(.quit), .program(.redraw), .program(.suspend), .program(.command), .program(.palette), .place:
                return perform(binding.deed)
            // Nothing is changed by a key that was meant for something else.
            default: message = StyledText("Esc closes this.", .dim)
            }
            return []
        }
        if key == "space" { _ = overlay?.text.move(.pageDown) }
        if key == "enter" { overlay = nil }
        return []
    }
}
