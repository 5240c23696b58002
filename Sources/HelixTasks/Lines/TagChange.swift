import HelixModel

/// A change of a list of tags as words say it: plain ones take its place, `+x` comes, `-x` goes.
public struct TagChange: Hashable, Sendable {
    /// The tags that take the place of all; nil if those that are there stay.
    public var replacement: [String]?
    /// Those that come.
    public var additions: [String] = []
    /// Those that go.
    public var removals: [String] = []

    /// - Parameter words: each may have several tags with commas between them, to which the sign of the first belongs.
    /// - Throws: ``HelixError`` of code `usage` for a word that is no tag, and for one that comes and goes.
    public init(_ words: [String]) throws {
        for word in words {
            var sign: Character?
            for part in word.split(separator: ",") {
                var tag = String(part).trimmingBlanks()
                if let first = tag.first, "+-".contains(first) {
                    sign = first
                    tag = String(tag.dropFirst())
                }
                // `none` takes all away, and is no tag beside others.
                if tag.lowercased() == "none", sign == nil {
                    guard words.count == 1, word.lowercased() == "none" else {
                        throw HelixError(.usage, "'none' takes all tags away", hint: "Say it alone.")
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

    /// Refuses what is no tag: it could not be taken away again by its name.
    /// - Throws: ``HelixError`` of code `usage`.
    public static func check(_ tag: String) throws {
        guard let first = tag.first, !"+-".contains(first), tag.count <= 100,
            !tag.contains(where: { $0.isWhitespace || $0 == "," })
        else {
            throw HelixError(
                .usage, "'\(tag)' is no tag",
                hint: "A tag is one word of at most 100 characters; +word adds it, -word takes it away.")
        }
    }

    /// Refuses a tag that is to come and to go.
    /// - Throws: ``HelixError`` of code `usage`.
    static func refuseBoth(_ come: [String], _ gone: [String]) throws {
        let lost = Set(gone.map { $0.lowercased() })
        guard let both = come.first(where: { lost.contains($0.lowercased()) }) else { return }
        throw HelixError(.usage, "the tag '\(both)' is added and taken away", hint: "Say one of the two.")
    }
}
