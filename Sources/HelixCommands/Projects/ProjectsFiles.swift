import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// `helix projects files`
struct ProjectsFiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files", abstract: "List, open, save, verify and remove files of projects.",
        subcommands: [FilesList.self, FilesOpen.self, FilesSave.self, FilesCheck.self, FilesRemove.self],
        defaultSubcommand: FilesList.self)
}

/// `helix projects files list`
struct FilesList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List the files of projects.",
        discussion: "  helix projects files list house\n  helix projects files list house --as receipt")
    static let reports: [PrintedReport] = [.json(FileReport.self)]

    @Argument(
        help: "The project, by name or id; default: all projects.",
        completion: .custom(CompletionLists.projects))
    var project: String?

    @Option(
        name: .customLong("as"), help: ArgumentHelp("Only documents, photos or receipts.", valueName: "role"))
    var role: FileRole?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let owner = try project.map { try store.project(named: $0) }
        try context.presentFiles(try store.files(of: owner?.id).filter { role == nil || $0.role == role })
    }
}

/// `helix projects files open`
struct FilesOpen: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "open", abstract: "Open a file in its default program.",
        discussion: """
            Opens a temporary copy, so changes are not saved to the attachment. The setting files.open replaces \
            xdg-open.

              helix projects files open k3f7
              helix projects files open k3f7 --with zathura
            """)
    static let reports: [PrintedReport] = [.json(FileReport.self)]

    @Argument(help: "The file, by id.", completion: .custom(CompletionLists.fileIDs))
    var file: String

    @Option(name: .long, help: ArgumentHelp("The program.", valueName: "program"))
    var with: String?

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let found = try context.file(file)
        let path = try context.store().lend(found)
        try context.open(path, called: found.name, with: with, otherwise: "'files save' writes a copy.")
        if output.isMachine { try context.presentFiles([found]) }
    }
}

/// `helix projects files save`
struct FilesSave: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "save", abstract: "Save a copy of a file.",
        discussion: """
            Verifies the content. Without a name, saves into the current folder under the original name.

              helix projects files save k3f7
              helix projects files save k3f7 ~/invoices/
              helix projects files save k3f7 - | lpr
              helix projects files save k3f7 small.jpg --preview 800
            """)
    static let reports: [PrintedReport] = [.json(FileReport.self)]

    @Argument(help: "The file, by id.", completion: .custom(CompletionLists.fileIDs))
    var file: String

    @Argument(help: "A file or folder to write to; '-' is standard output.", completion: .file())
    var target: String = "."

    @Flag(name: .long, help: "Overwrite an existing file.")
    var force = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Save a smaller copy of an image, with at most this many pixels at each side.", valueName: "pixels"))
    var preview: Int?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let preview, !(16...ImagePreview.largest).contains(preview) {
            throw ValidationError("--preview takes 16 to \(ImagePreview.largest) pixels.")
        }
    }

    func run(in context: CommandContext) throws {
        let found = try context.file(file)
        let small = try preview.map { try context.store().preview(of: found, most: $0) }
        if target == "-" {
            // A file may contain control sequences of strangers, which a terminal would execute.
            guard !context.console.isOutputTerminal else {
                throw HelixError(
                    .usage, "cannot write '\(found.name)' to a terminal", hint: "Name a file, or use a pipe.")
            }
            if let small {
                guard context.console.write(small.bytes) else {
                    throw HelixError(.io, "cannot write the image")
                }
                return
            }
            return try context.store().copy(found, into: context.console.output)
        }
        var path = URL(fileURLWithPath: target).path
        var isFolder = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
            path += "/" + (small.map { found.safeName(for: $0) } ?? found.safeName)
        } else if target.hasSuffix("/") {
            throw HelixError(.notFound, "no folder \(target)")
        }
        let folder = path.deletingLastPathComponent
        guard access(folder, F_OK) == 0 else { throw HelixError(.notFound, "no folder \(folder)") }
        if !force, FileManager.default.fileExists(atPath: path) {
            throw HelixError(.cannotCreate, "\(path) exists already", hint: "Name another file, or pass --force.")
        }
        var info = stat()
        let isSpecial = lstat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFREG
        if let small {
            do { try Data(small.bytes).write(to: URL(fileURLWithPath: path), options: isSpecial ? [] : .atomic) } catch
            {
                throw HelixError(.cannotCreate, "\(path) cannot be written", hint: "Check the free disk space.")
            }
        } else if isSpecial {
            // A device, a pipe or a link is written into, not replaced.
            let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
            guard descriptor >= 0 else { throw HelixError(.cannotCreate, "\(path) cannot be written") }
            defer { close(descriptor) }
            try context.store().copy(found, into: descriptor)
        } else {
            try context.store().copy(found, to: path)
        }
        var report = FileReport(items: try context.fileItems([found]))
        report.savedTo = path
        try context.present(report, ids: [found.id])
    }
}

/// `helix projects files check`
struct FilesCheck: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "check", abstract: "Verify the hashes of stored files.",
        discussion: "  helix projects files check\n  helix projects files check house")
    static let reports: [PrintedReport] = [.json(FileReport.self)]

    @Argument(
        help: "The project, by name or id; default: all projects.",
        completion: .custom(CompletionLists.projects))
    var project: String?

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let owner = try project.map { try store.project(named: $0) }
        let items = try context.fileItems(try store.files(of: owner?.id), isThorough: true)
        try context.present(FileReport(items: items, isChecked: true), ids: items.map(\.file.id))
        let bad = items.filter { $0.state != .whole }
        if bad.isEmpty { return }
        throw HelixError(
            .badInput, "\(bad.count == 1 ? "one file is" : "\(bad.count) files are") damaged or missing",
            hint: "Attach the same files again, or restore a backup: helix restore FILE.")
    }
}

/// `helix projects files remove`
struct FilesRemove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "remove", abstract: "Remove files from projects.",
        discussion: """
            The content is deleted with the last file that uses it. For 30 days 'helix undo' restores it; --forever \
            deletes it at once.

              helix projects files remove k3f7
              helix projects files remove k3f7 --forever
            """)
    static let reports: [PrintedReport] = [.json(EntityReport.self)]

    @Argument(help: "The files, by id.", completion: .custom(CompletionLists.fileIDs))
    var file: [String]

    @Flag(name: .long, help: "Delete the content now; 'helix undo' cannot restore it.")
    var forever = false

    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let files = try file.map { try context.file($0) }
        let names = files.count == 1 ? "'\(files[0].name)'" : "\(files.count) files"
        if forever { try context.confirm("Delete the content of \(names) permanently?", yes: yes) }
        let store = try context.store()
        try store.change("remove \(names)", command: "projects files remove") { change in
            for file in files { try change.removeFile(file.id) }
        }
        for file in files where forever {
            if try !store.eraseBytes(file.sha256) {
                context.note("The content of '\(file.name)' is kept: another file has the same.")
            }
        }
        let gone = files.map { EntityCandidate(id: $0.id, kind: .file, title: $0.name) }
        try context.present(EntityReport(items: gone, title: "Removed"), shortIDs: [:])
    }
}

extension CommandContext {
    /// The file whose id begins with `prefix`.
    /// - Throws: ``HelixError`` of code `notFound` or `ambiguous`.
    fileprivate func file(_ prefix: String) throws -> FileRecord {
        let store = try store()
        return try store.file(try store.entity(EntityPrefix(prefix), kinds: [.file]).id)
    }

    /// Shows files.
    /// - Throws: ``HelixError``.
    func presentFiles(_ files: [FileRecord]) throws {
        try present(FileReport(items: try fileItems(files)), ids: files.map(\.id))
    }

    /// Creates the report items of files.
    /// - Parameter isThorough: verifies the contents.
    /// - Throws: ``HelixError``.
    func fileItems(_ files: [FileRecord], isThorough: Bool = false) throws -> [FileItem] {
        if files.isEmpty { return [] }
        let store = try store()
        let projects = Dictionary(try store.projects().map { ($0.id, $0.name) }) { first, _ in first }
        return files.map { file in
            FileItem(
                file: file, project: projects[file.project] ?? "", state: store.state(of: file, isThorough: isThorough),
                path: store.path(of: file))
        }
    }
}
