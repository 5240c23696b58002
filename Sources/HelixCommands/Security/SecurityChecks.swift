import FoundationEssentials
import Glibc
import HelixModel
import HelixSecurity
import HelixStore
import HelixSync
import HelixSystem
import HelixTerminal

/// The checks of `helix doctor` of what is protected, and what is not.
struct SecurityChecks {
    let context: CommandContext

    private var home: String { context.paths.store.deletingLastPathComponent }

    /// All checks.
    func all() -> [Check] {
        let lock = context.homeLock
        var checks = [lockCheck(lock)]
        checks += atRest(lock)
        checks += outside(lock)
        if lock.reason == nil, let store = try? context.store() {
            do { checks += try secrets(store) + mail(store, lock) } catch {
                checks.append(
                    Check("secrets", .failed, "cannot be checked: \((error as? HelixError)?.message ?? "\(error)")"))
            }
        }
        return checks
    }

    /// The check before helix opens.
    private func lockCheck(_ lock: HomeLock) -> Check {
        do {
            let settings = try lock.settings()
            if let reason = lock.reason {
                let isUsual = reason != .broken && reason != .missing && reason != .unfinished
                return Check(
                    "lock", isUsual ? .ok : .warning, "\(reason.message): the store is not checked",
                    hint: reason.error.hint)
            }
            guard lock.isProtected else {
                return Check(
                    "lock", .unprotected, "nothing: whoever uses your session can use helix",
                    hint: "helix lock --with passphrase")
            }
            let ways =
                (settings.method.map { [$0 == .login ? "the system's login" : "a passphrase"] } ?? [])
                + (lock.vault.exists
                    ? [settings.vaultKey == .keyring ? "the keyring's password" : "the vault's passphrase"] : [])
            let pause = context.configuration.lockAfter.map { ", after \(DateWords.text(duration: $0)) without use" }
            return Check(
                "lock", .ok,
                "opens by \(ways.joined(separator: " and ")); locks at log-out\(pause ?? ", and never by itself")",
                hint: pause == nil ? "helix config set security.lock-after 15m" : nil)
        } catch {
            return Check(
                "lock", .failed, (error as? HelixError)?.message ?? "\(error)", hint: (error as? HelixError)?.hint)
        }
    }

    /// The encryption of the files.
    private func atRest(_ lock: HomeLock) -> [Check] {
        let disk = DiskEncryption.isEncrypted(lock.vault.exists ? lock.vault.folder : home)
        var checks: [Check] = []
        switch lock.vault.state {
        case .open where lock.reason != nil:
            let holders = OpenFiles.holders(in: lock.home, program: ProcessArguments.program)
            checks.append(
                Check(
                    "vault", .warning, "still open\(holders.isEmpty ? "" : ": \(LockClosing.words(holders))")",
                    hint: "helix lock --force"))
        case .open:
            checks.append(
                Check("vault", .ok, "open; encrypted in \(lock.vault.cipher) when it is closed"))
        case .closed: checks.append(Check("vault", .ok, "closed: the files in \(lock.vault.cipher) are encrypted"))
        case .broken, .unfinished:
            checks.append(
                Check("vault", .warning, lock.reason?.message ?? lock.vault.state.rawValue, hint: "helix vault open"))
        case .absent where lock.vault.isMissing: break
        case .absent where disk == true:
            checks.append(Check("disk", .ok, "the store lies on an encrypted disk; there is no vault"))
        case .absent:
            let words = disk == nil ? "whether the disk is encrypted is not known" : "the disk is not encrypted, either"
            checks.append(
                Check(
                    "vault", .unprotected,
                    "none: whoever has the disk can read the store, the files and the mail; \(words)",
                    hint: "helix vault create"))
        }
        if lock.vault.hasRemains {
            checks.append(
                Check(
                    "vault", .warning, "an interrupted creation or removal left \(lock.vault.folder).new or .old",
                    hint: "'helix vault open' removes it."))
        }
        if lock.isProtected, !lock.vault.exists, !lock.vault.isMissing {
            checks.append(
                Check(
                    "lock", .unprotected,
                    "without a vault, programs that run as you can read the files, and unlock helix"))
        }
        let swap = DiskEncryption.plainSwap
        if lock.vault.exists, !swap.isEmpty {
            checks.append(
                Check(
                    "swap", .unprotected,
                    "\(swap.joined(separator: ", ")) is not encrypted: memory of helix may be written there",
                    hint: "An encrypted swap: man crypttab"))
        }
        return checks
    }

    /// The files that no vault has.
    private func outside(_ lock: HomeLock) -> [Check] {
        let settings = context.paths.configuration
        guard lock.vault.exists, !settings.hasPrefix(home + "/"), access(settings, F_OK) == 0 else { return [] }
        return [Check("settings", .unprotected, "outside of the vault: \(settings.deletingLastPathComponent)")]
    }

    /// The places of passwords and tokens.
    private func secrets(_ store: Store) throws -> [Check] {
        var byPlace: [String: [String]] = [:]
        let inFiles = lockWords
        for account in try store.accounts() {
            let settings = account.settings
            let place: String
            if settings.oauth != nil {
                let isFile = access(account.tokenFile, F_OK) == 0
                place = isFile ? "in files of helix\(inFiles)" : "in the system's keyring"
            } else if settings.tokenCommand != nil || settings.passwordCommand != nil {
                place = "by commands of yours"
            } else if settings.usesKeyring == true {
                place = "in the system's keyring"
            } else if account.kind == .gateway {
                place = "in files of helix\(inFiles)"
            } else {
                continue
            }
            byPlace[place, default: []].append("'\(account.name)'")
        }
        return byPlace.sorted { $0.key < $1.key }.map { place, names in
            let isFile = place.hasPrefix("in files")
            return Check(
                "secrets", isFile && !context.homeLock.vault.exists ? .unprotected : .ok,
                "of \(names.joined(separator: ", ")): \(place)",
                hint: isFile && !Keyring.isInstalled
                    ? "apt-get install libsecret-tools: then tokens go to the keyring." : nil)
        }
    }

    private var lockWords: String { context.homeLock.vault.exists ? ", in the vault" : ", readable for you only" }

    /// The mail folders outside of a vault.
    private func mail(_ store: Store, _ lock: HomeLock) throws -> [Check] {
        guard lock.vault.exists else { return [] }
        return try store.mailAccounts().filter { !$0.path.isEmpty && !$0.path.hasPrefix(home + "/") }.map {
            Check("mail", .unprotected, "'\($0.name)' is outside of the vault: \($0.path)")
        }
    }
}

/// The encryption of disks and of the swap, as the system describes it (sysfs, `/proc/swaps`).
enum DiskEncryption {
    /// Whether the disk of a folder is encrypted by dm-crypt, also below LVM or RAID; nil if it is not known.
    static func isEncrypted(_ folder: String) -> Bool? {
        var info = stat()
        guard stat(folder, &info) == 0 else { return nil }
        let (major, minor) = (info.st_dev >> 8 & 0xFFF, info.st_dev & 0xFF | (info.st_dev >> 12) & 0xFFF00)
        let device = "/sys/dev/block/\(major):\(minor)"
        // File systems without a block device of their own, such as those of the network, say nothing.
        guard access(device, F_OK) == 0 else { return nil }
        return isCrypt(device, depth: 0)
    }

    /// The parts of the swap that are not encrypted: those in memory are.
    static var plainSwap: [String] {
        let text = FileManager.default.contents(atPath: "/proc/swaps").map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let path = line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
            var info = stat()
            guard stat(path, &info) == 0 else { return nil }
            if info.st_mode & S_IFMT == S_IFREG { return isEncrypted(path) == true ? nil : path }
            if path.hasPrefix("/dev/zram") { return nil }
            let (major, minor) = (info.st_rdev >> 8 & 0xFFF, info.st_rdev & 0xFF | (info.st_rdev >> 12) & 0xFFF00)
            return isCrypt("/sys/dev/block/\(major):\(minor)", depth: 0) ? nil : path
        }
    }

    private static func isCrypt(_ device: String, depth: Int) -> Bool {
        let kind = FileManager.default.contents(atPath: device + "/dm/uuid").map { String(decoding: $0, as: UTF8.self) }
        if kind?.hasPrefix("CRYPT-") == true { return true }
        // Each of what lies below must be encrypted.
        let below = (try? FileManager.default.contentsOfDirectory(atPath: device + "/slaves")) ?? []
        guard depth < 8, !below.isEmpty else { return false }
        return below.allSatisfy { isCrypt("\(device)/slaves/\($0)", depth: depth + 1) }
    }
}
