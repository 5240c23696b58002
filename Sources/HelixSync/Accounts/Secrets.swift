import Foundation
import HelixModel
import HelixNetwork

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
    private static let patience: TimeInterval = 120

    /// The first line of a command's output.
    /// - Parameter owner: the secret's owner, for errors.
    /// - Throws: ``HelixError`` of code `authentication` if it fails or prints nothing.
    public static func output(of command: String, for owner: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch {
            throw HelixError(.unexpected, "the password command of \(owner) cannot be run")
        }
        // There is time to type a passphrase, but no endless wait.
        guard let data = read(pipe.fileHandleForReading.fileDescriptor, until: Date() + patience) else {
            process.terminate()
            throw HelixError(
                .authentication,
                "the password command of \(owner) did not finish within \(Int(patience)) seconds",
                hint: "Try it by hand; it must print the password on its first line.")
        }
        process.waitUntilExit()
        let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
        guard process.terminationStatus == 0, !line.isEmpty else {
            throw HelixError(
                .authentication,
                process.terminationStatus == 0
                    ? "the password command of \(owner) printed nothing"
                    : "the password command of \(owner) failed with status \(process.terminationStatus)",
                hint: "Try it by hand; it must print the password on its first line.")
        }
        return String(line)
    }

    /// All output of a pipe; nil if it does not end in time.
    private static func read(_ descriptor: Int32, until end: Date) -> [UInt8]? {
        var found: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let rest = Int32(max(0, end.timeIntervalSinceNow * 1000))
            let code = poll(&place, 1, rest)
            if code < 0, errno == EINTR { continue }
            guard code > 0 else { return nil }
            let count = Foundation.read(descriptor, &room, room.count)
            if count <= 0 { return found }
            found += room[..<count]
        }
    }

    /// Whether the program for the system's keyring is installed.
    public static var hasKeyring: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/secret-tool")
        }
    }

    /// An account's secret in the system's keyring; nil if it has none, or cannot be reached.
    static func kept(for account: String, service: String) throws -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["secret-tool", "lookup", "service", service, "account", account]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return nil }
        guard let data = read(pipe.fileHandleForReading.fileDescriptor, until: Date() + patience) else {
            process.terminate()
            throw HelixError(.authentication, "the system's keyring did not answer within \(Int(patience)) seconds")
        }
        process.waitUntilExit()
        return process.terminationStatus == 0 && !data.isEmpty ? String(decoding: data, as: UTF8.self) : nil
    }

    /// Deletes a secret from the system's keyring.
    static func forget(_ account: String, service: String) {
        guard hasKeyring else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["secret-tool", "clear", "service", service, "account", account]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return }
        process.waitUntilExit()
    }

    /// Stores a password in the system's keyring.
    /// - Throws: ``HelixError`` of code `configuration` if there is no keyring.
    public static func keep(_ password: String, for account: String) throws {
        try keep(password, for: account, service: "helix")
    }

    /// Stores a secret in the system's keyring.
    /// - Throws: ``HelixError`` of code `configuration` if there is no keyring.
    static func keep(_ password: String, for account: String, service: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // The password goes through a pipe: arguments are visible to other users.
        process.arguments = [
            "secret-tool", "store", "--label=helix: \(account)", "service", service, "account", account,
        ]
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            try pipe.fileHandleForWriting.write(contentsOf: Data(password.utf8))
            try pipe.fileHandleForWriting.close()
        } catch {
            throw HelixError(.configuration, "the system's keyring cannot be reached")
        }
        process.waitUntilExit()
        guard process.terminationStatus != 127 else {
            throw HelixError(
                .configuration, "no program secret-tool, which stores passwords in the system's keyring",
                hint: "apt-get install libsecret-tools; or name a command: --password-command 'pass show mail'.")
        }
        guard process.terminationStatus == 0 else {
            throw HelixError(
                .configuration, "the system's keyring did not store the password",
                hint: "Name a command that prints it: --password-command 'pass show mail'.")
        }
    }
}
