import CLoopback

/// Tells when this machine comes into another network, or back into one.
public enum NetworkChanges {
    /// A descriptor that can be read when an address or a link comes or goes, for whoever called to close; -1 where nobody tells.
    public static func open() -> Int32 { helix_network_changes() }
}
