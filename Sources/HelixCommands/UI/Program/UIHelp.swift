import HelixTerminal

extension UIProgram {
    /// The keys that were typed of a sequence.
    var keysTyped: String { typed.map(\.name).joined(separator: " ") }

    /// The keys that may follow those that were typed of a sequence.
    var continuations: StyledText {
        var text = StyledText(keysTyped + "  ", .bold)
        for binding in current.bindings + UIBindings.program {
            for keys in keymap.keys(of: binding) where keys.hasPrefix(keysTyped + " ") {
                text.append(String(keys.dropFirst(keysTyped.count + 1)), .bold)
                text.append(" \(binding.summary)  ")
            }
        }
        return text
    }

    /// The keys of the place, each with the command that it stands for.
    func help() -> UIOverlay {
        var canvas = Canvas(width: max(20, width - 2))
        let target = current.target
        func draw(_ title: String, _ bindings: [UIBinding]) {
            canvas.line(StyledText(title, TextStyle(.cyan, bold: true)))
            var table = Table([.init(), .init(minimum: 12), .init(minimum: 16)])
            for binding in bindings {
                let keys = keymap.usedKeys(of: binding, in: [current.bindings, UIBindings.program])
                if keys.isEmpty { continue }
                var command = binding.command ?? ""
                if case .command(let template) = binding.deed { command = "helix " + line(of: template, target) }
                table.row([
                    StyledText(keys.joined(separator: ", "), .bold), StyledText(binding.summary),
                    StyledText(width >= 76 ? command : "", .dim),
                ])
            }
            table.draw(on: &canvas, indent: 2)
            canvas.line()
        }
        draw(place.title, current.bindings)
        draw("Everywhere", UIBindings.program)
        canvas.paragraph(
            "Keys: 'helix config set ui.keys vim' or mutt; 'helix config set keys.NAME KEY' sets one. "
                + "After ':', the arrow up shows the commands that keys stood for.", style: .dim)
        var overlay = UIOverlay("Keys", canvas.lines)
        overlay.text.height = body.height - 1
        return overlay
    }

    /// The line of a key, with the chosen item in it.
    private func line(of template: UITemplate, _ target: UITarget) -> String {
        var line = template.line.replacing("{?}", with: "…").replacing("{?*}", with: "…")
        let short = target.ids.map { String($0.prefix(6)) }
        let ids = short.count > 3 ? "\(short[0]) … (\(short.count))" : short.joined(separator: " ")
        line = line.replacing(" {scope}", with: target.values["scope"].map { $0.isEmpty ? "" : " " + $0 } ?? "")
        line = line.replacing("{list}", with: ids.isEmpty ? "ID" : ids.replacing(" ", with: ","))
        line = line.replacing("{ids}", with: ids.isEmpty ? "ID" : ids).replacing(
            "{id}", with: target.id.map { String($0.prefix(6)) } ?? "ID")
        for (name, value) in target.values { line = line.replacing("{\(name)}", with: ShellWords.quoted(value)) }
        return line
    }
}

/// The three screens that a new person sees.
struct UITour: Sendable {
    private var page = 0

    /// The texts of the pages.
    private static let pages: [(title: String, lines: [String])] = [
        (
            "A whole day on one screen",
            [
                "1 Today  2 Mail  3 Calendar  4 Tasks  5 Chat: the numbers switch between the places.",
                "j and k, or the arrows, move; Enter opens; q goes back, and quits at the outermost place.",
                "All of it is your local store: nothing waits for a network, and $ syncs.",
            ]
        ),
        (
            "Keys are commands",
            [
                "Each key stands for a command of helix, which is shown below after it was run.",
                "? shows all keys of the place with their commands. : takes any command, and Tab completes it.",
                "Ctrl-P finds commands, people, mailboxes, events and tasks by a part of their names.",
            ]
        ),
        (
            "Nothing is lost",
            [
                "u undoes the last change, and Ctrl-R makes it again: of mail, events, tasks and time alike.",
                "The keys are those of mutt; 'helix config set ui.keys vim' makes them those of vim.",
                "'helix config set ui.theme dark' sets the colours: dark, light, contrast, sepia, night, terminal.",
            ]
        ),
    ]

    /// Takes a key.
    /// - Returns: whether the tour goes on.
    mutating func press(_ key: Key) -> Bool {
        if ["esc", "q", "s", "ctrl-c"].contains(key) { return false }
        if ["left", "backspace"].contains(key) {
            page = max(0, page - 1)
            return true
        }
        page += 1
        return page < UITour.pages.count
    }

    /// Draws the page.
    func draw(on frame: inout ScreenFrame, in area: ScreenArea, _ keymap: UIKeymap) {
        let (title, lines) = UITour.pages[page]
        let width = min(area.width - 2, 76)
        let texts = lines.flatMap { $0.wrapped(width - 6) + [""] }
        let box = ScreenArea(
            x: area.x + (area.width - width) / 2, y: area.y + max(0, (area.height - texts.count - 5) / 2), width: width,
            height: min(area.height, texts.count + 5))
        frame.grid.drawBox(box, title: "helix · \(page + 1) of \(UITour.pages.count)")
        frame.grid.put(StyledText(title, TextStyle(.cyan, bold: true)), x: box.x + 3, y: box.y + 1, limit: width - 6)
        for (offset, text) in texts.enumerated() where offset + 3 < box.height - 1 {
            frame.grid.put(text, x: box.x + 3, y: box.y + 3 + offset, limit: width - 6)
        }
        frame.grid.put(
            "Enter goes on, s skips", x: box.x + 3, y: box.y + box.height - 2, limit: width - 6, style: .dim)
    }
}
