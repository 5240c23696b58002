import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixSecurity

/// Real vaults of gocryptfs, which the tests' packages install; they need FUSE.
@Suite(.serialized, .enabled(if: VaultSite.hasFUSE, "needs FUSE, which this system does not have"))
struct VaultTests {
    private let passphrase = "correct horse battery"

    /// A home with random contents, and its vault; closed and deleted at the end.
    final class Site {
        let folder: TestFolder
        let vault: Vault

        init(seed: UInt64) throws {
            folder = try TestFolder()
            vault = Vault(home: folder.path + "/home")
            try Self.fill(vault.home, seed)
        }

        deinit {
            for view in [vault.home, vault.folder + ".new/view"] {
                try? GocryptFS.unmount(view, cipher: vault.cipher, force: true)
            }
        }

        /// Files of all sizes and permissions, folders, links and names of several scripts.
        private static func fill(_ home: String, _ seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let manager = FileManager.default
            let names = [
                "a", "é ü", "日本", "cur", "1700000000.M1P2.host:2,S", String(repeating: "n", count: 200), ".hidden",
            ]
            var folders = [home]
            try manager.createDirectory(atPath: home, withIntermediateDirectories: true)
            for number in 0..<60 {
                let parent = folders.randomElement(using: &random) ?? home
                let path = "\(parent)/\(number)-\(names.randomElement(using: &random) ?? "")"
                switch Int.random(in: 0..<10, using: &random) {
                case 0, 1:
                    try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
                    folders.append(path)
                case 2: try manager.createSymbolicLink(atPath: path, withDestinationPath: "../nowhere \(number)")
                default:
                    let size = [0, 1, 4095, 4096, 4097, 70_000, 1_100_000].randomElement(using: &random) ?? 0
                    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
                    try Data(bytes).write(to: URL(fileURLWithPath: path))
                    chmod(path, [0o600, 0o644, 0o400, 0o755].randomElement(using: &random) ?? 0o600)
                    var times = [
                        timespec(tv_sec: 1_000_000_000 + number, tv_nsec: 0),
                        timespec(tv_sec: 1_000_000_000 + number, tv_nsec: 0),
                    ]
                    utimensat(AT_FDCWD, path, &times, 0)
                }
            }
        }

        /// All names, permissions, times and contents, by the system's own tools.
        func print() throws -> String {
            try Self.print(vault.home)
        }

        static func print(_ folder: String) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c",
                "cd \"$0\" && find . -mindepth 1 ! -type d ! -path ./.vault -printf '%p %y %m %T@ %l\\n' | LC_ALL=C sort && find . -type f ! -path ./.vault -print0 | LC_ALL=C sort -z | xargs -0r sha256sum",
                folder,
            ]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: bytes, as: UTF8.self)
        }

        func create(_ passphrase: String) throws -> String {
            try vault.create(
                password: passphrase, settings: LockFile(vaultKey: .passphrase), retire: {}, progress: { _, _ in })
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func allFilesGoInAndOutUnchanged(_ seed: UInt64) throws {
        let site = try Site(seed: seed)
        let before = try site.print()
        let key = try site.create(passphrase)
        #expect(site.vault.state == .open)
        #expect(try site.print() == before)
        #expect(key.count == 64)
        try site.vault.close(force: false)
        #expect(site.vault.state == .closed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: site.vault.home).isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: site.vault.folder).sorted() == ["cipher", "lock.json"])
        // No name and no text is left in plain.
        #expect(try !Site.print(site.vault.folder).contains("hidden"))
        #expect(throws: HelixError.self) { try site.vault.open(password: "wrong horse battery") }
        #expect(site.vault.state == .closed)
        // The recovery key sets another passphrase.
        try site.vault.changePassword(from: nil, recoveryKey: LockReportKey.grouped(key), to: "another passphrase")
        #expect(throws: HelixError.self) { try site.vault.open(password: passphrase) }
        try site.vault.open(password: "another passphrase")
        #expect(try site.print() == before)
        try site.vault.remove(retire: {}, progress: { _, _ in })
        #expect(site.vault.state == .absent)
        #expect(try site.print() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: site.folder.path) == ["home"])
    }

    @Test func aVaultWhoseProgramWasEndedIsOpenedAgain() throws {
        let site = try Site(seed: 4)
        let before = try site.print()
        _ = try site.create(passphrase)
        for process in OpenFiles.processes(named: "gocryptfs", with: site.vault.cipher) { kill(process, SIGKILL) }
        for _ in 0..<100 where site.vault.state != .broken { usleep(20_000) }
        #expect(site.vault.state == .broken)
        try site.vault.open(password: passphrase)
        #expect(try site.print() == before)
    }

    @Test func anOpenFilePreventsClosingUnlessItIsForced() throws {
        let site = try Site(seed: 5)
        _ = try site.create(passphrase)
        let path = site.vault.home + "/held"
        try Data("held".utf8).write(to: URL(fileURLWithPath: path))
        let held = open(path, O_RDONLY | O_CLOEXEC)
        #expect(throws: HelixError.self) { try site.vault.close(force: false) }
        #expect(site.vault.state == .open)
        try site.vault.close(force: true)
        #expect(site.vault.state == .closed)
        var byte: UInt8 = 0
        #expect(read(held, &byte, 1) != 1, "what is locked is not readable by an old descriptor, either")
        close(held)
        #expect(OpenFiles.processes(named: "gocryptfs", with: site.vault.cipher).isEmpty)
        try site.vault.open(password: passphrase)
        #expect(FileManager.default.contents(atPath: path) == Data("held".utf8))
    }

    /// Each state that an interruption can leave.
    @Test func interruptedCreationsAndRemovalsAreFinished() throws {
        let site = try Site(seed: 6)
        let before = try site.print()
        _ = try site.create(passphrase)
        try site.vault.close(force: false)
        let (home, folder) = (site.vault.home, site.vault.folder)
        let copy = site.folder.path + "/copy"
        // The encrypted files are complete, and the plain ones still there: before and after these were moved.
        try site.vault.open(password: passphrase)
        try FileManager.default.copyItem(atPath: home, toPath: copy)
        try site.vault.close(force: false)
        chmod(home, 0o700)
        try FileManager.default.removeItem(atPath: home)
        try FileManager.default.moveItem(atPath: copy, toPath: home)
        try Data("creating".utf8).write(to: URL(fileURLWithPath: folder + "/state"))
        #expect(site.vault.state == .unfinished)
        try site.vault.open(password: passphrase)
        #expect(try site.print() == before)
        #expect(!FileManager.default.fileExists(atPath: folder + "/plain"))
        try site.vault.close(force: false)
        try FileManager.default.removeItem(atPath: home)
        try Data("creating".utf8).write(to: URL(fileURLWithPath: folder + "/state"))
        try FileManager.default.createDirectory(atPath: folder + "/plain", withIntermediateDirectories: true)
        try site.vault.open(password: passphrase)
        #expect(try site.print() == before)
        // A removal whose plain copy is complete, with the view still open.
        try FileManager.default.createDirectory(atPath: folder + "/decrypted", withIntermediateDirectories: false)
        var copies = FolderCopy()
        try copies.copy(home, to: folder + "/decrypted") { _ in }
        try Data("removing".utf8).write(to: URL(fileURLWithPath: folder + "/state"))
        #expect(site.vault.state == .unfinished)
        try site.vault.settle()
        #expect(site.vault.state == .absent)
        #expect(try site.print() == before)
    }

    @Test func aRemovalWhoseStoreCannotBeRetiredIsFinishedLater() throws {
        let site = try Site(seed: 9)
        let before = try site.print()
        _ = try site.create(passphrase)
        #expect(throws: HelixError.self) {
            try site.vault.remove(retire: { throw HelixError(.io, "no more room") }, progress: { _, _ in })
        }
        #expect(site.vault.state == .unfinished)
        try site.vault.settle()
        #expect(site.vault.state == .absent)
        #expect(try site.print() == before)
    }

    @Test func filesWrittenWhileItIsClosedPreventOpeningAndAreKept() throws {
        let site = try Site(seed: 7)
        _ = try site.create(passphrase)
        try site.vault.close(force: false)
        chmod(site.vault.home, 0o700)
        try Data("new".utf8).write(to: URL(fileURLWithPath: site.vault.home + "/helix.db"))
        #expect(throws: HelixError.self) { try site.vault.open(password: passphrase) }
        #expect(FileManager.default.contents(atPath: site.vault.home + "/helix.db") == Data("new".utf8))
        try FileManager.default.removeItem(atPath: site.vault.home + "/helix.db")
        try site.vault.open(password: passphrase)
    }

    @Test func aDifferenceOfACopyIsFound() throws {
        let site = try Site(seed: 8)
        let target = site.folder.path + "/copy"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        var copies = FolderCopy()
        try copies.copy(site.vault.home, to: target) { _ in }
        try copies.compare(site.vault.home, with: target) { _ in }
        #expect(try Site.print(target) == site.print())
        let file = target + "/added"
        try Data("x".utf8).write(to: URL(fileURLWithPath: file))
        #expect(throws: HelixError.self) { try copies.compare(site.vault.home, with: target) { _ in } }
        let original = site.vault.home + "/added"
        try Data("y".utf8).write(to: URL(fileURLWithPath: original))
        var info = stat()
        stat(original, &info)
        var times = [info.st_atim, info.st_mtim]
        utimensat(AT_FDCWD, file, &times, 0)
        #expect(throws: HelixError.self) { try copies.compare(site.vault.home, with: target) { _ in } }
        try Data("y".utf8).write(to: URL(fileURLWithPath: file))
        utimensat(AT_FDCWD, file, &times, 0)
        try copies.compare(site.vault.home, with: target) { _ in }
        chmod(file, 0o640)
        #expect(throws: HelixError.self) { try copies.compare(site.vault.home, with: target) { _ in } }
    }
}

/// The form in which a recovery key is printed.
private enum LockReportKey {
    static func grouped(_ key: String) -> String {
        stride(from: 0, to: key.count, by: 8).map { String(key.dropFirst($0).prefix(8)) }.joined(separator: "-")
    }
}
