/// A filter for the mailboxes or calendars of a server to sync: `INBOX,Work/*,-Spam`.
///
/// A star matches any text, a minus sign excludes. A list that only excludes begins with all; the word `subscribed` selects
/// the mailboxes that other programs show.
public struct CollectionSelection: Hashable, Sendable {
    private let wanted: [String]
    private let left: [String]
    /// Whether subscribed mailboxes are selected.
    public let usesSubscriptions: Bool

    /// Parses a list; nil if it has no names.
    public init?(_ text: String) {
        var (wanted, left): ([String], [String]) = ([], [])
        for part in text.split(separator: ",") {
            let name = String(part).trimmingBlanks().lowercased()
            if name.isEmpty || name == "-" { continue }
            if name.hasPrefix("-") {
                left.append(String(name.dropFirst()).trimmingBlanks())
            } else {
                wanted.append(name)
            }
        }
        if wanted.isEmpty, left.isEmpty { return nil }
        usesSubscriptions = wanted.contains("subscribed")
        self.wanted = wanted.filter { $0 != "subscribed" }
        self.left = left
    }

    /// Whether a mailbox or calendar is synced.
    ///
    /// - Parameters:
    ///   - name: the local name, `/` between levels.
    ///   - isSubscribed: whether other programs show it.
    ///   - isForeign: whether it belongs to another user, and must be selected by its name or a pattern.
    public func includes(_ name: String, isSubscribed: Bool = true, isForeign: Bool = false) -> Bool {
        let name = name.lowercased()
        if left.contains(where: { Self.matches(name, $0) }) { return false }
        if usesSubscriptions, isSubscribed { return true }
        if wanted.isEmpty { return !usesSubscriptions && !isForeign }
        return wanted.contains { Self.matches(name, $0) && (!isForeign || $0 != "*") }
    }

    /// Whether a name matches a pattern; a pattern without a star matches only the same name.
    private static func matches(_ name: String, _ pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return name == pattern }
        guard name.hasPrefix(parts[0]), name.hasSuffix(parts[parts.count - 1]) else { return false }
        var rest = name.dropFirst(parts[0].count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.ranges(of: part).first else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.count >= parts[parts.count - 1].count
    }
}
