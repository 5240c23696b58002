import HelixMail
import HelixModel

/// Opens the signed and encrypted parts of a message, from the outside to the inside.
struct MessageOpener {
    private let options: OpeningOptions
    private(set) var security = MessageSecurity()
    /// The headers inside of the innermost layer around the whole text (RFC 9788).
    private(set) var protectedHeaders: [MIMEMessage.Header] = []
    private let nonce = EntityID().text
    private var depth = 0
    private var engines: [SecurityStandard: GnuPG] = [:]

    /// A message may be encrypted in an encrypted one; more layers than these are an attack.
    private static let maximumDepth = 8
    private static let maximumLayers = 32

    /// The bytes of the message that is opened now.
    private var raw: [UInt8]

    init(_ options: OpeningOptions, raw: [UInt8]) { (self.options, self.raw) = (options, raw) }

    /// The number of the layer that a marker names.
    func number(of mark: String) -> Int? {
        let parts = mark.split(separator: ".")
        guard parts.count == 2, parts[0] == nonce else { return nil }
        return Int(parts[1])
    }

    /// The entity that replaces a part; nil if it stays as it is.
    ///
    /// - Parameter isWhole: whether nothing but layers is around the part.
    mutating func rebuilt(_ part: MIMEPart, in message: MIMEMessage, isWhole: Bool) throws -> [UInt8]? {
        guard depth < Self.maximumDepth, security.layers.count < Self.maximumLayers else { return nil }
        let children = message.parts.filter { $0.parent == part.index }
        switch part.kind {
        // An attached message is not a part of this one.
        case .message: return nil
        case .leaf where part.isOpaqueSMIME: return try openedCMS(part, in: message, isWhole: isWhole)
        case .leaf: return try openedText(part, in: message, isWhole: isWhole)
        case .multipart where part.type == "multipart/signed":
            return try openedSigned(part, children, in: message, isWhole: isWhole)
        case .multipart where part.type == "multipart/encrypted":
            return try openedEncrypted(part, children.last, isSound: children.count == 2, message, isWhole)
        case .multipart where Self.isMangled(children):
            return try openedEncrypted(part, children.last, isSound: true, message, isWhole)
        case .multipart:
            var entities: [[UInt8]] = []
            var isChanged = false
            for child in children {
                let entity = try rebuilt(child, in: message, isWhole: isWhole && children.count == 1)
                isChanged = isChanged || entity != nil
                entities.append(entity ?? message.entity(of: child))
            }
            return isChanged ? Multipart.written(entities, parameters: []) : nil
        }
    }

    /// Whether a server has made multipart/mixed of multipart/encrypted, as Exchange does.
    private static func isMangled(_ children: [MIMEPart]) -> Bool {
        children.count >= 2
            && children.suffix(2).map(\.type) == ["application/pgp-encrypted", "application/octet-stream"]
    }

    /// Adds a layer; its number.
    private mutating func add(_ layer: SecurityLayer) -> Int {
        security.layers.append(layer)
        return security.layers.count - 1
    }

    /// An entity inside a layer, with the layers inside of it opened.
    private mutating func inside(_ entity: [UInt8], layer number: Int, isWhole: Bool) throws -> [UInt8] {
        var entity = HeaderBlock.isEntity(entity) ? entity : [0x0A] + entity
        let outside = raw
        (depth, raw) = (depth + 1, entity)
        defer { (depth, raw) = (depth - 1, outside) }
        let message = try MIMEMessage(entity, keepsOpaque: true)
        if isWhole, let root = message.parts.first,
            root.contentType["hp"] != nil || root.contentType["protected-headers"] != nil
        {
            protectedHeaders = message.headers.filter { !$0.name.lowercased().hasPrefix("content-") }
        }
        if let root = message.parts.first, let opened = try rebuilt(root, in: message, isWhole: isWhole) {
            entity = opened
        } else if let root = message.parts.first {
            // Only what describes the content: the headers of the message stand outside.
            entity = message.entity(of: root)
        }
        return Multipart.written([entity], parameters: [(OpenedMessage.marker, "\(nonce).\(number)")])
    }

    /// Replaces a signed multipart by its first part.
    private mutating func openedSigned(
        _ part: MIMEPart, _ children: [MIMEPart], in message: MIMEMessage, isWhole: Bool
    ) throws -> [UInt8]? {
        let protocolName = part.contentType["protocol"]?.lowercased() ?? children.last?.type ?? ""
        let standard: SecurityStandard = protocolName.contains("pkcs7") ? .smime : .openPGP
        let isSignature = ["application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"]
            .contains(children.last?.type ?? "")
        guard children.count == 2, isSignature else {
            var failed = MessageSignature(state: .failed, standard: standard)
            failed.reason = "it is not made of a text and a signature"
            _ = add(SecurityLayer(signatures: [failed], isWhole: isWhole))
            return nil
        }
        var entity = message.entity(of: children[0])
        // Parsed and written again, a part may differ in a line end; its bytes are shown only if they are what was signed.
        let bytes = part.contentType["boundary"].flatMap { Multipart.firstPart(of: raw, boundary: $0) }
        let signatures = verified(standard) { engine in
            let proof = message.content(of: children[1])
            let found = engine.verify(proof, of: LineEnds.canonical(entity))
            guard found.contains(where: { $0.state == .changed }), let bytes, bytes != entity else { return found }
            let exact = engine.verify(proof, of: LineEnds.canonical(bytes))
            if exact.contains(where: { $0.state == .changed }) { return found }
            entity = bytes
            return exact
        }
        let number = add(SecurityLayer(signatures: signatures, isWhole: isWhole))
        return try inside(entity, layer: number, isWhole: isWhole)
    }

    /// The signatures that `body` verifies.
    private mutating func verified(
        _ standard: SecurityStandard, _ body: (GnuPG) -> [MessageSignature]
    ) -> [MessageSignature] {
        var failed = MessageSignature(state: .failed, standard: standard)
        if !options.verifies {
            failed.reason = "it was not verified"
            return [failed]
        }
        do { return body(try engine(standard)) } catch {
            failed.reason = Self.reason(error)
            return [failed]
        }
    }

    private mutating func engine(_ standard: SecurityStandard) throws -> GnuPG {
        if let known = engines[standard] { return known }
        let made = try GnuPG(standard)
        engines[standard] = made
        return made
    }

    private static func reason(_ error: any Error) -> String {
        (error as? HelixError).map { [$0.message, $0.hint].compactMap { $0 }.joined(separator: "; ") }
            ?? (error as? GnuPG.Failure)?.reason ?? "unknown reason"
    }

    /// Decrypts bytes.
    private mutating func decrypted(
        _ bytes: [UInt8], _ standard: SecurityStandard
    ) -> (text: [UInt8]?, encryption: MessageEncryption, signatures: [MessageSignature]) {
        var encryption = MessageEncryption(state: .untried, standard: standard)
        if let refusal = options.refusal {
            encryption.reason = refusal
            return (nil, encryption, [])
        }
        do { return try engine(standard).decrypt(bytes) } catch {
            encryption.state = .failed
            encryption.reason = Self.reason(error)
            return (nil, encryption, [])
        }
    }

    /// Replaces an encrypted multipart (RFC 3156 §4) by its text.
    private mutating func openedEncrypted(
        _ part: MIMEPart, _ last: MIMEPart?, isSound: Bool, _ message: MIMEMessage, _ isWhole: Bool
    ) throws -> [UInt8]? {
        guard isSound, let last, last.kind == .leaf else {
            var broken = MessageEncryption(state: .failed, standard: .openPGP)
            broken.reason = "it does not have the two parts of an encrypted message"
            _ = add(SecurityLayer(encryption: broken, isWhole: isWhole))
            return nil
        }
        let (text, encryption, signatures) = decrypted(message.content(of: last), .openPGP)
        let number = add(SecurityLayer(signatures: signatures, encryption: encryption, isWhole: isWhole))
        guard let text else { return nil }
        return try inside(text, layer: number, isWhole: isWhole)
    }

    /// Replaces S/MIME in one part: signed data by what is signed, encrypted data by its text.
    private mutating func openedCMS(_ part: MIMEPart, in message: MIMEMessage, isWhole: Bool) throws -> [UInt8]? {
        let bytes = message.content(of: part)
        if let content = SignedContent.extracted(bytes) {
            var text: [UInt8]?
            let signatures = verified(.smime) { engine in
                let (found, signatures) = engine.verifyWhole(bytes)
                text = found
                return signatures
            }
            let number = add(SecurityLayer(signatures: signatures, isWhole: isWhole))
            // The text of a signature that is not valid is readable all the same.
            return try inside(text ?? content, layer: number, isWhole: isWhole)
        }
        if part.contentType["smime-type"]?.lowercased() == "certs-only" { return nil }
        let (text, encryption, _) = decrypted(bytes, .smime)
        let number = add(SecurityLayer(encryption: encryption, isWhole: isWhole))
        guard let text else { return nil }
        return try inside(text, layer: number, isWhole: isWhole)
    }

    /// Replaces a text with OpenPGP armor in it by its pieces.
    private mutating func openedText(_ part: MIMEPart, in message: MIMEMessage, isWhole: Bool) throws -> [UInt8]? {
        guard part.type == "text/plain", part.disposition != "attachment", part.encodedSize < 64 << 20 else {
            return nil
        }
        let content = message.content(of: part, limit: 64 << 20)
        guard ArmoredText.isLikely(content) else { return nil }
        guard let pieces = ArmoredText.pieces(ArmoredText.characters(content)) else { return nil }
        let charset = part.contentType["charset"] ?? "utf-8"
        var entities: [[UInt8]] = []
        for piece in pieces {
            guard security.layers.count < Self.maximumLayers else { return nil }
            let isAlone = isWhole && pieces.count == 1
            switch piece {
            case .plain(let text): entities.append(Multipart.text(ArmoredText.bytes(text), charset: charset))
            case .signed(let characters):
                let armor = ArmoredText.bytes(characters)
                var found: [UInt8]?
                let signatures = verified(.openPGP) { engine in
                    let (text, signatures) = engine.verifyWhole(armor)
                    found = text
                    return signatures
                }
                let number = add(SecurityLayer(signatures: signatures, isWhole: isAlone))
                entities.append(marked(Multipart.text(found ?? armor, charset: charset), number))
            case .encrypted(let characters):
                let armor = ArmoredText.bytes(characters)
                let (text, encryption, signatures) = decrypted(armor, .openPGP)
                let number = add(SecurityLayer(signatures: signatures, encryption: encryption, isWhole: isAlone))
                // Programs write UTF-8 inside, whatever is outside.
                let isUTF8 = text.map { String(validating: $0, as: UTF8.self) != nil } ?? false
                entities.append(
                    marked(Multipart.text(text ?? armor, charset: isUTF8 ? "utf-8" : charset), number))
            }
        }
        return entities.count == 1 ? entities[0] : Multipart.written(entities, parameters: [])
    }

    private func marked(_ entity: [UInt8], _ number: Int) -> [UInt8] {
        Multipart.written([entity], parameters: [(OpenedMessage.marker, "\(nonce).\(number)")])
    }
}
