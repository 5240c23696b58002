import Synchronization

/// The date words of the active languages, which are collected when the first phrase is read: most commands read none.
final class DateVocabulary: Sendable {
    /// The codes of the languages.
    let languages: [String]
    private let tables = Mutex<DateTables?>(nil)

    /// English alone.
    static let english = DateVocabulary(["en"])

    /// Creates the vocabulary of several languages.
    init(_ languages: [String]) { self.languages = languages }

    private var words: DateTables {
        tables.withLock { tables in
            if let tables { return tables }
            let made = DateTables(DateLanguage.all.filter { languages.contains($0.code) })
            tables = made
            return made
        }
    }

    private var single: [String: [DateWord]] { words.single }
    private var phrases: [String: [(words: [String], meaning: DateWord)]] { words.phrases }

    /// Returns the vocabulary of English and the languages with these codes.
    static func of(_ codes: [String]) -> DateVocabulary {
        if codes.allSatisfy({ $0 == "en" }) { return .english }
        let others = DateLanguage.all.dropFirst().map(\.code).filter(codes.contains)
        return others.isEmpty ? .english : DateVocabulary(["en"] + others)
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

/// The words of several languages, and those of several parts by their first part.
private struct DateTables {
    let single: [String: [DateWord]]
    let phrases: [String: [(words: [String], meaning: DateWord)]]

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
    }
}
