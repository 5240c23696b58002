import Foundation
import Glibc
import HelixModel
import HelixTerminal
import TestSupport

@testable import HelixCommands

/// A person at `helix ui`: presses keys, and sees the screen. Commands run in this process.
final class ScreenDriver {
    let worker: UIWorker
    private let null: FileHandle

    /// Opens the program in a home.
    init(
        _ home: HelixHome, at place: UIPlaceName = .today, width: Int = 100, height: Int = 30,
        settings: [String: String] = [:]
    ) throws {
        null = try FileHandle(forUpdating: URL(fileURLWithPath: "/dev/null"))
        let descriptor = null.fileDescriptor
        let console = Console(input: descriptor, output: descriptor, errors: descriptor)
        let environment = home.environment.merging(settings) { $1 }
        let context = try CommandContext(
            Invocation(arguments: ["ui"], environment: environment, console: console, ownsProcess: false),
            output: .unset)
        var program = UIProgram.usual(at: place)
        program.keymap = try context.configuration.keymap()
        worker = UIWorker(context, program)
        worker.program.resize(width: width, height: height)
        worker.runner.width = width - 2
        worker.runner.hasColor = false
        try settle()
    }

    /// Reads until nothing is left to read, as the loop does between keys.
    func settle() throws {
        repeat { if worker.needsLoad { try worker.load() } } while try worker.doWaitingWork() || worker.needsLoad
    }

    /// Presses keys by their names.
    func press(_ keys: String...) throws { try press(keys) }

    /// Presses keys by their names.
    func press(_ keys: [String]) throws {
        for key in keys {
            worker.perform(worker.program.take(.key(Key(key), Self.bytes(of: key))))
            try settle()
        }
    }

    /// Types text, and presses Enter.
    func type(_ text: String, enter: Bool = true) throws {
        for character in text {
            let key = character == " " ? "space" : String(character)
            worker.perform(worker.program.take(.key(Key(key), Array(String(character).utf8))))
        }
        try settle()
        if enter { try press("enter") }
    }

    /// Uses the mouse.
    func mouse(_ kind: MouseEvent.Kind, x: Int, y: Int) throws {
        worker.perform(worker.program.take(.mouse(MouseEvent(kind, x: x, y: y))))
        try settle()
    }

    private static func bytes(of key: String) -> [UInt8] {
        switch key {
        case "enter": [0x0D]
        case "esc": [0x1B]
        case "tab": [0x09]
        case "backspace": [0x7F]
        case "space": [0x20]
        case "up": Array("\u{1B}[A".utf8)
        case "down": Array("\u{1B}[B".utf8)
        case "left": Array("\u{1B}[D".utf8)
        case "right": Array("\u{1B}[C".utf8)
        default:
            key.hasPrefix("ctrl-") && key.count == 6 ? [(key.last?.asciiValue ?? 0x60) - 0x60] : Array(key.utf8)
        }
    }

    /// The picture.
    var frame: ScreenFrame { UIFrame.draw(worker.program, for: worker.viewer) }
    /// The lines of the screen.
    var screen: [String] { frame.lines }
    /// The screen as a text.
    var text: String { screen.joined(separator: "\n") }
    /// The last line: the outcome of a command, or what is typed.
    var message: String { screen.last ?? "" }
    /// The line with the cursor of a list.
    var chosen: String { screen.first { $0.hasPrefix("▸") } ?? "" }
    /// The state of the place.
    var status: String { screen[screen.count - 2] }
}
