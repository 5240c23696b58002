import HelixModel
import HelixStore
import HelixTerminal

/// Work that waits until no key does.
extension UIWorker {
    /// Whether something was put off until no key waits.
    var hasWaitingWork: Bool { needsReading || wantsMore || mayHaveMail }

    /// Whether the place reads more when no key waits.
    private var wantsMore: Bool { program.current.wantsMore && !hasFailed }

    /// The milliseconds without a key after which it is done, so that a fast hand never waits for it.
    var pause: Int32 { wantsMore ? program.current.readPause : 60 }

    /// Does what was put off until no key waits.
    /// - Returns: whether there was something.
    /// - Throws: as ``load()``.
    func doWaitingWork() throws -> Bool {
        if needsReading {
            needsReading = false
            read()
            return true
        }
        if wantsMore {
            data.isIdle = true
            defer { data.isIdle = false }
            try load()
            return true
        }
        if mayHaveMail {
            mayHaveMail = false
            return try index()
        }
        return false
    }

    /// Indexes new mail, beside the program: its keys do not wait for that.
    /// - Returns: whether it was done at once.
    private func index() throws -> Bool {
        guard indexing == nil, let store = try? data.context().store(), (try? store.hasUnindexedMail()) == true else {
            return false
        }
        let words = ["mail", "inbox", "--limit", "1"]
        guard context.usesNoBackground else {
            indexing = runner.start(words)
            return false
        }
        var own = runner
        own.isIndexing = true
        if let outcome = try? own.run(UICall(words: words)) { noteIndexing(outcome.errors) }
        return true
    }

    /// Takes the result of the indexing over.
    func noteIndexing(_ errors: String) {
        if let line = StyledText.lines(ofOutput: errors).last?.plain.trimmingBlanks(), program.message.isEmpty,
            !line.hasPrefix("helix: more:"), !line.isEmpty
        {
            program.message = StyledText(line, TextStyle(.yellow))
        }
        data.didChange()
        needsLoad = true
    }
}
