import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

/// The system's keyring (Secret Service), by the program `secret-tool`: libsecret would bring in GLib.
public enum Keyring {
    /// The timeout in seconds: there is time to type the keyring's passphrase, but no endless wait.
    private static let patience = 120.0

    /// Whether the program for the keyring is installed.
    public static var isInstalled: Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/secret-tool")
        }
    }

    /// Whether the keyring may answer: its program is installed, and there is a session bus.
    public static var isReachable: Bool {
        let variables = ProcessInfo.processInfo.environment
        let bus = variables["XDG_RUNTIME_DIR"].map { $0 + "/bus" }
        let hasBus =
            variables["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false || bus.map { access($0, F_OK) == 0 } == true
        return isInstalled && hasBus
    }

    /// The secret of an account; nil if there is none, or if the keyring cannot be reached.
    /// - Parameter service: the kind of secret.
    /// - Throws: ``HelixError`` of code `authentication` if the keyring does not answer.
    public static func secret(of account: String, service: String) throws -> String? {
        let words = ["lookup", "service", service, "account", account]
        guard let process = try? Subprocess("secret-tool", words, output: .pipe, errors: .null) else { return nil }
        guard let data = process.readOutput(within: patience) else {
            process.terminate()
            throw HelixError(.authentication, "the system's keyring did not answer within \(Int(patience)) seconds")
        }
        return process.wait() == 0 && !data.isEmpty ? String(decoding: data, as: UTF8.self) : nil
    }

    /// Stores a secret, replacing a former one.
    /// - Throws: ``HelixError`` of code `configuration` if there is no keyring.
    public static func keep(_ secret: String, of account: String, service: String) throws {
        // The secret goes through a pipe: arguments are visible to other users.
        let words = ["store", "--label=helix: \(account)", "service", service, "account", account]
        let status: Int
        do {
            let process = try Subprocess("secret-tool", words, input: .pipe, errors: .null)
            try process.input?.write(Array(secret.utf8))
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

    /// Deletes a secret.
    public static func forget(_ account: String, service: String) {
        guard isInstalled else { return }
        _ = try? Subprocess("secret-tool", ["clear", "service", service, "account", account], errors: .null).wait()
    }
}
