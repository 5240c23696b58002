import HelixModel

/// A value that JSON has a form for.
protocol JSONConvertible: Sendable {
    /// The JSON; nil for an absent value, which is omitted.
    var jsonValue: JSONValue? { get }
}

extension JSONValue: JSONConvertible { var jsonValue: JSONValue? { self } }
extension JSONObject: JSONConvertible { var jsonValue: JSONValue? { .object(self) } }
extension String: JSONConvertible { var jsonValue: JSONValue? { .string(self) } }
extension Int: JSONConvertible { var jsonValue: JSONValue? { .integer(self) } }
extension Bool: JSONConvertible { var jsonValue: JSONValue? { .bool(self) } }
extension EntityID: JSONConvertible { var jsonValue: JSONValue? { .string(text) } }
extension Array: JSONConvertible where Element: JSONConvertible {
    var jsonValue: JSONValue? { .array(compactMap(\.jsonValue)) }
}
extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    var jsonValue: JSONValue? { flatMap(\.jsonValue) }
}

/// A field of an item in a report, with its value: the JSON, `--fields`, `--columns`, the schema and the order of fields are all
/// made of the list of an item's fields.
struct ReportField<Item>: Sendable {
    /// Its name, type and documentation.
    let schema: SchemaField
    /// Its value, with times on the viewer's clock; nil if the item has none.
    let value: @Sendable (Item, Viewer) -> JSONValue?
    /// Whether others wrote it: an agent gets it fenced. Nil for a field without texts of others.
    private(set) var isForeign: (@Sendable (Item) -> Bool)?

    /// The same field, whose text comes from others but is one word as a rule: an address, a label. More words, or a long one, are
    /// fenced.
    var foreignUnlessWord: ReportField {
        var field = foreign
        field.isWord = true
        return field
    }

    /// Whether it is fenced only if it is more than a word.
    private var isWord = false

    /// The value as an agent sees it.
    fileprivate func fenced(_ value: JSONValue?, by fence: TextFence) -> JSONValue? {
        isWord ? fence.fenced(value, if: TextFence.isMoreThanWord) : fence.fenced(value)
    }

    /// The same field, whose text comes from others.
    var foreign: ReportField { foreign(if: { _ in true }) }

    /// The same field, whose text comes from others in some items.
    func foreign(if isForeign: @escaping @Sendable (Item) -> Bool) -> ReportField {
        var field = self
        field.isForeign = isForeign
        return field
    }

    /// A field of an inner item.
    fileprivate init<Inner>(
        _ field: ReportField<Inner>, of inner: @escaping @Sendable (Item) -> Inner?
    ) {
        schema = field.schema
        value = { item, viewer in inner(item).flatMap { field.value($0, viewer) } }
        isWord = field.isWord
        if let foreign = field.isForeign { isForeign = { item in inner(item).map { foreign($0) } ?? false } }
    }

    /// A field whose value depends on the viewer's clock.
    init(
        _ name: String, _ kind: SchemaField.Kind, required: Bool = true, _ summary: String,
        _ value: @escaping @Sendable (Item, Viewer) -> some JSONConvertible
    ) {
        schema = SchemaField(name, kind, required: required, summary)
        self.value = { value($0, $1).jsonValue }
    }

    /// A field whose value is the same for all viewers.
    init(
        _ name: String, _ kind: SchemaField.Kind, required: Bool = true, _ summary: String,
        _ value: @escaping @Sendable (Item) -> some JSONConvertible
    ) {
        schema = SchemaField(name, kind, required: required, summary)
        self.value = { item, _ in value(item).jsonValue }
    }

    /// A field that lists parts of the item, each with fields of its own; nil for an absent list.
    init<Part>(
        _ name: String, listing values: @escaping @Sendable (Item) -> [Part]?, required: Bool = true, _ summary: String,
        @ReportFields<Part> _ parts: () -> [ReportField<Part>]
    ) {
        let parts = parts()
        schema = SchemaField(name, .array(.object(parts.map(\.schema))), required: required, summary)
        value = { item, viewer in
            values(item).map { .array($0.map { .object(parts.json($0, for: viewer)) }) }
        }
    }

    /// A field that is a part of the item, with fields of its own.
    init<Part>(
        _ name: String, part value: @escaping @Sendable (Item) -> Part, _ summary: String,
        @ReportFields<Part> _ parts: () -> [ReportField<Part>]
    ) {
        let parts = parts()
        schema = SchemaField(name, .object(parts.map(\.schema)), summary)
        self.value = { .object(parts.json(value($0), for: $1)) }
    }
}

/// A list of fields, each checked by the compiler on its own: together they would take it minutes.
@resultBuilder enum ReportFields<Item> {
    static func buildExpression(_ field: ReportField<Item>) -> [ReportField<Item>] { [field] }
    static func buildExpression(_ fields: [ReportField<Item>]) -> [ReportField<Item>] { fields }
    static func buildPartialBlock(first: [ReportField<Item>]) -> [ReportField<Item>] { first }
    static func buildPartialBlock(
        accumulated: [ReportField<Item>], next: [ReportField<Item>]
    ) -> [ReportField<Item>] { accumulated + next }
}

/// An item that is described by its fields alone.
protocol DescribedItem: ReportItem {
    /// Its fields, in the order of its JSON.
    static var described: [ReportField<Self>] { get }
}

extension DescribedItem {
    typealias Field = ReportField<Self>

    /// Creates a list of fields.
    static func list(@ReportFields<Self> _ fields: () -> [ReportField<Self>]) -> [ReportField<Self>] { fields() }

    static var fields: [SchemaField] { described.map(\.schema) }

    func json(for viewer: Viewer) -> JSONObject { Self.described.json(self, for: viewer) }
}

extension Array {
    /// The JSON of an item with these fields.
    fileprivate func json<Item>(_ item: Item, for viewer: Viewer) -> JSONObject where Element == ReportField<Item> {
        var json = JSONObject()
        for field in self {
            let value = field.value(item, viewer)
            let fence = viewer.fence.flatMap { field.isForeign?(item) == true ? $0 : nil }
            json.set(field.schema.name, fence.flatMap { field.fenced(value, by: $0) } ?? value)
        }
        return json
    }

    /// The fields of an item that another one contains, as fields of the outer one.
    func of<Outer, Inner>(_ inner: @escaping @Sendable (Outer) -> Inner) -> [ReportField<Outer>]
    where Element == ReportField<Inner> {
        map { ReportField<Outer>($0, of: inner) }
    }

    /// The same for an inner item that may be absent.
    func ofSome<Outer, Inner>(_ inner: @escaping @Sendable (Outer) -> Inner?) -> [ReportField<Outer>]
    where Element == ReportField<Inner> {
        map { ReportField<Outer>($0, of: inner) }
    }
}
