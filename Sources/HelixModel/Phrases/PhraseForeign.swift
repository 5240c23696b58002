/// Date words of supported languages that are inactive.
struct ForeignDateWords {
    /// The words that denote a time by themselves, with the code of their language.
    private let clear: [String: String]
    /// The words that do so after or before a number: units, months.
    private let counted: [String: String]
    private var units: [String: String] = [:]
    /// Words such as `next`, `every` and `end`, which do so beside a unit.
    private let shifts: [String: String]
    /// Abbreviations of weekdays, which do so before a time of day.
    private let short: [String: String]
    /// Phrases of several words, by their first word.
    private let phrases: [String: [(words: [String], code: String, isEvery: Bool)]]

    /// Collects the words of all languages but `languages`, as far as `words` contains them.
    init(without languages: [String], among words: Set<Substring>) {
        var clear: [String: String] = [:]
        var counted: [String: String] = [:]
        var shifts: [String: String] = [:]
        var short: [String: String] = [:]
        var phrases: [String: [(words: [String], code: String, isEvery: Bool)]] = [:]
        var ordinary: Set<String> = []
        let sieve = WordSieve(words)
        for language in DateLanguage.all where languages.contains(language.code) {
            ordinary.formUnion(language.falseFriends.filter { words.contains($0[...]) })
        }
        for language in DateLanguage.all where !languages.contains(language.code) {
            for name in language.weekdays where words.contains(name[...]) { clear[name] = language.code }
            for name in language.months where words.contains(name[...]) {
                if name.utf8.count > 4 { clear[name] = language.code } else { counted[name] = language.code }
            }
            for (texts, meaning) in language.words where sieve.mayHold(texts) {
                for text in texts.split(separator: "|") {
                    let isPhrase = text.utf8.contains(UInt8(ascii: " "))
                    guard words.contains(isPhrase ? text.prefix { $0 != " " } : text) else { continue }
                    let word = String(text)
                    if isPhrase {
                        guard ForeignDateWords.isClear(meaning) || meaning == .marker(.every) else { continue }
                        let words = text.split(separator: " ").map(String.init)
                        phrases[words[0], default: []].append((words, language.code, meaning == .marker(.every)))
                        continue
                    }
                    switch meaning {
                    case .unit:
                        units[word] = language.code
                        counted[word] = language.code
                    case .month, .marker(.oclock), .marker(.times): counted[word] = language.code
                    case .marker(.to), .marker(.at), .marker(.from):
                        if word.utf8.count > 2 || word == "um" { counted[word] = language.code }
                    case .marker(.every), .marker(.end), .marker(.beginning), .shift, .shiftBehind:
                        shifts[word] = language.code
                    case .shortWeekday: short[word] = language.code
                    case _ where ForeignDateWords.isClear(meaning): clear[word] = language.code
                    default: continue
                    }
                }
            }
        }
        for word in ordinary {
            clear[word] = nil
            counted[word] = nil
            short[word] = nil
        }
        (self.clear, self.counted, self.shifts) = (clear, counted, shifts)
        (self.short, self.phrases) = (short, phrases)
    }

    /// Whether a word with the meaning denotes a time by itself.
    private static func isClear(_ meaning: DateWord) -> Bool {
        switch meaning {
        case .weekday, .weekdays, .day, .dayPart, .named, .adverb, .length, .marker(.weekdays), .marker(.weekend),
            .marker(.allDay), .hour:
            true
        default: false
        }
    }

    /// The first of the words at `places` that denotes a time in an inactive language, with the code of that.
    func first(_ grammar: PhraseGrammar, at places: [Int]) -> (index: Int, language: String)? {
        for index in places {
            let token = grammar.tokens[index]
            guard token.kind == .word else { continue }
            if let code = short[token.text], isBeforeClock(grammar, index) { return (index, code) }
            guard token.meanings.isEmpty, token.length > 1 else { continue }
            if let code = phrase(grammar, index) { return (index, code) }
            if let code = clear[token.text] { return (index, code) }
            if let code = counted[token.text], isBesideNumber(grammar, index) { return (index, code) }
            if let code = shifts[token.text], isBesideUnit(grammar, index, code) { return (index, code) }
        }
        return nil
    }

    /// The language of a phrase that begins at the token.
    private func phrase(_ grammar: PhraseGrammar, _ index: Int) -> String? {
        for phrase in phrases[grammar.tokens[index].text] ?? [] {
            let end = index + phrase.words.count
            guard end <= grammar.tokens.count,
                zip(index..<end, phrase.words).allSatisfy({ grammar.tokens[$0].text == $1 })
            else { continue }
            guard phrase.isEvery else { return phrase.code }
            guard end < grammar.tokens.count else { continue }
            let next = grammar.tokens[end].text
            if clear[next] != nil || counted[next] != nil || grammar.number(end) != nil { return phrase.code }
        }
        return nil
    }

    private func isBeforeClock(_ grammar: PhraseGrammar, _ index: Int) -> Bool {
        let next = grammar.sign(".", index + 1) ? index + 2 : index + 1
        let isClock = grammar.sign(":", next + 1)
        let isDay = grammar.sign(".", next + 1) && grammar.number(next + 2) != nil && grammar.sign(".", next + 3)
        return grammar.number(next) != nil && (isClock || isDay) && grammar.unit(index - 1) == nil
            && grammar.number(index - 1) == nil
    }

    private func isBesideNumber(_ grammar: PhraseGrammar, _ index: Int) -> Bool {
        grammar.number(index - 1) != nil || grammar.number(index + 1) != nil
            || grammar.sign(".", index - 1) && grammar.number(index - 2) != nil
    }

    private func isBesideUnit(_ grammar: PhraseGrammar, _ index: Int, _ code: String) -> Bool {
        [index - 1, index + 1, index + 2].contains { place in
            grammar.tokens.indices.contains(place) && units[grammar.tokens[place].text] == code
        }
    }

    /// Returns the error with the word, its language and the setting that activates it.
    func error(_ grammar: PhraseGrammar, _ index: Int, _ code: String) -> HelixError {
        let word = grammar.line[grammar.tokens[index].range]
        let name = DateLanguage.all.first { $0.code == code }?.name ?? code
        let codes = (grammar.parser.vocabulary.languages.dropFirst() + [code]).joined(separator: ",")
        return HelixError(
            .usage, "'\(word)' is a date word in \(name), which is not enabled",
            hint: "Run 'helix config set dates.languages \(codes)' to enable it; "
                + "in double quotes it belongs to the title: \"\(word)\".")
    }
}

/// A fast filter for texts that cannot contain a word: nearly all lines of the tables contain no word of a given line.
private struct WordSieve {
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ words: Set<Substring>) {
        for word in words { add(WordSieve.hash(word.utf8)) }
    }

    /// Whether `texts`, in which `|` and blanks separate words, may contain one of the words.
    func mayHold(_ texts: String) -> Bool {
        var texts = texts
        return texts.withUTF8 { bytes in
            var hash = WordSieve.seed
            for byte in bytes {
                if byte == UInt8(ascii: "|") || byte == UInt8(ascii: " ") {
                    if has(hash) { return true }
                    hash = WordSieve.seed
                } else {
                    hash = WordSieve.step(hash, byte)
                }
            }
            return has(hash)
        }
    }

    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    /// FNV-1a.
    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(seed) { step($0, $1) } }

    private mutating func add(_ hash: UInt64) {
        let bit = UInt64(1) << (hash >> 32 & 63)
        switch hash >> 40 & 3 {
        case 0: bits.0 |= bit
        case 1: bits.1 |= bit
        case 2: bits.2 |= bit
        default: bits.3 |= bit
        }
    }

    private func has(_ hash: UInt64) -> Bool {
        let bit = UInt64(1) << (hash >> 32 & 63)
        switch hash >> 40 & 3 {
        case 0: return bits.0 & bit != 0
        case 1: return bits.1 & bit != 0
        case 2: return bits.2 & bit != 0
        default: return bits.3 & bit != 0
        }
    }
}
