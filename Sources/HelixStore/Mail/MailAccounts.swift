import FoundationEssentials
import HelixModel
import HelixSQLite

extension Store {
    /// The accounts, in order.
    /// - Throws: ``HelixError``.
    public func accounts() throws -> [Account] {
        try read { try Store.accounts($0) }.map { account in
            var account = account
            account.tokenFile = tokenFile(ofAccount: account.name)
            return account
        }
    }

    /// The token file of the account with a name.
    public func tokenFile(ofAccount name: String) -> String {
        path.deletingLastPathComponent + "/tokens/\(name.lowercased())"
    }

    /// The accounts that have mail, in order.
    /// - Throws: ``HelixError``.
    public func mailAccounts() throws -> [Account] { try accounts().filter(\.kind.hasMail) }

    static func mailAccounts(_ db: Database) throws -> [Account] { try accounts(db).filter(\.kind.hasMail) }

    static func accounts(_ db: Database) throws -> [Account] {
        var accounts: [Account] = []
        let row = try Statement(db, "SELECT n, id, name, kind, path, settings FROM account ORDER BY position, n")
        while try row.step() {
            accounts.append(
                Account(
                    number: row.integer(0), id: row.id(1) ?? EntityID(stored: ""), name: row.text(2) ?? "",
                    kind: Account.Kind(rawValue: row.text(3) ?? "") ?? .maildir, path: row.text(4) ?? "",
                    settings: try AccountSettings(stored: row.text(5))))
        }
        return accounts
    }

    /// The mail account with a name.
    /// - Throws: ``HelixError`` of code `notFound` that lists the existing accounts.
    public func mailAccount(named name: String) throws -> Account {
        try Store.account(named: name, among: try mailAccounts())
    }

    /// The account of any kind with a name.
    /// - Throws: ``HelixError`` of code `notFound` that lists the existing accounts.
    public func account(named name: String) throws -> Account {
        try Store.account(named: name, among: try accounts())
    }

    private static func account(named name: String, among accounts: [Account]) throws -> Account {
        if let found = accounts.first(where: { $0.name.lowercased() == name.lowercased() }) { return found }
        let names = accounts.map { "'\($0.name)'" }.joined(separator: ", ")
        throw HelixError(
            .notFound, "unknown account '\(name)'",
            hint: accounts.isEmpty ? "'helix account add' adds one." : "Use one of: \(names).")
    }

    /// The mailboxes of all accounts, with the numbers of all and of unread messages.
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

extension Store {
    /// Adds the local side of a mail account that a gateway keeps, under a name that is free.
    /// - Returns: the account.
    /// - Throws: ``HelixError``.
    public func addServedAccount(_ wanted: String, _ settings: AccountSettings) throws -> Account {
        let base = Account.isName(wanted) ? wanted : "mail"
        let taken = Set(try accounts().map { $0.name.lowercased() })
        var name = base
        var number = 2
        while taken.contains(name.lowercased()) {
            name = "\(base)-\(number)"
            number += 1
        }
        let folder = localMail + "/" + name
        try MaildirFolder.make(folder)
        // Not journaled: `undo` covers only changes that the user requested.
        try writeDurably { db in
            let change = Change(store: self, db: db, command: "", summary: "", isJournaled: false)
            _ = try change.addMailAccount(name, kind: .jmap, path: folder, settings: settings)
        }
        return try mailAccount(named: name)
    }

    /// Updates the settings of such an account after the gateway has changed them.
    /// - Throws: ``HelixError``.
    public func setServedSettings(_ settings: AccountSettings, of account: Account) throws {
        try writeDurably { db in
            try Change(store: self, db: db, command: "", summary: "", isJournaled: false).setSettings(
                settings, of: account.id)
        }
    }
}

extension Change {
    /// Adds an account whose mail is stored in a folder.
    /// - Throws: ``HelixError`` if the name is invalid or taken, or if the folder belongs to another account.
    @discardableResult
    public func addMailAccount(
        _ name: String, kind: Account.Kind, path: String, settings: AccountSettings = AccountSettings()
    ) throws -> EntityID {
        guard Account.isName(name) else {
            throw HelixError(.usage, "invalid account name '\(name)'", hint: "Use one word of letters and digits.")
        }
        let accounts = try Store.accounts(db)
        if let same = accounts.first(where: { $0.name.lowercased() == name.lowercased() }) {
            throw HelixError(.conflict, "the account '\(same.name)' already exists", hint: "Choose another name.")
        }
        // Messages in the folders of two accounts would be listed twice.
        if let same = accounts.first(where: {
            (path + "/").hasPrefix($0.path + "/") || ($0.path + "/").hasPrefix(path + "/")
        }) {
            guard kind != .gateway else {
                throw HelixError(
                    .conflict, "the account '\(same.name)' is already signed in at that gateway as that user",
                    hint: "Use it, or remove it first: helix account remove \(same.name).")
            }
            throw HelixError(
                .conflict, "\(path) overlaps with the folder of the account '\(same.name)'",
                hint: "An account contains all mailboxes below its folder: \(same.path).")
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

    /// Changes the settings for an account's servers.
    /// - Throws: ``HelixError``.
    public func setSettings(_ settings: AccountSettings, of account: EntityID) throws {
        try update(.account, account, JournalFields(["settings": try settings.stored().databaseValue]))
    }

    /// Removes an account; its files are kept.
    /// - Throws: ``HelixError``.
    public func removeMailAccount(_ id: EntityID) throws { try delete(.account, id) }
}

extension AccountSettings {
    /// Parses the settings stored in a row.
    init(stored text: String?) throws {
        guard let text else {
            self.init()
            return
        }
        do {
            self = try JSONDecoder().decode(AccountSettings.self, from: Data(text.utf8))
        } catch {
            throw HelixError(
                .unexpected, "cannot read the settings of an account",
                hint: "Create them again with 'helix account remove' and 'add'.")
        }
    }

    /// The text to store in a row; nil for default settings.
    fileprivate func stored() throws -> String? {
        if self == AccountSettings() { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
