import HelixModel

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
        try GocryptFS.changePassword(cipher, from: former, masterKey: digits, to: password)
    }

    /// The recovery key.
    /// - Throws: ``HelixError`` of code `authentication` if the password is wrong.
    public func recoveryKey(password: String) throws -> String { try GocryptFS.masterKey(cipher, password: password) }
}
