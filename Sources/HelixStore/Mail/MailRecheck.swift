import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixSQLite

/// A check that repeats observations of folders inside the transaction that writes them.
///
/// During the transaction no helix command changes rows or file names, so the results are reliable.
struct MailRecheck {
    let db: Database

    /// Whether an arrival still has no row: its mailbox exists, and no row has its file.
    func isNew(_ arrival: MailArrival) throws -> Bool {
        let base = MaildirName(arrival.entry.name).base
        guard let folder = try folder(arrival.mailbox) else { return false }
        let isKnown = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM message WHERE mailbox = ? AND file = ?)",
            arguments: [arrival.mailbox, base])
        if isKnown == true { return false }
        // It may have been moved again since: then its row is in another mailbox, and so is the file.
        return access(folder + (arrival.entry.isNew ? "/new/" : "/cur/") + arrival.entry.name, F_OK) == 0
    }

    /// Whether a row's file is still missing from the row's current mailbox.
    func isGone(_ row: Int64) throws -> Bool {
        let found = try Row.fetchOne(
            db, sql: "SELECT mailbox, file, is_new, flags, letters FROM message WHERE n = ?", arguments: [row])
        guard let found, let folder = try folder(found["mailbox"]) else { return false }
        let letters = try MessageFlags(rawValue: found["flags"]).maildir(with: (found["letters"] as String?) ?? "")
        let path = try HelixError.ifFound {
            try MaildirFolder.find(found["file"], in: folder, isNew: found["is_new"], letters: letters)
        }
        return path == nil
    }

    /// Whether a row is still in a mailbox, and its file exists there with a name.
    func isAt(_ row: Int64, _ mailbox: Int64, _ name: MaildirName, _ isNew: Bool, _ folder: String) throws -> Bool {
        let found = try Row.fetchOne(db, sql: "SELECT mailbox, file FROM message WHERE n = ?", arguments: [row])
        guard let found, try found["mailbox"] == mailbox, try found["file"] == name.base else { return false }
        let path = try HelixError.ifFound {
            try MaildirFolder.find(name.base, in: folder, isNew: isNew, letters: name.letters)
        }
        guard let path else { return false }
        return path.lastPathComponent == (isNew ? name.base : name.base + ":2," + name.letters)
            || MaildirName(path.lastPathComponent) == name
    }

    private func folder(_ mailbox: Int64) throws -> String? {
        let row = try Row.fetchOne(
            db, sql: "SELECT a.path, b.path FROM mailbox b JOIN account a ON a.n = b.account WHERE b.n = ?",
            arguments: [mailbox])
        return row.map { Mailbox.folder(account: $0[0], path: $0[1]) }
    }
}
