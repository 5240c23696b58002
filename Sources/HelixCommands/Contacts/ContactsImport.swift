import ArgumentParser
import FoundationEssentials
import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// `helix contacts import`
struct ContactsImport: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Import vCards, and address books of other programs.",
        discussion: """
            Reads vCards 2.1, 3 and 4, folders of them (khard, vdirsyncer), the address book of abook, aliases of mutt, and CSV \
            files as Google Contacts and Outlook write them; '-' is standard input. Without --book, contacts of a folder go to \
            the address book named after it, all others to the default one. Importing again changes nothing; newer versions \
            update contacts, older ones are skipped. What cannot be read is reported with its line. 'helix undo' reverts an \
            import as a whole.

              helix contacts import contacts.vcf
              helix contacts import ~/.contacts
              helix contacts import ~/.abook/addressbook --book old
              helix contacts import ~/.mutt/aliases --dry-run
            """)
    static let reports: [PrintedReport] = [.json(ContactImportReport.self)]

    @Argument(
        help: ArgumentHelp("Files or folders; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["vcf", "vcard", "csv"]))
    var files: [String]

    @Option(
        name: [.customShort("b"), .long],
        help: ArgumentHelp("The address book to import into; created if missing.", valueName: "name"),
        completion: .custom(CompletionLists.addressBooks))
    var book: String?

    @Option(name: .long, help: ArgumentHelp("vcard, abook, mutt or csv; default: by the file.", valueName: "form"))
    var format: ContactFormat?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let sources = try files.flatMap { try ContactSource.sources($0) }
        let store = try context.store()
        let names = files.map { $0 == "-" ? "standard input" : $0.lastPathComponent }.joined(separator: ", ")
        var result = ContactImportResult()
        try store.change("import \(names)", command: "contacts import", origin: .importing) { change in
            var intake = ContactIntake(change, book: book)
            for source in sources {
                try source.read(format, context.console) { piece in
                    try intake.take(piece, of: source.book, file: sources.count > 1 ? source.name : nil, &result)
                }
            }
            if result.isAllRejected {
                throw HelixError(
                    .badInput, "no contacts in \(names); nothing was changed",
                    hint: result.defects.first.map { "Line \($0.line): \($0.reason)." })
            }
            change.summary = "import \(names): \(result.created.count) new, \(result.updated.count) updated"
        }
        if !output.isMachine {
            for defect in result.defects.prefix(20) {
                let place = (defect.file.map { $0 + ", " } ?? "") + "line \(defect.line): "
                var line = StyledText(place, TextStyle(.yellow))
                line.append("\(defect.part) \(defect.reason)")
                context.note(line)
            }
            if result.defects.count > 20 {
                context.note(StyledText("and \(result.defects.count - 20) more; --json lists all", .dim))
            }
        }
        try context.present(ContactImportReport(items: [result]))
    }
}

extension ContactFormat: ExpressibleByArgument {}

/// A file or standard input with contacts.
private struct ContactSource {
    let path: String
    /// The address book that the folder of the file stands for.
    var book: String?

    var name: String { path == "-" ? "standard input" : path.lastPathComponent }

    /// The files of an argument: itself, or the vCards in a folder, except hidden ones.
    /// - Throws: ``HelixError``: `notFound`, or `badInput` for a folder without vCards.
    static func sources(_ path: String) throws -> [ContactSource] {
        if path == "-" { return [ContactSource(path: path)] }
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw HelixError(.notFound, "no file \(path)")
        }
        guard isFolder else { return [ContactSource(path: path)] }
        guard let walk = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
            throw HelixError(.io, "the folder \(path) cannot be read")
        }
        let found = walk.filter { name in
            (name.lowercased().hasSuffix(".vcf") || name.lowercased().hasSuffix(".vcard"))
                && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }.sorted()
        guard !found.isEmpty else { throw HelixError(.badInput, "no vCards in the folder \(path)") }
        return found.map { file in
            let folder = file.deletingLastPathComponent
            var book = folder.isEmpty ? path.lastPathComponent : folder.lastPathComponent
            let named = path + (folder.isEmpty ? "" : "/" + folder) + "/displayname"
            if let data = FileManager.default.contents(atPath: named), data.count <= 500 {
                let text = String(decoding: data, as: UTF8.self).trimmingBlanks()
                if !text.isEmpty { book = text }
            }
            return ContactSource(path: path + "/" + file, book: book.isEmpty || book == "." ? nil : book)
        }
    }

    /// Reads the contacts of the file, and passes on each, and each part that cannot be read.
    func read(_ format: ContactFormat?, _ console: Console, _ take: (VCardPiece) throws -> Void) throws {
        let bytes: [UInt8]
        if path == "-" {
            bytes = [UInt8](try FileStream(descriptor: console.input, closes: false).readToEnd())
        } else {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw HelixError(.io, "\(path) cannot be read", hint: "Check its permissions.")
            }
            bytes = [UInt8](data)
        }
        let found: ForeignContacts
        switch format ?? ContactFormat.of(path: path, bytes) {
        case .vcard:
            var reader = VCardReader(bytes)
            while let piece = try reader.next() { try take(piece) }
            return
        case .abook: found = AbookFormat.read(bytes)
        case .mutt: found = MuttAliases.read(bytes)
        case .csv: found = try ContactTable.read(bytes)
        }
        for defect in found.defects { try take(.defect(defect)) }
        for (card, line) in found.cards { try take(.card(card, line: line)) }
    }
}

/// Takes contacts of files into the store.
private struct ContactIntake {
    private let change: Change
    private let only: String?
    private var books: [String: AddressBook] = [:]
    /// The lines of the UIDs of the files, by address book.
    private var seen: [String: [Int]] = [:]

    init(_ change: Change, book: String?) { (self.change, only) = (change, book) }

    /// Stores a contact of a file, or notes what cannot be read.
    mutating func take(
        _ piece: VCardPiece, of book: String?, file: String?, _ result: inout ContactImportResult
    ) throws {
        switch piece {
        case .card(let card, let line): try take(card, line: line, book: book, file: file, &result)
        case .defect(var defect):
            defect.file = file
            result.defects.append(defect)
            if ["VCARD", "contact", "alias"].contains(defect.part) { result.rejected += 1 }
        }
    }

    /// Stores a contact, or updates the one with its UID.
    private mutating func take(
        _ card: VCard, line: Int, book name: String?, file: String?, _ result: inout ContactImportResult
    ) throws {
        var card = card
        if card.uid == nil {
            // The same each time, so that another import finds it again.
            let digest = String(StableHash.of(Array(card.text.utf8)), radix: 16)
            card.set("UID", ICalendarProperty("UID", text: "helix-\(digest)"))
        }
        let contact = card.contact
        for (property, date) in [("BDAY", contact.birthday), ("ANNIVERSARY", contact.anniversary)] where date == nil {
            guard let text = card.first(property)?.value.trimmingBlanks(), !text.isEmpty else { continue }
            var defect = ICalendarDefect(
                line: line, part: property, reason: "'\(text.prefix(40))' is no day of a year; it is kept as it is",
                uid: card.uid)
            defect.file = file
            result.defects.append(defect)
        }
        let target = try self.target(name)
        if let uid = card.uid {
            let key = "\(target.id.text) \(uid)"
            if let lines = seen[key], let first = lines.first {
                // The same number each time, so that another import finds it again.
                card.set("UID", ICalendarProperty("UID", text: "\(uid)-\(lines.count + 1)"))
                var defect = ICalendarDefect(
                    line: line, part: "VCARD", reason: "has the UID of line \(first), and is another contact", uid: uid)
                defect.file = file
                result.defects.append(defect)
            }
            seen[key, default: []].append(line)
        }
        guard let uid = card.uid, let known = try change.contact(uid: uid, in: only == nil ? nil : target.id) else {
            result.created.append(try change.createContact(card, in: target.id))
            return
        }
        if known.text == card.text {
            result.unchanged += 1
            return
        }
        let (theirs, ours) = (revision(card), VCard(text: known.text).flatMap(revision))
        if let ours, (theirs ?? "") < ours {
            result.older += 1
            return
        }
        try change.updateContact(known.id, card)
        result.updated.append(known.id)
    }

    /// The time of the last revision in digits, which sort by time; nil without one.
    private func revision(_ card: VCard) -> String? {
        card.first("REV").map { $0.value.filter(\.isNumber) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private mutating func target(_ folder: String?) throws -> AddressBook {
        guard let name = only ?? folder else { return try change.defaultAddressBook() }
        if let known = books[name.lowercased()] { return known }
        let found = try HelixError.ifFound { try change.addressBook(named: name) } ?? change.addAddressBook(name)
        books[name.lowercased()] = found
        return found
    }
}

/// The result of an import of contacts.
struct ContactImportResult: DescribedItem {
    var created: [EntityID] = []
    var updated: [EntityID] = []
    var unchanged = 0
    var older = 0
    var rejected = 0
    var defects: [ICalendarDefect] = []

    /// Whether there was no contact at all.
    var isAllRejected: Bool { created.isEmpty && updated.isEmpty && unchanged == 0 && older == 0 }

    static let described = list {
        Field("created", .array(.string), "Identities of new contacts.") { $0.created.map(\.text) }
        Field("updated", .array(.string), "Identities of contacts updated from a newer version in the file.") {
            $0.updated.map(\.text)
        }
        Field("unchanged", .integer, "Contacts that were in the store already.") { $0.unchanged }
        Field("older", .integer, "Skipped contacts, which are newer in the store.") { $0.older }
        Field("rejected", .integer, "Contacts that cannot be read.") { $0.rejected }
        Field("defects", listing: { $0.defects }, "What could not be read, or was changed to be read.") {
            ReportField("file", .string, required: false, "The file, of several.") { $0.file }
            ReportField("line", .integer, "The line of the file.") { $0.line }
            ReportField("part", .string, "The property, or VCARD.") { $0.part }
            ReportField("reason", .string, "Why.") { $0.reason }.foreign
            ReportField("uid", .string, required: false, "The contact's UID.") { $0.uid }.foreignUnlessWord
        }
    }
}

/// The report of an import of contacts.
struct ContactImportReport: Report {
    static let schema = "helix.contacts.import/1"
    static let isList = false
    let items: [ContactImportResult]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let result = items.first else { return }
        var parts = ["\(result.created.count) new"]
        if !result.updated.isEmpty { parts.append("\(result.updated.count) updated") }
        if result.unchanged > 0 { parts.append("\(result.unchanged) unchanged") }
        if result.older > 0 { parts.append("\(result.older) older") }
        if result.rejected > 0 { parts.append("\(result.rejected) rejected") }
        canvas.line(StyledText("Contacts: \(parts.joined(separator: ", ")).", .bold))
    }
}
