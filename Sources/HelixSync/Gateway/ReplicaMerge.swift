import HelixModel
import HelixStore

/// Merges two states of an entity with a common base: column by column, lists of words item by item, and events property by
/// property.
public struct ReplicaMerge {
    /// The merged fields.
    public var fields: JSONText
    /// The columns, or properties of an event, that both sides changed to different values, sorted by name.
    public var clashes: [String]

    /// The columns that are lists of words.
    private static let lists: [EntityKind: Set<String>] = [.task: ["tags"], .timeEntry: ["tags"]]

    /// - Parameters:
    ///   - base: the state as of the last sync; nil if unknown.
    ///   - prefersOurs: whether the local value wins where both sides changed the same one.
    public init(kind: EntityKind, base: JSONText?, ours: JSONText, theirs: JSONText, prefersOurs: Bool) {
        let units = ReplicaRecord.units[kind] ?? []
        let names = Set([base, ours, theirs].flatMap { $0?.fields?.map(\.name) ?? [] })
        let single = names.subtracting(units.joined()).map { [$0] }
        var merged: [JSONText.Field] = []
        var both: [String] = []
        for unit in units + single {
            let (old, mine, other) = (unit.map { base?[$0] }, unit.map { ours[$0] }, unit.map { theirs[$0] })
            var values: [JSONText?]
            if mine == other || other == old && base != nil {
                values = mine
            } else if mine == old && base != nil {
                values = other
            } else if base != nil,
                let joined = ReplicaMerge.joined(kind, unit[0], old[0], mine[0], other[0], prefersOurs)
            {
                values = [joined.value]
                both += joined.clashes
            } else {
                values = prefersOurs ? mine : other
                both.append(unit[0])
            }
            for (name, value) in zip(unit, values) {
                if let value { merged.append(JSONText.Field(name: name, value: value)) }
            }
        }
        fields = .object(merged.sorted { $0.name < $1.name })
        clashes = both.sorted()
    }

    /// A value with parts, merged by its parts; nil for a value that is one.
    private static func joined(
        _ kind: EntityKind, _ column: String, _ old: JSONText?, _ ours: JSONText?, _ theirs: JSONText?,
        _ prefersOurs: Bool
    ) -> (value: JSONText?, clashes: [String])? {
        if lists[kind]?.contains(column) == true {
            func words(_ json: JSONText?) -> [String] { (json?.text ?? "").split(separator: " ").map(String.init) }
            let (was, mine, other) = (Set(words(old)), words(ours), words(theirs))
            let gone = was.subtracting(mine).union(was.subtracting(other))
            var kept = other.filter { !gone.contains($0) }
            kept += mine.filter { !gone.contains($0) && !kept.contains($0) }
            return (kept.isEmpty ? nil : .string(" " + kept.sorted().joined(separator: " ") + " "), [])
        }
        guard kind == .event || kind == .contact, column == "text", let old = old?.text, let ours = ours?.text,
            let theirs = theirs?.text
        else { return nil }
        let merge = ComponentMerge(base: old, ours: ours, theirs: theirs, strategy: prefersOurs ? .local : .server)
        return (.string(merge.text), merge.contested.map { $0.lowercased() })
    }
}
