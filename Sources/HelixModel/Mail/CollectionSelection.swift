/// The mailboxes or calendars of a server that are synced, as somebody lists them: `INBOX,Work/*,-Spam`.
///
/// A star stands for any text, a minus sign leaves out. A list that only leaves out begins with all; the word `subscribed` means
/// the mailboxes that other programs show.
public struct CollectionSelection: Hashable, Sendable {
    private let wanted: [String]
    private let left: [String]
    /// Whether subscribed mailboxes are among those that are wanted.
    public let usesSubscriptions: Bool

    /// The selection that a list says; nil if it has no names.
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
    ///   - name: its name here, `/` between levels.
    ///   - isSubscribed: whether other programs show it.
    ///   - isForeign: whether it is somebody else's, which has to be asked for by its name or a pattern.
    public func includes(_ name: String, isSubscribed: Bool = true, isForeign: Bool = false) -> Bool {
        let name = name.lowercased()
        if left.contains(where: { Self.matches(name, $0) }) { return false }
        if usesSubscriptions, isSubscribed { return true }
        if wanted.isEmpty { return !usesSubscriptions && !isForeign }
        return wanted.contains { Self.matches(name, $0) && (!isForeign || $0 != "*") }
    }

    /// Whether a name fits a pattern; what lies below a mailbox that is named belongs to it where it is left out.
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
