import FoundationEssentials
import Glibc
import HelixModel
import HelixNetwork
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
    public static var hasKeyring: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/secret-tool")
        }
    }

    /// An account's secret in the system's keyring; nil if it has none, or cannot be reached.
    static func kept(for account: String, service: String) throws -> String? {
        let words = ["lookup", "service", service, "account", account]
        guard let process = try? Subprocess("secret-tool", words, output: .pipe, errors: .null) else { return nil }
        guard let data = process.readOutput(within: patience) else {
            process.terminate()
            throw HelixError(.authentication, "the system's keyring did not answer within \(Int(patience)) seconds")
        }
        return process.wait() == 0 && !data.isEmpty ? String(decoding: data, as: UTF8.self) : nil
    }

    /// Deletes a secret from the system's keyring.
    static func forget(_ account: String, service: String) {
        guard hasKeyring else { return }
        _ = try? Subprocess("secret-tool", ["clear", "service", service, "account", account], errors: .null).wait()
    }

    /// Stores a password in the system's keyring.
    /// - Throws: ``HelixError`` of code `configuration` if there is no keyring.
    public static func keep(_ password: String, for account: String) throws {
        try keep(password, for: account, service: "helix")
    }

    /// Stores a secret in the system's keyring.
    /// - Throws: ``HelixError`` of code `configuration` if there is no keyring.
    static func keep(_ password: String, for account: String, service: String) throws {
        // The password goes through a pipe: arguments are visible to other users.
        let words = ["store", "--label=helix: \(account)", "service", service, "account", account]
        let status: Int
        do {
            let process = try Subprocess("secret-tool", words, input: .pipe, errors: .null)
            try process.input?.write(Array(password.utf8))
            try process.input?.close()
            status = process.wait()
        } catch let failure as FileStream.Failure where failure.code == ENOENT {
            throw HelixError(
                .configuration, "no program secret-tool, which stores passwords in the system's keyring",
                hint: "apt-get install libsecret-tools; or name a command: --password-command 'pass show mail'.")
        } catch {
            throw HelixError(.configuration, "the system's keyring cannot be reached")
        }
        guard status == 0 else {
            throw HelixError(
                .configuration, "the system's keyring did not store the password",
                hint: "Name a command that prints it: --password-command 'pass show mail'.")
        }
    }
}
