import HelixModel

/// The limits of what users may store at a gateway.
public enum GatewayLimits {
    /// The maximum number of conversations of a user.
    public static let conversations = 10_000
    /// The maximum number of members of a conversation.
    public static let members = 500
    /// The maximum number of groups that one user may create in a day.
    public static let groupsPerDay = 3_000
    /// The maximum total size of a user's uploads, in bytes.
    public static let uploadedBytes = 4 << 30
    /// The maximum number of a user's uploads.
    public static let uploads = 20_000
    /// The maximum number of a user's partial uploads.
    public static let partialUploads = 64
    /// The maximum number of a user's pairing requests.
    public static let pairings = 20
    /// The maximum number of a user's push targets.
    public static let pushTargets = 20
    /// The lifetime of an unused token, in seconds.
    static let tokenLife: Int64 = 60 * 86_400
    /// The lifetime of a pairing request, in seconds.
    static let requestLife: Int64 = 86_400
}
