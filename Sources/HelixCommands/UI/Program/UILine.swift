import HelixTerminal

/// A line that is typed at the bottom of the screen.
struct UILine: Sendable {
    /// The use of the line.
    enum Kind: Sendable {
        /// A command of helix.
        case command
        /// The answer to the question of a key.
        case answer(UITemplate, UITarget)
        /// Yes or no.
        case confirmation(UICall)
        /// A text for the place.
        case text(UIPurpose)
    }

    let kind: Kind
    let label: String
    private(set) var editor = LineEditor()
    /// The completions to choose from.
    var candidates: [String] = []
    /// The reading of the line, as far as it is typed.
    var reading: [StyledText] = []
    /// Whether the text is a suggestion, which the first typed character replaces.
    private var isSuggestion: Bool

    init(_ kind: Kind, label: String, text: String = "", history: [String] = []) {
        (self.kind, self.label) = (kind, label)
        isSuggestion = text.last.map { $0 != " " && $0 != "+" } ?? false
        if case .answer = kind {} else { isSuggestion = false }
        editor.history = history
        editor.replace(last: 0, with: text)
    }

    /// The text.
    var text: String { String(editor.text) }

    /// Makes the text the person's own.
    mutating func keepText() { isSuggestion = false }

    /// The outcome of keys.
    enum Outcome {
        case accepted(String)
        case cancelled
        case complete
        case changed
    }

    /// Takes the bytes of a key, or of a paste.
    mutating func take(_ bytes: [UInt8]) -> Outcome {
        if isSuggestion, let first = bytes.first {
            if first >= 0x20, first != 0x7F { editor.clear() }
            // Whatever edits it makes it the person's own.
            isSuggestion = false
        }
        editor.take(bytes)
        var last = Outcome.changed
        while let outcome = editor.next() {
            switch outcome {
            case .line(let text): last = .accepted(text)
            case .interrupt, .end: return .cancelled
            case .complete: last = .complete
            case .redraw, .older, .changed: candidates = []
            }
        }
        return last
    }

    /// Replaces the last characters before the cursor.
    mutating func insert(_ text: String, replacing count: Int) { editor.replace(last: count, with: text) }

    /// Whether the answer completes like a word of its command.
    var isCompletable: Bool {
        switch kind {
        case .command, .answer: true
        case .confirmation, .text: false
        }
    }

    /// The words of the command so far, the last one being typed; nil for a line that is no part of a command.
    func words(_ typed: String) -> [String]? {
        func split(_ line: String) -> [String] {
            let words = ShellWords.split(line)
            return line.isEmpty || line.last?.isWhitespace == true ? words + [""] : words
        }
        switch kind {
        case .command: return split(typed)
        case .answer(let template, let target):
            guard let gap = template.line.firstRange(of: "{?") else { return nil }
            var head = template
            head.line = String(template.line[..<gap.lowerBound])
            var before = head.words(target) ?? []
            // The value of an option: '--to=' and what is typed.
            if let last = before.last, last.hasPrefix("--"), last.hasSuffix("=") {
                before[before.count - 1] = String(last.dropLast())
            }
            return before + (template.line.contains("{?*}") ? split(typed) : [typed])
        case .confirmation, .text: return nil
        }
    }
}

/// A question of a key, with its answer.
struct UIAsked: Hashable, Sendable {
    var template: UITemplate
    var target: UITarget
    var answer: String
}

/// A command that is ready to run.
struct UICall: Hashable, Sendable {
    /// Its words.
    var words: [String]
    /// Its standard input.
    var input: String?
    /// Whether it uses the terminal itself.
    var needsTerminal = false
    /// Whether its output is read.
    var showsOutput = false
    /// The question whose answer is in it.
    var asked: UIAsked?
    /// Whether a person typed it: then the command itself decides whether it uses the terminal.
    var isTyped = false
    /// Whether it runs beside the program, such as one that talks with a server.
    var isBackground = false
    /// Whether nothing is told of it unless it fails: nobody asked for it by its name.
    var isQuiet = false
    /// The number of items that it changes.
    var count = 1
    /// Whether the line is open again after it, for the next message.
    var isRepeated = false

    /// The line that a person would type.
    var line: String { ShellWords.line(words.map(UICall.shortened)) }

    /// An identity cut to a part that is hardly ever ambiguous; any other word as it is.
    private static func shortened(_ word: String) -> String {
        let isID = word.count == 16 && word.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) }
        return isID ? String(word.prefix(6)) : word
    }

    /// The number of items above which their ids go through the standard input.
    static let mostWords = 100

    init(words: [String], needsTerminal: Bool = false, showsOutput: Bool = false, isRepeated: Bool = false) {
        (self.words, self.needsTerminal, self.showsOutput) = (words, needsTerminal, showsOutput)
        self.isRepeated = isRepeated
    }

    /// The call of a template; nil if it needs an item and none is chosen.
    init?(_ template: UITemplate, _ target: UITarget, answer: String = "") {
        var target = target
        if template.takesSeveral { count = max(1, target.ids.count) }
        if target.ids.count > UICall.mostWords, template.line.contains("{ids}") {
            input = target.ids.joined(separator: "\n") + "\n"
            target.ids = ["-"]
        }
        guard let words = template.words(target, answer: answer) else { return nil }
        self.words = words
        (needsTerminal, showsOutput) = (template.needsTerminal, template.showsOutput)
        isBackground = template.isBackground
    }
}
