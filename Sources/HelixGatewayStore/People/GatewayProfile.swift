import HelixModel

/// A user's description of themselves, for the other users of a gateway.
public struct GatewayProfile: Hashable, Sendable {
    /// The displayed name; empty to show the user name.
    public var displayName = ""
    /// The e-mail address; only the user and administrators see it.
    public var email = ""
    /// A short text about the present: "on holiday until Monday".
    public var status = ""
    /// The hash and media type of the picture; nil for none.
    public var avatar: Avatar?

    /// A reference to a picture.
    public struct Avatar: Hashable, Sendable {
        /// The SHA-256 of the bytes, in hexadecimal digits.
        public var sha256: String
        /// The media type: `image/png` or `image/jpeg`.
        public var type: String
    }

    /// Creates an empty profile.
    public init() {}

    /// The maximum number of characters of a displayed name, and of a status.
    static let (longestName, longestStatus) = (80, 200)
    /// The maximum size of a picture in bytes.
    public static let largestAvatar = 256 << 10
}

/// A change of a profile; nil leaves a property as it is.
public struct ProfileChange: Sendable {
    /// The displayed name; empty for the user name.
    public var displayName: String?
    /// The e-mail address; empty for none.
    public var email: String?
    /// The status; empty for none.
    public var status: String?
    /// The bytes of the picture, PNG or JPEG; empty for none.
    public var avatar: [UInt8]?

    /// Creates a change.
    public init(
        displayName: String? = nil, email: String? = nil, status: String? = nil, avatar: [UInt8]? = nil
    ) {
        self.displayName = displayName
        self.email = email
        self.status = status
        self.avatar = avatar
    }
}

/// The users whom the directory of a gateway shows to a user, as its owner allows.
public enum DirectoryScope: String, Sendable, CaseIterable {
    /// Nobody: users write to those whose names they know.
    case off
    /// The members of common conversations.
    case members
    /// All users of the gateway.
    case all
}

/// A user as others see them.
public struct GatewayPerson: Hashable, Sendable {
    /// The user.
    public var user: GatewayUser
    /// The profile.
    public var profile: GatewayProfile
    /// Whether the one who asks has blocked them.
    public var isBlocked: Bool
}
