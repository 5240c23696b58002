import Foundation
import TestSupport
import Testing

/// Completion in the three real shells, with ids and names out of the store.
@Suite struct CompletionTests {
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        let bin = HelixHome.binary.deletingLastPathComponent().path
        home.environment["PATH"] = bin + ":" + (home.environment["PATH"] ?? "")
        home.environment["TERM"] = "xterm"
        try home.run("cal", "calendars", "add", "work")
        try home.run("cal", "add", "Lunch tomorrow 12:30", "--calendar", "work")
        return home
    }

    private func id(_ home: HelixHome) throws -> String {
        let id = try home.run("cal", "agenda", "--json").items().first?["id"] as? String
        return String(try #require(id).prefix(4))
    }

    private let folder = Corpora.packageDirectory.appendingPathComponent("completions").path

    /// Completes a line of words as bash does; a colon is a word of its own there.
    private let completeLine = """
        complete_line() {
            COMP_LINE="$*"; COMP_LINE="${COMP_LINE// : /:}"; COMP_LINE="${COMP_LINE/% :/:}"
            COMP_POINT=${#COMP_LINE}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            local current="${COMP_WORDS[COMP_CWORD]}"
            __helix_complete_line helix "${current/#:/}" "${COMP_WORDS[COMP_CWORD-1]}"
            echo "${COMPREPLY[*]}"
        }
        """

    @Test func bashCompletesFiltersAndHelp() throws {
        let home = try home()
        try home.run("tasks", "add", "Paint +red +round", "project:big house", "--priority", "high")
        let script = """
            source '\(folder)/helix.bash'
            \(completeLine)
            complete_line helix tasks list proj
            complete_line helix tasks list project :
            complete_line helix tasks list priority : h
            complete_line helix tasks list +r
            complete_line helix time log leng
            complete_line helix help tas
            complete_line helix help tasks sea
            complete_line helix cal add Lunch --repeat dai
            """
        let lines = try home.run(program: "/bin/bash", ["--norc", "-c", script]).output.split(separator: "\n").map(
            String.init)
        #expect(
            lines == ["project:", "big house", "high", "+red +round", "length:", "tasks", "search", "daily"], "\(lines)"
        )
    }

    /// Addresses come in the order of how often, and how lately, one wrote to them.
    @Test func bashCompletesAddressesByWhomOneWroteTo() throws {
        let home = try home()
        home.environment["HELIX_NOW"] = "2026-11-28T10:00:00"
        let maildir = try TestMaildir(home)
        try maildir.make(".Sent")
        func write(_ address: String, _ count: Int, _ month: String) throws {
            for number in 0..<count {
                try maildir.deliver(
                    "From: me@example.org\nTo: \(address)\nSubject: s\nMessage-ID: <\(address).\(number)@x>\n"
                        + "Date: 17 \(month) 09:00:00 +0000\n\nhi\n", to: ".Sent", flags: "S")
            }
        }
        try write("anabel@example.org", 2, "Nov 2026")
        try write("anatole@example.org", 3, "Nov 2018")
        try write("anaximander@example.org", 1, "Nov 2026")
        try home.run("config", "set", "user.email", "me@example.org")
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("contacts", "add", "Ana Ruiz", "anabel.ruiz@example.org")
        let people = try home.run("mail", "people", "ana", "--json").items().compactMap { $0["address"] as? String }
        #expect(people == ["anabel@example.org", "anaximander@example.org", "anatole@example.org"])
        let script = """
            source '\(folder)/helix.bash'
            \(completeLine)
            complete_line helix mail new --to ana
            complete -p helix
            """
        let lines = try home.run(program: "/bin/bash", ["--norc", "-c", script]).output.split(separator: "\n").map(
            String.init)
        #expect(lines.first == (people + ["anabel.ruiz@example.org"]).joined(separator: " "), "\(lines)")
        // bash itself keeps the order.
        #expect(lines.last?.contains("nosort") == true)
    }

    @Test func bashCompletesCommandsIdsAndCalendars() throws {
        let home = try home()
        let script = """
            source /usr/share/bash-completion/bash_completion
            source '\(folder)/helix.bash'
            \(completeLine)
            complete_line helix cal we
            complete_line helix cal show ""
            complete_line helix cal week --calendar w
            complete_line helix config set time.clock ""
            complete_line helix tasks list --color a
            complete_line helix schema tasks bo
            complete_line helix tasks list --fields id,tit
            """
        let lines = try home.run(program: "/bin/bash", ["--norc", "-c", script]).output.split(separator: "\n").map(
            String.init)
        #expect(
            lines == ["week", try id(home), "work", "24 12", "auto always", "board boards", "id,title"], "\(lines)")
    }

    /// What an interactive shell on a pseudo-terminal shows when a line and a tab are typed, once it shows `expected`.
    private func typed(
        _ line: String, in shell: String, setup: String, until expected: String, _ home: HelixHome
    ) throws -> String {
        let script = """
            zmodload zsh/zpty
            zpty -b shell \(shell)
            out=''
            until_shown() {
                local end=$((SECONDS + $2))
                while (( SECONDS < end )); do
                    if zpty -r -t shell chunk; then out+=$chunk; else sleep 0.1; fi
                    [[ $out == *"$1"* ]] && return
                done
                return 1
            }
            sleep 1
            zpty -w shell "\(setup)"
            zpty -w shell "echo RE''ADY"
            until_shown READY 90
            # A shell that is not yet reading keys takes the tab as a character: the line is typed anew (Ctrl-U) until
            # it is completed.
            for attempt in 1 2 3 4 5 6; do
                sleep 0.5
                out=''
                zpty -w -n shell $'\\x15\(line)\\t'
                until_shown '\(expected)' 15 && break
            done
            sleep 0.5
            while zpty -r -t shell chunk; do out+=$chunk; done
            print -r -- "$out"
            zpty -d shell
            """
        return try home.run(program: "/usr/bin/env", ["zsh", "-f", "-c", script]).output
    }

    @Test func fishCompletesCommandsIdsAndCalendars() throws {
        let home = try home()
        let plain = "source '\(folder)/helix.fish'; complete -C 'helix cal wee'"
        let words = try home.run(program: "/usr/bin/env", ["fish", "--no-config", "-c", plain]).output
        #expect(words.contains("week"))
        let setup = "source '\(folder)/helix.fish'"
        // Of several, each is shown with its title.
        try addAnother(home)
        let ids = try typed("helix cal show ", in: "fish --no-config -i", setup: setup, until: "Lunch", home)
        #expect(ids.contains(try id(home)) && ids.contains("Lunch"), "\(ids)")
        let help = "source '\(folder)/helix.fish'; complete -C 'helix help cal wee'"
        #expect(try home.run(program: "/usr/bin/env", ["fish", "--no-config", "-c", help]).output.contains("week"))
        let names = try typed(
            "helix cal week --calendar w", in: "fish --no-config -i", setup: setup, until: "work", home)
        #expect(names.contains("work"), "\(names)")
    }

    /// Adds an event whose id begins with another letter: of ids that begin with the same, a shell types that first.
    private func addAnother(_ home: HelixHome) throws {
        let first = try id(home).prefix(1)
        for _ in 0..<50 {
            let made = try home.run("cal", "add", "Supper tomorrow 19:30", "--calendar", "work", "--json").items()
            let other = try #require(made.first?["id"] as? String)
            if other.prefix(1) != first { return }
            try home.run("cal", "delete", other, "--yes")
        }
    }

    @Test func zshCompletesIds() throws {
        let home = try home()
        let functions = home.folder.appendingPathComponent("functions")
        try FileManager.default.createDirectory(at: functions, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder + "/_helix", toPath: functions.path + "/_helix")
        let start = """
            PS1='ready> '; autoload -Uz compinit; fpath=('\(functions.path)' $fpath); compinit -u -d '\(functions.path)/dump'

            """
        try home.write(start, to: "start.zsh")
        let setup = "source '\(home.folder.path)/start.zsh'"
        try addAnother(home)
        let output = try typed("helix cal show ", in: "zsh -f -i", setup: setup, until: "Lunch", home)
        #expect(output.contains(try id(home)) && output.contains("Lunch"), "\(output)")
        let help = try typed("helix help cal wee", in: "zsh -f -i", setup: setup, until: "week", home)
        #expect(help.contains("week"), "\(help)")
        let filter = try typed("helix tasks list projec", in: "zsh -f -i", setup: setup, until: "project:", home)
        #expect(filter.contains("project:"), "\(filter)")
    }

    @Test func committedScriptsAreCurrent() throws {
        let home = try home()
        for (shell, file) in [("bash", "helix.bash"), ("zsh", "_helix"), ("fish", "helix.fish")] {
            let committed = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            #expect(try home.run("completions", shell).output == committed)
        }
    }
}
