import FoundationEssentials
import HelixGnuPG
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// A message as it is read: decrypted, with its signatures verified, if it has any.
struct ReadableMessage {
    /// The message.
    let message: MIMEMessage
    /// Its signatures and encryption; nil if it is plain.
    let opened: OpenedMessage?
    /// Its file; nil if the message differs from it.
    let file: String?

    /// Its signatures and encryption.
    var security: MessageSecurity { opened?.security ?? MessageSecurity() }

    /// The only sender, in lower case; empty if there are several, or none.
    var sender: String {
        let all = message.headers.filter { $0.name.lowercased() == "from" }.flatMap { MailAddress.list($0.raw) }
        return all.count == 1 ? all[0].address.lowercased() : ""
    }

    /// The words above the parts of a message that is protected only in part; nil if all of it is protected alike.
    var label: ((MIMEPart) -> String?)? {
        guard let opened, security.layers.contains(where: { !$0.isWhole }) else { return nil }
        let sender = sender
        return { part in
            let layers = opened.layers(around: part)
            if layers.isEmpty { return "── not signed, not encrypted ──" }
            return "── " + layers.map { SecurityWords.short($0, sender: sender) }.joined(separator: ", ") + " ──"
        }
    }

    /// A draft of it, to be edited.
    /// - Throws: ``HelixError`` if a library is missing.
    func draft(isOutgoing: Bool = false) throws -> MessageDraft {
        var draft = try MessageDraft(message, file: file, isOutgoing: isOutgoing)
        if isOutgoing, let opened {
            draft.seal.encrypts = opened.security.isDecrypted
            draft.seal.signs = !opened.security.wholeSignatures.isEmpty
            draft.seal.standard =
                opened.security.layers.first.flatMap { $0.encryption?.standard ?? $0.signatures.first?.standard }
        }
        return draft
    }

    /// The message to be answered.
    /// - Throws: ``HelixError`` if a library is missing.
    func answered(_ path: String) throws -> AnsweredMessage {
        guard let opened, file == nil else { return try AnsweredMessage(file: path) }
        return try AnsweredMessage(opened.message, bytes: opened.bytes)
    }
}

extension CommandContext {
    /// Opens a message's file: decrypts it and verifies its signatures if it has any.
    ///
    /// - Parameter verifies: whether signatures are verified; parts have the same numbers either way.
    /// - Throws: ``HelixError``: the file is missing, or is no message.
    func readable(_ path: String, verifies: Bool = true) throws -> ReadableMessage {
        let plain = try MIMEMessage(path: path)
        guard OpenedMessage.isNeeded(plain) else { return ReadableMessage(message: plain, opened: nil, file: path) }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HelixError(.io, "cannot read \(path)")
        }
        var options = OpeningOptions()
        options.verifies = verifies
        // Encrypted mail was meant for a person.
        if let profile = try store().profile {
            options.refusal = "the profile '\(profile.name)' does not decrypt mail"
        }
        let opened = try OpenedMessage(Array(data), options)
        return ReadableMessage(message: opened.message, opened: opened, file: nil)
    }

    /// Stores what the opening of a message has shown: the verdict, and its text if `pgp.index` says so.
    /// - Throws: ``HelixError``.
    func record(_ readable: ReadableMessage, of message: EmailMessage) throws {
        guard let opened = readable.opened, message.number > 0 else { return }
        let security = opened.security
        if let verdict = security.verdict(sender: readable.sender) {
            let signature = security.layers.flatMap(\.signatures).first
            try store().recordVerdict(
                verdict, of: message.number, signer: signature?.signer ?? "",
                fingerprint: signature?.fingerprint ?? "")
        }
        if security.isDecrypted, configuration.bool(.indexDecrypted) {
            let summary = MessageSummary(opened.message)
            try store().indexDecrypted(
                message.number, subject: summary.subject, text: summary.text, snippet: summary.snippet)
        }
    }
}

extension CommandContext {
    /// Removes the text of decrypted messages from the index, once `pgp.index` does not want it there any more.
    /// - Throws: ``HelixError``.
    func forgetDecrypted() throws {
        let count = try store().forgetDecrypted()
        if count > 0 {
            note(
                StyledText(
                    "Removed the text of \(count) decrypted \(count == 1 ? "message" : "messages") from the index.",
                    .dim))
        }
    }

    /// Says that `is:verified` does not know all messages.
    /// - Throws: ``HelixError``.
    func noteUnverified(_ store: Store) throws {
        let count = try store.unverifiedCount()
        if count > 0 {
            // Programs are told, too.
            store.warnings.append(
                "\(EntityKind.message.counted(count)) with signatures \(count == 1 ? "was" : "were") never verified: "
                    + "'helix mail verify' does it")
            showWarnings(of: store)
        }
    }
}
