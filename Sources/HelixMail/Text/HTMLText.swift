/// HTML rendered as plain text for a terminal: paragraphs, lists, quotes, data tables, and links as numbers with
/// their URLs at the end. Images are shown by their alternative text; nothing is loaded.
public struct HTMLText: Sendable {
    /// The text, with unwrapped lines; quotes begin with `>`.
    public private(set) var text = ""
    /// The URLs of the numbered links.
    public private(set) var links: [String] = []
    /// Whether the text was truncated.
    public private(set) var isCut = false
    /// The number of characters that the sender hid from readers, and that are left out.
    public private(set) var hiddenCount = 0

    /// Renders HTML.
    ///
    /// - Parameter numbersLinks: whether links are numbered; false for an index.
    /// - Throws: ``HelixError`` if libxml2 is not installed.
    public init(_ html: String, numbersLinks: Bool = true) throws {
        let tree = try HTMLTree(html)
        var writer = HTMLWriter(tree: tree, numbersLinks: numbersLinks, sheet: HTMLSheet(page: html))
        writer.render(0)
        text = writer.finished()
        links = writer.links
        hiddenCount = writer.hiddenCount
        isCut = tree.isCut
    }
}

/// Walks the tree and writes lines.
struct HTMLWriter {
    let tree: HTMLTree
    let numbersLinks: Bool
    private let sheet: HTMLSheet
    /// The elements that are being rendered, the outermost first, if there is a sheet.
    private var above: [HTMLSheet.Element] = []
    private(set) var links: [String] = []
    private(set) var hiddenCount = 0
    /// The colours of the text and of what is behind it.
    private var (color, background) = ("#000000", "#ffffff")
    private var numbers: [String: Int] = [:]
    private var lines: [String] = []
    private var line = ""
    /// The prefix of each line: quote marks and list indentation.
    private var prefix = ""
    /// The prefix of the next line only: a list bullet.
    private var bullet: String?
    /// Whether a blank precedes the next word.
    private var needsBlank = false
    private var isPreformatted = false
    /// Whether an empty line precedes the next output.
    private var wantsGap = false
    /// The open lists: the next number, or nil for bullets.
    private var lists: [Int?] = []

    init(tree: HTMLTree, numbersLinks: Bool, sheet: HTMLSheet) {
        self.tree = tree
        self.numbersLinks = numbersLinks
        self.sheet = sheet
    }

    /// The style of an element, by its own declarations and those of the sheets.
    private mutating func style(of node: HTMLTree.Node) -> HTMLStyle? {
        guard !sheet.isEmpty else { return node["style"].map(HTMLStyle.init) }
        let element = HTMLSheet.Element(
            name: node.name.lowercased(),
            classes: Set((node["class"] ?? "").lowercased().split(whereSeparator: \.isWhitespace).map(String.init)),
            id: node["id"]?.lowercased())
        let (before, after) = sheet.declarations(of: element, in: above)
        above.append(element)
        let parts = [before, node["style"] ?? "", after].filter { !$0.isEmpty }
        return parts.isEmpty ? nil : HTMLStyle(parts.joined(separator: ";"))
    }

    private static let blocks: Set<String> = [
        "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "dt", "dd", "pre", "blockquote", "table",
        "tr",
        "section", "article", "header", "footer", "address", "form", "fieldset", "center", "figure", "figcaption",
        "main", "nav", "aside", "body", "html", "details", "summary",
    ]
    private static let spaced: Set<String> = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "pre", "blockquote", "table", "figure",
    ]

    mutating func finished() -> String {
        endLine()
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    mutating func render(_ place: Int) {
        let node = tree.nodes[place]
        if node.name.isEmpty {
            // Text in the colour of its background.
            if HTMLStyle.isSame(color, background) { return hide(place) }
            return write(node.text)
        }
        let style = style(of: node)
        defer { if !sheet.isEmpty { above.removeLast() } }
        if node["hidden"] != nil || style?.isInvisible == true { return hide(place) }
        let former = (color, background)
        defer { (color, background) = former }
        background = style?.background ?? node["bgcolor"].map(HTMLStyle.plain) ?? background
        color = style?.color ?? (node.name == "font" ? node["color"].map(HTMLStyle.plain) : nil) ?? color
        // A link has a colour of its own.
        if node.name == "a", style?.color == nil { color = "#0000ff" }
        switch node.name {
        case "br": breakLine()
        case "hr":
            startBlock(gap: false)
            line = "────────"
            endLine()
        case "img":
            if let name = node["alt"]?.trimmed, !name.isEmpty { write("[\(name)]") }
        case "a": link(node)
        case "li": item(node)
        case "blockquote": quote(node)
        case "table": table(place)
        case "s", "strike", "del":
            // A price that no longer holds must not look as if it did.
            mark(node, "~~")
        case "b", "strong": mark(node, "*")
        case "td", "th":
            needsBlank = true
            children(node)
            needsBlank = true
        case "pre":
            startBlock(gap: true)
            isPreformatted = true
            children(node)
            isPreformatted = false
            endBlock(gap: true)
        case "ul", "ol":
            let isInner = !lists.isEmpty
            startBlock(gap: !isInner)
            lists.append(node.name == "ol" ? Int(node["start"] ?? "") ?? 1 : nil)
            children(node)
            lists.removeLast()
            endBlock(gap: !isInner)
        case let name where Self.blocks.contains(name):
            startBlock(gap: Self.spaced.contains(name))
            children(node)
            endBlock(gap: Self.spaced.contains(name))
        default: children(node)
        }
    }

    /// Writes an element between marks, as plain-text mail emphasizes words. Words are indexed without marks.
    private mutating func mark(_ node: HTMLTree.Node, _ sign: String) {
        let before = (lines: lines.count, bytes: line.utf8.count)
        children(node)
        guard numbersLinks, !isPreformatted, lines.count == before.lines, line.utf8.count > before.bytes else { return }
        var start = line.utf8.index(line.startIndex, offsetBy: before.bytes)
        if line[start] == " " { start = line.index(after: start) }
        // Marks of an inner element stand for both; what has no letters or digits needs none.
        let inner = line[start...]
        guard inner.contains(where: { $0.isLetter || $0.isNumber }), !(inner.hasPrefix(sign) && inner.hasSuffix(sign))
        else { return }
        line.insert(contentsOf: sign, at: start)
        line += sign
    }

    private mutating func children(_ node: HTMLTree.Node) { for child in node.children { render(child) } }

    /// Counts the text of what a reader would not see.
    private mutating func hide(_ place: Int) {
        let node = tree.nodes[place]
        hiddenCount += node.text.count { !$0.isWhitespace }
        for child in node.children { hide(child) }
    }

    private mutating func write(_ text: String) {
        if isPreformatted {
            let parts = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                if index > 0 { breakLine() }
                if !part.isEmpty { put(String(part)) }
            }
            return
        }
        var word: [UInt8] = []
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
        for byte in text.utf8 {
            if isBlank(byte) {
                if !word.isEmpty {
                    put(String(decoding: word, as: UTF8.self))
                    word.removeAll(keepingCapacity: true)
                }
                needsBlank = true
            } else {
                word.append(byte)
            }
        }
        if !word.isEmpty { put(String(decoding: word, as: UTF8.self)) }
    }

    private mutating func put(_ word: String) {
        // Remove zero-width characters, and replace no-break spaces.
        var word = word
        if word.utf8.contains(where: { $0 >= 0xC2 }) {
            word.unicodeScalars.removeAll {
                [0x200B, 0x200C, 0x00AD, 0x2060, 0xFEFF, 0x034F].contains($0.value)
            }
            word = String(String.UnicodeScalarView(word.unicodeScalars.map { $0.value == 0xA0 ? " " : $0 }))
            if word.utf8.allSatisfy({ $0 == 0x20 }) && !isPreformatted {
                needsBlank = true
                return
            }
        }
        if word.isEmpty { return }
        if wantsGap {
            if !lines.isEmpty, lines.last?.isEmpty == false { lines.append(gap) }
            wantsGap = false
        }
        if needsBlank, !line.isEmpty { line += " " }
        needsBlank = false
        line += word
    }

    /// An empty line, with quote marks inside a quote.
    private var gap: String {
        let marks = prefix.prefix { $0 == ">" || $0 == " " }
        return String(marks).trimmed
    }

    private mutating func breakLine() {
        if line.isEmpty, bullet == nil {
            if lines.last?.isEmpty == false { lines.append(gap) }
        } else {
            endLine()
        }
        needsBlank = false
    }

    private mutating func endLine() {
        needsBlank = false
        if line.isEmpty { return }
        lines.append(prefix.dropLast(bullet == nil ? 0 : (bullet ?? "").count) + (bullet ?? "") + line)
        line = ""
        bullet = nil
    }

    private mutating func startBlock(gap: Bool) {
        endLine()
        if gap, bullet == nil { wantsGap = true }
    }

    private mutating func endBlock(gap: Bool) {
        endLine()
        if gap { wantsGap = true }
    }

    private mutating func link(_ node: HTMLTree.Node) {
        // Counts, not copies: a paragraph of 50,000 links would be copied for each.
        let before = (lines: lines.count, bytes: line.utf8.count)
        children(node)
        guard numbersLinks, let address = node["href"]?.trimmed else { return }
        let isOutside = ["http:", "https:", "mailto:", "tel:", "ftp:"].contains { address.lowercased().hasPrefix($0) }
        guard isOutside, lines.count != before.lines || line.utf8.count != before.bytes else { return }
        // A link whose text is its URL needs no number.
        let isSameLine = lines.count == before.lines && line.utf8.count > before.bytes
        let added = isSameLine ? line.utf8.index(line.startIndex, offsetBy: before.bytes) : line.endIndex
        let shown = line[added...].trimmingPrefix(" ")
        let bare = address.lowercased().hasPrefix("mailto:") ? String(address.dropFirst(7)) : address
        if shown == address || shown == bare || shown + "/" == address { return }
        let number = numbers[address] ?? links.count + 1
        if numbers[address] == nil {
            guard links.count < 1000 else { return }
            numbers[address] = number
            links.append(address)
        }
        let wasBlank = needsBlank
        needsBlank = false
        // A number right behind a web address would be read as its end.
        line += (shown.contains("://") ? " " : "") + "[\(number)]"
        needsBlank = wasBlank
    }

    private mutating func item(_ node: HTMLTree.Node) {
        endLine()
        var mark = "• "
        if let list = lists.last, let number = list {
            mark = "\(number). "
            lists[lists.count - 1] = number + 1
        }
        let outer = prefix
        prefix += String(repeating: " ", count: mark.count)
        bullet = mark
        children(node)
        endLine()
        bullet = nil
        prefix = outer
    }

    private mutating func quote(_ node: HTMLTree.Node) {
        startBlock(gap: true)
        let outer = prefix
        // Flush the gap with the outer prefix, so that it is not part of the quote.
        if wantsGap, !lines.isEmpty, lines.last?.isEmpty == false { lines.append(gap) }
        wantsGap = false
        if outer.count < 40 { prefix += "> " }
        children(node)
        endLine()
        wantsGap = false
        prefix = outer
        wantsGap = true
    }
}

extension HTMLWriter {
    /// Writes a table: data tables as columns, layout tables cell by cell.
    private mutating func table(_ place: Int) {
        let rows = rows(of: place)
        let widest = rows.map(\.count).max() ?? 0
        let isData =
            rows.count >= 2 && widest >= 2 && rows.count <= 500 && widest <= 12
            && rows.allSatisfy { row in row.allSatisfy { !hasBlocks($0) } }
        guard isData else {
            startBlock(gap: true)
            for child in tree.nodes[place].children { render(child) }
            return endBlock(gap: true)
        }
        var hidden = 0
        let texts: [[String]] = rows.map { row in
            row.map { cell -> String in
                var inner = HTMLWriter(tree: tree, numbersLinks: false, sheet: sheet)
                (inner.above, inner.color, inner.background) = (above, color, background)
                inner.render(cell)
                hidden += inner.hiddenCount
                return inner.finished().split(separator: "\n").joined(separator: " ")
            }
        }
        // Layout tables have long or empty cells.
        let cells = texts.joined()
        let long = cells.count { $0.count > 60 }
        guard long * 4 <= cells.count, cells.allSatisfy({ $0.count <= 400 }),
            cells.filter({ !$0.isEmpty }).count * 2 >= cells.count,
            texts.filter({ $0.filter { !$0.isEmpty }.count >= 2 }).count >= 2
        else {
            startBlock(gap: true)
            for child in tree.nodes[place].children { render(child) }
            return endBlock(gap: true)
        }
        hiddenCount += hidden
        startBlock(gap: true)
        let widths = (0..<widest).map { column in texts.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        let fitted = Self.fitted(widths)
        for row in texts where !row.allSatisfy(\.isEmpty) {
            let lines = row.enumerated().map { $1.inLines(of: fitted[$0]) }
            for place in 0..<(lines.map(\.count).max() ?? 0) {
                let padded = lines.enumerated().map { column, own in
                    let text = place < own.count ? own[place] : ""
                    return text + String(repeating: " ", count: max(0, fitted[column] - text.count))
                }
                wasData(String(padded.joined(separator: "  ").trimmingEnd))
            }
        }
        endBlock(gap: true)
    }

    /// The column widths, the widest reduced until all columns fit on a line.
    private static func fitted(_ widths: [Int]) -> [Int] {
        var fitted = widths
        let room = 76 - 2 * (widths.count - 1)
        while fitted.reduce(0, +) > room, let widest = fitted.indices.max(by: { fitted[$0] < fitted[$1] }),
            fitted[widest] > 8
        {
            fitted[widest] -= 1
        }
        return fitted
    }

    private mutating func wasData(_ text: String) {
        isPreformatted = true
        // Trailing blanks of a row are dropped.
        put(text)
        isPreformatted = false
        endLine()
    }

    /// The cells of a table's own rows.
    private func rows(of table: Int) -> [[Int]] {
        var rows: [[Int]] = []
        for child in tree.nodes[table].children {
            switch tree.nodes[child].name {
            case "tr": rows.append(tree.nodes[child].children.filter { ["td", "th"].contains(tree.nodes[$0].name) })
            case "tbody", "thead", "tfoot": rows += self.rows(of: child)
            default: break
            }
        }
        return rows.filter { !$0.isEmpty }
    }

    /// Whether a cell contains blocks: tables, lists, paragraphs.
    private func hasBlocks(_ place: Int) -> Bool {
        tree.nodes[place].children.contains { child in
            let name = tree.nodes[child].name
            if ["table", "ul", "ol", "blockquote", "h1", "h2", "h3", "hr", "pre"].contains(name) { return true }
            return !name.isEmpty && hasBlocks(child)
        }
    }
}
