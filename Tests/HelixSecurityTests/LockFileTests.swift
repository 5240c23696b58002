import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixSecurity

/// A folder that is gone when the test ends.
final class TestFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("helix-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

@Suite struct LockFileTests {
    @Test func onlyTheRightPassphraseConfirms() throws {
        let folder = try TestFolder()
        let lock = HomeLock(home: folder.path, environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(!lock.isProtected && lock.reason == nil)
        var settings = LockFile()
        try settings.set(passphrase: "correct horse")
        try lock.save(settings)
        #expect(lock.isProtected && lock.reason == .locked)
        for wrong in ["correct hors", "", "correct horse ", String(repeating: "x", count: 5000)] {
            #expect(throws: HelixError.self) { try lock.confirm { _ in wrong } }
        }
        #expect(throws: HelixError.self) { try lock.confirm { _ in nil } }
        try lock.confirm { prompt in
            #expect(prompt == .secret("Passphrase of helix"))
            return "correct horse"
        }
        let text = try String(contentsOfFile: folder.path + "/lock.json", encoding: .utf8)
        #expect(!text.contains("correct") && text.contains("argon2id"))
        // Without a method, there is no lock.
        try lock.save(LockFile())
        #expect(!lock.isProtected)
    }

    @Test func aDamagedLockIsNotAnOpenOne() throws {
        let folder = try TestFolder()
        let lock = HomeLock(home: folder.path, environment: ["XDG_RUNTIME_DIR": folder.path])
        for damaged in ["", "{", #"{"method":"none at all"}"#, "[]", "null"] {
            try Data(damaged.utf8).write(to: URL(fileURLWithPath: folder.path + "/lock.json"))
            #expect(lock.reason == .locked, "\(damaged)")
            #expect(throws: HelixError.self, "\(damaged)") { try lock.unlock(lockAfter: { nil }, { _ in "" }) }
        }
    }

    @Test(arguments: ["", "short", "two\nlines of it", String(repeating: "a", count: 1001), "with a \0 in it"])
    func passphrasesOfTheWrongFormAreRefused(_ passphrase: String) {
        #expect(throws: HelixError.self) { try LockFile.check(passphrase) }
    }
}

@Suite struct UnlockSessionTests {
    private func session(_ folder: TestFolder, _ environment: [String: String]? = nil) -> UnlockSession {
        UnlockSession(
            home: folder.path + "/home", fallback: folder.path,
            environment: environment ?? ["XDG_RUNTIME_DIR": folder.path])
    }

    @Test func itEndsByTheLongestPauseAndNotByAClock() throws {
        let folder = try TestFolder()
        let session = session(folder)
        #expect(session.state == .over)
        try session.begin(lockAfter: 100)
        #expect(session.state == .valid(lockAfter: 100))
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        for (age, state) in [
            (0, UnlockSession.State.valid(lockAfter: 100)), (98, .valid(lockAfter: 100)), (100, .expired(after: 100)),
            (100_000, .expired(after: 100)),
        ] {
            var times = [
                timespec(tv_sec: time.tv_sec - age, tv_nsec: 0), timespec(tv_sec: time.tv_sec - age, tv_nsec: 0),
            ]
            utimensat(AT_FDCWD, session.path, &times, 0)
            #expect(session.state == state, "\(age)")
        }
        session.touch()
        #expect(session.state == .valid(lockAfter: 100))
        try session.begin(lockAfter: nil)
        #expect(session.state == .valid(lockAfter: nil))
        session.end()
        #expect(session.state == .over)
    }

    @Test func itIsNotThatOfAnotherHomeOrStartOfTheMachine() throws {
        let folder = try TestFolder()
        let session = session(folder)
        try session.begin(lockAfter: nil)
        let other = UnlockSession(
            home: folder.path + "/other", fallback: folder.path, environment: ["XDG_RUNTIME_DIR": folder.path])
        #expect(other.state == .over)
        for damaged in [#"{"boot":"another"}"#, "", "{}"] {
            try Data(damaged.utf8).write(to: URL(fileURLWithPath: session.path))
            #expect(session.state == .over, "\(damaged)")
        }
    }

    @Test func logOutIsTheEndOfTheFolderOrOfTheFirstProcess() throws {
        let folder = try TestFolder()
        let runtime = folder.path + "/run"
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
        let session = session(folder, ["XDG_RUNTIME_DIR": runtime])
        try session.begin(lockAfter: nil)
        #expect(!session.isLoggedOut(hadSessions: false))
        try FileManager.default.removeItem(atPath: runtime)
        #expect(session.isLoggedOut(hadSessions: false) && session.state == .over)
        // Without such a folder the first process of the terminal counts.
        let plain = UnlockSession(
            home: folder.path, fallback: folder.path, environment: ["XDG_RUNTIME_DIR": "/nowhere"])
        guard plain.runtimeFolder == nil else { return }
        try plain.begin(lockAfter: nil)
        #expect(!plain.isLoggedOut(hadSessions: false))
        let contents = UnlockSession.Contents(boot: "any", lockAfter: nil, leader: .init(id: 4_000_000, start: 1))
        try JSONEncoder().encode(contents).write(to: URL(fileURLWithPath: plain.path))
        #expect(plain.isLoggedOut(hadSessions: false))
    }
}

/// The login by PAM's own modules, with a configuration of the test.
@Suite struct SystemLoginTests {
    private static let matrix = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_matrix.so"

    private func login(_ lines: String, _ folder: TestFolder) throws -> SystemLogin {
        try Data(lines.utf8).write(to: URL(fileURLWithPath: folder.path + "/helix"))
        return SystemLogin(folder: folder.path)
    }

    @Test func modulesDecide() throws {
        let folder = try TestFolder()
        try login("auth required pam_permit.so\naccount required pam_permit.so\n", folder).confirm { _ in nil }
        for refused in [
            "auth required pam_deny.so\naccount required pam_permit.so\n",
            "auth required pam_permit.so\naccount required pam_deny.so\n",
        ] {
            #expect(throws: HelixError.self, "\(refused)") { try login(refused, folder).confirm { _ in "x" } }
        }
        let broken = "auth required pam_nothing_of_that_name.so\naccount required pam_permit.so\n"
        #expect(throws: HelixError.self) { try login(broken, folder).confirm { _ in "x" } }
    }

    @Test func theUserIsAskedForThePassword() throws {
        let user = String(cString: getpwuid(getuid()).pointee.pw_name)
        guard FileManager.default.fileExists(atPath: Self.matrix) else { return }
        let folder = try TestFolder()
        try Data("\(user):secret:helix\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/words"))
        let lines =
            "auth required \(Self.matrix) passdb=\(folder.path)/words\naccount required \(Self.matrix) passdb=\(folder.path)/words\n"
        let login = try login(lines, folder)
        var asked: [SystemLogin.Prompt] = []
        try login.confirm { prompt in
            asked.append(prompt)
            return "secret"
        }
        #expect(
            asked.contains { if case .secret(let text) = $0 { text.lowercased().contains("password") } else { false } })
        for wrong in ["Secret", "", "secret\0", String(repeating: "s", count: 10_000)] {
            #expect(throws: HelixError.self, "\(wrong.prefix(9))") { try login.confirm { _ in wrong } }
        }
        #expect(throws: HelixError.self) { try login.confirm { _ in nil } }
    }
}
