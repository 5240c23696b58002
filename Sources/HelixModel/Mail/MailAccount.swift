/// A place where somebody's mail or calendars lie.
public struct MailAccount: Hashable, Sendable {
    /// What kind of place.
    public enum Kind: String, Sendable, CaseIterable {
        /// A Maildir that helix and other programs share.
        case maildir
        /// helix's own Maildir.
        case local
        /// A Maildir of helix that is kept the same as an IMAP server.
        case imap
        /// A Maildir of helix that is kept the same as a JMAP server.
        case jmap
        /// Calendars on a CalDAV server.
        case caldav
        /// A folder of calendars that other programs share.
        case vdir
        /// A calendar that somebody publishes.
        case webcal
        /// A gateway of helix, or of the OpenClaw family.
        case gateway

        /// Whether there is mail in it.
        public var hasMail: Bool { self == .maildir || self == .local || hasMailServer }
        /// Whether its mail is kept the same as a server's.
        public var hasMailServer: Bool { self == .imap || self == .jmap }
        /// Whether it has another side that it is kept the same with; of others it may be mail that leaves.
        public var isRemote: Bool { self != .maildir && self != .local }
        /// Whether there are calendars in it.
        public var hasCalendars: Bool { self == .caldav || self == .vdir || self == .webcal }
    }

    /// Whether a word can be the name of an account: it stands in queries, and in paths.
    public static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.count <= 40 && !name.hasPrefix(".") && !name.hasPrefix("-")
            && !name.contains { $0.isWhitespace || "/:\"()@".contains($0) }
            && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }

    /// The number of its row.
    public var number: Int64
    /// Its identity.
    public var id: EntityID
    /// The name it is called by.
    public var name: String
    /// What kind of place it is.
    public var kind: Kind
    /// The folder.
    public var path: String
    /// How its servers are reached; empty for folders.
    public var settings: AccountSettings

    /// The file of its tokens, where there is no keyring.
    public var tokenFile = ""

    /// Such an account.
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

/// A folder of an account.
public struct Mailbox: Hashable, Sendable {
    /// What a mailbox is for (RFC 6154).
    public enum Role: String, Sendable, CaseIterable {
        case inbox
        case archive
        case sent
        case drafts
        case trash
        case junk

        /// What a mailbox of that name is for, as programs and providers name them.
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

    /// The number of its row.
    public var number: Int64
    /// The number of its account.
    public var account: Int64
    /// Its name, `/` between levels.
    public var name: String
    /// Its folder, below that of the account; empty for the account's own.
    public var path: String
    /// What it is for.
    public var role: Role?

    /// Such a mailbox.
    public init(number: Int64, account: Int64, name: String, path: String, role: Role?) {
        self.number = number
        self.account = account
        self.name = name
        self.path = path
        self.role = role
    }
}
