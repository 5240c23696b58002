import ArgumentParser

/// The completion scripts of the argument parser, with additions.
enum CompletionScript {
    /// The script of a shell.
    static func text(for shell: CompletionShell) -> String {
        let script = Helix.completionScript(for: shell)
        switch shell {
        case .bash: return helpInBash(wholeWords(script))
        case .zsh: return helpInZsh(openEnds(script))
        case .fish: return hastened(script) + "\n" + helpInFish
        default: return script
        }
    }

    /// The nouns with their verbs, for `helix help`.
    private static let nouns: [(name: String, verbs: [String])] = shown(below: Helix.self).map { noun in
        (noun.configuration.commandName ?? "", shown(below: noun).map { $0.configuration.commandName ?? "" })
    }

    private static func shown(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }

    // MARK: bash

    /// Bash splits words at colons, which filters contain: `project:house` is completed as one word.
    private static func wholeWords(_ script: String) -> String {
        let function = """
            __helix_whole_words() {
                local -r typed="${COMP_LINE:0:${COMP_POINT}}"
                local -r whole="${typed##*[[:blank:]]}"
                local -i first="${COMP_CWORD}"
                local joined="${COMP_WORDS[${COMP_CWORD}]}"
                while [[ "${joined}" != "${whole}" && "${first}" -gt 1 ]]; do
                    ((first--))
                    joined="${COMP_WORDS[${first}]}${joined}"
                done
                if [[ "${whole}" != *:* || "${joined}" != "${whole}" ]]; then
                    _helix "${@}"
                    return
                fi
                local -ar before=("${COMP_WORDS[@]:0:${first}}")
                local -a COMP_WORDS=("${before[@]}" "${whole}")
                local -i COMP_CWORD="${first}"
                _helix "${1}" "${whole}" "${before[${first} - 1]}"
                local -r head="${whole%"${whole##*:}"}"
                COMPREPLY=("${COMPREPLY[@]#"${head}"}")
            }

            # A field is followed by its value, without a blank.
            __helix_complete_line() {
                __helix_whole_words "${@}"
                if [[ "${#COMPREPLY[@]}" -eq 1 && "${COMPREPLY[0]}" = *: ]]; then
                    compopt -o nospace 2> /dev/null
                fi
            }


            """
        return script.replacing(
            "complete -o filenames -F _helix helix",
            with: function
                // The order tells what is likely; bash before 4.4 sorts all.
                + "complete -o nosort -o filenames -F __helix_complete_line helix 2>/dev/null ||\n"
                + "    complete -o filenames -F __helix_complete_line helix")
    }

    private static func helpInBash(_ script: String) -> String {
        var cases = "    case \"${prev}\" in\n"
        for (name, words) in helpWords {
            cases += "    \(name)) COMPREPLY+=($(compgen -W '\(words.joined(separator: " "))' -- \"${cur}\")) ;;\n"
        }
        return script.replacingTail(
            of: "_helix_help() {", "__helix_offer_flags_options -1\n", with: cases + "    esac\n")
    }

    // MARK: zsh

    /// A field is followed by its value: no blank after its colon.
    private static func openEnds(_ script: String) -> String {
        let usual = "    _describe -V '' non_empty_completions -- empty_completions -P $'\\'\\''\n"
        let open = """
                local -ar open_completions=("${(M)non_empty_completions[@]:#*\\\\:(|:*)}")
                if [[ "${#open_completions[@]}" -gt 0 ]]; then
                    _describe -V '' open_completions -S ''
                    local -ar closed_completions=("${non_empty_completions[@]:#*\\\\:(|:*)}")
                    _describe -V '' closed_completions
                    return
                fi

            """
        return script.replacing(usual, with: open + usual)
    }

    private static func helpInZsh(_ script: String) -> String {
        var function = "__helix_help_words() {\n    case \"${words[CURRENT - 1]}\" in\n"
        for (name, words) in helpWords {
            function += "    \(name)) __helix_complete \(words.joined(separator: " ")) ;;\n"
        }
        function += "    esac\n}\n\n"
        return script.replacing("'*:subcommands:'", with: "'*:subcommands:{__helix_help_words}'")
            .replacing("_helix_help() {", with: function + "_helix_help() {")
    }

    // MARK: fish

    private static var helpInFish: String {
        helpWords.map { name, words in
            "complete -c 'helix' -n '__helix_is_at \"helix help\"; and test (__helix_tokens -pc)[-1] = \(name)' "
                + "-fa '\(words.joined(separator: " "))'"
        }.joined(separator: "\n")
    }

    /// Caches the command line in the script for fish, which tests each of its 1,300 lines and parses the command line anew
    /// for each: that took 2.6 s a completion. Parsed once per line, it takes a third of that.
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

    /// The words that may follow each word of `helix help`.
    private static var helpWords: [(name: String, words: [String])] {
        [("help", nouns.map(\.name))] + nouns.filter { !$0.verbs.isEmpty }.map { ($0.name, $0.verbs) }
    }
}

extension String {
    /// Inserts text after the first `mark` after `start`.
    fileprivate func replacingTail(of start: String, _ mark: String, with text: String) -> String {
        guard let place = firstRange(of: start),
            let end = self[place.upperBound...].firstRange(of: mark)?.upperBound
        else { return self }
        return self[..<end] + text + self[end...]
    }
}
