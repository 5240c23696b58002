import FoundationEssentials
import HelixModel
import HelixStore
import HelixTerminal

/// Tab completion at the prompt of a conversation.
struct ChatCompletion {
    /// A candidate.
    struct Candidate: Hashable {
        /// The inserted text.
        var text: String
        /// The text in the list of candidates.
        var label: String
        /// Whether no blank follows, because it is a folder.
        var isOpen = false

        init(_ text: String) { (self.text, label) = (text, text) }
        init(_ text: String, label: String, isOpen: Bool) {
            (self.text, self.label, self.isOpen) = (text, label, isOpen)
        }
    }

    /// The number of characters before the cursor to replace.
    private(set) var length = 0
    /// The candidates.
    private(set) var candidates: [Candidate] = []

    /// - Parameter before: the text before the cursor.
    init(_ before: String, in current: Conversation?, _ context: CommandContext) throws {
        let store = try context.store()
        let word = before.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        guard before.hasPrefix("/"), !before.hasPrefix("//") else {
            if word.hasPrefix("@"), let current {
                offer(try store.chatMembers(of: current.id).map { "@" + $0.name }, for: word)
            }
            return
        }
        guard let blank = before.firstIndex(of: " ") else {
            offer(ChatSlash.names.map { "/" + $0 }, for: before)
            return
        }
        let rest = String(before[before.index(after: blank)...])
        switch before[..<blank] {
        case "/open": offer(try store.conversations().map(\.conversation.name), for: rest)
        case "/attach": offerFiles(rest, context.environment)
        case "/reply", "/edit", "/task", "/event", "/message", "/share":
            guard let current, !rest.contains(" ") else { return }
            let isOwn = before.hasPrefix("/edit ")
            let shown = try store.chatMessages(in: current.id, limit: 40).reversed().filter { !isOwn || $0.isMine }
            let names = try store.shortIDs(shown.map(\.id))
            offer(shown.compactMap { names[$0.id] }, for: rest)
        default: break
        }
    }

    private mutating func offer(_ names: [String], for begun: String) {
        length = begun.count
        candidates = names.filter { $0.lowercased().hasPrefix(begun.lowercased()) }.map(Candidate.init)
    }

    /// Offers files that match a path; names with blanks are quoted.
    private mutating func offerFiles(_ begun: String, _ environment: [String: String]) {
        let quote = begun.first.flatMap { "'\"".contains($0) ? $0 : nil }
        let path = quote == nil ? begun : String(begun.dropFirst())
        if path.contains(quote ?? " ") { return }
        let (folder, name) =
            path.lastIndex(of: "/").map { (String(path[...$0]), String(path[path.index(after: $0)...])) } ?? ("", path)
        let place = folder.isEmpty ? "." : UserPath.expanded(folder, environment)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted()
        length = begun.count
        candidates = names.filter {
            // Names that would break the line or control the terminal are not offered.
            $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) && SafeText.line($0) == $0
        }.map { found in
            var type = false
            let isFolder =
                FileManager.default.fileExists(atPath: place + "/" + found, isDirectory: &type) && type
            let whole = folder + found + (isFolder ? "/" : "")
            let mark = quote ?? (whole.contains(where: \.isWhitespace) ? (whole.contains("'") ? "\"" : "'") : nil)
            let text = mark.map { "\($0)\(whole)" + (isFolder ? "" : "\($0)") } ?? whole
            return Candidate(text, label: found + (isFolder ? "/" : ""), isOpen: isFolder)
        }
    }

    /// The text to insert; nil if it adds nothing.
    var insertion: String? {
        guard let first = candidates.first else { return nil }
        if candidates.count == 1 { return first.text + (first.isOpen ? "" : " ") }
        let shared = candidates.dropFirst().reduce(first.text) { shared, other in
            String(zip(shared, other.text).prefix { $0 == $1 }.map(\.0))
        }
        return shared.count > length ? shared : nil
    }
}
