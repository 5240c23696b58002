/// Creates errors that mark the place in a query and suggest a valid form.
public struct QueryProblem {
    let text: String
    let noun: QueryNoun

    /// Returns an error at a place.
    func error(_ range: Range<String.Index>, _ reason: String, hint: String? = nil) -> HelixError {
        HelixError(.usage, "\(reason)\(marked(range))", hint: hint ?? noun.hint)
    }

    /// Returns an error for an unknown field.
    func unknown(_ name: String, _ range: Range<String.Index>) -> HelixError {
        let near = noun.nearest(name).map { "Did you mean \($0)? " } ?? ""
        return error(
            range, "\(noun.name) have no field '\(name)'",
            hint: "\(near)Fields are \(noun.fields.map(\.name).joined(separator: ", ")). "
                + "In double quotes it is searched for literally.")
    }

    /// The query with `^` below the place, on separate lines.
    private func marked(_ range: Range<String.Index>) -> String {
        guard !text.contains(where: \.isNewline), text.count <= 200 else {
            return ": '\(text[range].prefix(200))'"
        }
        let before = text[..<range.lowerBound].count
        let marks = String(repeating: "^", count: max(1, text[range].count))
        return "\n  \(text)\n  \(String(repeating: " ", count: before))\(marks)"
    }
}

extension QueryNoun {
    /// The hint for a query that cannot be parsed.
    var hint: String { "A query looks like: \(example)" }
}
