/// An error that shows the place in a query, and the ways to say it.
public struct QueryProblem {
    let text: String
    let noun: QueryNoun

    /// An error at a place.
    func error(_ range: Range<String.Index>, _ reason: String, hint: String? = nil) -> HelixError {
        HelixError(.usage, "\(reason)\(marked(range))", hint: hint ?? noun.hint)
    }

    /// An error of a field that there is not.
    func unknown(_ name: String, _ range: Range<String.Index>) -> HelixError {
        let near = noun.nearest(name).map { "Did you mean \($0)? " } ?? ""
        return error(
            range, "\(noun.name) have no field '\(name)'",
            hint: "\(near)Fields are \(noun.fields.map(\.name).joined(separator: ", ")). "
                + "In double quotes it is searched for as it stands.")
    }

    /// The query with `^` below the place, on lines of their own.
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
    /// The advice for what cannot be read.
    var hint: String { "A query looks like: \(example)" }
}
