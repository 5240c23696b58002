import HelixModel
import HelixTerminal

/// The picture of the program: the places above, the place, its state and the line below.
enum UIFrame {
    /// Draws the picture.
    static func draw(_ program: UIProgram, for viewer: Viewer) -> ScreenFrame {
        var frame = ScreenFrame(width: program.width, height: program.height)
        guard program.width >= 20, program.height >= 6 else {
            frame.grid.put("The window is too small.", x: 0, y: 0)
            return frame
        }
        drawTop(program, viewer, on: &frame)
        let body = program.body
        if let tour = program.tour {
            tour.draw(on: &frame, in: body, program.keymap)
        } else if let overlay = program.overlay {
            overlay.draw(on: &frame, in: body)
        } else if let failure = program.failure {
            drawFailure(failure, on: &frame, in: body)
        } else {
            program.current.draw(on: &frame, in: body, for: viewer)
        }
        drawStatus(program, on: &frame)
        program.chooser?.draw(on: &frame, in: body)
        // Images lie above all text.
        if program.chooser != nil || program.line != nil { frame.images = [] }
        drawLine(program, on: &frame)
        return frame
    }

    private static func drawFailure(_ reason: String, on frame: inout ScreenFrame, in area: ScreenArea) {
        let lines = failureLines(reason).flatMap { $0.wrapped(max(10, area.width - 2)) }
        for (offset, line) in lines.prefix(area.height).enumerated() {
            frame.grid.put(
                line, x: area.x + 1, y: area.y + offset, limit: area.width - 2,
                style: offset == 0 ? TextStyle(.red, bold: true) : .plain)
        }
    }

    /// The lines that say that a place could not be read.
    static func failureLines(_ reason: String) -> [String] {
        ["This could not be read. It is tried again with the next key.", SafeText.line(reason)]
    }

    /// The titles of the places with their columns.
    private static func titles(_ program: UIProgram) -> [(name: UIPlaceName, x: Int, text: String)] {
        var x = 0
        let isWide = program.width >= 60
        return UIPlaceName.allCases.enumerated().map { index, name in
            let title = isWide || name == program.place ? name.title : String(name.title.prefix(3))
            let text = " \(index + 1) \(title) "
            defer { x += text.count }
            return (name, x, text)
        }
    }

    /// The place whose title is at a column of the top line.
    static func place(atColumn x: Int, _ program: UIProgram) -> UIPlaceName? {
        titles(program).first { ($0.x..<$0.x + $0.text.count).contains(x) }?.name
    }

    private static func drawTop(_ program: UIProgram, _ viewer: Viewer, on frame: inout ScreenFrame) {
        frame.grid.lay(.bar, x: 0, y: 0, width: frame.width)
        var end = 0
        for title in titles(program) {
            let isHere = title.name == program.place
            frame.grid.put(
                title.text, x: title.x, y: 0,
                style: isHere ? TextStyle(bold: true, underlined: true) : .plain)
            end = title.x + title.text.count
        }
        var right = StyledText()
        if let background = program.background { right.append(background + "  ", .dim) }
        right.append(program.clock)
        if program.clock.width > 0 { right.append("  ") }
        let clock = viewer.clock(viewer.now)
        right.append(frame.width >= 90 ? "\(DateWords.text(viewer.today)) \(clock) " : "\(clock) ")
        let room = frame.width - end - 1
        if right.width > room { right = StyledText("\(clock) ") }
        if right.width <= room { frame.grid.put(right, x: frame.width - right.width, y: 0) }
        frame.grid.lay(.bar, x: 0, y: 0, width: frame.width)
    }

    private static func drawStatus(_ program: UIProgram, on frame: inout ScreenFrame) {
        let y = frame.height - 2
        let status = status(program)
        frame.grid.put(status, x: 0, y: y)
        var x = frame.width
        for hint in hints(program, room: frame.width - status.width - 2).reversed() {
            x -= hint.text.width
            frame.grid.put(hint.text, x: x, y: y)
        }
        frame.grid.lay(.bar, x: 0, y: y, width: frame.width)
    }

    /// The state of the place in words; a long one leaves room for a few keys.
    private static func status(_ program: UIProgram) -> StyledText {
        let room = program.width - max(9, program.width / 4)
        return StyledText(" " + program.status, .bold).fitted(room)
    }

    /// A key in the line of the state.
    struct Hint {
        var text: StyledText
        var deed: UIBinding.Deed
    }

    /// The key that is named at a column of the line of the state.
    static func hint(atColumn x: Int, _ program: UIProgram) -> Hint? {
        var start = program.width
        for hint in hints(program, room: program.width - status(program).width - 2).reversed() {
            start -= hint.text.width
            if x >= start { return hint }
        }
        return nil
    }

    /// The most important keys, as many as have room; help is always among them.
    private static func hints(_ program: UIProgram, room: Int) -> [Hint] {
        func words(_ text: String) -> [Hint] {
            [Hint(text: StyledText(text).fitted(max(0, room)), deed: .motion(.back))]
        }
        if program.line != nil { return words("Enter accepts, Esc cancels ") }
        if program.overlay != nil || program.chooser != nil { return words("Esc closes ") }
        var help = StyledText("?", .bold)
        help.append(" help ")
        var (found, used) = ([Hint](), help.width)
        let all = program.current.bindings
        let commands = all.filter { if case .command = $0.deed { true } else { false } }
        for binding in commands.isEmpty ? all : commands {
            guard let key = program.keymap.key(of: binding) else { continue }
            var piece = StyledText(key, .bold)
            piece.append(" \(binding.name)  ")
            if used + piece.width > room { break }
            used += piece.width
            found.append(Hint(text: piece, deed: binding.deed))
        }
        return used <= room ? found + [Hint(text: help, deed: .program(.help))] : []
    }

    private static func drawLine(_ program: UIProgram, on frame: inout ScreenFrame) {
        let y = frame.height - 1
        guard let line = program.line else {
            if !program.keysTyped.isEmpty {
                frame.grid.put(program.continuations, x: 0, y: y, limit: frame.width)
            } else {
                let more = program.isMessageCut ? StyledText(" Ctrl-O", .bold) : StyledText()
                let room = frame.width - more.width
                frame.grid.put(program.message, x: 0, y: y, limit: room)
                frame.grid.put(more, x: room, y: y)
            }
            return
        }
        let label = StyledText(line.label, .bold)
        let room = max(4, frame.width - label.width - 1)
        // The part around the cursor.
        let before = line.editor.before
        let skipped = max(0, TextWidth.of(before) - room + 1)
        var cut = SafeText.line(line.text)
        var dropped = 0
        while dropped < skipped, let first = cut.first {
            dropped += TextWidth.of(first)
            cut.removeFirst()
        }
        frame.grid.put(label, x: 0, y: y)
        frame.grid.put(cut, x: label.width, y: y, limit: room)
        frame.cursor = ScreenFrame.Place(
            x: min(frame.width - 1, label.width + TextWidth.of(before) - dropped), y: y)
        let above: [StyledText] =
            line.candidates.isEmpty
            ? line.reading : columns(line.candidates, width: frame.width)
        let shown = above.prefix(max(0, min(8, frame.height - 4)))
        for (offset, text) in shown.enumerated() {
            let row = y - shown.count + offset
            frame.grid.put(String(repeating: " ", count: frame.width), x: 0, y: row)
            frame.grid.put(text, x: 1, y: row, limit: frame.width - 1)
            frame.grid.lay(.bar, x: 0, y: row, width: frame.width)
        }
    }

    /// Words in columns.
    private static func columns(_ words: [String], width: Int) -> [StyledText] {
        let safe = words.map { SafeText.line($0) }
        let widest = min(width - 2, (safe.map(TextWidth.of).max() ?? 1) + 2)
        let count = max(1, (width - 2) / max(1, widest))
        return stride(from: 0, to: safe.count, by: count).map { start in
            StyledText(safe[start..<min(start + count, safe.count)].map { $0.padded(widest) }.joined())
        }
    }
}
