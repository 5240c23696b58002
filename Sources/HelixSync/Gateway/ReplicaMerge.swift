import HelixModel

/// Merges two states of an entity with a common base.
struct ReplicaMerge {
    /// The merged fields.
    var fields: JSONText
    /// The columns that both sides changed to different values, sorted by name.
    var clashes: [String]

    /// - Parameters:
    ///   - base: the state as of the last sync; nil if unknown.
    ///   - prefersOurs: whether the local value wins where both sides changed the same column.
    init(base: JSONText?, ours: JSONText, theirs: JSONText, prefersOurs: Bool) {
        let names = Set([base, ours, theirs].flatMap { $0?.fields?.map(\.name) ?? [] }).sorted()
        var merged: [JSONText.Field] = []
        var both: [String] = []
        for name in names {
            let (old, mine, other) = (base?[name], ours[name], theirs[name])
            var value: JSONText?
            if mine == other || other == old && base != nil {
                value = mine
            } else if mine == old && base != nil {
                value = other
            } else {
                value = prefersOurs ? mine : other
                both.append(name)
            }
            if let value { merged.append(JSONText.Field(name: name, value: value)) }
        }
        fields = .object(merged)
        clashes = both
    }
}
