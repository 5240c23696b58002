import HelixModel

/// A word of a filter, and where it stands.
struct FilterWord: Hashable {
    enum Kind: Hashable {
        case open
        case close
        /// Text; `value` is what stands behind the operator, without quotes.
        case term(name: String, sign: String, value: String)
        case text(String)
    }

    var kind: Kind
    var range: Range<String.Index>
}

/// Cuts a filter into words: `name` operator `value`, `( )`, and text. Quotes hold blanks together.
struct FilterLexer {
    private static let signs = ["<=", ">=", "!=", ":", "=", "<", ">"]

    let text: String

    /// - Throws: ``HelixError`` of code `usage` for a quote that is not closed.
    func words() throws -> [FilterWord] {
        var words: [FilterWord] = []
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if character.isWhitespace {
                index = text.index(after: index)
                continue
            }
            if character == "(" || character == ")" {
                let next = text.index(after: index)
                words.append(FilterWord(kind: character == "(" ? .open : .close, range: index..<next))
                index = next
                continue
            }
            if character == "!", let next = text[index...].dropFirst().first, next != "=", !next.isWhitespace {
                // `!+tag`, `!(…)`: as `not` before it.
                let after = text.index(after: index)
                words.append(FilterWord(kind: .text("!"), range: index..<after))
                index = after
                continue
            }
            let start = index
            let name = try piece(from: &index, stopsAtSign: true)
            if let sign = sign(at: index), !name.isEmpty, name.isName {
                index = text.index(index, offsetBy: sign.count)
                let value = try piece(from: &index, stopsAtSign: false)
                words.append(
                    FilterWord(kind: .term(name: name.text, sign: sign, value: value.text), range: start..<index))
                continue
            }
            let rest = try piece(from: &index, stopsAtSign: false)
            words.append(FilterWord(kind: .text(name.text + rest.text), range: start..<index))
        }
        return words
    }

    private struct Piece {
        var text = ""
        var wasQuoted = false
        var isEmpty: Bool { text.isEmpty }
        var isName: Bool {
            !wasQuoted && text.allSatisfy { $0.isLetter || "_-.".contains($0) || $0 == "+" && text.first == "+" }
        }
    }

    private func sign(at index: String.Index) -> String? {
        FilterLexer.signs.first { text[index...].hasPrefix($0) }
    }

    private func piece(from index: inout String.Index, stopsAtSign: Bool) throws -> Piece {
        var piece = Piece()
        while index < text.endIndex {
            let character = text[index]
            if character.isWhitespace || character == ")" || character == "(" && piece.isEmpty && !stopsAtSign { break }
            if stopsAtSign, sign(at: index) != nil { break }
            if character == "\"" || character == "'" && piece.isEmpty {
                let first = text.index(after: index)
                guard let close = text[first...].firstIndex(of: character) else {
                    throw HelixError(
                        .usage, "a quote is opened but not closed: \(text[index...])",
                        hint: "Write project:\"my house\", and quote the whole filter for the shell.")
                }
                piece.text += text[first..<close]
                piece.wasQuoted = true
                index = text.index(after: close)
                continue
            }
            piece.text.append(character)
            index = text.index(after: index)
        }
        return piece
    }
}
