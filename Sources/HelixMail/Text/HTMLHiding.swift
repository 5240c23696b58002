/// The inline styles by which a sender hides text from readers: preview texts of mail lists, and words that only programs are
/// to read.
struct HTMLStyle {
    private let properties: [(name: String, value: String)]

    /// Reads the declarations of a `style` attribute (CSS Style Attributes, 2013), without blanks and in lower case.
    init(_ text: String) {
        properties = text.lowercased().split(separator: ";").compactMap { declaration in
            let parts = declaration.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let value = parts[1].filter { !$0.isWhitespace }.replacing("!important", with: "")
            return (parts[0].filter { !$0.isWhitespace }, value)
        }
    }

    private subscript(name: String) -> String? { properties.last { $0.name == name }?.value }

    /// Whether the element is not drawn, drawn outside of what is shown, or drawn with no size.
    var isInvisible: Bool {
        if self["display"] == "none" || ["hidden", "collapse"].contains(self["visibility"]) { return true }
        if self["mso-hide"] == "all" { return true }
        if let opacity = self["opacity"].flatMap({ Double($0) }), opacity < 0.05 { return true }
        if let size = HTMLStyle.length(self["font-size"]), size <= 1 { return true }
        if ["hidden", "clip"].contains(self["overflow"]) {
            for name in ["width", "height", "max-width", "max-height"] where HTMLStyle.length(self[name]) == 0 {
                return true
            }
        }
        if let indent = HTMLStyle.length(self["text-indent"]), indent < -500 { return true }
        if ["absolute", "fixed"].contains(self["position"]) {
            for name in ["left", "top", "right", "bottom"] {
                if let place = HTMLStyle.length(self[name]), place < -500 || place > 10_000 { return true }
            }
            if self["clip"]?.hasPrefix("rect(0") == true || self["clip-path"]?.hasPrefix("inset(50") == true {
                return true
            }
        }
        return false
    }

    /// The colour of its text; nil if it does not say one.
    var color: String? { self["color"].map(HTMLStyle.plain) }

    /// The colour of its background, or a word that is no colour for a picture; nil if it does not say one.
    var background: String? {
        if let picture = self["background-image"] ?? self["background"], picture.contains("url(") { return "picture" }
        guard let color = self["background-color"] ?? self["background"],
            !["none", "inherit", "initial"].contains(color)
        else { return nil }
        let plain = HTMLStyle.plain(color)
        return plain == "transparent" ? nil : plain
    }

    /// A length in pixels, approximately; nil for a percentage, and for what is no length.
    private static func length(_ text: String?) -> Double? {
        guard let text else { return nil }
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

    /// A colour in one form: `white`, `#fff` and `rgb(255,255,255)` are the same.
    static func plain(_ color: String) -> String {
        let color = color.lowercased().filter { !$0.isWhitespace }
        if let name = names[color] { return name }
        if color.hasPrefix("#"), color.count == 4 || color.count == 5 {
            return "#" + color.dropFirst().prefix(3).flatMap { [$0, $0] }
        }
        if color.hasPrefix("#") { return String(color.prefix(7)) }
        guard color.hasPrefix("rgb"), let open = color.firstIndex(of: "(") else { return color }
        let numbers = color[color.index(after: open)...].split { ",/)".contains($0) }.map(String.init)
        guard numbers.count >= 3 else { return color }
        if numbers.count > 3, let alpha = Double(numbers[3]), alpha < 0.05 { return "transparent" }
        return "#" + numbers.prefix(3).map { hex(Int($0) ?? 0) }.joined()
    }

    private static func hex(_ number: Int) -> String {
        let text = String(min(max(number, 0), 255), radix: 16)
        return text.count == 1 ? "0" + text : text
    }

    private static let names = [
        "white": "#ffffff", "black": "#000000", "red": "#ff0000", "blue": "#0000ff", "green": "#008000",
        "silver": "#c0c0c0",
        "gray": "#808080", "grey": "#808080", "yellow": "#ffff00", "ivory": "#fffff0", "snow": "#fffafa",
    ]

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
