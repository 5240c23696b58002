/// The styles by which a sender hides text from readers: preview texts of mail lists, and words that only programs are
/// to read.
struct HTMLStyle {
    /// The declarations in lower case; values without and with their blanks.
    private let properties: [(name: String, value: String, words: String)]

    /// Reads the declarations of a `style` attribute (CSS Style Attributes, 2013).
    init(_ text: String) {
        let plain = HTMLStyle.withoutComments(HTMLStyle.unescaped(text.lowercased()))
        properties = plain.split(separator: ";").compactMap { declaration in
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let words = parts[1].replacing("!important", with: "")
            return (parts[0].filter { !$0.isWhitespace }, words.filter { !$0.isWhitespace }, String(words))
        }
    }

    private subscript(name: String) -> String? { properties.last { $0.name == name }?.value }

    /// The value of a property with its blanks.
    private func words(_ name: String) -> String? { properties.last { $0.name == name }?.words }

    /// A text without comments: `display:/**/none` hides, too.
    private static func withoutComments(_ text: String) -> String {
        var (out, rest) = ("", text[...])
        while let open = rest.firstRange(of: "/*") {
            out += rest[..<open.lowerBound]
            guard let close = rest[open.upperBound...].firstRange(of: "*/") else { return out }
            rest = rest[close.upperBound...]
        }
        return out + rest
    }

    /// Whether the element is not drawn, drawn outside of what is shown, or drawn with no size.
    var isInvisible: Bool {
        if self["display"] == "none" || ["hidden", "collapse"].contains(self["visibility"]) { return true }
        if self["mso-hide"] == "all" { return true }
        if let opacity = HTMLStyle.fraction(self["opacity"]), opacity < 0.05 { return true }
        for name in ["scale", "zoom"] {
            if let size = HTMLStyle.fraction(self[name]), size < 0.05 { return true }
        }
        for name in ["translate", "translatex", "translatey", "translate3d"] {
            if HTMLStyle.lengths(of: name, in: self["transform"]).contains(where: HTMLStyle.isOutside) { return true }
        }
        if let moved = words("translate"),
            moved.split(separator: " ").contains(where: {
                HTMLStyle.shift(String($0)).map(HTMLStyle.isOutside) ?? false
            })
        {
            return true
        }
        if let filter = HTMLStyle.argument(of: "opacity", in: self["filter"]), filter < 0.05 { return true }
        for name in ["scale", "scalex", "scaley"] {
            if let scale = HTMLStyle.argument(of: name, in: self["transform"]), abs(scale) < 0.05 { return true }
        }
        for name in ["margin-left", "margin-top"] {
            if let margin = HTMLStyle.length(self[name]), margin < -500 { return true }
        }
        if let inset = HTMLStyle.argument(of: "inset", in: self["clip-path"]), inset >= 50,
            self["clip-path"]?.contains("%") == true
        {
            return true
        }
        if let size = HTMLStyle.length(self["font-size"]) ?? HTMLStyle.size(ofFont: words("font")), size <= 1 {
            return true
        }
        if ["hidden", "clip"].contains(self["overflow"]) {
            for name in ["width", "height", "max-width", "max-height"] {
                if let size = HTMLStyle.length(self[name]), size <= 1 { return true }
            }
        }
        if let indent = HTMLStyle.length(self["text-indent"]), indent < -500 { return true }
        if ["absolute", "fixed", "relative", "sticky"].contains(self["position"]) {
            for name in ["left", "top", "right", "bottom"] {
                if let place = HTMLStyle.shift(self[name]), HTMLStyle.isOutside(place) { return true }
            }
            if self["clip"]?.hasPrefix("rect(0") == true { return true }
        }
        return false
    }

    /// A text without escapes (CSS 2.2, 4.1.3): `dis\\70lay` is `display`.
    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var out = ""
        var rest = text[...]
        while let slash = rest.firstIndex(of: "\\") {
            out += rest[..<slash]
            rest = rest[rest.index(after: slash)...]
            let digits = rest.prefix(6).prefix { $0.isHexDigit }
            rest = rest[digits.endIndex...]
            guard let number = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(number) else { continue }
            out.unicodeScalars.append(scalar)
            if rest.first?.isWhitespace == true { rest = rest.dropFirst() }
        }
        return (out + rest).lowercased()
    }

    /// The first number of a function: 0 in `scale(0)`; a percentage of opacity is a fraction.
    private static func argument(of function: String, in text: String?) -> Double? {
        guard let text, let open = text.firstRange(of: function + "(") else { return nil }
        let digits = text[open.upperBound...].prefix { $0.isNumber || $0 == "." || $0 == "-" }
        guard let number = Double(digits) else { return nil }
        let isPercent = text[open.upperBound...].dropFirst(digits.count).first == "%"
        return isPercent && function != "inset" ? number / 100 : number
    }

    /// Whether a place is far from what is shown.
    private static func isOutside(_ place: Double) -> Bool { place < -500 || place > 10_000 }

    /// A number or a percentage.
    private static func fraction(_ text: String?) -> Double? {
        guard let text else { return nil }
        return text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
    }

    /// The size in a `font`, such as `italic 12px/1.5 Arial`: the first length.
    private static func size(ofFont text: String?) -> Double? {
        text?.split { $0.isWhitespace || $0 == "/" }.lazy.compactMap { word in
            word.last?.isLetter == true || word.hasSuffix(")") || word == "0" ? length(String(word)) : nil
        }.first
    }

    /// The lengths among the arguments of a function.
    private static func lengths(of function: String, in text: String?) -> [Double] {
        guard let text, let open = text.firstRange(of: function + "(") else { return [] }
        return text[open.upperBound...].prefix { $0 != ")" }.split(separator: ",").compactMap { shift(String($0)) }
    }

    /// A length, or a part of the window or of the element around it.
    private static func shift(_ text: String?) -> Double? {
        if let length = length(text) { return length }
        guard let text else { return nil }
        let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
        return ["%", "vw", "vh", "vmin", "vmax"].contains(text.dropFirst(digits.count))
            ? Double(digits).map { $0 * 10 } : nil
    }

    /// The colour of its text; nil if it does not say one.
    var color: String? { words("color").map(HTMLStyle.plain) }

    /// The colour of its background, or a word that is no colour for a picture; nil if it does not say one.
    var background: String? {
        if let picture = self["background-image"] ?? self["background"], picture.contains("url(") { return "picture" }
        guard let color = words("background-color") ?? words("background"),
            !["none", "inherit", "initial"].contains(color.filter { !$0.isWhitespace })
        else { return nil }
        let plain = HTMLStyle.plain(color)
        return plain == "transparent" ? nil : plain
    }

    /// A length in pixels, approximately; nil for a percentage, and for what is no length.
    private static func length(_ text: String?) -> Double? {
        guard var text else { return nil }
        if text.hasPrefix("calc("), text.hasSuffix(")") { text = String(text.dropFirst(5).dropLast()) }
        let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
        guard let number = Double(digits) else { return nil }
        switch text.dropFirst(digits.count) {
        case "", "px": return number
        case "pt": return number * 4 / 3
        case "em", "rem", "ex", "ch": return number * 16
        case "cm": return number * 37.8
        case "mm": return number * 3.78
        case "in": return number * 96
        default: return nil
        }
    }

    /// A colour in one form: `white`, `#fff` and `rgb(255 255 255)` are the same.
    static func plain(_ text: String) -> String {
        let words = text.lowercased()
        let color = words.filter { !$0.isWhitespace }
        if let named = HTMLColors.named(color) { return named }
        if color.hasPrefix("#"), color.count == 4 || color.count == 5 {
            return "#" + color.dropFirst().prefix(3).flatMap { [$0, $0] }
        }
        if color.hasPrefix("#") { return String(color.prefix(7)) }
        guard let open = words.firstIndex(of: "(") else { return color }
        let parts = words[words.index(after: open)...].split { ",/)".contains($0) || $0.isWhitespace }.map(String.init)
        guard parts.count >= 3 else { return color }
        if color.hasPrefix("hsl") {
            // Only white and black are told apart from the rest.
            guard let light = Double(parts[2].prefix { $0.isNumber || $0 == "." }) else { return color }
            return light >= 97 ? "#ffffff" : light <= 3 ? "#000000" : color
        }
        guard color.hasPrefix("rgb") else { return color }
        if parts.count > 3, let alpha = fraction(parts[3]), alpha < 0.05 { return "transparent" }
        return "#"
            + parts.prefix(3).map { part in
                let number = part.hasSuffix("%") ? fraction(part).map { $0 * 255 } : Double(part)
                return hex(Int(number.map { min(max($0.rounded(), 0), 255) } ?? 0))
            }.joined()
    }

    private static func hex(_ number: Int) -> String {
        let text = String(min(max(number, 0), 255), radix: 16)
        return text.count == 1 ? "0" + text : text
    }

    /// Whether a person cannot tell text of a colour from its background.
    static func isSame(_ color: String, _ background: String) -> Bool {
        if color == "transparent" || color == background { return true }
        guard let text = components(color), let behind = components(background) else { return false }
        return zip(text, behind).allSatisfy { abs($0 - $1) <= 8 }
    }

    private static func components(_ color: String) -> [Int]? {
        guard color.hasPrefix("#"), color.count == 7 else { return nil }
        let digits = Array(color.dropFirst())
        let parts = stride(from: 0, to: 6, by: 2).map { Int(String(digits[$0...($0 + 1)]), radix: 16) }
        return parts.contains(nil) ? nil : parts.compactMap { $0 }
    }
}
