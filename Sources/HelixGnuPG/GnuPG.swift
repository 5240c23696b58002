import CGPGME
import Glibc
import HelixMail
import HelixModel

/// GnuPG, with the keyring of the user, for one standard. It belongs to one thread, and never asks the network.
public final class GnuPG {
    /// An error of GnuPG.
    public struct Failure: Error, Hashable, Sendable {
        let code: UInt32

        /// Its words.
        public var reason: String { String(cString: helix_gpgme_words(code)) }
        /// Whether no secret key of the recipients is here.
        public var isNoSecretKey: Bool { helix_gpgme_is_no_secret_key(code) != 0 }
        /// Whether the person cancelled the question for a passphrase.
        public var isCancelled: Bool { helix_gpgme_is_cancelled(code) != 0 }
        /// Whether the text is larger than the limit.
        public var isTooLarge: Bool { helix_gpgme_is_too_large(code) != 0 }
        /// Whether there is no data of the standard.
        public var isNoData: Bool { helix_gpgme_is_no_data(code) != 0 }
    }

    /// The maximum size of a decrypted text, in bytes: a few bytes may unpack to more than the memory.
    static let textLimit = 256 << 20

    let handle: OpaquePointer
    /// The standard.
    public let standard: SecurityStandard

    /// - Throws: ``HelixError`` of code `configuration` if a program or library is not installed.
    public init(_ standard: SecurityStandard) throws {
        var code: UInt32 = 0
        let kind = standard == .openPGP ? HELIX_GPGME_OPENPGP : HELIX_GPGME_CMS
        guard let made = helix_gpgme_open(Int32(kind), &code) else {
            let isMissing = helix_gpgme_load() == 0
            throw HelixError(
                .configuration,
                isMissing
                    ? "gpgme, needed for signed and encrypted mail, is not installed"
                    : "GnuPG cannot be used for \(standard.name): \(Failure(code: code).reason)",
                hint: "On Debian: apt-get install libgpgme11 \(standard == .openPGP ? "gnupg" : "gpgsm").")
        }
        handle = made
        self.standard = standard
    }

    deinit { helix_gpgme_close(handle) }

    static func check(_ code: UInt32) throws { if code != 0 { throw Failure(code: code) } }

    /// Takes the bytes of a result, and frees them.
    static func take(_ found: helix_gpgme_bytes) -> [UInt8] {
        defer { free(found.bytes) }
        return Array(UnsafeBufferPointer(start: found.bytes, count: found.count))
    }

    static func instant(_ seconds: Int64) -> Instant? { seconds > 0 ? Instant(seconds) : nil }

    static func trust(_ validity: Int32) -> KeyTrust {
        switch Int(validity) {
        case HELIX_VALIDITY_NEVER: .never
        case HELIX_VALIDITY_MARGINAL: .marginal
        case HELIX_VALIDITY_FULL: .full
        case HELIX_VALIDITY_ULTIMATE: .ultimate
        default: .unknown
        }
    }
}
