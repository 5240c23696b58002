import CGPGME
import HelixMail
import HelixModel

extension GnuPG {
    /// The keys that match a fingerprint, an address in angle brackets, or words; all keys if nil.
    ///
    /// - Parameter isSecret: only those whose secret part is here.
    /// - Throws: ``Failure``.
    public func keys(_ pattern: String? = nil, isSecret: Bool = false) throws -> [GnuPGKey] {
        try collect { target, sink in helix_gpgme_keys(handle, pattern, isSecret ? 1 : 0, target, sink) }
    }

    /// The usable keys with exactly that address, the most trusted and newest first.
    /// - Throws: ``Failure``.
    public func keys(of address: String, isSecret: Bool = false) throws -> [GnuPGKey] {
        let address = address.lowercased()
        // A pattern that begins with one of GnuPG's marks would be another search.
        return try keys("<\(address)>", isSecret: isSecret).filter { $0.isUsable && $0.addresses.contains(address) }
            .sorted {
                let (left, right) = ($0.trust(of: address), $1.trust(of: address))
                return left != right ? left > right : ($0.created?.seconds ?? 0) > ($1.created?.seconds ?? 0)
            }
    }

    /// The keys in bytes, which are not imported.
    /// - Throws: ``Failure``.
    public func look(at bytes: [UInt8]) throws -> [GnuPGKey] {
        try collect { target, sink in helix_gpgme_look(handle, bytes, bytes.count, target, sink) }
    }

    /// Imports keys into the user's keyring.
    ///
    /// - Parameter address: the only address whose user ids are imported; nil for all. A key may claim the addresses of others.
    /// - Returns: their fingerprints, and whether each is new.
    /// - Throws: ``Failure``.
    public func importKeys(
        _ bytes: [UInt8], only address: String? = nil
    ) throws -> [(fingerprint: String, isNew: Bool)] {
        // The expression of the filter ends at some marks.
        guard address?.contains(where: { $0.isWhitespace || "|&,".contains($0) }) != true else { return [] }
        let filter = address.map { "keep-uid=mbox = \($0)" }
        var found: [(fingerprint: String, isNew: Bool)] = []
        try withUnsafeMutablePointer(to: &found) { found in
            try Self.check(
                helix_gpgme_import(handle, bytes, bytes.count, filter, found) { target, fingerprint, isNew in
                    guard let fingerprint else { return }
                    target?.assumingMemoryBound(to: [(fingerprint: String, isNew: Bool)].self).pointee
                        .append((String(cString: fingerprint), isNew != 0))
                })
        }
        return found
    }

    /// A public key.
    /// - Parameters:
    ///   - isMinimal: without signatures of others.
    ///   - isArmored: as text.
    /// - Throws: ``Failure``.
    public func exported(_ fingerprint: String, isMinimal: Bool, isArmored: Bool = false) throws -> [UInt8] {
        var found = helix_gpgme_bytes()
        try Self.check(helix_gpgme_export(handle, fingerprint, isMinimal ? 1 : 0, isArmored ? 1 : 0, &found))
        return Self.take(found)
    }

    private typealias Sink = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<helix_gpgme_user>?) -> Void

    /// The keys that a function passes, user id by user id.
    private func collect(_ body: (UnsafeMutableRawPointer, Sink) -> UInt32) throws -> [GnuPGKey] {
        struct Target {
            var keys: [GnuPGKey] = []
            let standard: SecurityStandard
        }
        var target = Target(standard: standard)
        try withUnsafeMutablePointer(to: &target) { target in
            let code = body(target) { target, user in
                guard let user = user?.pointee, let fingerprint = user.fingerprint,
                    let target = target?.assumingMemoryBound(to: Target.self)
                else { return }
                let name = String(cString: fingerprint)
                if target.pointee.keys.last?.fingerprint != name {
                    target.pointee.keys.append(GnuPG.key(name, target.pointee.standard, user))
                }
                target.pointee.keys[target.pointee.keys.count - 1].users.append(GnuPG.userID(user))
            }
            try Self.check(code)
        }
        return target.keys
    }

    private static func key(_ fingerprint: String, _ standard: SecurityStandard, _ user: helix_gpgme_user) -> GnuPGKey {
        var key = GnuPGKey(fingerprint: fingerprint, standard: standard)
        (key.created, key.expires) = (instant(user.created), instant(user.expires))
        (key.canEncrypt, key.canSign, key.isSecret) = (user.can_encrypt != 0, user.can_sign != 0, user.is_secret != 0)
        (key.isExpired, key.isRevoked) = (user.is_expired != 0, user.is_revoked != 0)
        (key.isDisabled, key.isInvalid) = (user.is_disabled != 0, user.is_invalid != 0)
        return key
    }

    private static func userID(_ user: helix_gpgme_user) -> GnuPGKey.UserID {
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        var address = text(user.email).lowercased()
        // gpgsm writes addresses of certificates in angle brackets.
        if address.hasPrefix("<"), address.hasSuffix(">") { address = String(address.dropFirst().dropLast()) }
        return GnuPGKey.UserID(
            text: text(user.text), address: address, trust: trust(user.validity), isRevoked: user.is_withdrawn != 0)
    }
}
