/// Labels as keywords on a server.
public enum MessageKeyword {
    /// Keywords that other programs use internally.
    public static let foreign: Set<String> = ["junk", "nonjunk", "notjunk", "forwarded", "redirected"]

    /// Whether a label can be an IMAP keyword: ASCII without special characters (RFC 9051 §9, atom).
    ///
    /// Keywords that other programs use internally cannot: 'junk' would train a filter. Such labels stay local.
    public static func isKeyword(_ label: String) -> Bool {
        !label.isEmpty && !foreign.contains(label.lowercased())
            && label.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"(){%*\"\\]$".utf8.contains($0) }
    }
}
