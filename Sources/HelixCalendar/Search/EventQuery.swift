import HelixModel

/// The events that are looked for.
public indirect enum EventQuery: QueryTree, Hashable, Sendable {
    case everything
    case all([EventQuery])
    case any([EventQuery])
    case not(EventQuery)
    /// Words in a row, the last one perhaps only begun; anywhere if no field is named.
    case words(String, field: Field?, isPrefix: Bool)
    /// In a calendar of that name.
    case calendar(String)
    /// With a category.
    case category(String)
    /// Without any category.
    case uncategorized
    case trait(Trait)
    /// With an occurrence at such a time.
    case time(QueryComparison, QueryTimes)
    /// As long as that, in seconds.
    case length(QueryComparison, Int)
    /// With an id that begins so.
    case id(EntityPrefix)

    /// The texts of events; the raw value is their column of the index.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case title
        case place = "location"
        case notes = "description"
        case people
        case category = "categories"
    }

    /// A quality of events.
    public enum Trait: String, Hashable, Sendable, CaseIterable {
        case confirmed
        case tentative
        case cancelled
        case allDay = "all-day"
        case repeating
        /// Takes up time.
        case busy
        case free
    }
}

extension QueryNoun {
    /// Events, and the fields that searches ask for.
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

/// Reads the searches of events.
public struct EventQueryParser {
    private let parser: QueryParser<EventQuery>

    /// - Parameter own: the user's addresses, which `me` stands for.
    public init(dates: DatePhraseParser, own: [String]) {
        parser = QueryParser(noun: .events, dates: dates) { try EventQuery($0, own: own) }
    }

    /// Reads a query.
    /// - Throws: ``HelixError`` of code `usage` that shows the place that cannot be understood.
    public func parse(_ text: String) throws -> EventQuery { try parser.query(text) }
}

extension EventQuery {
    /// Plain words, each whole or as the beginning of one.
    /// - Throws: ``HelixError`` of code `usage` if there is no letter or number in them.
    public static func words(_ text: String) throws -> EventQuery {
        let parts = try text.split(whereSeparator: \.isWhitespace).map { try words(String($0), nil, isPrefix: true) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    /// The condition of a term of ``QueryNoun/events``.
    /// - Throws: ``HelixError`` of code `usage`.
    init(_ term: QueryTerm, own: [String]) throws {
        switch term {
        // Words of the prompt are often only begun; those in quotes are whole.
        case .words(let text, let isQuoted, let isPrefix):
            self = try EventQuery.words(text, nil, isPrefix: isPrefix || !isQuoted)
        case .tag(let name): self = .category(name)
        case .field("with", _, .text(let text, false)) where text.lowercased() == "me":
            if own.isEmpty {
                throw HelixError(
                    .usage, "'me' is nobody yet", hint: "helix config set user.email you@example.org says who you are.")
            }
            self = .any(try own.map { try EventQuery.words($0, .people, isPrefix: false) })
        case .field("calendar", _, .text(let text, _)): self = .calendar(text)
        case .field("category", _, .text(let text, _)): self = .category(text)
        case .field("category", _, .any): self = .not(.uncategorized)
        case .field("category", _, _): self = .uncategorized
        case .field(let name, _, .text(let text, let isQuoted)):
            let fields: [String: Field] = ["title": .title, "place": .place, "notes": .notes, "with": .people]
            let plain = text.hasSuffix("*") && !isQuoted ? String(text.dropLast()) : text
            self = try EventQuery.words(plain, fields[name], isPrefix: !isQuoted)
        case .field("is", _, .choice(let word)):
            self = Trait(rawValue: word).map { .trait($0) } ?? .everything
        case .field("date", let comparison, .times(let times)): self = .time(comparison, times)
        case .field("length", let comparison, .number(let seconds)): self = .length(comparison, seconds)
        case .field("id", _, .id(let prefix)): self = .id(prefix)
        case .field(let name, _, _): throw HelixError(.usage, "events cannot be asked for '\(name)' so")
        }
    }

    private static func words(_ text: String, _ field: Field?, isPrefix: Bool) throws -> EventQuery {
        guard text.hasIndexedWord else { throw HelixError(.usage, "there is no word to search for in '\(text)'") }
        return .words(text, field: field, isPrefix: isPrefix)
    }

    /// The stretch of time that all parts ask for, in seconds of UTC; nil where an end is open.
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
