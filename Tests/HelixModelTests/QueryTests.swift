import HelixModel
import TestSupport
import Testing

/// The language of filters and searches, which all nouns share.
@Suite struct QueryTests {
    /// A query as it was read.
    indirect enum Shape: QueryTree, Hashable {
        case everything
        case all([Shape])
        case any([Shape])
        case not(Shape)
        case term(QueryTerm)
    }

    private static let dates = DatePhraseParser(now: Instant(1_795_252_800), zone: .utc)
    private static let noun = QueryNoun(
        "things", tags: .both, hasSavedQueries: true, example: "name:x",
        fields: [
            QueryField("name", .name, also: ["n"], canBeNone: true, "The name."),
            QueryField("text", .words, "Words."),
            QueryField("who", .person, "Somebody."),
            QueryField("state", .choice(["open|todo", "done", "dropped"]), "The state."),
            QueryField("level", .level(["low", "middle", "high"]), canBeNone: true, "The level."),
            QueryField("day", .time(.neutral), also: ["on"], canBeNone: true, "The day."),
            QueryField("after", .time(.back), comparison: .greaterOrEqual, asks: "day", "The same as day>=."),
            QueryField("length", .length, "The length."),
            QueryField("size", .size, "The size."),
            QueryField("id", .id, "The id."),
        ])
    private let parser = QueryParser<Shape>(
        noun: QueryTests.noun, dates: QueryTests.dates, saved: { $0 == "mine" ? "name:me or +own" : nil },
        leaf: { .term($0) })

    // MARK: Round trips

    /// A term, and ways to write it.
    private static func term(_ random: inout SeededGenerator) -> (Shape, String) {
        func field(_ name: String, _ sign: QueryComparison, _ value: QueryValue) -> Shape {
            .term(.field(name, sign, value))
        }
        let words = ["milk", "big house", "or", "+x", "-y", "a:b", "not", "(", "@mine", "tag's", "ä", "日本", "x)y"]
        let word = words.randomElement(using: &random) ?? ""
        let signs: [(String, QueryComparison)] = [
            (":", .equal), ("=", .equal), ("<", .less), (">", .greater), ("<=", .lessOrEqual), (">=", .greaterOrEqual),
        ]
        let (sign, comparison) = signs.randomElement(using: &random) ?? (":", .equal)
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return (.term(.words(word, isQuoted: true, isPrefix: false)), "\"\(word)\"")
        case 1: return (.term(.words("milk", isQuoted: false, isPrefix: false)), "milk")
        case 2: return (.term(.words("mil", isQuoted: false, isPrefix: true)), "mil*")
        case 3: return (.term(.tag("home")), "+home")
        case 4: return (.not(.term(.tag("home"))), "-home")
        case 5: return (field("name", .equal, .text(word, isQuoted: true)), "n:\"\(word)\"")
        case 6: return (.not(field("name", .equal, .text("x.y", isQuoted: false))), "name!=x.y")
        case 7: return (field("name", .equal, .none), ["name:none", "name:no"].randomElement(using: &random) ?? "")
        case 8:
            let level = ["low", "middle", "high"].randomElement(using: &random) ?? "low"
            return (field("level", comparison, .choice(level)), "level\(sign)\(level.prefix(2))")
        case 9: return (field("state", .equal, .choice("open")), "STATE:todo")
        case 10:
            let hours = Int.random(in: 1...30, using: &random)
            return (field("length", comparison, .number(hours * 3600)), "length\(sign)\(hours)h")
        case 11:
            let size = Int.random(in: 0...900, using: &random)
            return (field("size", comparison, .number(size * 1000)), "size\(sign)\(size)k")
        case 12:
            let (low, high) = (Int.random(in: 1...9, using: &random), Int.random(in: 10...99, using: &random))
            let bounds = [
                field("size", .greaterOrEqual, .number(low)), field("size", .lessOrEqual, .number(high)),
            ]
            return (.all(bounds), "size:\(low)..\(high)")
        default:
            let date = CivilDate(dayNumber: Int.random(in: 20_000...21_000, using: &random))
            let start = CivilDateTime(date).seconds
            let times = QueryTimes(instants: start..<start + 86_400, civil: start..<start + 86_400)
            return (field("day", comparison, .times(times)), "on\(sign)\(ISO8601.text(date))")
        }
    }

    /// A query, and a way to write it; `level` tells how tight it is to be bound.
    private static func query(_ depth: Int, _ random: inout SeededGenerator) -> (Shape, String) {
        guard depth > 0 else { return term(&random) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let parts = (0..<Int.random(in: 2...4, using: &random)).map { _ in query(depth - 1, &random) }
            let joint = [" or ", " OR ", " || "].randomElement(using: &random) ?? " or "
            return (.any(parts.map(\.0)), parts.map { bracketed($0) }.joined(separator: joint))
        case 1:
            let parts = (0..<Int.random(in: 2...4, using: &random)).map { _ in query(depth - 1, &random) }
            let joint = [" ", " and ", "  ", " && "].randomElement(using: &random) ?? " "
            return (.all(parts.map(\.0)), parts.map { bracketed($0) }.joined(separator: joint))
        case 2:
            let (part, text) = query(depth - 1, &random)
            let not = ["not ", "!", "NOT ", "-"].randomElement(using: &random) ?? "not "
            return (.not(part), not + "(\(text))")
        default: return term(&random)
        }
    }

    private static func bracketed(_ part: (Shape, String)) -> String {
        switch part.0 {
        case .any, .all: "( \(part.1) )"
        default: part.1
        }
    }

    @Test(arguments: 0..<20) func whatIsWrittenIsReadAsItWasMeant(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<250 {
            let (meant, text) = QueryTests.query(Int.random(in: 0...4, using: &random), &random)
            #expect(try parser.query(text) == meant, "\(text)")
        }
    }

    @Test(arguments: 0..<20) func noiseIsReadOrRefused(seed: UInt64) throws {
        var random = SeededGenerator(seed: 1000 + seed)
        let pieces = [
            "a", "or", "and", "not", "(", ")", "\"", "'", "+", "-", "!", ":", "=", "<", ">", "<=", "!=", "..", "*", "@",
            "@mine", "name", "state", "level", "day", "size", "length", "fri", "2026", "1h", "5k", " ", "  ", "\t",
            "\n",
            ".", ",", "é", "日", "\u{0}", "\u{200F}", "👩‍👩‍👧", "name:", "day.before:", "level:low..high", "||", "&&", "\\",
        ]
        var understood = 0
        for _ in 0..<5000 {
            let length = Int.random(in: 1...9, using: &random)
            let text = (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            do {
                _ = try parser.query(text)
                understood += 1
            } catch let error as HelixError { #expect(error.code == .usage, "\(text)") }
        }
        #expect(understood > 0)
    }

    // MARK: Places

    @Test(arguments: [
        ("nmae:x", "^^^^^^", "Did you mean name?"), ("milk tsate:open", "     ^^^^^^^^^^", "Did you mean state?"),
        ("state:opne", "^^^^^^^^^^", "Did you mean open?"), ("a or", "  ^^", "name:x"), ("(a", "^", "name:x"),
        ("level:", "^^^^^^", ""), ("name: milk", "^^^^^", "without a blank"), ("name<a", "^^^^^^", "name:x"),
        ("state:<open", "^^^^^^^^^^^", "It can be"), ("on:someday", "^^^^^^^^^^", "2026-12-01"),
        ("a*b", "^^^", "name:x"),
        ("\"milk", "^^^^^", "name:x"), ("milk @nobody", "     ^^^^^^^", "double quotes"),
        ("size:big", "^^^^^^^^", "500k"), ("a not", "  ^^^", "name:x"),
        ("x:\"a b\" c", "^^^^^^^", "Fields are name, text"),
        ("day.beofre:fri", "^^^^^^^^^^^^^^", ".before"), ("level<none", "^^^^^^^^^^", "name:x"),
    ])
    func anErrorShowsThePlaceAndTheWayOut(text: String, marks: String, hint: String) {
        if text == "level:" {
            // Nothing behind the sign is none.
            #expect((try? parser.query(text)) == .term(.field("level", .equal, .none)))
            return
        }
        let error = #expect(throws: HelixError.self) { try parser.query(text) }
        #expect(error?.message.hasSuffix("\n  \(text)\n  \(marks)") == true, "\(error?.message ?? "")")
        #expect(error?.hint?.contains(hint) == true, "\(error?.hint ?? "")")
    }

    @Test func placesOfTheNetAndCodeAreWords() throws {
        for word in [
            "http://example.org/a?b=c", "std::map", "ana@example.org", "10:30", "f(x)", "C++", "a-b", "@example.org",
        ] {
            #expect(try parser.query(word) == .term(.words(word, isQuoted: false, isPrefix: false)), "\(word)")
        }
    }

    @Test func aSavedQueryStandsForItself() throws {
        let own = try parser.query("name:me or +own")
        #expect(try parser.query("@mine") == own)
        #expect(try parser.query("not @mine milk") == .all([.not(own), try parser.query("milk")]))
    }
}
