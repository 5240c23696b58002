import Glibc
import HelixModel
import HelixSecurity
import HelixTerminal

/// `helix ui --plain`: the same program a line at a time, for screen readers and for terminals without a screen.
///
/// A line is the name of an act, a key, the number or name of a place, or a command of helix after `:`. What follows is what
/// changed: the chosen line, or all lines if there are others.
final class PlainSession {
    private let worker: UIWorker
    private let console: Console
    private var shown: [String] = []

    init(_ worker: UIWorker) {
        let context = worker.context
        (self.worker, console) = (worker, context.console)
        worker.runner.hasColor = false
        worker.isPlain = true
        let width = min(200, max(40, context.terminal.hasWidth ? context.terminal.width : 80))
        worker.program.resize(width: width, height: PlainSession.height)
        worker.runner.width = width
    }

    /// The signs of lists, in words.
    private static let signs: [(sign: String, word: String)] = [
        ("●", "unread "), ("★", "starred "), ("↩", "answered "), ("⎘", "attachment "), ("◷", "invitation "),
        ("⚿", "encrypted "), ("▶", "running "), ("⊘", "blocked "), ("↻", "repeats "), ("▌", ""), ("│", " "),
    ]

    /// The number of lines of the picture.
    private static let height = 60

    /// Runs until the person quits, or the input ends.
    /// - Throws: ``HelixError``.
    func run() throws {
        try settle()
        try tell()
        while !worker.program.isOver, let line = console.line(worker.program.place.rawValue) {
            if worker.context.invocation.lock?.reason != nil { _ = try worker.context.invocation.admit(.asks) }
            worker.look()
            try take(line)
            if worker.program.isOver { break }
            try settle()
            try tell()
        }
    }

    /// Reads until nothing is left to read.
    private func settle() throws {
        repeat { if worker.needsLoad { try worker.load() } } while try worker.doWaitingWork() || worker.needsLoad
    }

    /// Takes a typed line.
    private func take(_ line: String) throws {
        worker.program.message = StyledText()
        if worker.program.line != nil {
            return perform(.key("enter", Array(line.utf8) + [0x0D]))
        }
        if worker.program.chooser != nil { return choose(line) }
        if line.hasPrefix(":") {
            perform(.key(":", []))
            return perform(.key("enter", Array(line.dropFirst().utf8) + [0x0D]))
        }
        if let place = UIPlaceName(rawValue: line.lowercased()) { return worker.perform(worker.program.go(to: place)) }
        let bindings = worker.program.current.bindings + UIBindings.program
        if let binding = bindings.first(where: { $0.name == line.lowercased() }) {
            return worker.perform(worker.program.perform(binding.deed))
        }
        if line.isEmpty { return perform(.key("enter", [0x0D])) }
        let keys = line.split(separator: " ").map(String.init)
        guard keys.allSatisfy({ Key(named: $0) != nil }) else {
            worker.program.message = StyledText("There is no act '\(line)'; help lists them.")
            return
        }
        for key in keys { perform(.key(Key(key), Array(key.utf8))) }
    }

    /// Chooses of a list: by its number, or by a part of a name; 'back' chooses nothing.
    private func choose(_ line: String) {
        guard let open = worker.program.chooser else { return }
        if ["back", "esc", "q", "quit"].contains(line.lowercased()) { return perform(.key("esc", [0x1B])) }
        if let number = Int(line), open.found.indices.contains(number - 1) {
            worker.program.chooser?.list.go(to: number - 1)
            return perform(.key("enter", [0x0D]))
        }
        worker.program.chooser?.type(line)
    }

    private func perform(_ event: InputEvent) { worker.perform(worker.program.take(event)) }

    /// Prints what changed.
    private func tell() throws {
        if let chooser = worker.program.chooser {
            var lines = [chooser.title]
            lines += chooser.found.prefix(20).enumerated().map { place, index in
                "\(place + 1) \(chooser.choices[index].name)  \(chooser.choices[index].detail)"
            }
            if chooser.found.isEmpty { lines.append("Nothing has these words.") }
            lines.append("Type a number, a part of a name, or back.")
            if chooser.found.count > 20 {
                lines.append("and \(chooser.found.count - 20) more: type a part of the name")
            }
            shown = []
            return try print(lines)
        }
        let frame = UIFrame.draw(worker.program, for: worker.viewer)
        let all = frame.lines.dropFirst().dropLast(2).map { $0 }
        let isOpen = worker.program.tour != nil
        let words =
            isOpen
            ? nil
            : worker.program.failure.map(UIFrame.failureLines) ?? worker.program.current.plainLines(for: worker.viewer)
        let lines = words ?? all.map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
        let bare = lines.map { $0.trimmingPrefix("▸").description.trimmingBlanks() }
        var told: [String]
        if bare == shown, let chosen = lines.first(where: { $0.hasPrefix("▸") }) {
            told = [chosen.trimmingPrefix("▸").description.trimmingBlanks()]
        } else if bare == shown {
            told = []
        } else {
            told = lines
        }
        shown = bare
        if let overlay = worker.program.overlay {
            // All of it is told, and nothing stays open unseen.
            told = ([overlay.title] + overlay.text.lines.map(\.plain)).map { $0.trimmingBlanks() }.filter {
                !$0.isEmpty
            }
            worker.program.overlay = nil
            shown = []
        }
        told.append(worker.program.status)
        if let line = worker.program.line {
            told += line.reading.map(\.plain)
            told.append(line.label.trimmingBlanks())
        }
        if !worker.program.message.isEmpty { told.append(worker.program.message.plain) }
        try print(told)
    }

    private func print(_ lines: [String]) throws {
        // Signs have names that can be spoken.
        let spoken = lines.map { line in
            PlainSession.signs.reduce(line) { $0.replacing($1.sign, with: $1.word) }
        }
        guard console.write(spoken.map { SafeText.line($0) + "\n" }.joined()) else {
            throw HelixError(.io, "the output cannot be written")
        }
    }
}
