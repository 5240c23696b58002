import FoundationEssentials
import Glibc
import HelixCalendar
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// The environment of a command: settings, store, clock and terminal. Each is opened or read on first use.
final class CommandContext {
    /// The words, environment, streams and clock that the command was given.
    let invocation: Invocation
    /// The environment.
    var environment: [String: String] { invocation.environment }
    /// The streams.
    var console: Console { invocation.console }
    /// The paths of files.
    let paths: Paths
    /// The user's settings.
    let configuration: Configuration
    /// Whether to print nothing about changes.
    var isSilent = false
    /// The fence around texts that others wrote, if an agent reads them.
    private let fence: TextFence?
    /// Now; `HELIX_NOW` sets it.
    let now: Instant
    /// The zone that times are read and shown in.
    let zone: Zone
    /// Whether the zone was named with `--tz`.
    let isZoneNamed: Bool
    /// The local zone, regardless of `--tz`.
    let homeZone: Zone
    /// The output options.
    let output: OutputOptions
    /// The list options.
    var list = ListOptions.unset
    /// Whether the command has them.
    var hasList = false
    /// The terminal.
    private(set) var terminal: Terminal
    private(set) var opened: Store?
    /// The facts that checks of senders share.
    var senders = SenderKnowledge()
    /// Whether it is a dry run that the context rolls back.
    var isDryRun = false
    /// Whether the command is one that changes something.
    var isChanging = false
    /// Whether the JSON says that it is a dry run.
    var tellsDryRun = false

    /// The context of a run.
    /// - Throws: ``HelixError`` for settings that cannot be read, an unknown zone, or an invalid clock.
    init(
        _ invocation: Invocation, output: OutputOptions, ignoresSettings: Bool = false
    ) throws {
        self.invocation = invocation
        fence = invocation.agent == nil ? nil : TextFence()
        let environment = invocation.environment
        self.output = output
        try TraceOutput.begin(invocation, isVerbose: output.verbose)
        paths = try Paths(environment: environment)
        let file = try Configuration(file: ignoresSettings ? "/nonexistent/helix" : paths.configuration)
        for warning in file.warnings(paths.configuration) + Configuration.unknownVariables(environment) {
            invocation.console.report("helix: \(SafeText.line(warning))\n")
        }
        configuration = try file.overlaid(by: environment)
        guard let local = ZoneDatabase.local(environment["TZ"]) else {
            // In a wrong zone all times would be parsed and stored wrong.
            throw HelixError(
                .configuration, "TZ is '\(environment["TZ"] ?? "")', which is no time zone",
                hint: "Set it like Europe/Rome or UTC0, or unset it for the zone of the system.")
        }
        if let name = output.tz ?? (environment["TZ"] == nil ? configuration.text(.zone) : nil) {
            guard let named = ZoneDatabase.zone(typed: name) else {
                throw HelixError(
                    output.tz == nil ? .configuration : .usage, "unknown time zone '\(name)'",
                    hint: "Name it like Europe/Rome, America/New_York or UTC.")
            }
            zone = named
        } else {
            zone = local
        }
        isZoneNamed = output.tz != nil
        let usual = environment["TZ"] == nil ? configuration.text(.zone).flatMap(ZoneDatabase.zone(typed:)) : nil
        homeZone = usual ?? local
        var now = invocation.clock()
        if let text = environment["HELIX_NOW"], !text.isEmpty {
            // The vocabulary of phrases takes 0.4 ms to load.
            let plain = ISO8601Reader.civil(text).map(PhraseMoment.civil)
            guard let set = try? plain ?? DatePhraseParser(now: now, zone: local).moment(text) else {
                throw HelixError(
                    .usage, "HELIX_NOW is '\(text)', which is no time", hint: "Set it like 2026-11-21T10:00:00.")
            }
            now = set.instant(in: local)
        }
        self.now = now
        let mode = output.color ?? configuration.text(.color)
        terminal = Terminal(
            invocation.console, environment: environment, color: Terminal.ColorMode(rawValue: mode ?? "auto") ?? .auto,
            ascii: output.ascii || configuration.bool(.ascii))
    }

    /// The store, opened at first use.
    /// - Throws: ``HelixError``.
    func store() throws -> Store {
        if let opened { return opened }
        let addresses = Set(configuration.list(.email).map { $0.lowercased() })
        let lent =
            invocation.agent == nil
            ? invocation.lent?.take(path: paths.store, addresses: addresses, now: now, actor: actor) : nil
        let store = try lent ?? Store(path: paths.store, now: now, addresses: addresses)
        store.hasBirthdays = configuration.text(.birthdays) != "false"
        try confine(store)
        opened = store
        showWarnings(of: store)
        // A command that changes something is in the branch from its beginning: so are the files that it writes.
        if try isChanging || store.hasBranch() { try store.openBranch() }
        if isDryRun { try store.rehearse() }
        return store
    }

    /// The one who gives the command, if no agent does.
    private var actor: ChangeActor { ChangeActor(console.canAsk || invocation.isOfScreen ? .person : .script) }

    /// Restricts a store to the profile of the agent, if there is one.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    private func confine(_ store: Store) throws {
        store.actor = actor
        guard let agent = invocation.agent else { return }
        let profile = try configuration.profile(agent.profile)
        // The settings file could be the agent's own: the rights are those that a person's run has seen.
        let kept = try store.profiles().first { $0.name == profile.name }
        guard profile == kept ?? AgentProfile.builtIn.first(where: { $0.name == profile.name }) else {
            throw HelixError(
                .notAllowed, "the rights of the profile '\(profile.name)' were changed outside of helix",
                hint: "A person confirms them with 'helix config list'.")
        }
        try AgentGate.checkPaths(
            invocation,
            outside: [paths.store, paths.configuration].map(\.deletingLastPathComponent)
                + store.accounts().map(\.path).filter { $0.hasPrefix("/") }, for: profile)
        try store.confine(to: profile, run: agent.run)
    }

    /// Rolls back a dry run.
    func endDryRun() { opened?.endRehearsal() }

    /// Prints a note after the output that it was a dry run.
    func noteDryRun() {
        if output.isMachine { return }
        note(StyledText("Dry run: nothing was written or sent.", TextStyle(.yellow)))
    }

    /// Prints the store's warnings: on standard error, also for scripts.
    func showWarnings(of store: Store) {
        for warning in store.warnings { console.report("helix: \(SafeText.line(warning))\n") }
        store.warnings = []
    }

    /// A parser of dates and times as typed by the user.
    var dates: DatePhraseParser {
        var parser = DatePhraseParser(
            now: now, zone: zone, firstWeekday: configuration.firstWeekday,
            languages: configuration.languages ?? localeLanguages)
        parser.partHours = configuration.partHours
        return parser
    }

    /// The language of the first of LC_ALL, LC_TIME and LANG that is set (POSIX).
    private var localeLanguages: [String] {
        let locale = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { self.environment[$0] }.first { !$0.isEmpty }
        return locale.map { [String($0.prefix { $0 != "_" && $0 != "." && $0 != "@" })] } ?? []
    }

    /// The current time, which advances: the user may have spent an hour in an editor.
    var clock: Instant {
        environment["HELIX_NOW"]?.isEmpty == false ? now : invocation.clock()
    }

    /// Today.
    var today: CivilDate { zone.date(now) }

    /// The viewer of the output.
    var viewer: Viewer {
        Viewer(
            now: now, zone: zone, homeZone: homeZone, firstWeekday: configuration.firstWeekday,
            usesTwelveHours: configuration.text(.clock) == "12", fence: fence)
    }

    /// The policy for conflicts of events.
    var conflictPolicy: ConflictPolicy {
        var policy = ConflictPolicy(zone: zone)
        policy.includesAllDay = configuration.bool(.conflictsAllDay)
        policy.buffer = configuration.seconds(.conflictsBuffer)
        return policy
    }

    /// The named calendars, or all visible ones.
    /// - Throws: ``HelixError`` of code `notFound`.
    func selection(_ names: [String]) throws -> CalendarSelection {
        if names.isEmpty { return .visible }
        let store = try store()
        let parts = names.flatMap { name -> [String] in
            // A name can contain a comma itself.
            (try? store.calendar(named: name)) != nil
                ? [name] : name.split(separator: ",").map { String($0).trimmingBlanks() }
        }
        // The calendar that the first event would create is empty until then.
        if parts.allSatisfy({ $0.lowercased() == CalendarRecord.firstName }), try store.calendars().isEmpty {
            return .visible
        }
        return .only(try parts.map { try store.calendar(named: $0).id })
    }

    /// Prints a note for a person beside the data: on standard error, never with `--json`.
    func note(_ text: StyledText) {
        if output.isJSON || output.quiet { return }
        let isTerminal = console.isErrorTerminal
        var canvas = Canvas(width: terminal.width, isASCII: terminal.isASCII)
        // Programs get lines as they are.
        if text.width <= canvas.width || !isTerminal {
            canvas.line(text)
        } else {
            let blanks = text.plain.prefix { $0 == " " }.count
            canvas.paragraph(text.plain, indent: blanks, style: text.firstStyle)
        }
        console.report(canvas.rendered(color: terminal.hasColor && isTerminal))
    }

    /// Prints a remark without which an empty list would be misunderstood: on standard error, also for programs.
    func explain(_ text: String) {
        if output.quiet { return }
        if output.isMachine {
            console.report("helix: \(SafeText.line(text))\n")
        } else {
            note(StyledText(text, TextStyle(.yellow)))
        }
    }

    /// Asks for confirmation before data is destroyed.
    /// - Throws: ``HelixError`` of code `usage` in a script without `--yes`, and if the answer is no.
    func confirm(_ question: String, yes: Bool) throws {
        // A dry run destroys nothing.
        if yes || isDryRun { return }
        guard console.canAsk else {
            throw HelixError(.usage, "confirmation required, but there is no terminal", hint: "Pass --yes.")
        }
        if !console.confirm(question) { throw HelixError(.usage, "nothing was changed") }
    }

    /// Updates the size of the terminal if the window was resized meanwhile.
    func noticeSize() {
        let now = Terminal(console, environment: environment)
        (terminal.width, terminal.height) = (now.width, now.height)
    }
}
