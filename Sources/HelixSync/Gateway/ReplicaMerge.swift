import HelixModel

/// Makes one of two states of an entity that have the same origin.
struct ReplicaMerge {
    /// The fields of both, put together.
    var fields: JSONText
    /// The columns that both changed to something else, in the order of their names.
    var clashes: [String]

    /// - Parameters:
    ///   - base: what both were once; nil where nobody knows.
    ///   - prefersOurs: whether ours stands where both changed the same.
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
