import ArgumentParser
import FoundationEssentials
import Glibc
import HelixCalendar
import HelixModel
import HelixSecurity
import HelixStore
import HelixTerminal

/// `helix doctor`
struct Doctor: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "doctor", abstract: "Check the store, the settings and the libraries for problems.",
        discussion: """
            Checks versions, the integrity of the store, file permissions, time zone data, calendars and settings.

              helix doctor
              helix doctor --reindex
              helix doctor --repair
            """)
    static let reports: [PrintedReport] = [.json(DoctorReport.self)]

    @Flag(name: .long, help: "Rebuild the index of occurrences and words.")
    var reindex = false

    @Flag(name: .long, help: "Repair: rebuild all indexes and read all mail again.")
    var repair = false

    @OptionGroup var output: OutputOptions

    /// Runs while helix is locked, and tells what is protected; a repair needs the store.
    var admission: LockAdmission { reindex || repair ? .asks : .passes }

    /// Also runs with settings that cannot be read, and reports them.
    func run(_ invocation: Invocation) throws {
        let context: CommandContext
        do {
            context = try CommandContext(invocation, output: output)
        } catch let error as HelixError where error.code == .configuration {
            let file = try Paths(environment: invocation.environment).configuration
            let plain = try CommandContext(invocation, output: output, ignoresSettings: true)
            try plain.present(
                DoctorReport(
                    items: [Check("settings", .failed, error.message, hint: error.hint)]
                        + allChecks(plain, hasSettings: false)))
            throw HelixError(
                .configuration, "the settings in \(file) cannot be read", hint: "'helix config edit' opens them.")
        }
        try run(in: context)
    }

    func validate() throws { try output.refuseLimit("all checks are made") }

    func run(in context: CommandContext) throws {
        if repair {
            try context.indexing("Reading") { try context.store().repair(progress: $0) }
        } else if reindex {
            try context.store().reindex()
        }
        let checks = allChecks(context)
        try context.present(DoctorReport(items: checks))
        if let problem = checks.first(where: { $0.state == .failed }) {
            throw HelixError(.io, "\(problem.name): \(problem.message)", hint: problem.hint)
        }
    }

    private func allChecks(_ context: CommandContext, hasSettings: Bool = true) -> [Check] {
        var checks: [Check] = []
        checks.append(
            Check("helix", .ok, "version \(Helix.version)" + (Helix.commit.map { ", commit \($0)" } ?? "")))
        checks += libraryChecks()
        let isLocked = context.homeLock.reason != nil
        checks += isLocked ? [] : storeChecks(context)
        checks += rightsChecks(context)
        checks += SecurityChecks(context: context).all()
        checks += zoneChecks(context)
        // A store that cannot be opened is reported by its own check.
        if !isLocked, let store = try? context.store() {
            checks += readable("calendars") { try calendarChecks(store, context) }
            checks += readable("mail") { try folderChecks(store) }
            checks += readable("attachments") { try attachmentChecks(store, context) }
            checks += readable("sync") { try syncChecks(store, context) }
        }
        let file = context.paths.configuration
        let exists = FileManager.default.fileExists(atPath: file)
        if hasSettings {
            checks.append(
                Check(
                    "settings", .ok,
                    isLocked && !exists && context.homeLock.vault.exists
                        ? "in the vault, which is closed"
                        : exists
                            ? "\(file), \(context.configuration.setKeys.count) set"
                            : "no settings file; using defaults (\(file))"))
        }
        checks.append(
            Check(
                "terminal", .ok,
                "\(context.terminal.width) columns, colours \(context.terminal.hasColor ? "on" : "off"), \(context.terminal.isASCII ? "ASCII" : "UTF-8")"
            ))
        return checks
    }

    /// Checks the libraries that are opened on demand: without one, the rest works.
    private func libraryChecks() -> [Check] {
        let all = RuntimeLibrary.all
        let found = all.compactMap { library in library.version.map { "\(library.name) \($0)" } }
        let missing = all.filter { $0.version == nil }.map { library in
            Check(
                "library", .warning, "\(library.name) is not installed: no \(library.purpose)",
                hint: "apt-get install \(library.package)")
        }
        return (found.isEmpty ? [] : [Check("libraries", .ok, found.joined(separator: ", "))]) + missing
    }

    private func storeChecks(_ context: CommandContext) -> [Check] {
        do {
            let store = try context.store()
            let health = try store.health()
            let counts = health.counts.sorted { $0.key < $1.key }.map { found in
                let name = found.key.replacing("_", with: " ")
                let plural = name.hasSuffix("y") ? name.dropLast() + "ies" : name + "s"
                return "\(found.value) \(found.value == 1 ? name : plural)"
            }
            var checks = [
                Check("sqlite", .ok, "version \(health.sqliteVersion)"),
                Check(
                    "store", .ok,
                    "\(store.path), \(health.size / 1024) KB, schema \(health.schemaVersion)\(store.isReadOnly ? ", read-only" : "")"
                ),
                Check("contents", .ok, counts.joined(separator: ", ")),
            ]
            if health.problems.isEmpty {
                checks.append(Check("integrity", .ok, "pages, references, full text and occurrences are intact"))
            } else {
                checks += health.problems.map {
                    Check(
                        "integrity", .failed, $0,
                        hint:
                            "Try 'helix doctor --repair'; if that does not help, restore a backup: helix restore FILE."
                    )
                }
            }
            if let first = health.overlaps.first {
                let days = Set(health.overlaps.map { context.zone.date($0) }).sorted()
                checks.append(
                    Check(
                        "time", .warning,
                        "time entries that overlap others, as two devices tracked them: \(health.overlaps.count)"
                            + ", on \(days.prefix(3).map { ISO8601.text($0) }.joined(separator: ", "))\(days.count > 3 ? ", …" : "")",
                        hint: "helix time log \(ISO8601.text(context.zone.date(first)))"))
            }
            let (invoices, damaged) = try context.store().invoices().readable()
            checks += damaged.map {
                Check("invoices", .failed, "the invoice \($0) cannot be read", hint: "A backup may have it.")
            }
            let doubles = try BilledWork(invoices.map(\.record)).doubles
            if !doubles.isEmpty {
                checks.append(
                    Check(
                        "invoices", .warning, "invoices that have the same work: \(doubles.joined(separator: "; "))",
                        hint: "Cancel one of each: helix projects invoices cancel NUMBER."))
            }
            checks += health.fileProblems.map {
                Check(
                    "files", .failed, $0,
                    hint:
                        "Attach the same file again: helix projects attach PROJECT FILE. A backup may have it, too."
                )
            }
            return checks
        } catch let error as HelixError {
            // The store's own hint names this command.
            let hint = error.hint?.replacing("'helix doctor' shows the damage; ", with: "")
            return [Check("store", .failed, error.message, hint: hint)]
        } catch {
            return [Check("store", .failed, "\(error)")]
        }
    }

    /// The checks of a part of the store; a failed one if that cannot be read.
    private func readable(_ name: String, _ checks: () throws -> [Check]) -> [Check] {
        do { return try checks() } catch {
            let reason = (error as? HelixError)?.message ?? "\(error)"
            return [Check(name, .failed, "cannot be checked: \(reason)", hint: "helix doctor --repair")]
        }
    }

    /// Counts the events that are not valid iCalendar.
    private func calendarChecks(_ store: Store, _ context: CommandContext) throws -> [Check] {
        guard CalendarCheck.isAvailable else { return [] }
        var (all, invalid) = (0, 0)
        try store.forEachEvent(calendars: .all, range: nil, zone: context.zone) { event in
            all += 1
            let found = CalendarCheck.findings(inText: event.text, zones: event.zones, comparesReadings: false)
            if found.contains(where: \.rule.isInvalid) { invalid += 1 }
        }
        guard all > 0 else { return [] }
        guard invalid > 0 else {
            return [Check("calendars", .ok, "\(all == 1 ? "the event is" : "all \(all) events are") valid iCalendar")]
        }
        return [
            Check(
                "calendars", .warning,
                "\(invalid) of \(all) events are not valid iCalendar; other programs may read them differently",
                hint: "'helix cal check --store' lists the errors.")
        ]
    }

    /// Counts the messages with attached files that no search finds.
    private func attachmentChecks(_ store: Store, _ context: CommandContext) throws -> [Check] {
        guard context.configuration.bool(.indexAttachments) else { return [] }
        let count = try store.pendingAttachmentCount(isUnreadable: true)
        if count == 0 { return [] }
        let words = count == 1 ? "1 message has attached files" : "\(count) messages have attached files"
        return [
            Check(
                "attachments", .ok, "\(words) whose text cannot be searched",
                hint: "'helix mail index --attachments' tries again, and says why.")
        ]
    }

    /// Checks the mail folders.
    private func folderChecks(_ store: Store) throws -> [Check] {
        try store.mailAccounts().filter { !FileManager.default.fileExists(atPath: $0.path) }.map { account in
            Check(
                "mail", .warning, "the folder \(account.path) of '\(account.name)' is missing",
                hint: "Is its disk connected? If it was moved: helix account remove, then add.")
        }
    }

    /// Checks the age of each account's last sync, and the messages queued for sending.
    private func syncChecks(_ store: Store, _ context: CommandContext) throws -> [Check] {
        let (states, outbox) = (try store.syncStates(), try store.outbox())
        return try store.accounts().filter { $0.kind.isRemote || $0.settings.canSend }.map { account in
            let waiting = outbox.filter { $0.account == account.id }
            let refused = waiting.filter { $0.state == .parked }.count
            var words = "'\(account.name)' "
            let state = states[account.number]
            words +=
                state?.syncedAt.map { "was synced \(DateWords.text(hours: max(0, context.now - $0))) ago" }
                ?? "was never synced"
            if !waiting.isEmpty { words += "; \(waiting.count) queued for sending" }
            if refused > 0 { words += ", \(refused) of them refused" }
            if let problem = state?.problem {
                return Check(
                    "sync", .warning, "\(words); the last sync failed: \(problem)",
                    hint: refused > 0 ? "'helix outbox' shows why." : "helix account check \(account.name)")
            }
            if refused > 0 { return Check("sync", .warning, words, hint: "'helix outbox' shows why.") }
            return Check(
                "sync", state?.syncedAt == nil ? .warning : .ok, words,
                hint: state?.syncedAt == nil ? "helix sync" : nil)
        }
    }

    private func rightsChecks(_ context: CommandContext) -> [Check] {
        var checks: [Check] = []
        for path in [context.paths.store, context.paths.store + "-wal", context.paths.configuration] {
            var info = stat()
            guard stat(path, &info) == 0 else { continue }
            if info.st_mode & 0o077 != 0, path != context.paths.configuration {
                checks.append(Check("rights", .warning, "others may read \(path)", hint: "chmod 600 \(path)"))
            }
            if info.st_uid != getuid() { checks.append(Check("rights", .warning, "\(path) belongs to someone else")) }
        }
        return checks.isEmpty ? [Check("rights", .ok, "only you can read the store")] : checks
    }

    private func zoneChecks(_ context: CommandContext) -> [Check] {
        let names = ZoneDatabase.names()
        let known = ["Europe/Rome", "America/New_York", "Asia/Kolkata"].filter { ZoneDatabase.zone(named: $0) != nil }
        guard known.count == 3 else {
            return [
                Check(
                    "zones", .failed, "time zone data is missing in \(ZoneDatabase.directory)",
                    hint: "Install the package tzdata.")
            ]
        }
        let tag = (try? String(contentsOfFile: ZoneDatabase.directory + "/tzdata.zi", encoding: .utf8).prefix(20)) ?? ""
        let version =
            tag.split(separator: "\n").first.map { String($0.dropFirst(2)).replacing("version ", with: "") }
            ?? "unknown"
        return [Check("zones", .ok, "\(names.count) zones, tzdata \(version); local zone \(context.zone.identifier)")]
    }
}

/// A check and its result.
struct Check: DescribedItem {
    enum State: String, CaseIterable {
        case ok
        /// It is as it was set up, and protects nothing.
        case unprotected
        case warning
        case failed
    }

    let name: String
    let state: State
    let message: String
    let hint: String?

    init(_ name: String, _ state: State, _ message: String, hint: String? = nil) {
        self.name = name
        self.state = state
        self.message = message
        self.hint = hint
    }

    static let described = list {
        Field("kind", .choice(["check"]), "The kind of the item.") { _ in "check" }
        Field("name", .string, "The name of the check.") { $0.name }
        Field("state", .choice(State.allCases.map(\.rawValue)), "The result.") { $0.state.rawValue }
        Field("message", .string, "The finding.") { $0.message }
        Field("hint", .string, required: false, "The remedy.") { $0.hint }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// All checks.
struct DoctorReport: Report {
    static let schema = "helix.doctor/1"
    let items: [Check]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for check in items {
            let (sign, style): (String, TextStyle) =
                switch check.state {
                case .ok: ("✓", TextStyle(.green))
                case .unprotected: ("○", TextStyle(.yellow))
                case .warning: ("!", TextStyle(.yellow, bold: true))
                case .failed: ("✗", TextStyle(.red, bold: true))
                }
            let pieces = check.message.wrapped(max(20, canvas.textWidth - 14), keepsAddresses: true)
            for (index, piece) in pieces.enumerated() {
                var line = StyledText((index == 0 ? sign : "").padded(2), style)
                line.append((index == 0 ? check.name : "").padded(12), .bold)
                line.append(piece)
                canvas.line(line)
            }
            if let hint = check.hint { canvas.paragraph(hint, indent: 14, style: .dim) }
        }
    }
}
