import ArgumentParser
import HelixModel

/// `helix completions`
struct Completions: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "completions", abstract: "Print a shell's completion script.",
        discussion: """
            'make install' installs them; otherwise:

              helix completions bash > ~/.local/share/bash-completion/completions/helix
              helix completions zsh > ~/.zfunc/_helix
              helix completions fish > ~/.config/fish/completions/helix.fish
            """)
    static let reports: [PrintedReport] = []

    @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "shell"))
    var shell: String

    @OptionGroup var output: OutputOptions

    /// It shows nothing of the store.
    var admission: LockAdmission { .passes }

    func validate() throws { try output.refuseMachine("a script") }

    func run(in context: CommandContext) throws {
        guard let shell = CompletionShell(rawValue: shell) else {
            throw HelixError(
                .usage, "'\(shell)' is not a supported shell", hint: "Use bash, zsh or fish.")
        }
        try context.write(CompletionScript.text(for: shell) + "\n")
    }
}
