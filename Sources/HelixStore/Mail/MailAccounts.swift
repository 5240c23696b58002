import Foundation
import HelixModel
import HelixSQLite

extension Store {
    /// The accounts, in order.
    /// - Throws: ``HelixError``.
    public func accounts() throws -> [MailAccount] {
        try read { try Store.accounts($0) }.map { account in
            var account = account
            account.tokenFile = tokenFile(ofAccount: account.name)
            return account
        }
    }

    /// The file of the tokens of an account of that name.
    public func tokenFile(ofAccount name: String) -> String {
        (path as NSString).deletingLastPathComponent + "/tokens/\(name.lowercased())"
    }

    /// The accounts that have mail, in order.
    /// - Throws: ``HelixError``.
    public func mailAccounts() throws -> [MailAccount] { try accounts().filter(\.kind.hasMail) }

    static func mailAccounts(_ db: Database) throws -> [MailAccount] { try accounts(db).filter(\.kind.hasMail) }

    static func accounts(_ db: Database) throws -> [MailAccount] {
        var accounts: [MailAccount] = []
        let row = try Statement(db, "SELECT n, id, name, kind, path, settings FROM account ORDER BY position, n")
        while try row.step() {
            accounts.append(
                MailAccount(
                    number: row.integer(0), id: row.id(1) ?? EntityID(stored: ""), name: row.text(2) ?? "",
                    kind: MailAccount.Kind(rawValue: row.text(3) ?? "") ?? .maildir, path: row.text(4) ?? "",
                    settings: try AccountSettings(stored: row.text(5))))
        }
        return accounts
    }

    /// The account that a person names.
    /// - Throws: ``HelixError`` of code `notFound` that names those there are.
    public func mailAccount(named name: String) throws -> MailAccount {
        try Store.account(named: name, among: try mailAccounts())
    }

    /// The account of any kind that a person names.
    /// - Throws: ``HelixError`` of code `notFound` that names those there are.
    public func account(named name: String) throws -> MailAccount {
        try Store.account(named: name, among: try accounts())
    }

    private static func account(named name: String, among accounts: [MailAccount]) throws -> MailAccount {
        if let found = accounts.first(where: { $0.name.lowercased() == name.lowercased() }) { return found }
        let names = accounts.map { "'\($0.name)'" }.joined(separator: ", ")
        throw HelixError(
            .notFound, "there is no account '\(name)'",
            hint: accounts.isEmpty ? "helix account add home maildir ~/Mail" : "There are: \(names).")
    }

    /// The mailboxes of all accounts, with how many messages they have and how many of them are unread.
    /// - Throws: ``HelixError``.
    public func mailboxes() throws -> [(mailbox: Mailbox, account: String, count: Int, unread: Int)] {
        try read { db in
            var list: [(mailbox: Mailbox, account: String, count: Int, unread: Int)] = []
            let row = try Statement(
                db,
                """
                SELECT b.n, b.account, b.name, b.path, b.role, a.name,
                    (SELECT COUNT(*) FROM message m INDEXED BY message_mailbox WHERE m.mailbox = b.n),
                    (SELECT COUNT(*) FROM message m INDEXED BY message_unread WHERE m.mailbox = b.n AND m.flags & 1 = 0)
                FROM mailbox b JOIN account a ON a.n = b.account
                WHERE b.role IS NOT 'deleted'
                ORDER BY a.position, a.n, b.role IS NOT 'inbox', b.role IS NULL, b.name
                """)
            while try row.step() {
                let mailbox = Mailbox(
                    number: row.integer(0), account: row.integer(1), name: row.text(2) ?? "", path: row.text(3) ?? "",
                    role: row.text(4).flatMap(Mailbox.Role.init(rawValue:)))
                list.append((mailbox, row.text(5) ?? "", Int(row.integer(6)), Int(row.integer(7))))
            }
            return list
        }
    }
}

extension Change {
    /// Adds an account whose mail lies in a folder.
    /// - Throws: ``HelixError``: the name is taken, or the folder is another account's.
    @discardableResult
    public func addMailAccount(
        _ name: String, kind: MailAccount.Kind, path: String, settings: AccountSettings = AccountSettings()
    ) throws -> EntityID {
        guard MailAccount.isName(name) else {
            throw HelixError(.usage, "'\(name)' is no name for an account", hint: "Use one word of letters and digits.")
        }
        let accounts = try Store.accounts(db)
        if let same = accounts.first(where: { $0.name.lowercased() == name.lowercased() }) {
            throw HelixError(.conflict, "there is an account '\(same.name)' already", hint: "Give it another name.")
        }
        // What lies in two accounts would be there twice.
        if let same = accounts.first(where: {
            (path + "/").hasPrefix($0.path + "/") || ($0.path + "/").hasPrefix(path + "/")
        }) {
            throw HelixError(
                .conflict, "\(path) and the folder of the account '\(same.name)' lie in each other",
                hint: "An account has all mailboxes below its folder: \(same.path).")
        }
        let id = EntityID()
        try create(
            .account, id,
            JournalFields([
                "name": name.databaseValue, "kind": kind.rawValue.databaseValue, "path": path.databaseValue,
                "position": accounts.count.databaseValue, "settings": try settings.stored().databaseValue,
            ]))
        return id
    }

    /// Writes how an account's servers are reached.
    /// - Throws: ``HelixError``.
    public func setSettings(_ settings: AccountSettings, of account: EntityID) throws {
        try update(.account, account, JournalFields(["settings": try settings.stored().databaseValue]))
    }

    /// Takes an account away; its files stay.
    /// - Throws: ``HelixError``.
    public func removeMailAccount(_ id: EntityID) throws { try delete(.account, id) }
}

extension AccountSettings {
    /// The settings that stand in a row.
    init(stored text: String?) throws {
        guard let text else {
            self.init()
            return
        }
        do {
            self = try JSONDecoder().decode(AccountSettings.self, from: Data(text.utf8))
        } catch {
            throw HelixError(
                .unexpected, "the settings of an account cannot be read",
                hint: "'helix account remove' and 'add' make them anew.")
        }
    }

    /// The text of a row; nil where there are none.
    fileprivate func stored() throws -> String? {
        if self == AccountSettings() { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
