import ArgumentParser
import HelixModel
import HelixNetwork
import HelixTerminal

/// A way to improve a text.
enum Improvement: String, CaseIterable, ExpressibleByArgument, Sendable {
    case shorter
    case friendlier
    case formal
    case fix

    /// All of them, for people.
    static let words = "shorter, friendlier, formal or fix"

    private var wish: String {
        switch self {
        case .shorter: "Make it shorter, and keep all facts."
        case .friendlier: "Make it friendlier, and keep all facts and the length."
        case .formal: "Make it formal and polite, and keep all facts."
        case .fix: "Correct spelling, grammar and punctuation, and change nothing else."
        }
    }

    /// The improved text.
    /// - Throws: ``HelixError``; ``SentText`` in a dry run.
    func improved(_ text: String, _ assistant: Assistant) throws -> String {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw HelixError(.usage, "there is no text to improve")
        }
        let task = """
            Rewrite the person's own text. \(wish) Keep its language and its lines. Answer with the text alone, without quotes or \
            remarks.
            """
        guard Assistant.tokens(text + task) < assistant.budget / 2 else {
            throw HelixError(
                .usage, "the text is too long for the budget of \(assistant.budget) tokens",
                hint: "helix config set assistant.budget \(Assistant.tokens(text) * 4)")
        }
        let answer = try assistant.answer(assistant.messages(task, [text]))
        return Assistant.withoutFences(answer.text).trimmingBlanks()
    }
}

/// The difference of two texts by lines.
enum LineDifference {
    /// The lines, each with a sign before it: removed, added or unchanged.
    static func lines(_ old: String, _ new: String) -> [StyledText] {
        let (former, later) = (split(old), split(new))
        let changes = later.difference(from: former)
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in changes {
            switch change {
            case .remove(let place, _, _): removed.insert(place)
            case .insert(let place, _, _): added.insert(place)
            }
        }
        var lines: [StyledText] = []
        var (left, right) = (0, 0)
        while left < former.count || right < later.count {
            if left < former.count, removed.contains(left) {
                lines.append(StyledText("- " + former[left], TextStyle(.red)))
                left += 1
            } else if right < later.count, added.contains(right) {
                lines.append(StyledText("+ " + later[right], TextStyle(.green)))
                right += 1
            } else {
                lines.append(StyledText("  " + (right < later.count ? later[right] : former[left]), .dim))
                left += 1
                right += 1
            }
        }
        return lines
    }

    private static func split(_ text: String) -> [String] {
        text.trimmingBlanks().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

extension CommandContext {
    /// Shows the difference of two texts, for a person.
    func showDifference(_ old: String, _ new: String) {
        for line in LineDifference.lines(old, new) { note(line) }
    }
}
