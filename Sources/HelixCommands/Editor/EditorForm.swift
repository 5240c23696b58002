import HelixModel
import HelixTerminal

/// A text form for an editor: one field per line, and notes below a line of dashes.
///
/// ```
/// # Comments.
/// title: Standup
/// start: 2026-11-24 09:15
/// -----
/// Notes, any number of lines.
/// ```
struct EditorForm {
    /// A field with its value and a comment above it.
    struct Field {
        let name: String
        let value: String
        var comment = ""
    }

    /// A changed value and its line.
    struct Entry: Equatable {
        let value: String
        let line: Int
    }

    /// The lines above the fields, as comments.
    let heading: [String]
    let fields: [Field]
    /// The text below the fields; nil if the form has no notes.
    let notes: String?

    private static let divider = "-----"

    /// The initial text for the editor.
    var text: String {
        var lines = heading.map { "# " + $0 }
        lines += [
            "# To remove a field, empty its value or delete its line. An unchanged text changes nothing.",
            "",
        ]
        for field in fields {
            if !field.comment.isEmpty { lines.append("# " + field.comment) }
            lines.append(field.value.isEmpty ? field.name + ":" : "\(field.name): \(SafeText.line(field.value))")
        }
        if let notes { lines += [EditorForm.divider, notes] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The values that differ from those of the form.
    /// - Throws: ``HelixError`` of code `usage` that names the line that cannot be parsed.
    func changes(in text: String) throws -> (fields: [String: Entry], notes: String?) {
        var changed: [String: Entry] = [:]
        var seen: Set<String> = []
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        var number = 0
        while let line = lines.popFirst() {
            number += 1
            let plain = String(line).trimmingBlanks()
            if plain == EditorForm.divider, notes != nil { break }
            if plain.isEmpty || plain.hasPrefix("#") { continue }
            guard let colon = plain.firstIndex(of: ":") else {
                throw problem(number, plain, "no 'field: value'")
            }
            let name = String(plain[..<colon]).trimmingBlanks().lowercased()
            guard let field = fields.first(where: { $0.name == name }) else {
                let near = EditDistance.suggestion(for: name, among: fields.map(\.name))
                throw problem(
                    number, plain, "unknown field '\(name)'",
                    hint: (near.map { "Did you mean \($0)? " } ?? "")
                        + "Fields are \(fields.map(\.name).joined(separator: ", ")).")
            }
            guard seen.insert(name).inserted else { throw problem(number, plain, "duplicate field '\(name)'") }
            let value = String(plain[plain.index(after: colon)...]).trimmingBlanks()
            if value != SafeText.line(field.value).trimmingBlanks() {
                changed[name] = Entry(value: value, line: number)
            }
        }
        // A deleted line removes its field.
        for field in fields where !seen.contains(field.name) && !field.value.isEmpty {
            changed[field.name] = Entry(value: "", line: number)
        }
        guard let notes else { return (changed, nil) }
        let written = lines.joined(separator: "\n").withoutEmptyEnds()
        return (changed, written == notes.withoutEmptyEnds() ? nil : written)
    }

    /// The elements added to and removed from a comma-separated list; nil if it was not changed.
    func list(_ name: String, _ changed: [String: Entry]) -> (come: [String], gone: [String])? {
        guard let value = changed[name]?.value else { return nil }
        func items(_ text: String) -> [String] {
            text.split(separator: ",").map { String($0).trimmingBlanks() }.filter { !$0.isEmpty }
        }
        let (old, new) = (items(fields.first { $0.name == name }?.value ?? ""), items(value))
        return (new.filter { !old.contains($0) }, old.filter { !new.contains($0) })
    }

    /// An error that quotes the line of the text that it concerns.
    func problem(_ number: Int, _ line: String, _ reason: String, hint: String? = nil) -> HelixError {
        HelixError(.usage, "line \(number) cannot be read: \(reason)\n  \(line)", hint: hint)
    }
}

extension String {
    /// The text without empty lines above it and blanks below it.
    fileprivate func withoutEmptyEnds() -> String {
        var text = drop(while: \.isNewline)
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}
