import Foundation
import HelixModel
import TestSupport

/// The models of the family's apps (Tests/Tables/app-models.txt), and the defects of an answer for one.
struct AppModels {
    /// A type of a field.
    private indirect enum Shape {
        case string, integer, number, bool, date
        case words([String])
        case list(Shape)
        case map(Shape)
        case model(String)
        case optional(Shape)
    }

    private var models: [String: [(name: String, shape: Shape)]] = [:]

    /// - Throws: an error if the table cannot be read.
    init() throws {
        let file = Corpora.packageDirectory.appendingPathComponent("Tests/Tables/app-models.txt")
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: ": ", maxSplits: 1)
            models[String(parts[0])] = parts[1].components(separatedBy: ", ").map { field in
                let words = field.split(separator: " ", maxSplits: 1)
                return (String(words[0]), AppModels.shape(String(words[1])))
            }
        }
    }

    private static func shape(_ text: String) -> Shape {
        if text.hasSuffix("?") { return .optional(shape(String(text.dropLast()))) }
        let inner = String(text.dropFirst().dropLast())
        switch text.first {
        case "[": return .list(shape(inner))
        case "{": return .map(shape(inner))
        case "(": return .words(inner.split(separator: "|").map(String.init))
        default: break
        }
        switch text {
        case "String": return .string
        case "Int": return .integer
        case "Double": return .number
        case "Bool": return .bool
        case "Date": return .date
        default: return .model(text)
        }
    }

    /// The fields of an answer that an app cannot read as a type, such as `[Task]`.
    func defects(_ json: JSONText, as type: String, of app: String) -> [String] {
        defects(json, AppModels.shape(type), app, "")
    }

    private func defects(_ json: JSONText, _ shape: Shape, _ app: String, _ path: String) -> [String] {
        func wrong(_ expected: String) -> [String] { ["\(path.isEmpty ? "answer" : path): no \(expected)"] }
        switch shape {
        case .optional(let inner): return json.isNull ? [] : defects(json, inner, app, path)
        case .string: return json.text == nil ? wrong("string") : []
        case .integer: return json.integer == nil ? wrong("whole number") : []
        case .number: return json.double == nil ? wrong("number") : []
        case .bool: return json.bool == nil ? wrong("boolean") : []
        case .date:
            // ISO 8601 with a time and an offset, without fractions of a second.
            let isDate = json.text?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)/) != nil
            return isDate ? [] : wrong("date-time (\(json.compact))")
        case .words(let words):
            return json.text.map(words.contains) == true ? [] : wrong("one of \(words): \(json.compact)")
        case .list(let inner):
            guard let elements = json.elements else { return wrong("array") }
            return elements.enumerated().flatMap { defects($1, inner, app, "\(path)[\($0)]") }
        case .map(let inner):
            guard let fields = json.fields else { return wrong("object") }
            return fields.flatMap { defects($0.value, inner, app, "\(path).\($0.name)") }
        case .model(let name):
            guard let fields = models["\(app) \(name)"] else { return ["no model \(app) \(name)"] }
            guard json.fields != nil else { return wrong("object") }
            return fields.flatMap { field -> [String] in
                if let value = json[field.name] { return defects(value, field.shape, app, "\(path).\(field.name)") }
                if case .optional = field.shape { return [] }
                return ["\(path).\(field.name): missing"]
            }
        }
    }
}
