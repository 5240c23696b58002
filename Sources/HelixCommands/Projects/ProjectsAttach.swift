import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixStore

extension FileRole: ExpressibleByArgument {}

/// `helix projects attach`
struct ProjectsAttach: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "attach", abstract: "Attach files to a project.",
        discussion: """
            Copies the files into the store, each content once, and verifies their SHA-256 on every use. The originals \
            are not touched.

              helix projects attach house plan.pdf
              helix projects attach house before.jpg after.jpg --as photo
              helix projects attach house scan0031.pdf --as receipt \\
                  --name "Hydro, November.pdf"
            """)
    static let reports: [PrintedReport] = [.json(FileReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Argument(help: "The files.", completion: .file())
    var file: [String]

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Type: document, photo or receipt.", valueName: "role"))
    var role: FileRole = .document

    @Option(name: .long, help: ArgumentHelp("Store under this name.", valueName: "name"))
    var name: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("Give at least one file.") }
        if name != nil, file.count > 1 { throw ValidationError("--name is for one file.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let owner = try store.project(named: project)
        if let name { try ProjectsAttach.check(name) }
        var staged: [(file: StagedFile, name: String)] = []
        defer { for part in staged { part.file.discard() } }
        for path in file {
            let absolute = URL(fileURLWithPath: path)
            staged.append((try store.stageFile(absolute.path), name ?? absolute.lastPathComponent))
        }
        let what = staged.count == 1 ? "'\(staged[0].name)'" : "\(staged.count) files"
        let attached = try store.change("attach \(what) to '\(owner.name)'", command: "projects attach") { change in
            try staged.map { try change.attach($0.file, name: $0.name, role: role, to: owner.id) }
        }
        for known in attached where !known.isNew { context.note("'\(known.file.name)' was attached already.") }
        try context.presentFiles(attached.map(\.file))
    }

    /// Checks a file name.
    /// - Throws: ``HelixError`` of code `usage` for an invalid one.
    static func check(_ name: String) throws {
        guard !name.trimmingBlanks().isEmpty, name.count <= 200, !name.contains("/"), !name.contains(where: \.isNewline)
        else {
            throw HelixError(
                .usage, "invalid file name '\(name)'", hint: "Use 1 to 200 characters on one line, without '/'.")
        }
    }
}
