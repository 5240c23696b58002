import HelixModel

/// A change to a list of tags: plain words replace the list, `+x` adds a tag, `-x` removes one.
public struct TagChange: Hashable, Sendable {
    /// The tags that replace the list; nil keeps it.
    public var replacement: [String]?
    /// The tags to add.
    public var additions: [String] = []
    /// The tags to remove.
    public var removals: [String] = []

    /// - Parameter words: each may hold several tags separated by commas, to which the sign of the first applies.
    /// - Throws: ``HelixError`` of code `usage` for an invalid tag, and for a tag that is both added and removed.
    public init(_ words: [String]) throws {
        for word in words {
            var sign: Character?
            for part in word.split(separator: ",") {
                var tag = String(part).trimmingBlanks()
                if let first = tag.first, "+-".contains(first) {
                    sign = first
                    tag = String(tag.dropFirst())
                }
                // `none` removes all tags; combined with others it is an error.
                if tag.lowercased() == "none", sign == nil {
                    guard words.count == 1, word.lowercased() == "none" else {
                        throw HelixError(.usage, "'none' removes all tags", hint: "Use it alone.")
                    }
                    replacement = []
                    continue
                }
                try TagChange.check(tag)
                switch sign {
                case "+": additions.append(tag)
                case "-": removals.append(tag)
                default: replacement = (replacement ?? []) + [tag]
                }
            }
        }
        try TagChange.refuseBoth((replacement ?? []) + additions, removals)
    }

    /// The list after the change.
    public func applied(to tags: [String]) -> [String] {
        let gone = Set(removals.map { $0.lowercased() })
        var list = (replacement ?? tags).filter { !gone.contains($0.lowercased()) }
        for tag in additions where !list.contains(where: { $0.lowercased() == tag.lowercased() }) { list.append(tag) }
        return list
    }

    /// Rejects an invalid tag, which could not be removed by name.
    /// - Throws: ``HelixError`` of code `usage`.
    public static func check(_ tag: String) throws {
        guard let first = tag.first, !"+-".contains(first), tag.count <= 100,
            !tag.contains(where: { $0.isWhitespace || $0 == "," })
        else {
            throw HelixError(
                .usage, "'\(tag)' is not a valid tag",
                hint: "A tag is one word of at most 100 characters; +word adds it, -word removes it.")
        }
    }

    /// Rejects a tag that is both added and removed.
    /// - Throws: ``HelixError`` of code `usage`.
    static func refuseBoth(_ come: [String], _ gone: [String]) throws {
        let lost = Set(gone.map { $0.lowercased() })
        guard let both = come.first(where: { lost.contains($0.lowercased()) }) else { return }
        throw HelixError(.usage, "the tag '\(both)' is both added and removed", hint: "Use one of the two.")
    }
}
