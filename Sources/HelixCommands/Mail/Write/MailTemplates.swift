import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixSystem
import HelixTerminal

/// `helix mail templates`
struct MailTemplates: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "templates", abstract: "List the templates of messages.",
        discussion: """
            A template is a file in the folder 'templates' beside the settings ('helix config path'): the message as the editor \
            shows it, headers such as Subject, Cc and Attach, an empty line and the text. {name}, {first}, {address}, {me} and \
            {date} stand for the first recipient, you and today.

              helix mail templates
              helix mail new --template offer --to ana
              helix mail reply k3f7 --template thanks --send
            """)
    static let reports: [PrintedReport] = [.json(TemplatesReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let folder = TemplateFolder(context)
        var items: [TemplateItem] = []
        for name in try folder.names() {
            // One that cannot be read does not hide the others.
            do { items.append(try folder.item(name)) } catch let error as HelixError {
                context.console.report("helix: \(SafeText.line(error.message))\n")
            }
        }
        try context.present(TemplatesReport(items: items, folder: folder.path))
    }
}

/// The folder of templates.
struct TemplateFolder {
    /// The path.
    let path: String

    init(_ context: CommandContext) { path = context.paths.configuration.deletingLastPathComponent + "/templates" }

    /// The placeholders.
    static let placeholders = ["{name}", "{first}", "{address}", "{me}", "{date}"]

    /// The names of the templates: those of the files, without the end.
    /// - Throws: ``HelixError`` if the folder cannot be read.
    func names() throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { file in
                    var isFolder = false
                    let isThere = FileManager.default.fileExists(atPath: path + "/" + file, isDirectory: &isFolder)
                    return isThere && !isFolder && !file.hasPrefix(".") && !file.hasSuffix("~")
                }.map(Self.name).uniqued.sorted()
        } catch { throw HelixError(.io, "cannot read \(path) (\(error.systemReason))") }
    }

    private static func name(_ file: String) -> String {
        file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    }

    /// The text of a template.
    /// - Throws: ``HelixError``: `notFound` for an unknown one, `badInput` if it is no text.
    func text(_ name: String) throws -> String {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        guard let file = files.sorted().first(where: { $0 == name || Self.name($0) == name }), !name.hasPrefix(".")
        else {
            let known = try names()
            throw HelixError(
                .notFound, "no template '\(name)'",
                hint: known.isEmpty
                    ? "Write it to \(path)/\(name).txt." : "Use one of: \(known.joined(separator: ", ")).")
        }
        guard let data = FileManager.default.contents(atPath: path + "/" + file) else {
            throw HelixError(.io, "cannot read \(path)/\(file)")
        }
        guard let text = String(validating: data, as: UTF8.self), !data.contains(0) else {
            throw HelixError(.badInput, "\(path)/\(file) is not UTF-8 text", hint: "Convert it: iconv -t utf-8.")
        }
        return text
    }

    func item(_ name: String) throws -> TemplateItem {
        let lines = try text(name).split(separator: "\n").map(String.init)
        let subject = lines.first { $0.lowercased().hasPrefix("subject:") }
        return TemplateItem(
            name: name, subject: subject.map { String($0.dropFirst("subject:".count)).trimmingBlanks() } ?? "")
    }
}

extension CommandContext {
    /// Fills a draft from a template: its text above that of the draft, its headers beside those of the draft.
    /// - Throws: ``HelixError``: it is unknown, or a line of its head cannot be read.
    func fill(_ draft: inout MessageDraft, from template: String) throws {
        let first = draft.to.first
        let name = first.map { $0.name } ?? ""
        var values = ["{date}": DateWords.text(today), "{me}": draft.from?.name ?? ""]
        values["{address}"] = first?.address
        if !name.isEmpty {
            values["{name}"] = name
            values["{first}"] = name.split(separator: " ").first.map(String.init)
        }
        var text = try TemplateFolder(self).text(template)
        for (place, value) in values where !value.isEmpty { text = text.replacing(place, with: value) }
        // A file without headers is a text.
        let head = text.prefix { !$0.isNewline }
        let isHeader = head.firstIndex(of: ":").map { !head[..<$0].contains(" ") && $0 != head.startIndex } ?? false
        if !isHeader { text = "\n" + text }
        var content: MessageTemplate.Content
        do {
            content = try MessageTemplate.read(text, original: MessageDraft()) { try people(named: $0) }
        } catch let error as HelixError {
            throw HelixError(error.code, "the template '\(template)': \(error.message)", hint: error.hint)
        }
        let made = content.draft
        draft.to += made.to
        draft.cc += made.cc
        draft.bcc += made.bcc
        draft.replyTo += made.replyTo
        if let from = made.from { draft.from = from }
        if !made.subject.isEmpty { draft.subject = made.subject }
        if made.isMarkdown { draft.isMarkdown = true }
        if made.seal != MessageSeal() { draft.seal = made.seal }
        draft.attachments += try content.files.map { try DraftFiles.attachment($0, self) }
        var body = made.body
        if !body.isEmpty, !body.hasSuffix("\n") { body += "\n" }
        draft.body = draft.body.isEmpty ? body : body + "\n" + draft.body
        draft.tidy()
    }

    /// Checks that nothing of a template waits to be filled in.
    /// - Throws: ``HelixError`` of code `badInput`.
    func requireFilled(_ draft: MessageDraft, template: String) throws {
        let text =
            draft.subject + "\n"
            + draft.body.split(separator: "\n").filter { !$0.hasPrefix(">") }.joined(separator: "\n")
        guard let open = TemplateFolder.placeholders.first(where: text.contains) else { return }
        throw HelixError(
            .badInput, "the template '\(template)' needs \(open), which is not known",
            hint: open == "{me}"
                ? "helix config set user.name 'Ana Rossi'"
                : "Give the recipient with a name: --to 'Ana Rossi <ana@example.org>'; or leave out --send and edit it."
        )
    }
}

/// A template in a report.
struct TemplateItem: DescribedItem {
    let name: String
    let subject: String

    static let described = list {
        Field("kind", .choice(["template"]), "The kind of item.") { _ in "template" }
        Field("name", .string, "Its name, for --template.") { $0.name }
        Field("subject", .string, "The subject in it.") { $0.subject }
    }
}

/// The templates of messages.
struct TemplatesReport: CuttableReport {
    static let schema = "helix.mail.templates/1"
    var items: [TemplateItem]
    var isTruncated = false
    let folder: String

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.paragraph("No templates. A file \(folder)/thanks.txt would be the first.", style: .dim)
        }
        var table = Table([.init(), .init(minimum: 10)])
        for item in items { table.row([StyledText(item.name, .bold), StyledText(item.subject)]) }
        table.draw(on: &canvas)
    }
}
