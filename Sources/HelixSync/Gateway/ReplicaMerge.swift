import HelixModel

/// Merges two states of an entity with a common base.
struct ReplicaMerge {
    /// The merged fields.
    var fields: JSONText
    /// The columns that both sides changed to different values, sorted by name.
    var clashes: [String]

    /// - Parameters:
    ///   - base: the state as of the last sync; nil if unknown.
    ///   - units: the columns that are one value together; all others are values of their own.
    ///   - prefersOurs: whether the local value wins where both sides changed the same one.
    init(base: JSONText?, ours: JSONText, theirs: JSONText, units: [[String]] = [], prefersOurs: Bool) {
        let names = Set([base, ours, theirs].flatMap { $0?.fields?.map(\.name) ?? [] })
        let single = names.subtracting(units.joined()).map { [$0] }
        var merged: [JSONText.Field] = []
        var both: [String] = []
        for unit in units + single {
            let (old, mine, other) = (unit.map { base?[$0] }, unit.map { ours[$0] }, unit.map { theirs[$0] })
            let isOurs: Bool
            if mine == other || other == old && base != nil {
                isOurs = true
            } else if mine == old && base != nil {
                isOurs = false
            } else {
                isOurs = prefersOurs
                both.append(unit[0])
            }
            for (name, value) in zip(unit, isOurs ? mine : other) {
                if let value { merged.append(JSONText.Field(name: name, value: value)) }
            }
        }
        fields = .object(merged.sorted { $0.name < $1.name })
        clashes = both.sorted()
    }
}
