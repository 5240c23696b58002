import HelixModel

/// Reads the filter language of tasks.
///
/// ```swift
/// let filter = try FilterParser(dates: dates, me: ["ana@example.org"]).filter("project:house due<fri (+urgent or -tagged)")
/// ```
public struct FilterParser {
    private let dates: DatePhraseParser
    private let me: [String]
    private let saved: (String) throws -> String?

    /// - Parameters:
    ///   - dates: reads the dates and times in filters.
    ///   - me: what `assignee:me` means.
    ///   - saved: the text of a saved view, used as `@name`.
    public init(
        dates: DatePhraseParser, me: [String] = [], saved: @escaping (String) throws -> String? = { _ in nil }
    ) {
        self.dates = dates
        self.me = me
        self.saved = saved
    }

    /// The filter that `text` says; all parts must hold, unless `or` stands between them.
    /// - Throws: ``HelixError`` of code `usage` that points at the place.
    public func filter(_ text: String) throws -> TaskFilter { try filter(text, depth: 0) }

    private func filter(_ text: String, depth: Int) throws -> TaskFilter {
        guard depth < 20 else {
            throw HelixError(.usage, "a saved view names itself", hint: "'helix tasks view list' shows them.")
        }
        guard text.utf8.count <= 100_000 else { throw HelixError(.usage, "the filter is over 100,000 characters long") }
        var reader = Reader(parser: self, text: text, words: try FilterLexer(text: text).words()[...], depth: depth)
        let filter = try reader.alternatives(level: 0)
        if let extra = reader.words.first { throw reader.problem(extra, "a ')' closes nothing") }
        return filter
    }

    private struct Reader {
        let parser: FilterParser
        let text: String
        var words: ArraySlice<FilterWord>
        let depth: Int

        mutating func alternatives(level: Int) throws -> TaskFilter {
            guard level < 50 else { throw HelixError(.usage, "the filter has over 50 brackets in each other") }
            var parts = [try conjunction(level: level)]
            while takes("or") {
                if words.first.map({ $0.kind == .close }) ?? true {
                    throw HelixError(.usage, "in the filter '\(text.prefix(200))' nothing stands after 'or'")
                }
                parts.append(try conjunction(level: level))
            }
            return parts.count == 1 ? parts[0] : .any(parts)
        }

        private mutating func conjunction(level: Int) throws -> TaskFilter {
            var parts: [TaskFilter] = []
            while let word = words.first, word.kind != .close {
                if isKeyword(word, "or") {
                    if parts.isEmpty { throw problem(word, "'or' has nothing on its left") }
                    break
                }
                if takes("and") { continue }
                parts.append(try negation(level: level))
            }
            if parts.isEmpty, let last = words.first { throw problem(last, "there is nothing before it") }
            return parts.isEmpty ? .everything : parts.count == 1 ? parts[0] : .all(parts)
        }

        private mutating func negation(level: Int) throws -> TaskFilter {
            // Two negations are none: a row of them is no deeper than one.
            var isNegative = false
            var hasNegation = false
            while takes("not") || takes("!") {
                isNegative.toggle()
                hasNegation = true
            }
            if hasNegation, words.first.map({ $0.kind == .close }) ?? true {
                throw HelixError(.usage, "the filter '\(text.prefix(200))' ends after 'not'")
            }
            let inner = try operand(level: level)
            return isNegative ? .not(inner) : inner
        }

        private mutating func operand(level: Int) throws -> TaskFilter {
            guard let word = words.popFirst() else { return .everything }
            switch word.kind {
            case .open:
                let inner = try alternatives(level: level + 1)
                guard words.first?.kind == .close else { throw problem(word, "this '(' is not closed") }
                words = words.dropFirst()
                return inner
            case .close: throw problem(word, "this ')' closes nothing")
            case .text(let text): return try plain(text, word)
            case .term(let name, let sign, let value): return try term(name.lowercased(), sign, value, word)
            }
        }

        /// In quotes it is only a word.
        private func isKeyword(_ word: FilterWord, _ keyword: String) -> Bool {
            text[word.range].lowercased() == keyword
        }

        private mutating func takes(_ keyword: String) -> Bool {
            guard let word = words.first, isKeyword(word, keyword) else { return false }
            words = words.dropFirst()
            return true
        }

        private func plain(_ text: String, _ word: FilterWord) throws -> TaskFilter {
            if text.hasPrefix("@"), text.count > 1 {
                guard let view = try parser.saved(String(text.dropFirst())) else {
                    throw problem(word, "there is no saved view '\(text.dropFirst())'")
                }
                return try parser.filter(view, depth: depth + 1)
            }
            // A quoted word is text, whatever it begins with.
            let isQuoted = self.text[word.range].hasPrefix("\"") || self.text[word.range].hasPrefix("'")
            if !isQuoted, text == "+" || text == "-" { throw problem(word, "a tag is missing behind '\(text)'") }
            if !isQuoted, text.count > 1, let sign = text.first, sign == "+" || sign == "-" {
                let tags = text.dropFirst().split(separator: ",").map { name in
                    TaskMark(rawValue: name.lowercased()).map { TaskFilter.mark($0) } ?? .tag(String(name))
                }
                guard let first = tags.first else { throw problem(word, "a tag is missing behind '\(sign)'") }
                // `-a,b` is without either.
                let all: TaskFilter = tags.count == 1 ? first : sign == "+" ? .all(tags) : .any(tags)
                return sign == "+" ? all : .not(all)
            }
            return .text(text)
        }

        private func term(_ typed: String, _ typedSign: String, _ value: String, _ word: FilterWord) throws
            -> TaskFilter
        {
            if let first = typed.first, first == "-" || first == "+" {
                let inner = try term(String(typed.dropFirst()), typedSign, value, word)
                return first == "-" ? .not(inner) : inner
            }
            let (name, sign) = try unmodified(typed, typedSign, word)
            let comparison: TaskFilter.Comparison = sign == ":" ? .equal : .init(rawValue: sign) ?? .equal
            let isNone = ["none", "no", ""].contains(value.lowercased())
            let isAny = ["any", "some"].contains(value.lowercased())
            /// For fields that are the same or not.
            func same(_ filter: TaskFilter) throws -> TaskFilter {
                switch comparison {
                case .equal: return filter
                case .notEqual: return .not(filter)
                default: throw problem(word, "'\(name)' is not smaller or greater; use ':' or '!='")
                }
            }
            if let field = FilterParser.timeFields[name] {
                if isNone { return try same(.time(field, .equal, nil)) }
                if isAny { return .not(try same(.time(field, .equal, nil))) }
                do { return .time(field, comparison, try bounds(value)) } catch let error as HelixError {
                    throw problem(word, error.message)
                }
            }
            switch name {
            case "project", "proj", "pro":
                return isAny ? .not(try same(.project(nil))) : try same(.project(isNone ? nil : value))
            case "tag", "tags":
                if isNone { return .not(try same(.mark(.tagged))) }
                if isAny { return try same(.mark(.tagged)) }
                let tags = value.split(separator: ",").map { TaskFilter.tag(String($0)) }
                return try same(tags.count == 1 ? tags[0] : .all(tags))
            case "status", "state":
                if let mark = TaskMark(rawValue: value.lowercased()) { return try same(.mark(mark)) }
                guard let state = FilterParser.states[value.lowercased()] else {
                    throw problem(word, "a status is open, done, dropped, waiting or started")
                }
                return try same(state)
            case "priority", "prio", "pri":
                if isNone { return try same(.priority(.equal, nil)) }
                if isAny { return .not(try same(.priority(.equal, nil))) }
                guard let priority = TaskPriority(value) else {
                    throw problem(word, "a priority is low, medium, high or critical")
                }
                return .priority(comparison, priority)
            case "estimate", "est":
                if isNone { return try same(.estimate(.equal, nil)) }
                if isAny { return .not(try same(.estimate(.equal, nil))) }
                do { return .estimate(comparison, try parser.dates.duration(value)) } catch let error as HelixError {
                    throw problem(word, error.message)
                }
            case "assignee", "for":
                if isNone { return try same(.assignee(nil)) }
                if isAny { return .not(try same(.assignee(nil))) }
                guard value.lowercased() == "me" else { return try same(.assignee(value)) }
                let names = (parser.me + ["me"]).map { TaskFilter.assignee($0) }
                return try same(.any(names))
            case "block":
                return isAny ? .not(try same(.block(nil))) : try same(.block(isNone ? nil : value))
            case "board": return try same(.board(value))
            case "column", "col": return try same(.column(value))
            case "kind":
                guard let kind = TaskKind(rawValue: value.lowercased()) else {
                    throw problem(word, "a kind is task or info")
                }
                return try same(.kind(kind))
            case "parent": return try same(.parent(isNone ? nil : EntityPrefix(value)))
            case "id": return try same(.id(EntityPrefix(value)))
            case "text", "title", "words": return try same(.text(value))
            default:
                // `http://example.org` and the like are text, not a field nobody knows.
                if sign == ":", value.hasPrefix("//") { return .text(String(text[word.range])) }
                let near = FilterParser.fields.first { EditDistance.isOneSlip($0, name) }
                throw problem(
                    word, "there is no field '\(name)'",
                    hint: (near.map { "Did you mean \($0)? " } ?? "")
                        + "Fields are \(FilterParser.fields.joined(separator: ", ")).")
            }
        }

        /// Taskwarrior's modifiers as signs: `due.before:fri` is `due<fri`.
        private func unmodified(_ name: String, _ sign: String, _ word: FilterWord) throws -> (String, String) {
            guard let dot = name.firstIndex(of: ".") else { return (name, sign) }
            let modifier = String(name[name.index(after: dot)...])
            let signs = [
                "before": "<", "below": "<", "under": "<", "by": "<=", "after": ">", "above": ">", "over": ">",
                "is": ":", "equals": ":", "not": "!=", "isnt": "!=",
            ]
            guard sign == ":", let own = signs[modifier] else {
                throw problem(
                    word, "there is no modifier '.\(modifier)'",
                    hint: "Write due<fri, due>=fri, project!=house; or .before, .after, .by, .is and .not.")
            }
            return (String(name[..<dot]), own)
        }

        private func bounds(_ value: String) throws -> TaskFilter.TimeBounds {
            let zone = parser.dates.zone
            let range = try parser.dates.range(value)
            let instants = range.timeRange(in: zone)
            func civil(_ moment: PhraseMoment) -> Int64 {
                switch moment {
                case .date(let date): CivilDateTime(date).seconds
                case .civil(let civil): civil.seconds
                case .instant(let instant): zone.civil(instant).seconds
                }
            }
            let first = civil(range.start)
            // A moment is the minute that it begins.
            let isMoment = instants.duration <= 0
            return TaskFilter.TimeBounds(
                instants: instants.start.seconds..<(isMoment ? instants.start.seconds + 60 : instants.end.seconds),
                civil: first..<max(first, isMoment ? first + 60 : civil(range.end)))
        }

        func problem(_ word: FilterWord, _ what: String, hint: String? = nil) -> HelixError {
            let marked = text[..<word.range.lowerBound] + "»" + text[word.range] + "«" + text[word.range.upperBound...]
            return HelixError(
                .usage, "in the filter \(marked): \(what)",
                hint: hint
                    ?? "A filter looks like: project:house priority>=high due<fri +billing -waiting (words or status:done)"
            )
        }
    }

    /// The names of fields, each once.
    static let fields = [
        "project", "tag", "status", "priority", "due", "scheduled", "wait", "created", "modified", "started",
        "completed", "estimate", "assignee", "block", "board", "column", "kind", "parent", "id", "text",
    ]

    private static let timeFields: [String: TaskFilter.TimeField] = [
        "due": .due, "scheduled": .scheduled, "sched": .scheduled, "hidden": .hidden, "wait": .hidden, "until": .hidden,
        "created": .created, "entry": .created, "modified": .modified, "started": .started, "completed": .completed,
        "ended": .completed, "end": .completed,
    ]

    private static let states: [String: TaskFilter] = [
        "pending": .state(.open), "completed": .state(.done), "cancelled": .state(.dropped),
        "canceled": .state(.dropped), "deleted": .state(.dropped), "todo": .state(.open), "active": .mark(.started),
        "all": .any([.state(.open), .state(.done), .state(.dropped)]),
    ]
}
