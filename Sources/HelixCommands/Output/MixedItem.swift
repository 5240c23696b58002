/// An item of a list that mixes kinds, each with fields of its own: the field `kind` tells which ones it has.
protocol MixedItem: ReportItem {
    /// The kinds of items.
    static var variants: [any DescribedItem.Type] { get }
    /// The item, as one of its kind.
    var variant: any DescribedItem { get }
}

extension MixedItem {
    static var fields: [SchemaField] { SchemaField.merged(variants.map { $0.fields }) }

    static var itemSchema: JSONObject {
        var schema = JSONObject()
        schema.set("anyOf", .array(variants.map { .object($0.itemSchema) }))
        return schema
    }

    func json(for viewer: Viewer) -> JSONObject { variant.json(for: viewer) }
}

extension SchemaField {
    /// The fields of items of several kinds, each once: a field is required if all kinds require it.
    static func merged(_ variants: [[SchemaField]]) -> [SchemaField] {
        var merged: [SchemaField] = []
        for field in variants.joined() where !merged.contains(where: { $0.name == field.name }) {
            let same = variants.compactMap { $0.first { $0.name == field.name } }
            merged.append(
                SchemaField(
                    field.name, Kind.merged(same.map(\.kind)),
                    required: same.count == variants.count && same.allSatisfy(\.isRequired), field.summary))
        }
        return merged
    }
}

extension SchemaField.Kind {
    /// A kind that all values of these kinds have.
    fileprivate static func merged(_ kinds: [SchemaField.Kind]) -> SchemaField.Kind {
        var choices: [String] = []
        for case .choice(let own) in kinds { choices += own.filter { !choices.contains($0) } }
        let isChoice = kinds.allSatisfy { if case .choice = $0 { true } else { false } }
        return isChoice ? .choice(choices) : kinds[0]
    }
}
