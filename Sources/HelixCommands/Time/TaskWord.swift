import HelixModel
import HelixStore
import HelixTasks

extension CommandContext {
    /// The task whose ID begins with a word, if it is unique.
    func taskIfID(_ word: String, _ change: Change) throws -> TaskDetails? {
        guard CommandContext.isIDLike(word) else { return nil }
        return try change.taskIfUnique(EntityPrefix(word))
    }

    /// Separates a task's ID at the start or end of a line from the words beside it, so that no part of it is read as a date:
    /// 6rzv4zeh26kw4c80 contains week 26 in German.
    ///
    /// Digits alone are a time.
    func withoutTaskID(_ words: [String]) throws -> (task: String, rest: [String])? {
        for place in [0, words.count - 1] where words.indices.contains(place) {
            let word = words[place]
            guard CommandContext.isIDLike(word), word.contains(where: \.isLetter),
                try store().isTask(EntityPrefix(word))
            else { continue }
            var rest = words
            rest.remove(at: place)
            return (word, rest)
        }
        return nil
    }

    /// Whether a word has the form of an ID or of its start: four letters and digits or more.
    private static func isIDLike(_ word: String) -> Bool {
        (4...16).contains(word.count) && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
