/// Parses the query language, which all nouns share: words, "phrases", `pre*`, `field:value`, comparisons, ranges,
/// `+tag`, `@name`, `and`, `or`, `not` and brackets.
///
/// ```swift
/// let parser = QueryParser(noun: .tasks, dates: dates) { term in try TaskFilter(term) }
/// let filter = try parser.query("project:house due<fri (+urgent or -tagged)")
/// ```
public struct QueryParser<Tree: QueryTree> {
    private let noun: QueryNoun
    private let dates: DatePhraseParser
    private let saved: (String) throws -> String?
    private let leaf: (QueryTerm) throws -> Tree

    /// - Parameters:
    ///   - dates: parses the dates and times in queries.
    ///   - saved: returns the text of a saved query, for `@name`.
    ///   - leaf: converts a term to a condition of the noun.
    public init(
        noun: QueryNoun, dates: DatePhraseParser, saved: @escaping (String) throws -> String? = { _ in nil },
        leaf: @escaping (QueryTerm) throws -> Tree
    ) {
        self.noun = noun
        self.dates = dates
        self.saved = saved
        self.leaf = leaf
    }

    /// Parses `text`; all parts must match, unless `or` separates them.
    /// - Throws: ``HelixError`` of code `usage` that marks the place.
    public func query(_ text: String) throws -> Tree { try query(text, depth: 0) }

    private func query(_ text: String, depth: Int) throws -> Tree {
        guard depth < 20 else { throw HelixError(.usage, "a saved query refers to itself") }
        guard text.utf8.count <= 100_000 else { throw HelixError(.usage, "the query is over 100,000 characters long") }
        let problem = QueryProblem(text: text, noun: noun)
        let tokens = try QueryLexer(text: text, problem: problem).tokens()
        var reader = Reader(parser: self, text: text, problem: problem, tokens: tokens[...], depth: depth)
        let tree = try reader.alternatives(level: 0)
        if let extra = reader.tokens.first { throw problem.error(extra.range, "unmatched ')'") }
        return tree
    }

    private struct Reader {
        let parser: QueryParser
        let text: String
        let problem: QueryProblem
        var tokens: ArraySlice<QueryToken>
        let depth: Int

        private var end: Range<String.Index> { text.endIndex..<text.endIndex }

        mutating func alternatives(level: Int) throws -> Tree {
            guard level < 50 else { throw HelixError(.usage, "the query has over 50 nested brackets") }
            var parts = [try conjunction(level: level)]
            while let or = tokens.first, or.kind == .or {
                tokens = tokens.dropFirst()
                if tokens.first.map({ $0.kind == .close }) ?? true {
                    throw problem.error(or.range, "nothing follows 'or'")
                }
                parts.append(try conjunction(level: level))
            }
            return parts.count == 1 ? parts[0] : .any(parts)
        }

        private mutating func conjunction(level: Int) throws -> Tree {
            var parts: [Tree] = []
            var joint: QueryToken?
            while let token = tokens.first, token.kind != .close {
                if token.kind == .or {
                    if parts.isEmpty { throw problem.error(token.range, "nothing precedes 'or'") }
                    break
                }
                if token.kind == .and {
                    if parts.isEmpty || joint != nil {
                        throw problem.error(token.range, "nothing precedes 'and'")
                    }
                    joint = token
                    tokens = tokens.dropFirst()
                    continue
                }
                joint = nil
                parts.append(try negation(level: level))
            }
            if let joint { throw problem.error(joint.range, "nothing follows 'and'") }
            if parts.isEmpty, let close = tokens.first, level > 0 {
                throw problem.error(close.range, "these brackets are empty")
            }
            return parts.isEmpty ? .everything : parts.count == 1 ? parts[0] : .all(parts)
        }

        private mutating func negation(level: Int) throws -> Tree {
            // Two negations cancel out: a run of them is no deeper than one.
            var isNegative = false
            var last: QueryToken?
            while let token = tokens.first, token.kind == .not {
                isNegative.toggle()
                last = token
                tokens = tokens.dropFirst()
            }
            if let last, tokens.first.map({ $0.kind == .close || $0.kind == .or || $0.kind == .and }) ?? true {
                throw problem.error(last.range, "nothing follows 'not'")
            }
            let inner = try operand(level: level)
            return isNegative ? .not(inner) : inner
        }

        private mutating func operand(level: Int) throws -> Tree {
            guard let token = tokens.popFirst() else { return .everything }
            switch token.kind {
            case .open:
                let inner = try alternatives(level: level + 1)
                guard tokens.first?.kind == .close else { throw problem.error(token.range, "this '(' is not closed") }
                tokens = tokens.dropFirst()
                return inner
            case .close: throw problem.error(token.range, "unmatched ')'")
            case .and, .or, .not: throw problem.error(token.range, "a condition is missing")
            case .signed(let sign, let text): return try signed(sign, text, token)
            case .text(let text, let isQuoted): return try words(text, isQuoted: isQuoted, token)
            case .field(let name, let sign, let value, let isQuoted):
                return try field(name, sign, value, isQuoted: isQuoted, token)
            }
        }

        // MARK: Words

        private func signed(_ sign: Character, _ name: String, _ token: QueryToken) throws -> Tree {
            let isTag =
                switch parser.noun.tags {
                case .none: false
                case .plus: sign == "+" && name.first?.isLetter == true
                case .both: true
                }
            guard isTag else {
                let inner = try words(sign == "+" ? "+" + name : name, isQuoted: false, token)
                return sign == "-" ? .not(inner) : inner
            }
            let tags = try name.split(separator: ",").map { try leaf(.tag(String($0)), token) }
            guard let first = tags.first else { throw problem.error(token.range, "no tag after '\(sign)'") }
            // `-a,b` excludes both.
            if sign == "+" { return tags.count == 1 ? first : .all(tags) }
            return .not(tags.count == 1 ? first : .any(tags))
        }

        private func words(_ text: String, isQuoted: Bool, _ token: QueryToken) throws -> Tree {
            if !isQuoted {
                if text == "*" { return .everything }
                if let query = try savedQuery(text, token) {
                    return try parser.query(query, depth: depth + 1)
                }
            }
            let isPrefix = !isQuoted && text.hasSuffix("*")
            let plain = isPrefix ? String(text.dropLast()) : text
            // `due < fri`, `pay | paint`, `due~fri`
            let name = plain.prefix { $0.isLetter }.lowercased()
            if !isQuoted,
                plain.allSatisfy({ "<>=!~|,:&".contains($0) })
                    || parser.noun.field(name) != nil && plain.dropFirst(name.count).first == "~"
            {
                throw problem.error(
                    token.range, "unexpected operator",
                    hint: "Write field:value or field<value without blanks, and 'or' between two conditions.")
            }
            if !isQuoted, plain.contains("*") {
                throw problem.error(token.range, "'*' is allowed only at the end of a word")
            }
            return try leaf(.words(plain, isQuoted: isQuoted, isPrefix: isPrefix), token)
        }

        /// The query that `@name` refers to. A host name contains a dot and is a word.
        private func savedQuery(_ text: String, _ token: QueryToken) throws -> String? {
            guard parser.noun.hasSavedQueries, text.hasPrefix("@"), text.count > 1 else { return nil }
            let name = String(text.dropFirst())
            if let query = try parser.saved(name) { return query }
            if name.contains(".") { return nil }
            throw problem.error(
                token.range, "unknown saved query '\(name)'",
                hint: "In double quotes it is searched for literally.")
        }

        // MARK: Fields

        private mutating func field(
            _ typed: String, _ typedSign: String, _ value: String, isQuoted: Bool, _ token: QueryToken
        ) throws -> Tree {
            let (name, sign) = try unmodified(typed, typedSign, token)
            guard let field = parser.noun.field(name) else { throw problem.unknown(typed, token.range) }
            guard var comparison = sign == ":" ? .equal : QueryComparison(rawValue: sign) else {
                throw problem.error(token.range, "unknown comparison '\(sign)'")
            }
            let isNegative = comparison == .notEqual && !field.hasOrder
            if isNegative { comparison = .equal }
            if comparison != .equal && !field.hasOrder {
                throw problem.error(token.range, "'\(name)' has no order; use ':' or '!='")
            }
            if let own = field.comparison { comparison = own }
            if value.isEmpty, !isQuoted, let next = tokens.first, case .text = next.kind {
                throw problem.error(
                    token.range, "no value after '\(typed)\(typedSign)'",
                    hint: "Write the value without a blank before it"
                        + (field.canBeNone ? ", or \(name):none." : "."))
            }
            var value = value
            // `date:nov 20`: the following date words belong to it.
            if case .time(let direction) = field.kind, !isQuoted, !value.isEmpty {
                let dates = parser.dates.looking(direction)
                while let next = tokens.first, case .text(let text, false) = next.kind, dates.isTimeWord(text),
                    (try? dates.range("\(value) \(text)")) != nil
                {
                    value += " " + text
                    tokens = tokens.dropFirst()
                }
            }
            let tree = try condition(field, comparison, value, isQuoted: isQuoted, token)
            return isNegative ? .not(tree) : tree
        }

        private func condition(
            _ field: QueryField, _ comparison: QueryComparison, _ value: String, isQuoted: Bool, _ token: QueryToken
        ) throws -> Tree {
            func asked(_ comparison: QueryComparison, _ value: QueryValue) throws -> Tree {
                try leaf(.field(field.asks, comparison, value), token)
            }
            let word = value.lowercased()
            if !isQuoted, field.canBeNone, value.isEmpty || ["none", "no", "any", "some"].contains(word) {
                let isAny = word == "any" || word == "some"
                guard comparison == .equal || comparison == .notEqual else {
                    throw problem.error(token.range, "'\(value)' has no order; use ':' or '!='")
                }
                let tree = try asked(.equal, isAny ? .any : .none)
                return comparison == .notEqual ? .not(tree) : tree
            }
            if value.isEmpty {
                throw problem.error(token.range, "no value after '\(field.name)'")
            }
            if !isQuoted, value.hasSuffix(",") {
                throw problem.error(
                    token.range, "no value after the comma",
                    hint: "Separate conditions with blanks: project:house due:fri.")
            }
            if !isQuoted, value.contains("*"), case .name = field.kind, !["label", "tag"].contains(field.name) {
                throw problem.error(token.range, "'\(field.name)' accepts only a whole name, without '*'")
            }
            let reader = QueryValueReader(field: field, dates: parser.dates)
            do {
                // Days read their ranges themselves: `mon..fri` is the Friday after that Monday.
                if comparison == .equal, let (low, high) = reader.sides(value) {
                    let bounds =
                        try (low.isEmpty ? [] : [asked(.greaterOrEqual, try reader.value(low, isQuoted: isQuoted))])
                        + (high.isEmpty ? [] : [asked(.lessOrEqual, try reader.value(high, isQuoted: isQuoted))])
                    guard !bounds.isEmpty else { throw problem.error(token.range, "this range has no start or end") }
                    return bounds.count == 1 ? bounds[0] : .all(bounds)
                }
                return try asked(comparison, try reader.value(value, isQuoted: isQuoted))
            } catch let error as HelixError where error.code == .usage && !error.message.contains("\n  \(text)") {
                let reason = error.message.prefix { !$0.isNewline }
                throw problem.error(token.range, String(reason), hint: error.hint)
            }
        }

        /// Maps Taskwarrior's modifiers to signs: `due.before:fri` is `due<fri`.
        private func unmodified(_ name: String, _ sign: String, _ token: QueryToken) throws -> (String, String) {
            guard let dot = name.firstIndex(of: ".") else { return (name, sign) }
            let modifier = String(name[name.index(after: dot)...])
            let signs = [
                "before": "<", "below": "<", "under": "<", "by": "<=", "after": ">", "above": ">", "over": ">",
                "is": ":", "equals": ":", "not": "!=", "isnt": "!=",
            ]
            guard sign == ":", let own = signs[modifier] else {
                throw problem.error(
                    token.range, "unknown modifier '.\(modifier)'",
                    hint: "Write due<fri, due>=fri, project!=house; or .before, .after, .by, .is and .not.")
            }
            return (String(name[..<dot]), own)
        }

        /// Converts a term to a condition of the noun; errors without a place get that of the term.
        private func leaf(_ term: QueryTerm, _ token: QueryToken) throws -> Tree {
            do { return try parser.leaf(term) } catch let error as HelixError where error.code == .usage {
                if error.message.contains("\n") { throw error }
                throw problem.error(token.range, error.message, hint: error.hint)
            }
        }
    }
}
