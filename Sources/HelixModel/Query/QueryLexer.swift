/// A token of a query, and its place.
struct QueryToken: Hashable {
    enum Kind: Hashable {
        case open
        case close
        case and
        case or
        case not
        /// `name`, sign and value.
        case field(name: String, sign: String, value: String, isQuoted: Bool)
        /// `+x` and `-x`: the sign, and the text after it.
        case signed(Character, String)
        case text(String, isQuoted: Bool)
    }

    var kind: Kind
    var range: Range<String.Index>
}

/// Splits a query into tokens: `name` sign `value`, `( )`, `+x`, `-x`, `and`, `or`, `not`, and words. Quotes keep blanks
/// together and make signs literal.
struct QueryLexer {
    private static let signs = ["<=", ">=", "!=", "==", ":", "=", "<", ">"]

    let text: String
    let problem: QueryProblem

    /// - Throws: ``HelixError`` of code `usage` for an unclosed quote.
    func tokens() throws -> [QueryToken] {
        var tokens: [QueryToken] = []
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if character.isWhitespace {
                index = text.index(after: index)
                continue
            }
            let start = index
            let kind: QueryToken.Kind
            let next = text.index(after: index)
            // A sign followed by nothing, or by another sign, is plain text.
            let follower = next < text.endIndex && !text[next].isWhitespace && text[next] != ")" ? text[next] : nil
            switch character {
            case "(":
                (kind, index) = (.open, next)
            case ")":
                (kind, index) = (.close, next)
            case "!" where follower.map { $0 != "=" } == true,
                "-" where follower.map { "(\"'!".contains($0) } == true:
                (kind, index) = (.not, next)
            case "-" where follower != nil && follower != "-" && isField(at: next):
                (kind, index) = (.not, next)
            case "+" where follower != nil && isField(at: next):
                index = next
                kind = try term(from: &index)
            case "+", "-":
                guard follower != nil, follower != character else {
                    kind = .text(try piece(from: &index, stopsAtSign: false).text, isQuoted: false)
                    break
                }
                index = next
                kind = .signed(character, try piece(from: &index, stopsAtSign: false).text)
            default:
                if let group = try group(from: &index) {
                    tokens += group
                    continue
                }
                kind = try term(from: &index)
            }
            tokens.append(QueryToken(kind: kind, range: start..<index))
        }
        return tokens
    }

    /// A field with several values in brackets, `subject:(invoice or bill)`, as a field for each; nil if there is none.
    private func group(from index: inout String.Index) throws -> [QueryToken]? {
        var end = index
        let name = try piece(from: &end, stopsAtSign: true)
        guard name.isName, let sign = sign(at: end) else { return nil }
        let open = text.index(end, offsetBy: sign.count)
        guard open < text.endIndex, text[open] == "(" else { return nil }
        var (place, depth, quote): (String.Index, Int, Character?) = (open, 0, nil)
        repeat {
            guard place < text.endIndex else {
                throw problem.error(
                    index..<text.endIndex, "this bracket is not closed", hint: "For the character itself: \"…\".")
            }
            let character = text[place]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" {
                quote = character
            } else if character == "(" || character == ")" {
                depth += character == "(" ? 1 : -1
            }
            place = text.index(after: place)
        } while depth > 0
        let range = index..<place
        let inner = String(text[text.index(after: open)..<text.index(before: place)])
        func field(_ value: String, _ isQuoted: Bool) -> QueryToken {
            let kind = QueryToken.Kind.field(
                name: name.text.lowercased(), sign: sign == "==" ? "=" : sign, value: value, isQuoted: isQuoted)
            return QueryToken(kind: kind, range: range)
        }
        let tokens = try QueryLexer(text: inner, problem: problem).tokens().flatMap { token -> [QueryToken] in
            switch token.kind {
            case .text(let value, let isQuoted): return [field(value, isQuoted)]
            case .signed("-", let value): return [QueryToken(kind: .not, range: range), field(value, false)]
            case .signed(_, let value): return [field(value, false)]
            case .field:
                throw problem.error(
                    range, "a field in the brackets of another one", hint: "Give each its own brackets, or none.")
            default: return [QueryToken(kind: token.kind, range: range)]
            }
        }
        guard !tokens.isEmpty else { throw problem.error(range, "nothing in the brackets", hint: problem.noun.hint) }
        index = place
        return [QueryToken(kind: .open, range: range)] + tokens + [QueryToken(kind: .close, range: range)]
    }

    /// A field, a joining word, or text.
    private func term(from index: inout String.Index) throws -> QueryToken.Kind {
        let start = index
        let name = try piece(from: &index, stopsAtSign: true)
        if let sign = sign(at: index), name.isName {
            let before = index
            index = text.index(index, offsetBy: sign.count)
            // `http://…` and `std::map` are words.
            let isWord = sign == ":" && index < text.endIndex && (text[index] == "/" || text[index] == ":")
            if !isWord {
                let value = try piece(from: &index, stopsAtSign: false)
                return .field(
                    name: name.text.lowercased(), sign: sign == "==" ? "=" : sign, value: value.text,
                    isQuoted: value.wasQuoted)
            }
            index = before
        }
        let rest = try piece(from: &index, stopsAtSign: false)
        let isQuoted = name.wasQuoted || name.isEmpty && rest.wasQuoted
        if !isQuoted {
            switch text[start..<index].lowercased() {
            case "and", "&&": return .and
            case "or", "||": return .or
            case "not": return .not
            default: break
            }
        }
        return .text(name.text + rest.text, isQuoted: isQuoted)
    }

    private func isField(at index: String.Index) -> Bool {
        let name = text[index...].prefix { Piece.isOfName($0) }
        return !name.isEmpty && sign(at: name.endIndex) != nil
    }

    private struct Piece {
        var text = ""
        var wasQuoted = false
        var isEmpty: Bool { text.isEmpty && !wasQuoted }
        var isName: Bool { !wasQuoted && !text.isEmpty && text.allSatisfy(Piece.isOfName) }

        static func isOfName(_ character: Character) -> Bool { character.isLetter || "_-.".contains(character) }
    }

    private func sign(at index: String.Index) -> String? {
        index < text.endIndex ? QueryLexer.signs.first { text[index...].hasPrefix($0) } : nil
    }

    private func piece(from index: inout String.Index, stopsAtSign: Bool) throws -> Piece {
        var piece = Piece()
        var depth = 0
        while index < text.endIndex {
            let character = text[index]
            if character.isWhitespace { break }
            if character == ")" {
                // `f(x)` is a word.
                if depth == 0 { break }
                depth -= 1
            }
            if character == "(" { depth += 1 }
            if stopsAtSign, sign(at: index) != nil { break }
            if character == "\"" || character == "'" && piece.isEmpty {
                let first = text.index(after: index)
                guard let close = text[first...].firstIndex(of: character) else {
                    // An apostrophe at the beginning of a word: 'tis.
                    if character == "'" {
                        piece.text.append(character)
                        index = first
                        continue
                    }
                    throw problem.error(index..<text.endIndex, "this quote is not closed", hint: problem.noun.hint)
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
