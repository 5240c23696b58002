import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixStore
import HelixTerminal

/// `helix backup`
struct Backup: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "backup", abstract: "Back up the store to a file.",
        discussion: """
            Works while helix is in use. The backup is consistent and includes the files of projects and chat. Mail \
            messages are files in their own folders and not included; their labels, links and conversations are. 'helix \
            restore' restores a backup.

              helix backup ~/helix-2026-11-21.db
            """)
    static let reports: [PrintedReport] = [.json(BackupReport.self)]

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        guard file != "-" else {
            throw HelixError(
                .usage, "a backup is a database, which is not written to standard output", hint: "Name a file.")
        }
        let store = try context.store()
        let target = URL(fileURLWithPath: file).path
        guard target != store.path else { throw HelixError(.usage, "that is the store itself") }
        // The files beside it belong to helix, and are temporary.
        guard !target.hasPrefix(store.path + "-"), !target.hasPrefix(store.path + "."),
            target != context.paths.configuration
        else {
            throw HelixError(.usage, "\(target) is an internal file of helix", hint: "Choose another name.")
        }
        // Only a backup is overwritten by a backup.
        if force, FileManager.default.fileExists(atPath: target) { _ = try Store.verifyBackup(target) }
        if context.isDryRun {
            guard force || !FileManager.default.fileExists(atPath: target) else {
                throw HelixError(.conflict, "\(target) exists already", hint: "Pass --force to replace it.")
            }
            let counts = try Store.verifyBackup(store.path)
            return try context.present(
                BackupReport(items: [BackupItem(file: target, counts: counts)], verb: "Backed up"))
        }
        let (counts, missing) = try ProgressLine.following(
            "Backing up", files: [Store.backupPart(of: target)], total: store.backupSize,
            on: context.console, isQuiet: output.isMachine || output.quiet
        ) { try store.backup(to: target, replaces: force) }
        try context.present(BackupReport(items: [BackupItem(file: target, counts: counts)], verb: "Backed up"))
        guard missing.isEmpty else {
            let names = missing.prefix(5).map { "'\($0.name)'" }.joined(separator: ", ")
            throw HelixError(
                .badInput, "the backup is written, but without \(names), whose bytes are missing or changed",
                hint:
                    "Attach \(missing.count == 1 ? "that file" : "those files") again; 'helix projects files check' lists them."
            )
        }
    }
}

/// `helix restore`
struct Restore: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "restore", abstract: "Replace the store with a backup.",
        discussion: """
            Verifies the backup first, and keeps the current store beside it.

              helix restore ~/helix-2026-11-21.db
            """)
    static let reports: [PrintedReport] = [.json(BackupReport.self)]

    @Argument(help: "A file written by 'helix backup'.", completion: .file())
    var file: String

    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let source = URL(fileURLWithPath: file).path
        let counts = try Store.verifyBackup(source)
        let path = context.paths.store
        guard source != path else { throw HelixError(.usage, "that is the store itself") }
        if FileManager.default.fileExists(atPath: path) {
            try context.confirm("Replace \(path) with \(file) (\(BackupItem.summary(counts)))?", yes: yes)
        }
        if context.isDryRun {
            return try context.present(
                BackupReport(items: [BackupItem(file: source, counts: counts)], verb: "Restored"))
        }
        let civil = Zone.utc.civil(context.now)
        let stamp = ISO8601.text(civil).filter { $0.isNumber }
        let kept = try Store.restore(source, to: path, stamp: stamp)
        if let kept { context.note("The former store is kept as \(StyledText(kept).plain)") }
        try context.present(BackupReport(items: [BackupItem(file: source, counts: counts)], verb: "Restored"))
    }
}

/// A backup.
struct BackupItem: DescribedItem {
    let file: String
    let counts: [EntityKind: Int]

    /// The kinds that are counted.
    private static let kinds = EntityDescriptor.all.filter(\.isCounted)

    static let described =
        list { Field("file", .string, "The backup.") { $0.file } }
        + kinds.map { entity in
            let many = entity.kind.plural
            return Field(
                many.replacing(" ", with: "_"), .integer,
                entity.kind == .message
                    ? "Number of mail messages listed in it; their files are not in it."
                    : entity.kind == .file ? "Number of files of projects." : "Number of \(many)."
            ) { $0.counts[entity.kind] ?? 0 }
        }

    /// `3 events, 1 task, 2 files`
    static func summary(_ counts: [EntityKind: Int]) -> String {
        let parts = kinds.compactMap { entity in
            let (kind, count) = (entity.kind, counts[entity.kind] ?? 0)
            // An empty calendar exists from the start.
            let isWorthIt = count > 0 && kind != .message && (kind != .calendar || count > 1)
            return isWorthIt ? kind.counted(count) : nil
        }
        return parts.isEmpty ? "an empty store" : parts.joined(separator: ", ")
    }
}

/// The backup that was written or restored.
struct BackupReport: Report {
    static let schema = "helix.backup/1"
    static let isList = false
    let items: [BackupItem]
    let verb: String

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let item = items.first else { return }
        var line = StyledText(verb + " ", TextStyle(.green))
        line.append(BackupItem.summary(item.counts) + "  ")
        line.append(item.file, .dim)
        canvas.line(line)
        let messages = item.counts[.message] ?? 0
        if messages > 0 {
            canvas.paragraph(
                "\(messages == 1 ? "1 message" : "\(messages) messages") of mail \(messages == 1 ? "is" : "are") listed in"
                    + " it; the files of mail are not in it, and stay in their folders.", style: .dim)
        }
    }
}
