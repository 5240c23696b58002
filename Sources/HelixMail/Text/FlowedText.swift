/// Decoding of `format=flowed` (RFC 3676): a line that ends with a blank continues in the next one.
public enum FlowedText {
    /// Joins each paragraph into one line. Quoted lines are joined with lines of equal depth.
    ///
    /// - Parameter deletesSpace: whether `DelSp=yes` is set: the trailing blank is not part of the text.
    public static func unfolded(_ text: String, deletesSpace: Bool) -> String {
        var out: [String] = []
        var pending: (depth: Int, text: String)?
        func flush() {
            if let (depth, text) = pending { out.append(quoted(text, depth)) }
            pending = nil
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let depth = line.prefix { $0 == ">" }.count
            var content = line.dropFirst(depth)
            if content.hasPrefix(" ") { content = content.dropFirst() }
            // A signature separator is never joined with other lines.
            let isSignature = content == "-- "
            let isFlowing = content.hasSuffix(" ") && !isSignature
            if let known = pending, known.depth != depth || isSignature { flush() }
            let piece = isFlowing && deletesSpace ? String(content.dropLast()) : String(content)
            if let known = pending { pending = (depth, known.text + piece) } else { pending = (depth, piece) }
            if !isFlowing { flush() }
        }
        flush()
        return out.joined(separator: "\n")
    }

    private static func quoted(_ text: String, _ depth: Int) -> String {
        depth == 0 ? text : String(repeating: ">", count: depth) + " " + text
    }
}
