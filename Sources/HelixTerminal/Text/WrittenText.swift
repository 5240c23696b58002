/// Text as people write it in messages, broken into lines: code between fences stays as it is, items of lists hang.
public enum WrittenText {
    /// The lines of a text, none wider than `width` except addresses, if they are kept whole. Code has a bar before it in place of
    /// its fences.
    public static func lines(
        _ text: String, width: Int, style: TextStyle = .plain, keepsAddresses: Bool = true
    ) -> [StyledText] {
        var lines: [StyledText] = []
        var isCode = false
        for line in SafeText.lines(text) {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
                continue
            }
            if isCode {
                for piece in pieces(of: line, width - 2) {
                    var code = StyledText("│ ", .dim)
                    code.append(piece)
                    lines.append(code)
                }
                continue
            }
            let mark = listMark(line)
            guard mark > 0, mark <= width / 2 else {
                lines += line.wrapped(width, keepsAddresses: keepsAddresses).map { StyledText($0, style) }
                continue
            }
            let rest = String(line.dropFirst(mark)).wrapped(width - mark, keepsAddresses: keepsAddresses)
            for (place, piece) in rest.enumerated() {
                let head = place == 0 ? String(line.prefix(mark)) : String(repeating: " ", count: mark)
                lines.append(StyledText(head + piece, style))
            }
        }
        return lines
    }

    /// The number of characters of the mark of a list item with the blanks around it: `- `, `2. `; 0 without one.
    private static func listMark(_ line: String) -> Int {
        let blanks = line.prefix { $0 == " " }.count
        let rest = line.dropFirst(blanks)
        guard let first = rest.first else { return 0 }
        var mark = 0
        if "-*+•".contains(first) {
            mark = 1
        } else {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }.count
            guard (1...3).contains(digits), let sign = rest.dropFirst(digits).first, sign == "." || sign == ")" else {
                return 0
            }
            mark = digits + 1
        }
        let behind = rest.dropFirst(mark).prefix { $0 == " " }.count
        return behind > 0 && rest.count > mark + behind ? blanks + mark + behind : 0
    }

    /// A line of code in pieces of the width: nothing is left out, and blanks stay.
    private static func pieces(of line: String, _ width: Int) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var used = 0
        for sign in line {
            let own = TextWidth.of(sign)
            if used + own > max(1, width) {
                pieces.append(piece)
                (piece, used) = ("", 0)
            }
            piece.append(sign)
            used += own
        }
        return pieces + [piece]
    }
}
