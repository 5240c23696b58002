/// The origin of a change set. The raw value is written to the store and to JSON.
public enum ChangeOrigin: String, Sendable, CaseIterable {
    /// A command of the user.
    case command
    /// A server or another device. Such changes are undone only by their ID.
    case sync
    /// A file of another program.
    case importing = "import"
    /// An app of a user of the gateway.
    case gateway
    /// A rule that ran when mail arrived. Such changes are undone only by their ID.
    case rule
    /// A repair of the store.
    case repair
}
