import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

extension Vault {
    /// Changes the password.
    /// - Parameters:
    ///   - former: the former one.
    ///   - recoveryKey: the recovery key in place of it.
    /// - Throws: ``HelixError`` of code `authentication` if that is wrong.
    public func changePassword(from former: String?, recoveryKey: String?, to password: String) throws {
        let digits = recoveryKey?.filter { $0.isHexDigit }.lowercased()
        if let digits, digits.count != 64 {
            throw HelixError(.badInput, "a recovery key has 64 hexadecimal digits")
        }
        if let digits { try prove(digits) }
        try GocryptFS.changePassword(cipher, from: former, masterKey: digits, to: password)
    }

    /// Checks that a recovery key is the one of this vault: gocryptfs takes any, and would show an empty folder with it.
    private func prove(_ key: String) throws {
        let view = folder + "/view"
        guard mkdir(view, 0o700) == 0 || errno == EEXIST else {
            throw HelixError(.cannotCreate, "\(view) cannot be created (\(FileStream.Failure().systemReason))")
        }
        defer { rmdir(view) }
        try GocryptFS.show(cipher, at: view, masterKey: key)
        let isRight = FileManager.default.contents(atPath: "\(view)/\(Self.mark)") != nil
        try GocryptFS.unmount(view, cipher: cipher, force: false)
        guard isRight else {
            throw HelixError(
                .authentication, "the recovery key is not that of this vault", hint: "Nothing was changed.")
        }
    }

    /// The recovery key.
    /// - Throws: ``HelixError`` of code `authentication` if the password is wrong.
    public func recoveryKey(password: String) throws -> String { try GocryptFS.masterKey(cipher, password: password) }
}
