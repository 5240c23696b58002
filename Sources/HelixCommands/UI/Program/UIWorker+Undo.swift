import HelixModel
import HelixStore
import HelixTerminal

extension UIWorker {
    /// Asks before a key takes back, or makes again, a change that this screen did not make or take back: a key too many is
    /// pressed quickly, and others change the store meanwhile.
    /// - Returns: whether it asks, so that the command must wait.
    func asksBeforeUndo(_ call: UICall) -> Bool {
        let isRedo = call.words == ["redo"]
        guard !call.isTyped, isRedo || call.words == ["undo"] else { return false }
        let change: ChangeSetSummary
        do {
            let store = try data.context().store()
            // The command itself says that there is none.
            guard let last = try (isRedo ? store.redoable(limit: 1) : store.undoable(limit: 1)).first else {
                return false
            }
            change = last
        } catch {
            say(error)
            return true
        }
        if ownChanges.contains(change.id) { return false }
        var sure = call
        sure.isTyped = true
        // The change that the question names, whatever others do until it is answered.
        if !isRedo { sure.words.append(change.id.text) }
        let summary = StyledText(SafeText.line(change.summary)).fitted(36).plain
        program.line = UILine(
            .confirmation(sure), label: "\(isRedo ? "Redo" : "Undo") this: \(summary)\(origin(of: change))? [y/n] ")
        return true
    }

    /// The day and the maker of a change that is not of this screen.
    private func origin(of change: ChangeSetSummary) -> String {
        if change.madeAt < openedAt {
            return " of \(viewer.day(viewer.zone.date(change.madeAt))), from before this screen"
        }
        return ", made by \(change.actor?.name.map { SafeText.line($0) } ?? "another program")"
    }

    /// Notes the changes of a command that ran in the store of the screen; the cursor goes to what undo brought back, and to what
    /// was added.
    func noteOwnChanges(of call: UICall) {
        ownChanges.formUnion(data.open?.savedChangeSets ?? [])
        // A change of others that was taken back here may be made again here.
        if call.words.first == "undo", call.words.count == 2 { ownChanges.insert(EntityID(stored: call.words[1])) }
        let isAdded = ["add", "copy", "new"].contains(call.words.dropFirst().first)
        guard isAdded || ["undo", "redo"].contains(call.words.first), let store = data.open,
            let made = store.savedChangeSets.last
        else { return }
        program.current.choose(among: (try? store.changedEntities(made, limit: 100)) ?? [])
    }

    /// Notes the changes that a command on the terminal has made since it began.
    func noteOwnChanges(of call: UICall, since begun: Instant) {
        guard let changes = try? data.context().store().undoable(limit: 20) else { return }
        for change in changes.prefix(while: { $0.madeAt >= begun })
        where change.command.split(separator: " ").first.map(String.init) == call.words.first {
            ownChanges.insert(change.id)
        }
    }
}
