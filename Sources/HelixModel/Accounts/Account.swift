/// An account: a store of mail or calendars.
public struct Account: Hashable, Sendable {
    /// The kind of an account.
    public enum Kind: String, Sendable, CaseIterable {
        /// A Maildir shared with other programs.
        case maildir
        /// helix's own Maildir.
        case local
        /// A Maildir of helix that is synced with an IMAP server.
        case imap
        /// A Maildir of helix that is synced with a JMAP server.
        case jmap
        /// Calendars on a CalDAV server.
        case caldav
        /// Address books on a CardDAV server.
        case carddav
        /// A folder of calendars and address books shared with other programs.
        case vdir
        /// A published calendar.
        case webcal
        /// A gateway of helix, or of the OpenClaw family.
        case gateway

        /// Whether the account has mail.
        public var hasMail: Bool { self == .maildir || self == .local || hasMailServer }
        /// Whether its mail is synced with a server.
        public var hasMailServer: Bool { self == .imap || self == .jmap }
        /// Whether it is synced with a remote side; other accounts may still send mail.
        public var isRemote: Bool { self != .maildir && self != .local }
        /// The kind of its contents, for messages.
        public var contents: String {
            hasMail ? "mail" : self == .carddav ? "contacts" : self == .vdir ? "calendars and contacts" : "calendars"
        }
        /// Whether the account has calendars.
        public var hasCalendars: Bool { self == .caldav || self == .vdir || self == .webcal }
    }

    /// Whether a word is a valid name of an account: it is used in queries, and in paths.
    public static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.count <= 40 && !name.hasPrefix(".") && !name.hasPrefix("-")
            && !name.contains { $0.isWhitespace || "/:\"()@".contains($0) }
            && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }

    /// The row number.
    public var number: Int64
    /// The identity.
    public var id: EntityID
    /// The name.
    public var name: String
    /// The kind.
    public var kind: Kind
    /// The folder.
    public var path: String
    /// The connection settings; empty for folders.
    public var settings: AccountSettings

    /// The file of its tokens, if there is no keyring.
    public var tokenFile = ""

    /// Creates an account.
    public init(
        number: Int64, id: EntityID, name: String, kind: Kind, path: String,
        settings: AccountSettings = AccountSettings()
    ) {
        self.settings = settings
        self.number = number
        self.id = id
        self.name = name
        self.kind = kind
        self.path = path
    }
}

/// A mailbox: a folder of an account.
public struct Mailbox: Hashable, Sendable {
    /// The role of a mailbox (RFC 6154).
    public enum Role: String, Sendable, CaseIterable {
        case inbox
        case archive
        case sent
        case drafts
        case trash
        case junk

        /// The role implied by the name of a mailbox, as programs and providers name them.
        public init?(name: String) {
            let last = name.split(separator: "/").last.map { $0.lowercased() } ?? ""
            switch last {
            case "inbox": self = .inbox
            case "archive", "archives", "all mail", "archiv", "archivio": self = .archive
            case "sent", "sent mail", "sent items", "sent messages", "sent-mail", "gesendet", "posta inviata",
                "inviata":
                self = .sent
            case "drafts", "draft", "entwürfe", "bozze": self = .drafts
            case "trash", "deleted", "deleted items", "deleted messages", "bin", "papierkorb", "cestino": self = .trash
            case "junk", "spam", "junk e-mail", "junk email", "bulk mail": self = .junk
            default: return nil
            }
        }
    }

    /// The row number.
    public var number: Int64
    /// The row number of the account.
    public var account: Int64
    /// The name, with `/` between levels.
    public var name: String
    /// The folder, below that of the account; empty for the account's own.
    public var path: String
    /// The role.
    public var role: Role?

    /// Creates a mailbox.
    public init(number: Int64, account: Int64, name: String, path: String, role: Role?) {
        self.number = number
        self.account = account
        self.name = name
        self.path = path
        self.role = role
    }
}
