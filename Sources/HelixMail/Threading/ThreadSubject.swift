/// The base subject of a conversation (RFC 5256 §2.1): without `Re:` and similar prefixes, and without list tags.
public enum ThreadSubject {
    private static let marks: Set<String> = [
        "re", "fw", "fwd", "aw", "wg", "sv", "vs", "vb", "vl", "rv", "res", "enc", "r", "i", "rif", "tr", "odp", "pd",
        "ynt", "ilt", "antw", "antwort", "doorst", "回复", "答复", "转发", "回覆", "轉寄", "ответ", "atb", "bls", "trs", "tb",
    ]

    /// The base subject for comparison, and whether it was a reply.
    public static func base(_ subject: String) -> (text: String, isReply: Bool) {
        let (rest, isReply) = bare(subject)
        return (rest.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " "), isReply)
    }

    /// The original subject, and whether it was a reply.
    public static func bare(_ subject: String) -> (text: String, isReply: Bool) {
        var rest = Substring(subject.trimmed)
        var isReply = false
        while true {
            let before = rest
            rest = rest.drop(while: \.isWhitespace)
            // '[list] Re: …'
            if rest.hasPrefix("["), let close = rest.firstIndex(of: "]"),
                rest.distance(from: rest.startIndex, to: close) < 40
            {
                let after = rest[rest.index(after: close)...].drop(while: \.isWhitespace)
                if !after.isEmpty { rest = after }
            }
            // 'Re:', 'Re[2]:', 'RE :', 'Antw.:'
            if let colon = rest.prefix(14).firstIndex(where: { $0 == ":" || $0 == "：" }) {
                var mark = rest[..<colon].lowercased().trimmed
                if mark.hasSuffix("]") || mark.hasSuffix(")"),
                    let open = mark.lastIndex(where: { $0 == "[" || $0 == "(" })
                {
                    mark = String(mark[..<open])
                }
                if marks.contains(mark) {
                    isReply = true
                    rest = rest[rest.index(after: colon)...]
                }
            }
            if rest == before { break }
        }
        return (rest.trimmed, isReply)
    }
}
