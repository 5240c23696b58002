import Glibc
import HelixModel
import HelixStore
import HelixTerminal

/// The store that the places read, through the doors of the commands.
final class UIData {
    private let invocation: Invocation
    private var known: CommandContext?
    private var notes: MemoryFile?
    private var seen = 0
    private var mark: Int64?
    /// Whether no key waits: then work is done that can be put off.
    var isIdle = false
    /// Whether a key waits: then such work is given up, and done again later.
    var isInterrupted: () -> Bool = { false }
    /// The images that the terminal shows; nil if it shows none.
    var images: TerminalImages?
    /// A number that grows when what was read may be out of date.
    private(set) var generation = 0

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// The context of a read: a new one for each minute; the store stays open, unless its file was replaced.
    /// - Throws: ``HelixError``; of code `notFound` as ``checkStore()``.
    func context() throws -> CommandContext {
        try checkStore()
        if let known, !isOld(known), known.opened?.isReplaced != true { return known }
        let notes = try notes ?? MemoryFile().orThrow()
        self.notes = notes
        var quiet = invocation
        (quiet.ownsProcess, quiet.isOfScreen) = (false, true)
        quiet.lent = known?.opened.map(LentStore.init)
        quiet.console = Console(input: notes.descriptor, output: notes.descriptor, errors: notes.descriptor)
        let context = try CommandContext(quiet, output: .unset)
        known = context
        mark = nil
        return context
    }

    /// Whether a minute has gone by since a context was made.
    private func isOld(_ context: CommandContext) -> Bool { context.clock.seconds / 60 != context.now.seconds / 60 }

    /// The store, if it is open.
    var open: Store? { known?.opened }

    /// Refuses to go on without the store that was opened: a new and empty one in its place would hide the loss.
    /// - Throws: ``HelixError`` of code `notFound` if its file is not there any more.
    func checkStore() throws {
        guard let store = known?.opened, store.isGone else { return }
        throw HelixError(
            .notFound, "the store is not there any more: \(store.path)",
            hint: "Was its folder deleted, or its disk removed? Nothing is created in its place")
    }

    /// Closes the store, such as while helix is locked.
    func close() { (known, mark) = (nil, nil) }

    /// Notes that the store was changed.
    func didChange() { generation += 1 }

    /// Whether another process, or a command, has changed the store since the last call, or a minute has gone by.
    func hasChanged() -> Bool {
        guard let known, let store = known.opened else { return false }
        // A backup was restored: what is shown is of the former file.
        if store.isReplaced { return true }
        guard let now = try? store.othersMark() else { return false }
        defer { mark = now }
        return mark.map { $0 != now } ?? false || isOld(known)
    }

    /// The remarks of the reads since the last call, such as that mail could not be indexed.
    func remarks() -> String? {
        guard let notes else { return nil }
        let bytes = notes.contents()
        guard bytes.count > seen else { return nil }
        let text = String(decoding: bytes[seen...], as: UTF8.self)
        seen = bytes.count
        return text.split(separator: "\n").last.map { String($0) }
    }
}

extension MemoryFile? {
    /// The file.
    /// - Throws: ``HelixError`` of code `io` if there is none.
    func orThrow() throws -> MemoryFile {
        guard let self else { throw HelixError(.io, "the system has no room for the output of a command") }
        return self
    }
}
