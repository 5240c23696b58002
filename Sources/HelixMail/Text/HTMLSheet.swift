/// The rules of a mail's style sheets that name elements, classes and ids (CSS 2.2, 5): enough to know what they hide.
///
/// A rule with any other selector, or for a condition such as a narrow screen, is left out: what such a rule hides is shown.
struct HTMLSheet {
    /// An element as a rule sees it.
    struct Element {
        var name: String
        var classes: Set<String>
        var id: String?
    }

    /// A tag, classes and an id: `td.note#x`.
    private struct Compound {
        var name: String?
        var classes: [String] = []
        var id: String?

        func matches(_ element: Element) -> Bool {
            (name == nil || name == element.name) && (id == nil || id == element.id)
                && classes.allSatisfy(element.classes.contains)
        }

        var rank: Int { (id == nil ? 0 : 10_000) + classes.count * 100 + (name == nil ? 0 : 1) }
    }

    private struct Rule {
        /// The element, and elements above it, the outermost first.
        var path: [Compound]
        var declarations: String
        var important: String
        var rank: Int
    }

    /// The rules by the class, id or tag of their element.
    private var rules: [String: [Rule]] = [:]

    /// Whether there are no rules.
    var isEmpty: Bool { rules.isEmpty }

    /// The limits of what is read, which mail does not reach unless it means harm: all rules, those of one key, the elements of a
    /// selector, and the depth of conditions.
    private static let limit = (rules: 1_000, ofKey: 50, path: 8, depth: 4)
    /// The number of rules.
    private var count = 0

    /// Reads the style elements of a page.
    init(page html: String) {
        guard html.utf8.count < 4 << 20 else { return }
        for text in Self.styles(html) { read(Self.withoutComments(text)[...], depth: 0) }
    }

    /// The declarations for an element, the decisive ones last: those before the element's own ones, and those after them.
    /// - Parameter above: the elements that it is in, the outermost first.
    func declarations(of element: Element, in above: [Element]) -> (before: String, after: String) {
        var keys = element.classes.map { "." + $0 } + [element.name]
        if let id = element.id { keys.append("#" + id) }
        let found = keys.flatMap { rules[$0] ?? [] }.filter { rule in
            guard let last = rule.path.last, last.matches(element) else { return false }
            var outer = above[...]
            for compound in rule.path.dropLast().reversed() {
                guard let place = outer.lastIndex(where: compound.matches) else { return false }
                outer = outer[..<place]
            }
            return true
        }.sorted { $0.rank < $1.rank }
        return (found.map(\.declarations).joined(separator: ";"), found.map(\.important).joined(separator: ";"))
    }

    // MARK: Reading

    /// The contents of the style elements that are in no comment.
    private static func styles(_ html: String) -> [String] {
        var found: [String] = []
        let lower = Array(html.utf8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        var place = 0
        func next(_ word: StaticString, from start: Int) -> Int? {
            let bytes = Array("\(word)".utf8)
            guard let first = bytes.first else { return nil }
            var at = start
            while let hit = lower[at...].firstIndex(of: first) {
                if lower[hit...].starts(with: bytes) { return hit }
                at = hit + 1
            }
            return nil
        }
        while let style = next("<style", from: place) {
            if let comment = next("<!--", from: place), comment < style {
                guard let end = next("-->", from: comment) else { break }
                place = end + 3
                continue
            }
            guard let open = lower[style...].firstIndex(of: UInt8(ascii: ">")) else { break }
            let end = next("</style", from: open) ?? lower.count
            found.append(String(decoding: lower[(open + 1)..<end], as: UTF8.self))
            place = end
            if place >= lower.count { break }
        }
        return found
    }

    private mutating func read(_ text: Substring, depth: Int) {
        var rest = text
        while let open = rest.firstIndex(of: "{"), count < Self.limit.rules {
            var selector = rest[..<open].trimmed
            // A statement such as @import ends at a semicolon, and is no selector.
            if let end = selector.lastIndex(of: ";") {
                selector = String(selector[selector.index(after: end)...]).trimmed
            }
            let inner = rest.index(after: open)
            guard selector.hasPrefix("@") else {
                let close = rest[inner...].firstIndex(of: "}") ?? rest.endIndex
                add(selector, String(rest[inner..<close]))
                rest = close < rest.endIndex ? rest[rest.index(after: close)...] : ""
                continue
            }
            let close = Self.end(of: rest[inner...])
            let condition = selector.split(separator: " ").dropFirst().joined(separator: " ")
            if selector.hasPrefix("@media"), ["", "all", "screen", "only screen"].contains(condition),
                depth < Self.limit.depth
            {
                read(rest[inner..<close], depth: depth + 1)
            }
            rest = close < rest.endIndex ? rest[rest.index(after: close)...] : ""
        }
    }

    /// The brace that closes a block.
    private static func end(of text: Substring) -> String.Index {
        var depth = 1
        for place in text.indices {
            if text[place] == "{" { depth += 1 }
            if text[place] == "}" { depth -= 1 }
            if depth == 0 { return place }
        }
        return text.endIndex
    }

    private static func withoutComments(_ text: String) -> String {
        var out = ""
        var rest = text.replacing("<!--", with: "").replacing("-->", with: "")[...]
        while let open = rest.firstRange(of: "/*") {
            out += rest[..<open.lowerBound]
            guard let close = rest[open.upperBound...].firstRange(of: "*/") else { return out }
            rest = rest[close.upperBound...]
        }
        return out + rest
    }

    private mutating func add(_ selectors: String, _ text: String) {
        var (usual, important): ([Substring], [Substring]) = ([], [])
        // Only what hides: colours depend on backgrounds that other rules may set.
        for declaration in text.split(separator: ";") where Self.hides(declaration) {
            if declaration.contains("!important") { important.append(declaration) } else { usual.append(declaration) }
        }
        guard !usual.isEmpty || !important.isEmpty else { return }
        for selector in selectors.split(separator: ",") {
            let path = selector.replacing(">", with: " ").split(whereSeparator: \.isWhitespace).map(Self.compound)
            guard path.count <= Self.limit.path, let last = path.last ?? nil, !path.contains(where: { $0 == nil })
            else { continue }
            let rule = Rule(
                path: path.compactMap { $0 }, declarations: usual.joined(separator: ";"),
                important: important.joined(separator: ";"), rank: path.reduce(0) { $0 + ($1?.rank ?? 0) })
            let key = last.id.map { "#" + $0 } ?? last.classes.first.map { "." + $0 } ?? last.name ?? ""
            count += 1
            guard count <= Self.limit.rules, rules[key, default: []].count < Self.limit.ofKey else { continue }
            rules[key, default: []].append(rule)
        }
    }

    private static let hiding: Set<String> = [
        "display", "visibility", "opacity", "font-size", "overflow", "width", "height", "max-width", "max-height",
        "text-indent", "position", "left", "top", "right", "bottom", "clip", "clip-path", "mso-hide", "transform",
        "filter", "margin-left", "margin-top",
    ]

    private static func hides(_ declaration: Substring) -> Bool {
        guard let colon = declaration.firstIndex(of: ":") else { return false }
        return hiding.contains(HTMLStyle.unescaped(declaration[..<colon].trimmed))
    }

    /// `td.note#x`; nil for anything else.
    private static func compound(_ text: Substring) -> Compound? {
        var found = Compound()
        var (kind, word) = (Character(" "), "")
        func isName(_ sign: Character) -> Bool { sign.isLetter || sign.isNumber || sign == "-" || sign == "_" }
        func close() -> Bool {
            switch kind {
            case ".": if word.isEmpty { return false } else { found.classes.append(word) }
            case "#": if word.isEmpty { return false } else { found.id = word }
            default: if !word.isEmpty { found.name = word }
            }
            return true
        }
        for sign in text {
            if sign == "." || sign == "#" {
                guard close() else { return nil }
                (kind, word) = (sign, "")
            } else if isName(sign) {
                word.append(sign)
            } else {
                return nil
            }
        }
        guard close(), found.name != nil || !found.classes.isEmpty || found.id != nil else { return nil }
        return found
    }
}
