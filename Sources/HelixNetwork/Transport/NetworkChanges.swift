import CLoopback

/// Reports when this machine joins another network, or rejoins one.
public enum NetworkChanges {
    /// A descriptor that becomes readable after a change of an address or a link; the caller must close it. -1 if unsupported.
    public static func open() -> Int32 { helix_network_changes() }
}
