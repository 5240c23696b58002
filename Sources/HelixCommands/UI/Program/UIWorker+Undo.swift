import HelixModel
import HelixStore
import HelixTerminal

extension UIWorker {
    /// Asks before the key for undo takes back what was done before the program began: a key too many is pressed quickly, and
    /// would take back an account.
    /// - Returns: whether it asks, so that the command must wait.
    func asksBeforeUndo(_ call: UICall) -> Bool {
        guard call.words == ["undo"], !call.isTyped, let store = try? data.context().store(),
            let last = try? store.undoable(limit: 1).first, last.madeAt < openedAt
        else { return false }
        var sure = call
        sure.isTyped = true
        let day = viewer.day(viewer.zone.date(last.madeAt))
        let question =
            "Undo '\(StyledText(SafeText.line(last.summary)).fitted(36).plain)' of \(day), from before this screen? [y/n] "
        program.line = UILine(.confirmation(sure), label: question)
        return true
    }
}
