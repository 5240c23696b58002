/// A change that cannot be undone, because others have seen and answered it. The raw value is written to the store.
public enum FinalChange: String, Sendable {
    /// Members of a conversation were invited or removed.
    case members

    /// The reason for which it cannot be undone.
    var reason: String {
        switch self {
        case .members: "changes of members are final"
        }
    }

    /// The commands that help instead.
    var hint: String {
        switch self {
        case .members: "Use 'helix chat members NAME --remove WHO' or 'helix chat invite' instead."
        }
    }
}
