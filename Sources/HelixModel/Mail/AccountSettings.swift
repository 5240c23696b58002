/// How an account's servers are reached. Nothing secret stands in it.
public struct AccountSettings: Hashable, Sendable, Codable {
    /// A server.
    public struct Server: Hashable, Sendable, Codable {
        /// Its name or address.
        public var host: String
        /// Its port.
        public var port: Int
        /// `tls`, `starttls` or `none`.
        public var security: String

        /// Such a server.
        public init(host: String, port: Int, security: String) {
            self.host = host
            self.port = port
            self.security = security
        }
    }

    /// What happens where both sides changed the same thing since they last agreed.
    public enum Strategy: String, Hashable, Sendable, Codable, CaseIterable {
        /// The later change stands, the other one stays in the history.
        case merge
        /// The server's stands.
        case server
        /// Ours stands.
        case local
        /// It is kept for a person to choose.
        case ask
    }

    /// The address that mail is sent from.
    public var address: String?
    /// Whom one signs in as, if that is not the address.
    public var user: String?
    /// Where mail is read.
    public var imap: Server?
    /// Where mail is sent.
    public var smtp: Server?
    /// A program that takes mail on its standard input, in the place of a server: `/usr/sbin/sendmail`.
    public var sendmail: String?
    /// Whether the server that mail is read from sends it, too (JMAP).
    public var submits: Bool?
    /// The address of a CalDAV server, of a calendar, or of a session of JMAP.
    public var url: String?
    /// A command that prints the password.
    public var passwordCommand: String?
    /// A command that prints a token of OAuth 2.
    public var tokenCommand: String?
    /// The sign-in by OAuth 2.0 that helix does itself.
    public var oauth: OAuthSettings?
    /// Whether the password lies in the system's keyring.
    public var usesKeyring: Bool?
    /// A file of certificates to trust instead of the system's.
    public var authorities: String?
    /// The SHA-256 of the one certificate that is trusted, in lower-case hexadecimal digits.
    public var fingerprint: String?
    /// Whether secrets may go to a gateway in the clear, in a network that one trusts.
    public var allowsPlaintext: Bool?
    /// What happens where both sides changed the same thing; ``Strategy/merge`` if it says nothing.
    public var strategy: Strategy?
    /// Which messages are fetched whole, as ``BodyPolicy`` writes it; all if it says nothing.
    public var bodies: String?
    /// Whether nothing is ever written to the other side.
    public var isReadOnly: Bool?
    /// The mailboxes that are synced, as ``CollectionSelection`` reads it; if it says nothing, all but those of other users.
    public var mailboxes: String?
    /// The calendars that are synced, likewise; all if it says nothing.
    public var calendars: String?
    /// The side that files a copy of sent mail; nil finds it out by looking.
    public var sentCopy: SentCopyPolicy?

    /// Whether lines to an IMAP server are packed; if it says nothing, those to other machines.
    public var compresses: Bool?

    /// A side that files a copy of sent mail.
    public enum SentCopyPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// helix.
        case yes
        /// The server, or nobody.
        case no
    }

    /// Nothing yet.
    public init() {}

    /// Whom one signs in as.
    public var login: String { user ?? address ?? "" }

    /// Whether mail can be sent.
    public var canSend: Bool { smtp != nil || sendmail != nil || submits == true }
}

extension AccountSettings {
    /// The mailboxes that are synced; nil for all but those of other users.
    public var mailboxSelection: CollectionSelection? { mailboxes.flatMap(CollectionSelection.init) }
    /// The calendars that are synced; nil for all.
    public var calendarSelection: CollectionSelection? { calendars.flatMap(CollectionSelection.init) }

    /// Which messages are fetched whole.
    public var bodyPolicy: BodyPolicy { bodies.flatMap(BodyPolicy.init) ?? .all }
}
