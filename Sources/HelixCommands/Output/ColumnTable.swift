import HelixModel
import HelixTerminal

/// The fields of a report as a table with a header, for `--columns`.
struct ColumnTable {
    /// The fields to show, in the requested order.
    let fields: [SchemaField]
    private var rows: [[JSONValue?]] = []

    /// - Throws: ``HelixError`` of code `usage` for an unknown field.
    init(_ names: [String], of known: [SchemaField]) throws {
        fields = try names.map { name in
            if let field = known.first(where: { $0.name == name }) { return field }
            throw SchemaField.unknown(name, among: known)
        }
    }

    /// Adds an item's JSON.
    mutating func add(_ json: JSONObject) {
        rows.append(fields.map { field in json.fields.first { $0.name == field.name }?.value })
    }

    /// The ids in the table, which are shown in their short form.
    var ids: Set<EntityID> {
        var found: Set<EntityID> = []
        for row in rows {
            for (field, value) in zip(fields, row) where field.kind.isID {
                for text in value?.texts ?? [] { if let id = EntityID(text) { found.insert(id) } }
            }
        }
        return found
    }

    /// A value as text: whole ids, times to the minute.
    static func plain(_ value: JSONValue, _ kind: SchemaField.Kind, _ viewer: Viewer) -> String {
        if case .string(let text) = value, kind.isID { return text }
        return ColumnTable(fields: []).text(of: value, kind, viewer)
    }

    private init(fields: [SchemaField]) { self.fields = fields }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table(
            fields.map { field in
                Table.Column(field.name, right: field.kind.isNumber, minimum: field.kind.isText ? 6 : nil)
            }, keepsEmpty: true)
        for row in rows {
            table.row(
                zip(fields, row).map { StyledText($1.map { [kind = $0.kind] in text(of: $0, kind, viewer) } ?? "") })
        }
        table.draw(on: &canvas)
    }

    private func text(of value: JSONValue, _ kind: SchemaField.Kind, _ viewer: Viewer) -> String {
        switch (value, kind) {
        case (.null, _): return ""
        case (.bool(let isSet), _): return isSet ? "yes" : ""
        case (.integer(let seconds), .seconds): return DateWords.text(duration: seconds)
        case (.integer(let number), _): return "\(number)"
        case (.number(let number), _): return "\(number)"
        case (.string(let text), .id): return EntityID(text).map(viewer.short) ?? text
        case (.string(let text), .time): return ColumnTable.minute(text)
        case (.string(let text), _): return SafeText.line(text)
        case (.array(let values), .array(let kind)):
            return values.map { self.text(of: $0, kind, viewer) }.joined(separator: ", ")
        case (.array, _), (.object, _): return SafeText.line(value.text())
        }
    }

    /// `2026-12-01 09:30` from an ISO time, which is on the viewer's clock already.
    private static func minute(_ text: String) -> String {
        guard text.count >= 16, text.dropFirst(10).first == "T" else { return text }
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
    }
}

extension SchemaField {
    /// The error for an unknown field.
    static func unknown(_ name: String, among known: [SchemaField]) -> HelixError {
        let names = known.map(\.name)
        let near = EditDistance.suggestion(for: name, among: names)
        return HelixError(
            .usage, "unknown field '\(name)'",
            hint: (near.map { "Did you mean \($0)? " } ?? "") + "Use one of: \(names.joined(separator: ", ")).")
    }
}

extension SchemaField.Kind {
    fileprivate var isID: Bool {
        switch self {
        case .id: true
        case .array(let kind): kind.isID
        default: false
        }
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .seconds, .number: true
        default: false
        }
    }

    /// Whether a column of this kind may be truncated.
    fileprivate var isText: Bool {
        switch self {
        case .string, .array, .object: true
        default: false
        }
    }
}

extension JSONValue {
    /// The strings in the value.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let values): values.flatMap(\.texts)
        default: []
        }
    }
}
