import FoundationEssentials
import Glibc
import HelixModel
import HelixNetwork
import HelixSecurity
import HelixSystem

/// Passwords from external sources. helix stores none itself.
public enum Secrets {
    /// The credential of an account.
    /// - Throws: ``HelixError`` of code `authentication` if the command fails, `configuration` if there is no source.
    public static func credential(_ account: Account) throws -> Endpoint.Credential {
        let settings = account.settings
        if settings.oauth != nil { return .token(try OAuthAccess(account).token()) }
        if let command = settings.tokenCommand { return .token(try output(of: command, for: "'\(account.name)'")) }
        if let command = settings.passwordCommand {
            return .password(try output(of: command, for: "'\(account.name)'"))
        }
        if settings.usesKeyring == true {
            let command = "secret-tool lookup service helix account '\(account.name.replacing("'", with: "'\\''"))'"
            return .password(try output(of: command, for: "'\(account.name)'"))
        }
        if settings.login.isEmpty { return .none }
        throw HelixError(
            .configuration, "the account '\(account.name)' has no password source",
            hint: "helix account edit \(account.name) --password-command 'pass show mail'")
    }

    /// The timeout of a command in seconds.
    private static let patience = 120.0

    /// The first line of a command's output.
    /// - Parameter owner: the secret's owner, for errors.
    /// - Throws: ``HelixError`` of code `authentication` if it fails or prints nothing.
    public static func output(of command: String, for owner: String) throws -> String {
        guard let process = try? Subprocess("/bin/sh", ["-c", command], output: .pipe) else {
            throw HelixError(.unexpected, "the password command of \(owner) cannot be run")
        }
        // There is time to type a passphrase, but no endless wait.
        guard let data = process.readOutput(within: patience) else {
            process.terminate()
            throw HelixError(
                .authentication,
                "the password command of \(owner) did not finish within \(Int(patience)) seconds",
                hint: "Try it by hand; it must print the password on its first line.")
        }
        let status = process.wait()
        let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
        guard status == 0, !line.isEmpty else {
            throw HelixError(
                .authentication,
                status == 0
                    ? "the password command of \(owner) printed nothing"
                    : "the password command of \(owner) failed with status \(status)",
                hint: "Try it by hand; it must print the password on its first line.")
        }
        return String(line)
    }

    /// Whether the program for the system's keyring is installed.
    public static var hasKeyring: Bool { Keyring.isInstalled }

    /// Stores a password in the system's keyring.
    /// - Throws: ``HelixError`` of code `configuration` if there is no keyring.
    public static func keep(_ password: String, for account: String) throws {
        try Keyring.keep(password, of: account, service: "helix")
    }
}
