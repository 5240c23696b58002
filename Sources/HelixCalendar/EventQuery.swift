import HelixModel

/// A parsed event query.
public indirect enum EventQuery: QueryTree, Hashable, Sendable {
    case everything
    case all([EventQuery])
    case any([EventQuery])
    case not(EventQuery)
    /// A phrase, its last word possibly a prefix; in any field if `field` is nil.
    case words(String, field: Field?, isPrefix: Bool)
    /// Events in a calendar of that name.
    case calendar(String)
    /// Events with a category.
    case category(String)
    /// Events without categories.
    case uncategorized
    case trait(Trait)
    /// Events with an occurrence at a matching time.
    case time(QueryComparison, QueryTimes)
    /// Events with a matching duration, in seconds.
    case length(QueryComparison, Int)
    /// Events whose id has the prefix.
    case id(EntityPrefix)

    /// A text field of events; the raw value is its column in the index.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case title
        case place = "location"
        case notes = "description"
        case people
        case category = "categories"
    }

    /// A state of events.
    public enum Trait: String, Hashable, Sendable, CaseIterable {
        case confirmed
        case tentative
        case cancelled
        case allDay = "all-day"
        case repeating
        /// Events that block time.
        case busy
        case free
    }
}

extension QueryNoun {
    /// The query fields of events.
    public static let events = QueryNoun(
        "events", tags: .plus, hasSavedQueries: false,
        example: "standup with:ana calendar:work date:this_week is:repeating length>30m \"a phrase\" -cancelled",
        fields: [
            QueryField("title", .words, "Words of the title."),
            QueryField("place", .words, also: ["location", "at"], "Words of the place."),
            QueryField("notes", .words, also: ["description", "body"], "Words of the description."),
            QueryField(
                "with", .person, also: ["who", "attendee", "organizer"],
                "The name or address of a person; me is the user."),
            QueryField("calendar", .name, also: ["cal", "in"], "A calendar."),
            QueryField("category", .name, also: ["tag"], canBeNone: true, "A category, as +category."),
            QueryField("is", .choice(traits), also: ["status"], "A state: is:tentative, is:all-day."),
            QueryField("date", .time(.neutral), also: ["on", "when"], "A day on which it takes place."),
            QueryField(
                "after", .time(.neutral), also: ["since", "from"], comparison: .greaterOrEqual, asks: "date",
                "The same as date>=: on that day or later."),
            QueryField(
                "before", .time(.neutral), also: ["until", "to"], comparison: .less, asks: "date",
                "The same as date<: it begins before that day."),
            QueryField("length", .length, also: ["duration"], "The length of an occurrence."),
            QueryField("id", .id, "The beginning of its id."),
        ])

    private static let traits = [
        "confirmed", "tentative", "cancelled|canceled", "all-day|allday", "repeating|recurring", "busy|opaque",
        "free|transparent",
    ]
}

/// The parser of event queries.
public struct EventQueryParser {
    private let parser: QueryParser<EventQuery>

    /// - Parameters:
    ///   - own: the user's addresses, for `me`.
    ///   - addresses: returns all addresses of the contacts with a name, for `with:ana`.
    public init(
        dates: DatePhraseParser, own: [String], addresses: @escaping (String) throws -> [String] = { _ in [] }
    ) {
        let people = PersonNames(own: own, addresses: addresses)
        parser = QueryParser(noun: .events, dates: dates) { try EventQuery($0, people) }
    }

    /// Parses a query.
    /// - Throws: ``HelixError`` of code `usage` with the position of the error.
    public func parse(_ text: String) throws -> EventQuery { try parser.query(text) }
}

extension EventQuery {
    /// A query for plain words, each matching whole words or prefixes.
    /// - Throws: ``HelixError`` of code `usage` if they contain no letters or numbers.
    public static func words(_ text: String) throws -> EventQuery {
        let parts = try text.split(whereSeparator: \.isWhitespace).map { try words(String($0), nil, isPrefix: true) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// The condition of a term of ``QueryNoun/events``.
    /// - Throws: ``HelixError`` of code `usage`.
    init(_ term: QueryTerm, _ names: PersonNames) throws {
        switch term {
        // Plain words are often prefixes; quoted ones are whole.
        case .words(let text, let isQuoted, let isPrefix):
            self = try EventQuery.words(text, nil, isPrefix: isPrefix || !isQuoted)
        case .tag(let name): self = .category(name)
        case .field("with", _, .text(let text, let isQuoted)):
            let plain = text.hasSuffix("*") && !isQuoted ? String(text.dropLast()) : text
            let addresses = try names.addresses(text, isQuoted: isQuoted)
            let isMe = text.lowercased() == "me" && !isQuoted
            let typed = isMe ? [] : [try EventQuery.words(plain, .people, isPrefix: !isQuoted)]
            let parts = try typed + (addresses ?? []).map { try EventQuery.words($0, .people, isPrefix: false) }
            self = parts.count == 1 ? parts[0] : .any(parts)
        case .field("calendar", _, .text(let text, _)): self = .calendar(text)
        case .field("category", _, .text(let text, _)): self = .category(text)
        case .field("category", _, .any): self = .not(.uncategorized)
        case .field("category", _, _): self = .uncategorized
        case .field(let name, _, .text(let text, let isQuoted)):
            let fields: [String: Field] = ["title": .title, "place": .place, "notes": .notes]
            let plain = text.hasSuffix("*") && !isQuoted ? String(text.dropLast()) : text
            self = try EventQuery.words(plain, fields[name], isPrefix: !isQuoted)
        case .field("is", _, .choice(let word)):
            self = Trait(rawValue: word).map { .trait($0) } ?? .everything
        case .field("date", let comparison, .times(let times)): self = .time(comparison, times)
        case .field("length", let comparison, .number(let seconds)): self = .length(comparison, seconds)
        case .field("id", _, .id(let prefix)): self = .id(prefix)
        case .field(let name, _, _): throw HelixError(.usage, "cannot search events for '\(name)' this way")
        }
    }

    private static func words(_ text: String, _ field: Field?, isPrefix: Bool) throws -> EventQuery {
        guard text.hasIndexedWord else { throw HelixError(.usage, "no word to search for in '\(text)'") }
        return .words(text, field: field, isPrefix: isPrefix)
    }

    /// The time range common to all parts, in seconds of UTC; nil for an open end.
    public var bounds: (start: Int64?, end: Int64?) {
        switch self {
        case .all(let parts):
            parts.map(\.bounds).reduce(into: (nil, nil)) { bounds, part in
                bounds.start = [bounds.start, part.start].compactMap(\.self).max()
                bounds.end = [bounds.end, part.end].compactMap(\.self).min()
            }
        case .time(.equal, let times): (times.instants.lowerBound, times.instants.upperBound)
        case .time(.less, let times): (nil, times.instants.lowerBound)
        case .time(.lessOrEqual, let times): (nil, times.instants.upperBound)
        case .time(.greaterOrEqual, let times): (times.instants.lowerBound, nil)
        case .time(.greater, let times): (times.instants.upperBound, nil)
        default: (nil, nil)
        }
    }
}
