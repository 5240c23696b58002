import HelixModel
import HelixSecurity
import HelixTerminal

/// The state of the lock and the vault.
struct LockItem: DescribedItem {
    let isLocked: Bool
    let method: LockFile.Method?
    let vault: Vault.State
    let vaultKey: LockFile.VaultKey?
    let folder: String?
    let lockAfter: Int?
    var ended: [String] = []
    var recoveryKey: String?
    /// The processes that keep an open vault from being closed.
    let holders: [OpenFiles.Holder]

    /// - Throws: ``HelixError`` of code `configuration` if the lock cannot be read.
    init(_ lock: HomeLock) throws {
        let settings = try lock.settings()
        isLocked = lock.reason != nil
        method = settings.method
        vault = lock.vault.state
        holders = isLocked && vault == .open ? OpenFiles.holders(in: lock.home, program: ProcessArguments.program) : []
        vaultKey = lock.vault.exists ? settings.vaultKey : nil
        folder = lock.vault.exists || lock.vault.isMissing ? lock.vault.folder : nil
        if case .valid(let limit) = lock.session.state { lockAfter = limit } else { lockAfter = nil }
    }

    static let described = list {
        Field("kind", .choice(["lock"]), "The kind of the item.") { _ in "lock" }
        Field("locked", .bool, "Whether helix must be unlocked before it opens.") { $0.isLocked }
        Field(
            "method", .choice(LockFile.Method.allCases.map(\.rawValue)), required: false,
            "The check before helix opens, besides that of the vault."
        ) { $0.method?.rawValue }
        Field(
            "vault", .choice(["absent", "open", "closed", "broken", "unfinished"]), "The state of the vault."
        ) { $0.vault.rawValue }
        Field(
            "vaultKey", .choice(LockFile.VaultKey.allCases.map(\.rawValue)), required: false,
            "The source of the vault's password."
        ) { $0.vaultKey?.rawValue }
        Field("folder", .string, required: false, "The folder of the vault.") { $0.folder }
        Field("lockAfter", .integer, required: false, "The seconds without use after which helix locks itself.") {
            $0.lockAfter
        }
        Field("ended", .array(.string), "The processes of helix that were ended.") { $0.ended }
        Field("recoveryKey", .string, required: false, "The recovery key of a new vault.") { $0.recoveryKey }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// A report of the lock.
struct LockReport: CuttableReport {
    static let schema = "helix.lock/1"
    var items: [LockItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items {
            canvas.paragraph(Self.state(item), style: .bold)
            if let folder = item.folder {
                canvas.paragraph("The vault is \(Self.words(item.vault)): \(folder)")
                if item.isLocked, !item.holders.isEmpty {
                    canvas.paragraph("Kept open by \(LockClosing.words(item.holders)).", style: TextStyle(.yellow))
                }
            } else {
                canvas.paragraph("There is no vault: the files lie on the disk as they are.")
            }
            for ended in item.ended { canvas.paragraph("Ended: \(ended)") }
            if let key = item.recoveryKey {
                canvas.line("")
                canvas.paragraph(
                    "Recovery key; it opens the vault if you forget the passphrase. Write it down, and keep it elsewhere:"
                )
                // Two lines: it is to be written down, also from a narrow terminal.
                for half in [key.prefix(32), key.dropFirst(32)] { canvas.line("  " + Self.grouped(String(half))) }
            }
        }
    }

    private static func words(_ state: Vault.State) -> String {
        if state == .absent { return "not there; is its disk connected?" }
        return state == .broken ? "not readable, as its program was ended ('helix unlock' opens it)" : state.rawValue
    }

    /// Whether helix is open, in a sentence.
    private static func state(_ item: LockItem) -> String {
        if item.isLocked { return "Locked." }
        guard item.method != nil || item.folder != nil else { return "Nothing locks helix." }
        guard let pause = item.lockAfter else { return "Unlocked until 'helix lock' or log-out." }
        return "Unlocked until 'helix lock', log-out, or \(DateWords.text(duration: pause)) without use."
    }

    /// The digits in groups of eight.
    static func grouped(_ key: String) -> String {
        var (rest, groups) = (key[...], [Substring]())
        while !rest.isEmpty {
            groups.append(rest.prefix(8))
            rest = rest.dropFirst(8)
        }
        return groups.joined(separator: "-")
    }
}
