import HelixModel
import HelixSQLite

/// The fields of a journaled row, as stored in the journal.
struct JournalFields: Equatable {
    var values: [String: DatabaseValue]

    /// The fields as a JSON object; journaled tables contain only texts, integers and nulls.
    var json: String? {
        if values.isEmpty { return nil }
        let fields = values.sorted { $0.key < $1.key }.map { name, value in
            let text: JSONText =
                switch value {
                case .int64(let number): .number("\(number)")
                case .string(let text): .string(text)
                default: .null
                }
            return JSONText.Field(name: name, value: text)
        }
        return JSONText.object(fields).compact
    }

    init(_ values: [String: DatabaseValue]) { self.values = values }

    /// Parses fields from `json`.
    /// - Throws: ``HelixError`` of code `unexpected` if the journal is damaged.
    init(json: String?) throws {
        values = [:]
        guard let json else { return }
        guard case .object(let fields)? = try? JSONText(Array(json.utf8)) else {
            throw HelixError(.unexpected, "cannot read fields of the journal", hint: "Run 'helix doctor'.")
        }
        for field in fields {
            switch field.value {
            case .number(let digits): values[field.name] = (Int64(digits) ?? 0).databaseValue
            case .string(let text): values[field.name] = text.databaseValue
            default: values[field.name] = .null
            }
        }
    }
}
