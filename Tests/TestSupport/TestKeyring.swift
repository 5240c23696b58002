import Foundation
import Glibc

/// A keyring of GnuPG for the tests of a process, made by `Tests/Servers/keyring.sh`.
public final class TestKeyring: Sendable {
    /// Its folder, for GNUPGHOME.
    public let path: String

    /// The keyring of this process, which GnuPG uses from now on; nil if GnuPG is not installed.
    public static let shared: TestKeyring? = {
        guard TestServer.has("/usr/bin/gpg"), TestServer.has("/usr/bin/gpgsm") else { return nil }
        guard let made = try? TestKeyring() else { return nil }
        setenv("GNUPGHOME", made.path, 1)
        return made
    }()

    /// Makes a keyring.
    /// - Throws: ``OracleFailure`` if GnuPG fails.
    public init() throws {
        // The path of the agent's socket is short in every folder.
        path = "/tmp/helix-keys-\(getpid())-\(Int.random(in: 0..<100_000))"
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/keyring.sh").path
        _ = try Self.run(["/bin/sh", script, path])
        KeyringFolders.add(path)
    }

    /// Runs a program with this keyring.
    /// - Throws: ``OracleFailure`` with its errors, if it fails.
    @discardableResult
    public func run(_ words: [String], input: Data = Data()) throws -> Data {
        try Self.run(words, input: input, ["GNUPGHOME": path, "LC_ALL": "C"])
    }

    private static func run(
        _ words: [String], input: Data = Data(), _ variables: [String: String] = [:]
    ) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["-s", "KILL", "120"] + words
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        // Files: a pipe that nobody reads would block a program that writes much.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helix-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = ["in", "out", "err"].map { folder.appendingPathComponent($0) }
        for name in names { try input.write(to: name) }
        process.standardInput = try FileHandle(forReadingFrom: names[0])
        for name in names.dropFirst() { try Data().write(to: name) }
        process.standardOutput = try FileHandle(forWritingTo: names[1])
        process.standardError = try FileHandle(forWritingTo: names[2])
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let errors = (try? String(contentsOf: names[2], encoding: .utf8)) ?? ""
            throw OracleFailure(message: "\(words.joined(separator: " ")) failed: \(errors)")
        }
        return try Data(contentsOf: names[1])
    }

    /// The fingerprint of a key.
    /// - Throws: ``OracleFailure`` if there is none.
    public func fingerprint(_ address: String, isCertificate: Bool = false) throws -> String {
        let program = isCertificate ? "gpgsm" : "gpg"
        let text = String(
            decoding: try run([program, "--batch", "--with-colons", "--list-keys", address]), as: UTF8.self)
        for line in text.split(separator: "\n") where line.hasPrefix("fpr:") {
            return String(line.split(separator: ":", omittingEmptySubsequences: false)[9])
        }
        throw OracleFailure(message: "no key of \(address)")
    }
}

/// The folders of keyrings, which go with the process, and their agents.
private enum KeyringFolders {
    nonisolated(unsafe) private static var paths: [String] = []
    private static let lock = NSLock()

    static func add(_ path: String) {
        lock.withLock {
            if paths.isEmpty { atexit { KeyringFolders.end() } }
            paths.append(path)
        }
    }

    private static func end() {
        for path in lock.withLock({ paths }) {
            for home in [path, path + "/stranger"] {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
                process.arguments = ["-s", "KILL", "10", "gpgconf", "--homedir", home, "--kill", "all"]
                process.standardError = FileHandle.nullDevice
                if (try? process.run()) != nil { process.waitUntilExit() }
            }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
