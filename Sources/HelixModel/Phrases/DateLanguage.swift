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

/// The date words of the active languages.
final class DateVocabulary: Sendable {
    private let single: [String: [DateWord]]
    private let phrases: [String: [(words: [String], meaning: DateWord)]]
    /// The codes of the languages.
    let languages: [String]

    /// English alone.
    static let english = DateVocabulary([.english])

    /// Creates the vocabulary of several languages.
    init(_ languages: [DateLanguage]) {
        var single: [String: [DateWord]] = [:]
        var phrases: [String: [(words: [String], meaning: DateWord)]] = [:]
        single.reserveCapacity(512 * languages.count)
        func add(_ word: String, _ meaning: DateWord) {
            if single[word]?.contains(meaning) != true { single[word, default: []].append(meaning) }
        }
        for language in languages {
            for (index, name) in language.weekdays.enumerated() {
                let shortest = language.readsBeginnings ? 3 : name.count
                for count in shortest...name.count {
                    add(String(name.prefix(count)), .weekday(Weekday.allCases[index]))
                }
            }
            for (index, name) in language.months.enumerated() {
                let shortest = language.readsBeginnings ? min(3, name.count) : name.count
                for count in shortest...name.count { add(String(name.prefix(count)), .month(index + 1)) }
            }
            for (texts, meaning) in language.words {
                for text in texts.split(separator: "|") {
                    guard text.contains(" ") else {
                        add(String(text), meaning)
                        continue
                    }
                    let words = text.split(separator: " ").map(String.init)
                    phrases[words[0], default: []].append((words, meaning))
                }
            }
        }
        self.single = single
        self.phrases = phrases.mapValues { $0.sorted { $0.words.count > $1.words.count } }
        self.languages = languages.map(\.code)
    }

    /// Returns the vocabulary of English and the languages with these codes.
    static func of(_ codes: [String]) -> DateVocabulary {
        let others = DateLanguage.all.dropFirst().filter { codes.contains($0.code) }
        return others.isEmpty ? .english : DateVocabulary([.english] + others)
    }

    /// Whether a language besides English is active.
    var hasOthers: Bool { languages.count > 1 }

    var hasPhrases: Bool { !phrases.isEmpty }

    func meanings(of word: String) -> [DateWord] { single[word] ?? [] }

    /// The longest phrase at the start of `tokens`.
    func phrase(in tokens: ArraySlice<PhraseToken>) -> (count: Int, meanings: [DateWord])? {
        guard let first = tokens.first, let choices = phrases[first.text] else { return nil }
        for choice in choices where choice.words.count <= tokens.count {
            let here = tokens.prefix(choice.words.count)
            guard zip(here, choice.words).allSatisfy({ $0.text == $1 }) else { continue }
            let meanings = choices.filter { $0.words == choice.words }.map(\.meaning)
            return (choice.words.count, meanings)
        }
        return nil
    }

    /// The text in lower case without accents: `März` is `marz`.
    static func folded(_ text: Substring) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var result = ""
        for scalar in text.lowercased().unicodeScalars {
            switch scalar {
            case "á"..."å", "à", "ā": result.unicodeScalars.append("a")
            case "è"..."ë", "ē": result.unicodeScalars.append("e")
            case "ì"..."ï": result.unicodeScalars.append("i")
            case "ò"..."ö": result.unicodeScalars.append("o")
            case "ù"..."ü": result.unicodeScalars.append("u")
            case "ç": result.unicodeScalars.append("c")
            case "ñ": result.unicodeScalars.append("n")
            case "’": result.unicodeScalars.append("'")
            case "\u{300}"..."\u{36F}": continue
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension DateVocabulary {
    /// The date word that was probably meant, if one letter is wrong, missing or inserted, or two are swapped.
    func nearMiss(_ word: String) -> String? {
        guard word.utf8.count >= 5, single[word] == nil else { return nil }
        let letters = Array(word.utf8)
        for language in DateLanguage.all where languages.contains(language.code) {
            let names = language.weekdays + language.months.filter { $0.utf8.count >= 7 }
            let others =
                language.code == "en"
                ? [
                    "tomorrow", "yesterday", "tonight", "every", "weekly", "monthly", "morning", "evening", "afternoon",
                ] : ["morgen"]
            for name in names + others.filter({ single[$0] != nil })
            where DateVocabulary.isNear(letters, Array(name.utf8)) { return name }
        }
        return nil
    }

    private static func isNear(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        guard abs(a.count - b.count) <= 1 else { return false }
        let start = zip(a, b).prefix { $0 == $1 }.count
        let (left, right) = (a.dropFirst(start), b.dropFirst(start))
        if left.dropFirst().elementsEqual(right) || left.elementsEqual(right.dropFirst()) { return true }
        if left.dropFirst().elementsEqual(right.dropFirst()) { return true }
        return left.count >= 2 && right.count >= 2 && left.dropFirst(2).elementsEqual(right.dropFirst(2))
            && left[left.startIndex] == right[right.startIndex + 1]
            && left[left.startIndex + 1] == right[right.startIndex]
    }
}
