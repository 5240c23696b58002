import ArgumentParser
import HelixTerminal

/// A completion for a shell, with a description if the shell shows it: zsh and fish do, bash does not.
struct CompletionChoice: Hashable {
    var value: String
    var description = ""

    /// The choices in the format of the requesting shell.
    static func texts(_ choices: [CompletionChoice], shell: CompletionShell? = .requesting) -> [String] {
        choices.map { choice in
            // Names and titles may come from strangers' files, and a shell prints them.
            let value = SafeText.line(choice.value)
            let description = SafeText.line(choice.description)
            switch shell {
            case .zsh?:
                let escaped = value.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
                return escaped + (description.isEmpty ? "" : ":" + description)
            case .fish?: return value + (description.isEmpty ? "" : "\t" + description)
            default: return value
            }
        }
    }
}
