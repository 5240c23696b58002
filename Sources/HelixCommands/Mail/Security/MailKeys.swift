import ArgumentParser
import FoundationEssentials
import HelixGnuPG
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixSystem
import HelixTerminal

/// `helix mail keys`
struct MailKeys: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "List, import, export and fetch keys for signed and encrypted mail.",
        subcommands: [MailKeysList.self, MailKeysImport.self, MailKeysExport.self, MailKeysFetch.self])
}

/// `helix mail keys list`
struct MailKeysList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List the keys of GnuPG, and those that came with messages.",
        discussion: """
            Your own keys come first. 'gpg' and 'gpgsm' change keys and certify them; helix uses the same keyring.

              helix mail keys list
              helix mail keys list ana
            """)
    static let reports: [PrintedReport] = [.json(KeysReport.self)]

    @Argument(help: "Words of names and addresses.")
    var words: [String] = []

    @OptionGroup var mail: MailOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var items: [KeyItem] = []
        for standard in SecurityStandard.allCases {
            // S/MIME is listed if its program is there.
            let engine: GnuPG
            do { engine = try GnuPG(standard) } catch {
                if standard == .openPGP { throw error }
                continue
            }
            do {
                let own = Set(try engine.keys(isSecret: true).map(\.fingerprint))
                items += try engine.keys().map { KeyItem(key: $0, isOwn: own.contains($0.fingerprint), seenAt: nil) }
            } catch let failure as GnuPG.Failure {
                throw HelixError(.io, "GnuPG cannot list the \(standard.name) keys: \(failure.reason)")
            }
        }
        let known = Set(items.flatMap(\.key.addresses))
        for peer in try context.mailStore(mail).autocryptPeers() where !known.contains(peer.address) {
            guard let key = try? GnuPG(.openPGP).look(at: peer.key).first else { continue }
            items.append(KeyItem(key: key, isOwn: false, seenAt: peer.seenAt, address: peer.address))
        }
        let wanted = words.map { $0.lowercased() }
        items = items.filter { item in
            let text = (item.key.users.map(\.text) + item.key.addresses + [item.key.fingerprint, item.address ?? ""])
                .joined(separator: " ").lowercased()
            return wanted.allSatisfy(text.contains)
        }
        items.sort { ($0.isOwn ? 0 : 1, $0.name.lowercased()) < ($1.isOwn ? 0 : 1, $1.name.lowercased()) }
        let limit = context.listLimit(100)
        try context.present(KeysReport(items: Array(items.prefix(limit)), isTruncated: items.count > limit))
    }
}

/// `helix mail keys import`
struct MailKeysImport: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Import keys into the keyring of GnuPG.",
        discussion: """
            From a file, from standard input (-), or from a message: its attached keys, or the key that its sender's program \
            sends along (Autocrypt). An imported key is not trusted yet: compare its fingerprint with its owner, and certify it \
            with 'gpg --sign-key'.

              helix mail keys import ana.asc
              helix mail keys import --message k3f7
            """)
    static let reports: [PrintedReport] = [.json(KeysReport.self)]

    @Argument(help: ArgumentHelp("A file, or '-'.", valueName: "file"), completion: .file())
    var file: String?

    @Option(
        name: .long, help: ArgumentHelp("A message by its id.", valueName: "id"),
        completion: .custom(CompletionLists.messageIDs))
    var message: String?

    @Flag(name: .long, help: "Show the keys, without importing them.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if (file == nil) == (message == nil) { throw ValidationError("Give a file, or --message ID.") }
    }

    func run(in context: CommandContext) throws {
        var sources: [(bytes: [UInt8], only: String?)] = []
        if let message {
            sources = try keys(in: try context.readable(try context.wholeFile(try context.messageID(message))))
            if sources.isEmpty {
                throw HelixError(
                    .notFound, "the message carries no key", hint: "'helix mail keys fetch ADDRESS' asks its server.")
            }
        } else if let file {
            let path = UserPath.expanded(file, context.environment)
            guard file != "-" else {
                return try finish([(Array(try context.invocation.inputData()), nil)], context)
            }
            guard let data = FileManager.default.contents(atPath: path) else {
                throw HelixError(.notFound, "cannot read \(file)", hint: "Check its name and permissions.")
            }
            sources = [(Array(data), nil)]
        }
        try finish(sources, context)
    }

    private func finish(_ sources: [(bytes: [UInt8], only: String?)], _ context: CommandContext) throws {
        var items: [KeyItem] = []
        for (bytes, only) in sources { items += try KeyItem.imported(bytes, only: only, isDryRun: dryRun) }
        guard !items.isEmpty else { throw HelixError(.badInput, "there are no keys in it; nothing was imported") }
        var report = KeysReport(items: items)
        report.verb = dryRun ? "Would import" : "Imported"
        try context.present(report)
    }

    /// The attached keys of a message, otherwise the key of its Autocrypt header.
    private func keys(in readable: ReadableMessage) throws -> [(bytes: [UInt8], only: String?)] {
        let message = readable.message
        let attached = message.parts.filter { $0.type == "application/pgp-keys" }
        if !attached.isEmpty { return attached.map { (message.content(of: $0, limit: 1 << 20), nil) } }
        let summary = MessageSummary(message)
        return summary.autocrypt.map { [($0.key, $0.address)] } ?? []
    }
}

/// `helix mail keys export`
struct MailKeysExport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "export", abstract: "Print a public key, to give it to others.",
        discussion: """
            Without an address, your own.

              helix mail keys export > key.asc
              helix mail keys export ana@example.org
            """)
    static let reports: [PrintedReport] = []

    @Argument(help: "An address or a fingerprint.")
    var key: String?

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try output.refuseMachine("a key")
        let engine = try GnuPG(.openPGP)
        guard let wanted = key ?? context.ownAddresses.first?.address else {
            throw HelixError(
                .usage, "name an address", hint: "Or set your own: helix config set user.email you@example.org")
        }
        do {
            let found = try wanted.contains("@") ? engine.keys(of: wanted) : engine.keys(wanted)
            guard let chosen = found.first else {
                throw HelixError(.notFound, "no key of \(wanted)", hint: "'helix mail keys list' shows all.")
            }
            let bytes = try engine.exported(chosen.fingerprint, isMinimal: false, isArmored: true)
            try context.write(String(decoding: bytes, as: UTF8.self))
        } catch let failure as GnuPG.Failure {
            throw HelixError(.io, "GnuPG cannot export the key of \(wanted): \(failure.reason)")
        }
    }
}

/// `helix mail keys fetch`
struct MailKeysFetch: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "fetch", abstract: "Ask the mail domain of somebody for their key, and import it.",
        discussion: """
            By a Web Key Directory: the server of the domain publishes the keys of its people. Only the user id of that address \
            is imported. The domain vouches for the key; nobody else does.

              helix mail keys fetch ana@example.org
            """)
    static let reports: [PrintedReport] = [.json(KeysReport.self)]

    @Argument(help: "An address.", completion: .custom(CompletionLists.people))
    var address: String

    @Flag(name: .long, help: "Show the key, without importing it.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let typed = try MailAddress.typed(address) { try context.people(named: $0) }
        guard typed.count == 1 else { throw HelixError(.usage, "'\(address)' is not one mail address") }
        let wanted = typed[0].address
        let directory = KeyDirectory(
            place: context.environment["HELIX_WKD"], authorities: context.environment["HELIX_CA_FILE"])
        let bytes = try directory.keys(of: wanted)
        let found = try? GnuPG(.openPGP).look(at: bytes)
        guard !bytes.isEmpty, let found, found.contains(where: { $0.addresses.contains(wanted.lowercased()) }) else {
            let domain = wanted.split(separator: "@").last.map(String.init) ?? ""
            throw HelixError(
                .notFound, "\(domain) publishes no key of \(wanted)",
                hint: "Ask for it by mail: an attached key is imported by 'helix mail keys import --message ID'.")
        }
        let items = try KeyItem.imported(bytes, only: wanted.lowercased(), isDryRun: dryRun)
        var report = KeysReport(items: items)
        report.verb = dryRun ? "Would import" : "Imported"
        try context.present(report)
    }
}

/// A key, in a report.
struct KeyItem: DescribedItem {
    let key: GnuPGKey
    /// Whether its secret part is here.
    let isOwn: Bool
    /// The date of the message that brought it; nil if it is in the keyring.
    let seenAt: Instant?
    /// The address that it is used for, if it came with a message.
    var address: String?

    var name: String { address ?? key.name }

    /// Imports keys, and describes them.
    ///
    /// - Parameter only: the only address that is imported with them: a key may name addresses of others.
    /// - Throws: ``HelixError`` if GnuPG refuses them.
    static func imported(_ bytes: [UInt8], only: String?, isDryRun: Bool) throws -> [KeyItem] {
        do {
            let engine = try GnuPG(.openPGP)
            if isDryRun {
                return try engine.look(at: bytes).filter { key in only.map(key.addresses.contains) ?? true }
                    .map { KeyItem(key: $0, isOwn: false, seenAt: nil, address: only) }
            }
            let found = try engine.importKeys(bytes, only: only)
            var seen: Set<String> = []
            return try found.filter { seen.insert($0.fingerprint).inserted }.compactMap { fingerprint, _ in
                try engine.keys(fingerprint).first.map { KeyItem(key: $0, isOwn: false, seenAt: nil, address: only) }
            }
        } catch let failure as GnuPG.Failure {
            throw HelixError(.badInput, "GnuPG cannot import it: \(failure.reason)")
        }
    }

    static let described = list {
        Field("fingerprint", .string, "Its fingerprint.") { $0.key.fingerprint }
        Field("standard", .choice(SecurityStandard.allCases.map(\.rawValue)), "Its standard.") {
            $0.key.standard.rawValue
        }
        Field("name", .string, "Its first user id, or the address that it came from.") { $0.name }.foreign
        Field("addresses", .array(.string), "Its addresses.") { $0.key.addresses }.foreign
        Field("own", .bool, "Whether its secret part is here.") { $0.isOwn }
        Field("state", .string, "usable, expired, revoked, disabled or invalid.") { $0.key.state }
        Field("trust", .string, "The trust that it belongs to its owner.") {
            $0.key.users.map(\.trust).max()?.rawValue ?? KeyTrust.unknown.rawValue
        }
        Field("encrypts", .bool, "Whether one can encrypt to it.") { $0.key.canEncrypt }
        Field("expires", .time, required: false, "The time at which it expires.") { item, viewer in
            item.key.expires.map { viewer.iso($0) }
        }
        Field("message_date", .time, required: false, "The date of the message that brought it.") { item, viewer in
            item.seenAt.map { viewer.iso($0) }
        }
    }
}

/// Keys.
struct KeysReport: CuttableReport {
    static let schema = "helix.mail.keys/1"
    var items: [KeyItem]
    var isTruncated = false
    /// The word before the list, if something was done.
    var verb: String?

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(StyledText("No keys. 'gpg --quick-generate-key YOU@EXAMPLE.ORG' makes yours.", .dim))
        }
        if let verb {
            for item in items {
                canvas.line("\(verb) the key of \(item.name).")
                let groups = item.key.fingerprint.grouped(by: 4)
                canvas.line(StyledText("  \(groups)", .dim))
                canvas.paragraph(
                    "It is not certified: compare this fingerprint with its owner, then 'gpg --sign-key'.", style: .dim)
            }
            return
        }
        var table = Table([.init(), .init(), .init(), .init(minimum: 16)])
        for item in items {
            let state =
                item.isOwn && item.key.isUsable
                ? "own" : item.seenAt != nil ? "by mail" : item.key.isUsable ? Self.trust(item) : item.key.state
            table.row([
                StyledText(String(item.key.fingerprint.suffix(16)), .dim), StyledText(item.key.standard.name),
                StyledText(state, item.key.isUsable ? .plain : TextStyle(.yellow)), StyledText(item.name, .bold),
            ])
        }
        table.draw(on: &canvas)
    }

    private static func trust(_ item: KeyItem) -> String {
        let trust = item.key.users.map(\.trust).max() ?? .unknown
        return trust >= .marginal ? "trusted" : trust == .never ? "never" : "not certified"
    }
}

extension String {
    /// The text in groups of characters, with blanks between.
    fileprivate func grouped(by count: Int) -> String {
        enumerated().map { $0.offset > 0 && $0.offset % count == 0 ? " \($0.element)" : "\($0.element)" }.joined()
    }
}
