import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem
import HelixTerminal

/// `helix ui`
struct UICommand: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "ui", abstract: "Open the full-screen program: a whole day, by keys.",
        discussion: """
            Places: today, mail, cal, tasks, chat. Each key stands for a command of helix, which is shown after it was run; \
            '?' lists the keys of the place, ':' takes any command, Ctrl-P finds anything by its name, 'u' undoes. The keys \
            are those of mutt, or with 'ui.keys = vim' those of vim; 'keys.NAME' sets one, 'ui.theme' and 'colors.NAME' the \
            colours. With 'default.ui = true', 'helix' alone opens it at a terminal.

              helix ui
              helix ui mail
              helix ui --plain
              helix ui --keys
            """)
    // Commands of all kinds run in it, some of them with threads.
    static let usesThreads = true
    static let reports: [PrintedReport] = [.json(BindingReport.self)]
    static let changesSomething = true

    @Argument(
        help: ArgumentHelp("The place to begin at: today, mail, cal, tasks or chat.", valueName: "place"),
        completion: .list(UIPlaceName.allCases.map(\.rawValue)))
    var place: String?

    @Flag(name: .long, help: "Print a line at a time, for screen readers and simple terminals.")
    var plain = false

    @Flag(name: .long, help: "List all keys with the commands that they stand for, and open nothing.")
    var keys = false

    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.count < 2, words.allSatisfy({ UIPlaceName(rawValue: $0) != nil }) else { return nil }
        var command = Self()
        (command.place, command.plain, command.keys, command.output) = (words.first, false, false, .unset)
        return command
    }

    func validate() throws {
        if !keys { try output.refuseMachine("a screen") }
        if keys, plain { throw ValidationError("--keys and --plain exclude each other.") }
        if let place, UIPlaceName(rawValue: place) == nil {
            let names = UIPlaceName.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("There is no place '\(place)'; choose one of \(names).")
        }
    }

    func run(in context: CommandContext) throws {
        if keys {
            let keymap = try context.configuration.keymap()
            if let words = keymap.lossInWords { context.explain(words) }
            return try context.present(BindingReport(items: BindingItem.all(keymap)))
        }
        let worker = UIWorker(context, try program(context))
        // Errors of the store are told before the screen opens. It is that of the worker, which closes it while helix is locked.
        _ = try worker.data.context().store()
        if plain { return try PlainSession(worker).run() }
        let environment = context.environment
        guard context.console.isInputTerminal, context.console.isOutputTerminal, environment["TERM"] != "dumb" else {
            throw HelixError(
                .usage, "this needs a terminal on its input and output",
                hint: "'helix ui --plain' prints a line at a time; 'helix today' prints the day once.")
        }
        let depth = ScreenTheme.depth(environment, hasColor: context.terminal.hasColor)
        let theme = ScreenTheme(try context.configuration.themeColors(), depth: depth)
        let hasMouse = context.configuration.bool(.uiMouse)
        guard
            let screen = FullScreen(
                context.console, theme: theme, mouse: hasMouse, ascii: context.terminal.isASCII,
                images: context.configuration.bool(.uiImages))
        else { throw HelixError(.io, "the terminal cannot be switched to single keys") }
        try UISession(screen, worker).run()
    }

    /// The program at its beginning.
    private func program(_ context: CommandContext) throws -> UIProgram {
        var program = UIProgram.usual(at: place.flatMap(UIPlaceName.init(rawValue:)) ?? .today)
        program.keymap = try context.configuration.keymap()
        if let words = program.keymap.lossInWords { program.message = StyledText(words, TextStyle(.yellow)) }
        let seen = context.paths.store.deletingLastPathComponent + "/.tour"
        if !plain, context.configuration.bool(.uiTour), access(seen, F_OK) != 0 {
            program.tour = UITour()
            // Without the mark, the tour comes again: that does no harm.
            _ = FileManager.default.createFile(
                atPath: seen, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        return program
    }
}

extension UIProgram {
    /// The program with all its places.
    static func usual(at place: UIPlaceName) -> UIProgram {
        UIProgram(at: place, [TodayPlace(), MailPlace(), CalendarPlace(), TaskPlace(), ChatPlace()])
    }
}

extension Configuration {
    /// The keys of `helix ui`.
    /// - Throws: ``HelixError`` of code `configuration`.
    func keymap() throws -> UIKeymap {
        var keymap = UIKeymap()
        keymap.style = text(.uiKeys).flatMap(UIKeyStyle.init(rawValue:)) ?? .mutt
        keymap.own = try UIKeymap.own(family(.keys))
        return keymap
    }

    /// The colours of `helix ui`; nil for those of the terminal.
    /// - Throws: ``HelixError`` of code `configuration` for a colour that cannot be read.
    func themeColors() throws -> ScreenTheme.Colors? {
        let own = family(.colors)
        let name = text(.uiTheme) ?? ConfigurationKey.uiTheme.fallback
        guard var colors = ScreenTheme.named.first(where: { $0.name == name })?.colors else {
            guard let first = own.keys.sorted().first else { return nil }
            throw HelixError(
                .configuration, "colors.\(first) is set, but the theme is that of the terminal",
                hint: "Choose a theme to change: helix config set ui.theme dark")
        }
        for (role, text) in own {
            try ScreenTheme.Colors.check(role, text)
            colors[role] = ScreenColor(typed: text)
        }
        return colors
    }
}

extension ScreenTheme.Colors {
    /// Rejects a role that does not exist, and a text that is no colour.
    /// - Throws: ``HelixError`` of code `configuration`.
    static func check(_ role: String, _ text: String) throws {
        guard roles.contains(role) else {
            throw HelixError(
                .configuration, "colors.\(role) names no colour",
                hint: "There are " + roles.joined(separator: ", ") + ".")
        }
        guard ScreenColor(typed: text) != nil else {
            throw HelixError(
                .configuration, "colors.\(role) is '\(text)', which is no colour", hint: "Write it like #1c1e21.")
        }
    }
}
