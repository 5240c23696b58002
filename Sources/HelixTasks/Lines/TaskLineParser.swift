import HelixModel

/// Parses a task from one line.
///
/// `Send invoice to Ana +billing project:house due:fri 17:00 priority:high estimate:2h`
public struct TaskLineParser {
    private let dates: DatePhraseParser
    private let me: String?
    /// The fields that errors list: all fields of a task by default, fewer for other kinds of lines.
    public var knownFields: [String] = Self.fields

    /// - Parameters:
    ///   - dates: parses the dates and times in the line.
    ///   - me: the value of `assignee:me`.
    public init(dates: DatePhraseParser, me: String? = nil) {
        self.dates = dates
        self.me = me
    }

    /// The use of a line: words that are not fields form the title of a new task, and are errors in an edit.
    public enum Purpose: Sendable {
        case new
        case edit
    }

    /// Parses a line. Words that are not fields form the title, in order; in an edit, only those after `title:`.
    /// - Throws: ``HelixError`` of code `usage` that names the field with an invalid value, or the word that is no change.
    public func changes(_ line: String, for purpose: Purpose = .new) throws -> TaskChanges {
        var reading = Reading(line: line, purpose: purpose)
        let words = TaskLineParser.words(line)
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if word.isQuoted {
                reading.add(words.count > 1 && keepsQuotes(word.text) ? word.written : word.text)
            } else if let tags = TaskLineParser.tags(word.text, "+") {
                reading.changes.addedTags += tags
            } else if let tags = TaskLineParser.tags(word.text, "-") {
                try TaskLineParser.checkRemoval(of: tags, word.text, purpose)
                reading.changes.removedTags += tags
            } else if let field = TaskLineParser.field(word.text) {
                let value = try value(of: field, word, words, &index)
                try set(field.name, value, &reading)
            } else {
                try checkSpelling(word.text)
                reading.add(word.text)
            }
        }
        return try finished(reading)
    }

    /// A line while it is parsed.
    private struct Reading {
        let line: String
        let purpose: Purpose
        var changes = TaskChanges()
        var title: [String] = []
        /// The words of an edit that are no changes.
        var unused: [String] = []
        /// Whether the last field is the title, to which the following words belong.
        var isBehindTitle = false
        /// The number of words of the title before its field.
        var titleStart: Int?
        var seen: Set<String> = []

        mutating func add(_ word: String) {
            if purpose == .edit && !isBehindTitle { unused.append(word) } else { title.append(word) }
        }
    }

    /// Rejects the removal of tags from a new task, and of a field as if it were a tag.
    private static func checkRemoval(of tags: [String], _ word: String, _ purpose: Purpose) throws {
        guard purpose == .edit else {
            throw HelixError(
                .usage, "'\(word)' removes a tag, but a new task has none",
                hint: "Put it in double quotes if it belongs to the title.")
        }
        if let name = tags.first(where: { $0.contains(":") })?.prefix(while: { $0 != ":" }),
            let field = names[name.lowercased()]
        {
            throw HelixError(
                .usage, "'\(word)' does not clear a field", hint: "\(field):none clears the field.")
        }
    }

    /// The value of a field, with the following words that belong to it; the index moves behind them.
    private func value(
        of field: (name: String, value: String), _ word: Word, _ words: [Word], _ index: inout Int
    ) throws -> String {
        if word.hasQuotes { return field.value }
        if field.value.hasPrefix("\"") {
            throw HelixError(.usage, "the quote in '\(word.text)' is not closed", hint: "Close or remove it.")
        }
        if field.value.isEmpty {
            if index < words.count, !words[index].isQuoted, TaskLineParser.isPlain(words[index].text) {
                throw HelixError(
                    .usage, "no value after '\(word.text)'",
                    hint: "Write the value without a space before it, \(word.text)none to clear it, or put it in "
                        + "double quotes if it belongs to the title.")
            }
            return ""
        }
        let (value, end) = try whole(field.name, field.value, words, index)
        index = end
        return value
    }

    /// Sets a field of the line; in an edit, the value may be relative to the current one.
    private func set(_ name: String, _ value: String, _ reading: inout Reading) throws {
        if !TaskLineParser.lists.contains(name), !reading.seen.insert(name).inserted {
            throw HelixError(
                .usage, "'\(name)' is set twice in '\(reading.line.prefix(200))'", hint: "Set it once.")
        }
        if reading.purpose == .edit, try setRelative(name, value, &reading.changes) { return }
        if reading.purpose == .edit, name == "tags" {
            let isNone = value.isEmpty || value.lowercased() == "none"
            return try reading.changes.take(isNone ? nil : TagChange([value]), isEdit: true)
        }
        try set(name, value, &reading.changes)
        reading.isBehindTitle = name == "title"
        if reading.isBehindTitle { reading.titleStart = reading.title.count }
    }

    /// The changes of a line that is parsed to its end.
    /// - Throws: ``HelixError`` of code `usage` for fields that contradict each other, and for words that are no change.
    private func finished(_ reading: Reading) throws -> TaskChanges {
        var changes = reading.changes
        try changes.settleEnd(dates)
        if reading.purpose == .new, let tag = changes.removedTags.first {
            throw HelixError(.usage, "'-\(tag)' removes a tag, but a new task has none")
        }
        try TagChange.refuseBoth(changes.addedTags, changes.removedTags)
        if !reading.unused.isEmpty { throw noChange(reading.unused.joined(separator: " ")) }
        if let start = reading.titleStart, start > 0, let said = changes.title {
            throw HelixError(
                .usage, "two titles are set: '\(reading.title.prefix(start).joined(separator: " "))' and '\(said)'",
                hint: "Set one of the two.")
        }
        // `title:Call Ben`: the following words belong to it.
        if !reading.title.isEmpty {
            changes.title = ((changes.title.map { [$0] } ?? []) + reading.title).joined(separator: " ")
        }
        return changes
    }

    /// Words that link one time to another.
    private static let links: Set<String> = [
        "until", "till", "at", "from", "to", "except", "after", "before", "or", "and", "-", "–", "—",
    ]

    /// Fields that may occur several times.
    private static let lists: Set<String> = ["tags", "depends"]

    /// The value of a field with the following words that belong to it: `due:fri 17:00`, `repeat:every 2 weeks`.
    /// - Returns: the value, and the index after it.
    /// - Throws: ``HelixError`` of code `usage` for a following time word that is not part of it.
    private func whole(_ name: String, _ value: String, _ words: [Word], _ index: Int) throws -> (String, Int) {
        func isRead(_ text: String) -> Bool {
            switch name {
            case "due", "scheduled", "wait", "until": (try? dates.moment(text)) != nil
            case "estimate": (try? dates.duration(text)) != nil
            case "repeat":
                text.lowercased() == "never"
                    || (try? TaskSeries.recurrence(text, first: dates.today, dates: dates)) != nil
            default: false
            }
        }
        guard ["due", "scheduled", "wait", "until", "estimate", "repeat"].contains(name) else { return (value, index) }
        var reach = 0
        for count in 1...8 where index + count <= words.count {
            let next = words[index..<index + count]
            guard next.allSatisfy({ !$0.isQuoted && TaskLineParser.isPlain($0.text) }) else { break }
            if !isCounting(words, index + count - 1), isRead(([value] + next.map(\.text)).joined(separator: " ")) {
                reach = count
            }
        }
        let text = ([value] + words[index..<index + reach].map(\.text)).joined(separator: " ")
        let end = index + reach
        func isTime(_ place: Int) -> Bool {
            place < words.count && !words[place].isQuoted && TaskLineParser.isPlain(words[place].text)
                && (dates.isTimeWord(words[place].text) || TaskLineParser.looksLikeTime(words[place].text))
                && !isCounting(words, place)
        }
        // `due:fri until 5`, `repeat:every monday at 9`
        let isLinked =
            end < words.count && !words[end].isQuoted && TaskLineParser.links.contains(words[end].text.lowercased())
            && isTime(end + 1)
        if isLinked || isTime(end), isRead(text) {
            let left = words[end...(isLinked ? end + 1 : end)].map(\.text).joined(separator: " ")
            // `repeat:every second tuesday` is complete, but ambiguous.
            if name == "repeat", !isLinked, let error = Self.ambiguity(of: "\(text) \(left)", dates) { throw error }
            throw HelixError(
                .usage, "'\(left)' after '\(name):\(text)' also looks like a time",
                hint: "Rephrase the time, or put '\(left)' in double quotes if it belongs to the title.")
        }
        return (text, end)
    }

    /// True if a word has the form of an invalid time or of several: `25:00`, `1-3`, `14:00-15:00`, `Europe/Berln`.
    private static func looksLikeTime(_ word: String) -> Bool {
        if word.first?.isNumber == true, word.allSatisfy({ $0.isNumber || ":-./".contains($0) }) { return true }
        return DatePhraseParser.isZonePath(word)
    }

    /// True if a word counts things: `due:mon 2 eggs`.
    private func isCounting(_ words: [Word], _ index: Int) -> Bool {
        guard words[index].text.allSatisfy(\.isNumber), index + 1 < words.count else { return false }
        // `due:31 dec 2027 plan`
        if let year = Int(words[index].text), (0...20).contains(year - dates.today.year) { return false }
        let next = words[index + 1]
        let isLink = ["for", "with", "at", "to", "and", "or", "in", "on", "by", "the", "from"].contains(next.text)
        return !next.isQuoted && next.text.first?.isLetter == true && TaskLineParser.isPlain(next.text)
            && !dates.isTimeWord(next.text) && !isLink
    }

    /// Sets a value relative to the current time: `due:+1w` shifts it, `due:17:00` changes its time of day.
    /// - Returns: True if the value is relative.
    private func setRelative(_ name: String, _ value: String, _ changes: inout TaskChanges) throws -> Bool {
        guard ["due", "scheduled", "wait"].contains(name), let first = value.first else { return false }
        let isNext = value.lowercased().hasPrefix("next ") || value.lowercased().hasPrefix("last ")
        if "+-".contains(first) || isNext, let shift = try? dates.move(value).shift {
            changes.shifts[name] = shift
            return true
        }
        guard let parts = try? dates.when(value), let time = parts.time, parts.date == nil, parts.period == nil,
            parts.instant == nil, !parts.saysEnd, parts.zone == nil
        else { return false }
        changes.clocks[name] = time
        return true
    }

    /// True if quotes are part of a title; around a word that looks like a field or a tag, they only escape it.
    private func keepsQuotes(_ text: String) -> Bool {
        text.split(whereSeparator: \.isWhitespace).map(String.init).allSatisfy { word in
            TaskLineParser.isPlain(word) && (try? checkSpelling(word)) != nil
        }
    }

    /// True if a word is neither a field nor a tag.
    private static func isPlain(_ word: String) -> Bool {
        field(word) == nil && tags(word, "+") == nil && tags(word, "-") == nil
    }

    /// Sets one field to a value as typed by a user; `none` or an empty value clears it.
    /// - Throws: ``HelixError`` of code `usage`.
    public func set(_ name: String, _ value: String, _ changes: inout TaskChanges) throws {
        let isNone = value.isEmpty || value.lowercased() == "none"
        func wrong(_ what: String) -> HelixError {
            HelixError(.usage, "\(name):\(value): \(what)")
        }
        switch name {
        case "title":
            guard !value.isEmpty else { throw wrong("a title must contain words: title:\"Call Ben\"") }
            changes.title = value
        case "project": changes.project = isNone ? .clear : .set(try TaskLineParser.name(value, "project"))
        case "block": changes.block = isNone ? .clear : .set(try TaskLineParser.name(value, "block"))
        case "priority":
            guard !isNone else {
                changes.priority = .clear
                return
            }
            guard let priority = TaskPriority(value) else { throw wrong("use low, medium, high or critical") }
            changes.priority = .set(priority)
        case "due":
            changes.due = isNone ? .clear : .set(try time(name, value))
            changes.isDueMonthEnd = dates.saysMonthEnd(value)
        case "scheduled": changes.scheduled = isNone ? .clear : .set(try time(name, value))
        case "wait": changes.hiddenUntil = isNone ? .clear : .set(try time(name, value))
        case "estimate": changes.estimate = isNone ? .clear : .set(try dates.duration(value))
        case "board": changes.board = value
        case "column": changes.column = value
        case "parent": changes.parent = isNone ? .clear : .set(EntityPrefix(value))
        case "until":
            guard !isNone else { throw wrong("the end must be a day; repeat:weekly alone has no end") }
            changes.recurrenceEnd = value
        case "repeat": changes.recurrence = isNone || value.lowercased() == "never" ? .clear : .set(value)
        case "notes": changes.notes = isNone ? .clear : .set(value)
        case "kind":
            guard let kind = TaskKind(rawValue: value.lowercased()) else { throw wrong("use task or info") }
            changes.kind = kind
        case "depends":
            if isNone { throw wrong("use 'helix tasks undepend ID OTHER' to remove a dependency") }
            changes.blockers += value.split(separator: ",").map { EntityPrefix(String($0)) }
        case "tag", "tags": try changes.take(TagChange([value]), isEdit: false)
        case "progress":
            let number = Int(value.hasSuffix("%") ? String(value.dropLast()) : value)
            guard isNone || number.map({ (0...100).contains($0) }) == true else {
                throw wrong("use a number from 0 to 100")
            }
            changes.percent = number.map { .set($0) } ?? .clear
        default:
            guard let property = TaskProperty.named(name) else {
                throw HelixError(.usage, "unknown field '\(name)'")
            }
            changes[property] = isNone ? .clear : .set(try text(of: property, value))
        }
    }

    private func text(of property: TaskProperty, _ value: String) throws -> String {
        switch property.kind {
        case .person where value.lowercased() == "me": return me ?? "me"
        case .day:
            if case .date(let day) = try time(property.name, value) { return ISO8601.text(day) }
        default: if let text = property.normalized(value) { return text }
        }
        throw HelixError(.usage, "\(property.name):\(value): use \(property.values ?? "a text")")
    }

    private func time(_ name: String, _ value: String) throws -> TaskTime {
        do { return try dates.taskTime(value) } catch let error as HelixError {
            throw HelixError(error.code, "\(name):\(value): \(error.message)", hint: error.hint)
        }
    }

    /// True if a line may set a field with that name.
    public static func isField(_ name: String) -> Bool { names[name] != nil }

    private static let names: [String: String] = ownNames.merging(
        TaskProperty.all.flatMap { property in ([property.name] + property.aliases).map { ($0, property.name) } }
    ) { own, _ in own }

    private static let ownNames: [String: String] = [
        "project": "project", "proj": "project", "pro": "project", "priority": "priority", "prio": "priority",
        "pri": "priority",
        "due": "due", "scheduled": "scheduled", "sched": "scheduled", "start": "scheduled", "wait": "wait",
        "hide": "wait", "hidden": "wait", "estimate": "estimate", "est": "estimate", "board": "board",
        "column": "column", "col": "column", "parent": "parent",
        "repeat": "repeat", "recur": "repeat", "notes": "notes", "note": "notes", "kind": "kind",
        "depends": "depends", "dep": "depends", "after": "depends", "tag": "tags", "tags": "tags",
        "progress": "progress", "block": "block", "title": "title", "until": "until",
    ]

    /// Rejects `dues:fri`: it would go unnoticed in the title, and the task would have no due date.
    private func checkSpelling(_ word: String) throws {
        // `due=fri`, `priority>high`, `due.before:fri` are filters, not assignments.
        let asked = word.prefix { $0.isLetter }.lowercased()
        if TaskLineParser.names[asked] != nil, let sign = word.dropFirst(asked.count).first, "=<>!.".contains(sign),
            word.dropFirst(asked.count + 1).contains(where: { $0.isLetter || $0.isNumber }),
            sign != "." || word.contains(":")
        {
            throw HelixError(
                .usage, "'\(word)' does not set a field",
                hint: "Write \(asked):value; in double quotes it belongs to the title.")
        }
        guard let colon = word.firstIndex(of: ":"), word.index(after: colon) < word.endIndex else { return }
        let name = word[..<colon].lowercased()
        let value = word[word.index(after: colon)...]
        // `http://…`, `std::vector`, `Re:` and `3:4` are words.
        guard name.count >= 2, name.allSatisfy({ $0.isLetter || $0 == "-" || $0 == "_" }), name.first?.isLetter == true,
            word.first?.isUppercase == false, !value.hasPrefix("/"), !value.hasPrefix(":")
        else { return }
        let near = TaskLineParser.names.keys.sorted().first { EditDistance.isOneSlip($0, name) }
        let nearest = near.map { "Did you mean \($0)\(word[colon...])? " } ?? ""
        throw HelixError(
            .usage, "unknown field '\(name)'",
            hint: nearest + "Fields are \(knownFields.joined(separator: ", ")). "
                + "Put it in double quotes if it belongs to the title.")
    }

    /// True if several words may form one value of a field: for times and durations, those that can be parsed.
    public func isWhole(_ name: String, _ value: String) -> Bool {
        switch TaskLineParser.names[name] {
        case "due", "scheduled", "wait", "until": (try? dates.moment(value)) != nil
        case "estimate": (try? dates.duration(value)) != nil
        case "repeat": (try? TaskSeries.recurrence(value, first: dates.today, dates: dates)) != nil
        default: true
        }
    }

    /// The fields that a line may set.
    public static var fields: [String] { Set(names.values).sorted() }

    private func noChange(_ word: String) -> HelixError {
        HelixError(
            .usage, "'\(word)' is not a change",
            hint: "Set a title with title:\"\(word.replacing("\"", with: ""))\", others with field:value, "
                + "+tag or -tag; fields are \(knownFields.joined(separator: ", ")).")
    }

    private static func field(_ word: String) -> (name: String, value: String)? {
        guard let colon = word.firstIndex(of: ":"), let name = names[word[..<colon].lowercased()] else { return nil }
        let value = String(word[word.index(after: colon)...])
        // `Note: see below` is a sentence.
        return value.isEmpty && word.first?.isUppercase == true || value.hasPrefix("//") ? nil : (name, value)
    }

    /// The tags after a sign, separated by commas; `-5`, `+1` and `+39…` are numbers.
    private static func tags(_ word: String, _ sign: Character) -> [String]? {
        guard word.first == sign, let first = word.dropFirst().first, first.isLetter || first == "_" else { return nil }
        return word.dropFirst().split(separator: ",").map { part in
            // `+a,+b` is accepted, too.
            String(part.first == sign ? part.dropFirst() : part)
        }.filter { !$0.isEmpty }
    }
}
