import ArgumentParser
import HelixModel

/// `helix completions`
struct Completions: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "completions", abstract: "Print a shell's completion script.",
        discussion: """
            'make install' puts them in place; without it:

              helix completions bash > ~/.local/share/bash-completion/completions/helix
              helix completions zsh > ~/.zfunc/_helix
              helix completions fish > ~/.config/fish/completions/helix.fish
            """)

    @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "shell"))
    var shell: String

    @OptionGroup var output: OutputOptions

    func validate() throws { try output.refuseMachine("a script") }

    func run(in context: CommandContext) throws {
        guard let shell = CompletionShell(rawValue: shell) else {
            throw HelixError(
                .usage, "'\(shell)' is no shell that helix completes in", hint: "There are: bash, zsh, fish.")
        }
        let script = Helix.completionScript(for: shell)
        try context.write((shell == .fish ? Completions.hastened(script) : script) + "\n")
    }

    /// The script for fish, which asks each of its 1,300 lines whether it applies and reads the command line anew for each:
    /// that took 2.6 s a completion. Read once for a line and remembered, it takes a third of that.
    private static func hastened(_ script: String) -> String {
        let reader = """
            function __helix_is_at -a expected_commands
                set -l line (commandline -pc)
                if not set -q __helix_line; or test "$line" != "$__helix_line"
                    set -l non_repeating_flags_or_options
                    set -l non_repeating_flags_or_options_absent 0
                    set -l positional_index 0
                    set -l commands
                    __helix_parse_tokens
                    set -g __helix_line "$line"
                    set -g __helix_commands "$commands"
                end
                test "$__helix_commands" = "$expected_commands"
            end


            """
        var hastened = script
        for kind in [
            "flags_or_options -a expected_commands\n",
            "positional -a expected_commands positional_index_comparison expected_positional_index\n",
        ] {
            let head = "function __helix_should_offer_completions_for_" + kind
            hastened = hastened.replacing(head, with: head + "    __helix_is_at \"$expected_commands\"; or return 1\n")
        }
        return reader + hastened
    }
}
