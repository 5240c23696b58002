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

    /// Whether it is counted in days and not on the clock.
    public var isDays: Bool { self >= .day }

    /// Seconds; of months and years the usual.
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
    /// The shorter one first.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A part of the day, by which hours from 1 to 12 are told apart.
public enum DayPart: String, Hashable, Sendable, CaseIterable {
    case morning
    case afternoon
    case evening
    case night

    /// Its hours where all of it is meant, in seconds after midnight.
    var hours: Range<Int> {
        switch self {
        case .morning: 5 * 3600..<12 * 3600
        case .afternoon: 12 * 3600..<18 * 3600
        case .evening: 17 * 3600..<24 * 3600
        case .night: 19 * 3600..<30 * 3600
        }
    }
}

/// The direction of a word such as `next`.
enum DateShift: Hashable, Sendable {
    case this
    case next
    case last
    /// The first one after today.
    case coming
    /// The first one after today, or that of next week: two readings, where they differ.
    case either
    /// The one after the next.
    case afterNext
    /// The one before the last.
    case beforeLast
}

/// A day that is named by its place in a week, month, quarter or year.
enum NamedDay: Hashable, Sendable {
    case start(PhraseUnit)
    case end(PhraseUnit)
    /// A feast of the same day each year.
    case feast(Int, Int)
    /// Sundays by the moon; the number of days after Easter.
    case easter(Int)
    /// A feast on the nth weekday of a month: the month, the number and the weekday.
    case weekdayOf(Int, Int, Weekday)
    /// A number of days after such a weekday: the Friday after Thanksgiving.
    case daysAfter(Int, month: Int, ordinal: Int, Weekday)
    /// A Sunday before Christmas, counted from the first of the four.
    case advent(Int)
    /// A day that never comes.
    case someday
}

/// A word that holds the others together.
enum DateMarker: Hashable, Sendable {
    case to
    case from
    case at
    case on
    case the
    case of
    case `in`
    case ago
    /// Before a length, counted back from now: `vor 2 Stunden`.
    case agoBefore
    /// After a length, counted from now.
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
    /// Before a time, without a meaning of its own: `around 5pm`.
    case around
    /// Behind `every`, without a meaning of its own: `every single day`.
    case single
    /// Before the last day of a repetition; of other things it is a verb: `Sale ends friday`.
    case ends
    /// Before a repetition, without a meaning of its own: `repeats weekly`.
    case repeats
    case past
    /// Minutes before an hour: `ten to 9`.
    case beforeHour
    /// Minutes that are taken from the hour before: `neuf heures moins le quart`.
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
    /// Stands behind a length without adding to it: `2 Stunden lang`.
    case long
}

/// A meaning that a language gives a word.
enum DateWord: Hashable, Sendable {
    case weekday(Weekday)
    /// An abbreviation that is another word as well: `So`, `mar`. A weekday beside a time only.
    case shortWeekday(Weekday)
    /// `mondays`: each of them.
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
    /// A shift that stands behind: `lundi prochain`.
    case shiftBehind(DateShift)
    case number(Int)
    case ordinal(Int)
    case named(NamedDay)
    /// An hour with its preposition: `all'una`.
    case hour(Int)
    /// A length in seconds: `Viertelstunde`.
    case length(Int)
    /// `weekly`: every so many of a unit.
    case adverb(PhraseUnit, Int)
    case marker(DateMarker)
}

extension DateWord {
    /// True for the name of a weekday or its abbreviation; nil otherwise.
    /// The number that a word names.
    var number: Int? { if case .number(let number) = self { number } else { nil } }

    var namesWeekday: Bool? {
        switch self {
        case .weekday, .shortWeekday: true
        default: nil
        }
    }
}

/// The date words of one language. Anybody can add one: a table beside the others, and its name in ``all``.
struct DateLanguage: Sendable {
    /// The code of ISO 639-1.
    let code: String
    let name: String
    /// Words without accents, in lower case, with their meanings. `|` divides words of one meaning, blanks the parts
    /// of those that are several words.
    let words: [(String, DateWord)]
    /// Full names in the order of the calendar.
    let weekdays: [String]
    let months: [String]
    /// Whether each beginning of three letters or more of the names is understood as well.
    var readsBeginnings = false
    /// Names and words of this language that are words of time in another one.
    var falseFriends: Set<String> = []

    /// All languages that helix reads; English always.
    static let all: [DateLanguage] = [.english, .german, .french, .spanish, .italian]
}

/// The date words of the languages that are read.
final class DateVocabulary: Sendable {
    private let single: [String: [DateWord]]
    private let phrases: [String: [(words: [String], meaning: DateWord)]]
    /// The codes of the languages.
    let languages: [String]

    /// English alone.
    static let english = DateVocabulary([.english])

    /// The words of several languages.
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

    /// The vocabulary of English and the languages of these codes.
    static func of(_ codes: [String]) -> DateVocabulary {
        let others = DateLanguage.all.dropFirst().filter { codes.contains($0.code) }
        return others.isEmpty ? .english : DateVocabulary([.english] + others)
    }

    /// Whether one of the languages is not English.
    var hasOthers: Bool { languages.count > 1 }

    var hasPhrases: Bool { !phrases.isEmpty }

    func meanings(of word: String) -> [DateWord] { single[word] ?? [] }

    /// The longest phrase at the beginning of `tokens`.
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

    /// Lower case without accents: `März` is `marz`.
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
    /// The word of time that this one was meant to be, if one letter is wrong, missing, too many or has changed places.
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
