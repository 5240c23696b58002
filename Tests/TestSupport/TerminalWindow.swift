import Foundation

/// A window of tmux, a real terminal emulator, with a program in it.
public struct TerminalWindow {
    /// A step of the person at the window.
    public enum Step {
        /// Presses keys, by the names of tmux.
        case press([String])
        case type(String)
        /// Waits for a text on the screen.
        case see(String)
        /// Waits until a text is gone.
        case unseen(String)
        /// Keeps the screen under a name.
        case keep(String)
        case resize(Int, Int)
        /// Sends a signal to the program, by its name.
        case signal(String)
        /// Runs helix meanwhile.
        case run([String])
        /// Runs helix for another person meanwhile.
        case runFor(HelixHome, [String])
        case pause(Double)

        fileprivate func json(_ home: HelixHome) -> [String: Any] {
            switch self {
            case .press(let keys): ["press": keys]
            case .type(let text): ["type": text]
            case .see(let text): ["see": text]
            case .unseen(let text): ["unseen": text]
            case .keep(let name): ["keep": name]
            case .resize(let width, let height): ["resize": [width, height]]
            case .signal(let name): ["signal": name]
            case .run(let words): ["run": [HelixHome.binary.path] + words, "env": home.environment]
            case .runFor(let other, let words):
                ["run": [HelixHome.binary.path] + words, "env": other.environment]
            case .pause(let seconds): ["pause": seconds]
            }
        }
    }

    /// The screens that were kept.
    public let kept: [String: String]
    /// The screen after the program has ended.
    public let last: String
    /// Whether the modes of the terminal are those of before.
    public let isRestored: Bool
    /// The status of the program, as a shell has it.
    public let status: Int

    /// Runs helix in a window, and takes the steps.
    /// - Throws: an error with the screen if a text is never seen.
    public init(
        _ home: HelixHome, _ words: [String], width: Int = 100, height: Int = 30, _ steps: [Step]
    ) throws {
        let file = try home.write(
            String(
                decoding: try JSONSerialization.data(withJSONObject: steps.map { $0.json(home) }), as: UTF8.self),
            to: "steps-\(UUID().uuidString).json")
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/window.py").path
        let run = try home.run(
            program: "/usr/bin/python3", [script, file, "\(width)", "\(height)", HelixHome.binary.path] + words)
        guard run.status == 0 else { throw Failure(description: run.output + run.errors) }
        let result = try run.json()
        kept = result["kept"] as? [String: String] ?? [:]
        last = result["last"] as? String ?? ""
        isRestored = result["isRestored"] as? Bool ?? false
        status = result["status"] as? Int ?? -1
    }

    /// A step that could not be taken.
    public struct Failure: Error, CustomStringConvertible {
        /// The screen, and the reason.
        public let description: String
    }
}
