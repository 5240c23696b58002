/// A unit of time in words.
public enum PhraseUnit: Int, Hashable, Sendable, CaseIterable {
    case second
    case minute
    case hour
    case day
    case week
    case month
    case quarter
    case year

    /// Whether it counts days rather than hours, minutes or seconds.
    public var isDays: Bool { self >= .day }

    /// The length in seconds; of months and years the nominal one.
    var seconds: Int {
        switch self {
        case .second: 1
        case .minute: 60
        case .hour: 3600
        case .day: 86_400
        case .week: 604_800
        case .month: 30 * 86_400
        case .quarter: 91 * 86_400
        case .year: 365 * 86_400
        }
    }
}

extension PhraseUnit: Comparable {
    /// Orders units, the shorter first.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A part of the day, which decides between the two readings of an hour from 1 to 12.
public enum DayPart: String, Hashable, Sendable, CaseIterable {
    case morning
    case afternoon
    case evening
    case night

    /// The hours of the whole part, in seconds after midnight.
    var hours: Range<Int> {
        switch self {
        case .morning: 5 * 3600..<12 * 3600
        case .afternoon: 12 * 3600..<18 * 3600
        case .evening: 17 * 3600..<24 * 3600
        case .night: 19 * 3600..<30 * 3600
        }
    }
}

/// The direction that a word such as `next` denotes.
enum DateShift: Hashable, Sendable {
    case this
    case next
    case last
    /// The first one after today.
    case coming
    /// The first one after today, or that of next week: two readings, if they differ.
    case either
    /// The one after the next.
    case afterNext
    /// The one before the last.
    case beforeLast
}

/// A day named by its place in a week, month, quarter or year.
enum NamedDay: Hashable, Sendable {
    case start(PhraseUnit)
    case end(PhraseUnit)
    /// A holiday on the same date each year.
    case feast(Int, Int)
    /// A movable holiday; the number of days after Easter.
    case easter(Int)
    /// A holiday on the nth weekday of a month: the month, the number and the weekday.
    case weekdayOf(Int, Int, Weekday)
    /// A number of days after such a weekday: the Friday after Thanksgiving.
    case daysAfter(Int, month: Int, ordinal: Int, Weekday)
    /// A Sunday before Christmas, counted from the first of the four.
    case advent(Int)
    /// A date that is never reached.
    case someday
}

/// A function word of a phrase.
enum DateMarker: Hashable, Sendable {
    case to
    case from
    case at
    case on
    case the
    case of
    case `in`
    case ago
    /// Before a length that is counted back from now: `vor 2 Stunden`.
    case agoBefore
    /// After a length that is counted from now.
    case fromNow
    case `for`
    case and
    case between
    case after
    case before
    case every
    case other
    case until
    case times
    case except
    case starting
    case oclock
    /// Before a time, with no meaning of its own: `around 5pm`.
    case around
    /// After `every`, with no meaning of its own: `every single day`.
    case single
    /// Before the last day of a repetition; otherwise a verb: `Sale ends friday`.
    case ends
    /// Before a repetition, with no meaning of its own: `repeats weekly`.
    case repeats
    case past
    /// Minutes before an hour: `ten to 9`.
    case beforeHour
    /// Minutes subtracted from the hour before: `neuf heures moins le quart`.
    case minus
    case quarter
    case half
    case oneAndHalf
    /// Half an hour before: `halb neun`.
    case halfBefore
    case am
    case pm
    case noon
    case midnight
    case allDay
    case now
    case beginning
    case end
    case weekdays
    case weekend
    case zone
    case fortnight
    case a
    /// After a length, with no meaning of its own: `2 Stunden lang`.
    case long
}

/// The meaning of a word in a language.
enum DateWord: Hashable, Sendable {
    case weekday(Weekday)
    /// An abbreviation that is also another word: `So`, `mar`. A weekday only beside a time.
    case shortWeekday(Weekday)
    /// `mondays`: every one of them.
    case weekdays(Weekday)
    case month(Int)
    case unit(PhraseUnit)
    /// A day counted from today.
    case day(Int)
    case part(DayPart)
    /// `tonight`: a part of a day counted from today.
    case dayPart(Int, DayPart)
    case shift(DateShift)
    /// A week counted from this one.
    case namedWeek(Int)
    /// A shift after its noun: `lundi prochain`.
    case shiftBehind(DateShift)
    case number(Int)
    case ordinal(Int)
    case named(NamedDay)
    /// An hour with its preposition: `all'una`.
    case hour(Int)
    /// A length in seconds: `Viertelstunde`.
    case length(Int)
    /// `weekly`: every N units.
    case adverb(PhraseUnit, Int)
    case marker(DateMarker)
}

extension DateWord {
    /// The value of a number word.
    var number: Int? { if case .number(let number) = self { number } else { nil } }

    /// True for the name of a weekday or its abbreviation; nil otherwise.
    var namesWeekday: Bool? {
        switch self {
        case .weekday, .shortWeekday: true
        default: nil
        }
    }
}

/// The date words of one language. To add one, add a table beside the others, and its name to ``all``.
struct DateLanguage: Sendable {
    /// The code of ISO 639-1.
    let code: String
    let name: String
    /// Words without accents, in lower case, with their meanings. `|` separates words of one meaning, blanks the parts
    /// of multi-word ones.
    let words: [(String, DateWord)]
    /// Full names in the order of the calendar.
    let weekdays: [String]
    let months: [String]
    /// Whether every prefix of at least three letters of the names is read as well.
    var readsBeginnings = false
    /// Names and words of this language that are date words in another one.
    var falseFriends: Set<String> = []

    /// All supported languages; English is always active.
    static let all: [DateLanguage] = [.english, .german, .french, .spanish, .italian]
}
