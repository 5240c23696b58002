import ArgumentParser
import FoundationEssentials
import Glibc
import HelixGnuPG
import HelixMail
import HelixModel
import HelixStore
import HelixSystem

/// The keys with which a draft is signed and encrypted.
struct SealPlan {
    /// The source of a recipient's key.
    enum Source {
        case keyring(GnuPGKey)
        /// Sent by the recipient with a message (Autocrypt).
        case autocrypt(AutocryptPeer)
    }

    let standard: SecurityStandard
    /// The sender's own key.
    let own: GnuPGKey
    let signs: Bool
    let encrypts: Bool
    /// The key of each recipient.
    private(set) var recipients: [(address: String, source: Source)] = []
    /// Whether there are recipients whom the others must not see.
    private let isHidden: Bool

    /// Finds the keys.
    /// - Throws: ``HelixError`` of code `configuration` if a key is missing.
    init(_ draft: MessageDraft, _ standard: SecurityStandard, _ context: CommandContext) throws {
        let engine = try GnuPG(standard)
        let sender = draft.from?.address ?? ""
        guard let own = try Self.ownKey(sender, engine, context) else {
            throw HelixError(
                .configuration, "you have no \(standard.name) key for \(sender.isEmpty ? "your address" : sender)",
                hint: standard == .openPGP
                    ? "Create one with 'gpg --quick-generate-key \(sender)', or set pgp.key to another one."
                    : "Import your certificate with 'gpgsm --import', or set pgp.key to another one.")
        }
        (self.standard, self.own) = (standard, own)
        (signs, encrypts, isHidden) = (draft.seal.signs, draft.seal.encrypts, !draft.bcc.isEmpty)
        guard encrypts else { return }
        var missing: [String] = []
        for address in draft.recipients.map(\.address) {
            if let found = try Self.key(of: address, engine, context) {
                recipients.append((address, found))
            } else {
                missing.append(address)
            }
        }
        guard missing.isEmpty else {
            let unusable = try missing.compactMap { try engine.keys("<\($0)>").first { !$0.isUsable } }
            let state = unusable.isEmpty ? "" : " (there is one that is \(unusable[0].state))"
            let fetch =
                standard == .openPGP ? "'helix mail keys fetch \(missing[0])' looks for it" : "Import it with gpgsm"
            throw HelixError(
                .configuration, "no \(standard.name) key of \(missing.joined(separator: ", "))\(state)",
                hint: "\(fetch); --no-encrypt sends the message readable for everybody on its way.")
        }
    }

    /// The user's key for an address: the one that the setting names, or the newest of that address.
    private static func ownKey(_ address: String, _ engine: GnuPG, _ context: CommandContext) throws -> GnuPGKey? {
        let named = context.configuration.list(.pgpKey).compactMap { entry -> String? in
            guard let equals = entry.firstIndex(of: "=") else { return entry }
            return entry[..<equals].lowercased() == address.lowercased()
                ? String(entry[entry.index(after: equals)...]) : nil
        }
        for name in named {
            if let key = try? engine.keys(name, isSecret: true).first(where: \.isUsable) { return key }
        }
        // Another key than the one that was asked for would be a surprise. One of the other standard does not count here.
        let others = SecurityStandard.allCases.filter { $0 != engine.standard }
        let isOther = named.contains { name in
            others.contains { (try? GnuPG($0).keys(name, isSecret: true).contains(where: \.isUsable)) ?? false }
        }
        if let name = named.first, !isOther {
            throw HelixError(
                .configuration, "the key '\(name)' of pgp.key cannot sign: it is unknown, expired or not secret",
                hint: "'helix mail keys list' shows yours.")
        }
        return try engine.keys(of: address, isSecret: true).first
    }

    private static func key(of address: String, _ engine: GnuPG, _ context: CommandContext) throws -> Source? {
        let found = try engine.keys(of: address).filter(\.canEncrypt)
        // A key that the user has declared invalid is not used, and not replaced by one that a message brought.
        if found.contains(where: { $0.trust(of: address) == .never }) { return nil }
        if let key = found.first { return .keyring(key) }
        guard engine.standard == .openPGP, let peer = try context.store().autocryptPeer(address),
            let key = try? engine.look(at: peer.key).first, key.isUsable, key.canEncrypt
        else { return nil }
        return .autocrypt(peer)
    }

    /// Whether the recipients want encrypted mail: a key in the keyring was put there for it; one that came with a message counts
    /// only if its owner prefers that (Autocrypt Level 1 §2.4).
    var isWelcome: Bool {
        recipients.allSatisfy { if case .autocrypt(let peer) = $0.source { peer.isMutual } else { true } }
    }

    /// The sentence for the summary before sending, and whether it warns.
    func words(_ day: (Instant) -> String) -> (text: String, isWarning: Bool) {
        var parts: [String] = []
        if signs { parts.append("signed with the key \(own.fingerprint.suffix(16))") }
        var isWarning = false
        if encrypts {
            let names = recipients.map { address, source -> String in
                switch source {
                case .keyring(let key):
                    if key.trust(of: address) >= .marginal { return address }
                    isWarning = true
                    return "\(address) (key \(key.fingerprint.suffix(16)), not certified)"
                case .autocrypt(let peer):
                    isWarning = true
                    return "\(address) (the key of their message of \(day(peer.seenAt)), not certified)"
                }
            }
            parts.append("encrypted to \(names.joined(separator: ", "))")
        }
        return (parts.joined(separator: "; "), isWarning)
    }

    /// Seals a written message.
    /// - Throws: ``HelixError``: GnuPG cannot sign or encrypt it.
    func sealed(_ bytes: [UInt8], isDraft: Bool) throws -> [UInt8] {
        guard encrypts else {
            return try MessageSealer(standard, signer: own.fingerprint, recipients: nil).sealed(bytes)
        }
        var keys = [own.fingerprint]
        var files: [String] = []
        defer { for file in files { unlink(file) } }
        for case (_, let source) in isDraft ? [] : recipients {
            switch source {
            case .keyring(let key): if !keys.contains(key.fingerprint) { keys.append(key.fingerprint) }
            case .autocrypt(let peer): files.append(try Self.lend(peer.key))
            }
        }
        let target = MessageSealer.Recipients(keys: keys, files: files, isHidden: isHidden && !isDraft)
        // A draft is not signed: nobody has decided to send it.
        return try MessageSealer(standard, signer: signs && !isDraft ? own.fingerprint : nil, recipients: target)
            .sealed(bytes, isDraft: isDraft)
    }

    /// A file with a public key, which GnuPG reads once.
    private static func lend(_ key: [UInt8]) throws -> String {
        let path = TemporaryFolder.path + "/helix-key-\(EntityID().text)"
        guard FileManager.default.createFile(atPath: path, contents: Data(key), attributes: [.posixPermissions: 0o600])
        else { throw HelixError(.io, "cannot write \(path)", hint: "Is the disk full?") }
        return path
    }
}

extension CommandContext {
    /// The keys for a draft; nil if nothing protects it.
    /// - Throws: ``HelixError`` of code `configuration` if a key is missing.
    func sealPlan(for draft: MessageDraft) throws -> SealPlan? {
        guard draft.seal.isSealed else { return nil }
        if let profile = try store().profile {
            throw HelixError(
                .notAllowed, "the profile '\(profile.name)' cannot use your keys",
                hint: "Save it without --sign and --encrypt; the person can sign and encrypt it.")
        }
        let asked = draft.seal.standard ?? SecurityStandard(rawValue: configuration.text(.pgpMethod) ?? "")
        if let asked { return try SealPlan(draft, asked, self) }
        do { return try SealPlan(draft, .openPGP, self) } catch {
            // The error of OpenPGP is the one to tell: most people mean that.
            if let plan = try? SealPlan(draft, .smime, self) { return plan }
            throw error
        }
    }

    /// Writes a draft, signed and encrypted as it says.
    ///
    /// - Parameter isFinal: whether it is the message to send.
    /// - Throws: ``HelixError``: a key is missing, or an attachment cannot be read.
    func write(
        _ draft: MessageDraft, date: Instant, isFinal: Bool, to sink: ([UInt8]) throws -> Void
    ) throws {
        let plan = isFinal || draft.seal.encrypts ? try sealPlan(for: isFinal ? draft : draft.unaddressed) : nil
        let writer = MessageWriter(
            draft, date: date, zone: zone, isFinal: isFinal,
            autocrypt: isFinal ? try autocryptHeader(of: draft, plan) : nil, read: DraftFiles.read)
        guard let plan else { return try writer.write(to: sink) }
        try sink(try plan.sealed(try writer.bytes(), isDraft: !isFinal))
    }

    /// The Autocrypt header of a message, if the settings want it.
    private func autocryptHeader(of draft: MessageDraft, _ plan: SealPlan?) throws -> String? {
        let mode = configuration.text(.autocrypt)
        guard let sender = draft.from, mode == "always" || mode == "sealed" && plan?.standard == .openPGP,
            try store().profile == nil
        else { return nil }
        // Without GnuPG or a key, 'always' has nothing to send.
        guard let engine = try? GnuPG(.openPGP),
            let key = plan?.own ?? (try? engine.keys(of: sender.address, isSecret: true).first),
            key.standard == .openPGP, key.addresses.contains(sender.address.lowercased()),
            let bytes = try? engine.exported(key.fingerprint, isMinimal: true), bytes.count <= AutocryptHeader.keyLimit
        else { return nil }
        return AutocryptHeader(
            address: sender.address, isMutual: configuration.bool(.preferEncrypt), key: bytes
        ).text
    }

    /// Decides on the seal of a reply: the reply to an encrypted message is encrypted.
    /// - Throws: ``HelixError`` of code `usage` if the settings and the message contradict each other.
    func seal(_ draft: inout MessageDraft, answering readable: ReadableMessage, _ write: WriteOptions) throws {
        guard readable.security.isEncrypted, write.encrypt == nil else { return }
        if configuration.text(.encrypt) == "never" {
            throw HelixError(
                .usage, "the message is encrypted, and pgp.encrypt is 'never': the reply would be readable",
                hint: "Decide with --encrypt or --no-encrypt.")
        }
        draft.seal.encrypts = true
        draft.seal.standard = readable.security.layers.lazy.compactMap(\.encryption).first?.standard
    }
}

extension MessageDraft {
    /// The draft without recipients: it is encrypted to its author alone.
    fileprivate var unaddressed: MessageDraft {
        var draft = self
        (draft.to, draft.cc, draft.bcc) = ([], [], [])
        return draft
    }
}

extension SecurityStandard: ExpressibleByArgument {}
