import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// The options that set the content of a message.
struct WriteOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Recipients: addresses, contacts, groups; may be repeated or separated by commas.", valueName: "address"),
        completion: .custom(CompletionLists.people))
    var to: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Cc recipients.", valueName: "address"),
        completion: .custom(CompletionLists.people))
    var cc: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Bcc recipients.", valueName: "address"),
        completion: .custom(CompletionLists.people))
    var bcc: [String] = []

    @Option(name: [.long, .customShort("s")], help: ArgumentHelp("Subject.", valueName: "text"))
    var subject: String?

    @Option(
        name: [.long, .customShort("b")],
        help: ArgumentHelp("The text, or '-' for standard input; then no editor opens.", valueName: "text"))
    var body: String?

    @Option(
        name: [.long, .customShort("a")], help: ArgumentHelp("Attach a file; may be repeated.", valueName: "file"),
        completion: .file())
    var attach: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Begin with a template; 'helix mail templates' lists them.", valueName: "name"),
        completion: .custom(CompletionLists.templates))
    var template: String?

    @Flag(name: .long, help: "Treat the text as Markdown and send HTML as well.")
    var markdown = false

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Append your signature, or not; default: mail.sign.")
    var signature: Bool?

    @Option(name: .long, help: ArgumentHelp("Sender; default: user.email.", valueName: "address"))
    var from: String?

    @Flag(
        name: .customLong("sign"), inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Sign it with your key, or not; default: pgp.sign.")
    var signs: Bool?

    @Flag(
        name: .long, inversion: .prefixedNo, exclusivity: .exclusive,
        help: "Encrypt it to its recipients, or not; default: pgp.encrypt.")
    var encrypt: Bool?

    @Option(
        name: .long,
        help: ArgumentHelp("Sign and encrypt by openpgp or smime; default: pgp.method.", valueName: "standard"),
        completion: .list(SecurityStandard.allCases.map(\.rawValue)))
    var security: SecurityStandard?

    @Flag(name: .long, help: "Open the editor even if --body is given.")
    var edit = false

    /// Whether no option sets content of the message.
    var saysNothing: Bool {
        to.isEmpty && cc.isEmpty && bcc.isEmpty && subject == nil && body == nil && attach.isEmpty && !markdown
            && template == nil
            && signature == nil && from == nil && signs == nil && encrypt == nil && security == nil
    }

    /// The text, from standard input if `body` is `-`.
    private func text(_ body: String, _ invocation: Invocation) throws -> String {
        guard body == "-" else { return body }
        let bytes = try invocation.inputData()
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw HelixError(
                .badInput, "standard input is not UTF-8 text",
                hint: "Attach it with --attach, or convert it first: iconv -t utf-8.")
        }
        return text
    }

    /// The sender of --from; nil without it.
    /// - Throws: ``HelixError`` of code `usage`.
    func sender() throws -> MailAddress? {
        guard let from else { return nil }
        let typed = try MailAddress.typed(from)
        guard typed.count == 1 else { throw HelixError(.usage, "a message has one sender, not \(typed.count)") }
        return typed[0]
    }

    /// Applies the options to a draft.
    /// - Parameter isEdit: whether the draft exists already: then options replace its values, and the signature is
    ///   added only on request.
    /// - Throws: ``HelixError``: an address is invalid, or a file does not exist.
    func apply(to draft: inout MessageDraft, in context: CommandContext, isEdit: Bool = false) throws {
        if isEdit {
            if !to.isEmpty { draft.to = [] }
            if !cc.isEmpty { draft.cc = [] }
            if !bcc.isEmpty { draft.bcc = [] }
            if body != nil { draft.body = "" }
        }
        func list(_ texts: [String]) throws -> [MailAddress] {
            try texts.flatMap { text in
                let typed = try context.addresses(text)
                // An empty variable of a script must not send a message to the others alone.
                guard !typed.isEmpty else { throw HelixError(.usage, "'\(text)' is not a mail address") }
                return typed
            }
        }
        draft.to += try list(to)
        draft.cc += try list(cc)
        draft.bcc += try list(bcc)
        draft.tidy()
        if let sender = try sender() { draft.from = sender }
        if let template { try context.fill(&draft, from: template) }
        if let subject { draft.subject = subject }
        if let body {
            var text = try text(body, context.invocation).replacing("\r\n", with: "\n")
            if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
            draft.body = draft.body.isEmpty || draft.body.hasPrefix("\n") ? text + draft.body : text + "\n" + draft.body
        }
        if markdown { draft.isMarkdown = true }
        draft.attachments += try attach.map { try DraftFiles.attachment($0, context) }
        if signature ?? (!isEdit && context.configuration.bool(.sign)) {
            draft.body = Signature.appended(try context.signature(of: draft.from), to: draft.body)
        }
        applySeal(to: &draft, in: context, isEdit: isEdit)
    }

    /// Sets the signature and encryption that options or settings want.
    private func applySeal(to draft: inout MessageDraft, in context: CommandContext, isEdit: Bool) {
        if let security { draft.seal.standard = security }
        if let signs {
            draft.seal.signs = signs
        } else if !isEdit, context.configuration.bool(.signMessages) {
            draft.seal.signs = true
        }
        if let encrypt {
            (draft.seal.encrypts, draft.seal.isDeclined) = (encrypt, !encrypt)
        } else if !isEdit, context.configuration.text(.encrypt) == "always" {
            draft.seal.encrypts = true
        }
    }
}

/// The options for sending a written message.
struct SendOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Send at this time: 'mon 8:00', 'in 2 hours'.", valueName: "when"))
    var at: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Tell you if nobody has answered by then: 3d, 'fri 9:00'.", valueName: "when"))
    var remindIfNoAnswer: String?

    @Flag(name: .long, help: "Send without confirmation.")
    var send = false

    @Flag(name: .long, help: "Save as a draft without confirmation.")
    var draft = false

    func validate() throws {
        if send && draft { throw ValidationError("--send and --draft exclude each other.") }
        if remindIfNoAnswer != nil && draft {
            throw ValidationError("--remind-if-no-answer and --draft exclude each other.")
        }
        if at != nil && draft { throw ValidationError("--at and --draft exclude each other.") }
    }
}

extension CommandContext {
    /// The user's addresses, the default first: those of the configuration, then those of the accounts.
    var ownAddresses: [MailAddress] {
        let accounts = ((try? store().mailAccounts()) ?? []).compactMap(\.settings.address)
        return (configuration.list(.email) + accounts).compactMap(named)
    }

    /// The sender for an account: its own address, or the default one.
    func sender(in account: Account) -> MailAddress? {
        account.settings.address.flatMap(named) ?? ownAddresses.first
    }

    /// An address with the user's name, if it has none.
    private func named(_ text: String) -> MailAddress? {
        let name = configuration.text(.name) ?? ""
        let address = (try? MailAddress.typed(text))?.first
        return address.map { MailAddress(name: $0.name.isEmpty ? name : $0.name, address: $0.address) }
    }

    /// The signature of a sender: `{address}` in the setting stands for the address, so that each identity has its own.
    /// - Throws: ``HelixError`` of code `configuration` if its file cannot be read.
    func signature(of sender: MailAddress?) throws -> String {
        let address = (sender ?? ownAddresses.first)?.address.lowercased() ?? ""
        // An address is no path.
        let name = address.replacing("/", with: "_")
        let path = UserPath.expanded(configuration.text(.signature) ?? "", environment)
            .replacing("{address}", with: name.hasPrefix(".") ? "_" + name : name)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HelixError(
                .configuration, "no signature in \(path)",
                hint: "Create that file, or set another one: helix config set mail.signature FILE.")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The time of sending: `--at`, or after the configured delay.
    /// - Throws: ``HelixError`` of code `usage` for an invalid or past time.
    ///
    /// - Parameter old: the current time of sending: `10:00` keeps its day, and `+1d` is relative to it.
    func leaves(_ at: String?, from old: Instant? = nil) throws -> Instant {
        guard let at else { return clock + configuration.seconds(.sendDelay) }
        let parts = try dates.move(at)
        // `fri` alone would mean midnight.
        guard old != nil || parts.time != nil || parts.instant != nil || parts.shift?.seconds ?? 0 != 0 else {
            throw HelixError(
                .usage, "'\(at)' has a day, but no time", hint: "Write it like 'fri 9:00' or 'in 2h'."
            )
        }
        var instant = try old.map { try dates.moment(at, from: $0, in: zone) } ?? dates.moment(at).instant(in: zone)
        // `mon 8:00` on a Monday at nine is the next one.
        if instant < now, old == nil, parts.isWeekday, parts.lastDate == nil, let date = parts.date,
            let time = parts.time
        {
            instant = (parts.zone ?? zone).instant(CivilDateTime(date + 7) + time)
        }
        guard instant >= now else {
            throw HelixError(
                .usage, "'\(at)' is in the past: \(viewer.day(zone.date(instant))) \(viewer.clock(instant))",
                hint: "Use a future time.")
        }
        return instant
    }

    /// The time at which the user is told if nobody has answered a message, from a length such as `3d` or a time.
    /// - Parameter leaves: the time of sending.
    /// - Throws: ``HelixError`` of code `usage` for an invalid or past time.
    func followUp(_ text: String, after leaves: Instant) throws -> Instant {
        var dates = dates
        dates.now = leaves
        let morning = configuration.text(.morning) ?? "9:00"
        let length = try? dates.duration(text)
        let time = try length.map { leaves + $0 } ?? MessageAway.end(text, dates: dates, morning: morning)
        guard time > leaves, time > now else {
            throw HelixError(
                .usage, "'\(text)' is before the message leaves", hint: "Give a length such as 3d, or a later time.")
        }
        return time
    }

    /// The account to write in: the named one, that of the sender, or the first that can send; otherwise helix's own
    /// local account.
    /// - Throws: ``HelixError``.
    func writingAccount(_ name: String?, sender: MailAddress? = nil) throws -> Account {
        let store = try store()
        if let name { return try store.mailAccount(named: name) }
        let accounts = try store.mailAccounts()
        let address = (sender ?? configuration.list(.email).first.flatMap(named))?.address.lowercased()
        if let address, let own = accounts.first(where: { $0.settings.address?.lowercased() == address }) { return own }
        // Prefer an account whose drafts other programs can see.
        return try accounts.first(where: \.settings.canSend) ?? accounts.first { $0.kind != .local } ?? accounts.first
            ?? store.localAccount(named: "local")
    }

    /// The date of a message, as a reply quotes it.
    func words(_ instant: Instant) -> String {
        "\(DateWords.text(zone.date(instant))) at \(viewer.clock(instant))"
    }
}
