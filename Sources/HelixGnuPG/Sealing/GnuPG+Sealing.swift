import CGPGME
import Glibc
import HelixMail
import HelixModel

extension GnuPG {
    /// A detached signature.
    /// - Returns: the signature, in ASCII armor for OpenPGP, and the name of its digest, in lower case.
    /// - Throws: ``Failure``.
    public func signature(of text: [UInt8], by fingerprint: String) throws -> (bytes: [UInt8], digest: String) {
        var found = helix_gpgme_bytes()
        var name = [CChar](repeating: 0, count: 32)
        try Self.check(helix_gpgme_sign(handle, fingerprint, text, text.count, &found, &name))
        let digest = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (Self.take(found), digest.lowercased())
    }

    /// Encrypts a text, and signs it inside.
    ///
    /// - Parameters:
    ///   - keys: the fingerprints of keys in the keyring.
    ///   - files: the paths of files with keys; for OpenPGP only.
    ///   - signer: the key that signs; nil for none.
    ///   - isHidden: whether the ids of the keys are left out, for Bcc.
    /// - Throws: ``Failure``.
    public func encrypted(
        _ text: [UInt8], to keys: [String], files: [String] = [], signer: String? = nil, isHidden: Bool = false
    ) throws -> [UInt8] {
        var found = helix_gpgme_bytes()
        let recipients =
            standard == .openPGP ? (keys + (files.isEmpty ? [] : ["--file"] + files)).joined(separator: "\n") : nil
        var pointers = keys.map { UnsafePointer(strdup($0)) } + [nil]
        defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
        try Self.check(
            helix_gpgme_encrypt(
                handle, recipients, &pointers, signer, isHidden ? 1 : 0, text, text.count, &found))
        return Self.take(found)
    }
}
