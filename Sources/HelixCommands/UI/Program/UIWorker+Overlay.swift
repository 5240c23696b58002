import HelixModel
import HelixTerminal

extension UIWorker {
    /// Shows the output of a command over the screen. What a key shows stays up to date.
    func show(_ lines: [StyledText], of call: UICall) {
        var overlay = UIOverlay("helix " + call.line, lines)
        if !call.isTyped, UIWorker.isReading(call) {
            // The command itself is about to count as a change.
            (overlay.source, overlay.generation) = (call, data.generation + 1)
        }
        program.show(overlay)
    }

    /// Whether a command only reads the store, so that it can be run again; the free time of others is asked of servers.
    private static func isReading(_ call: UICall) -> Bool {
        if call.words.starts(with: ["cal", "free"]) { return false }
        guard let (type, _) = HelixProgram.leafType(call.words) else { return false }
        return type is any HelixCommand.Type && !(type is any ChangingCommand.Type)
            && !(type is any DryRunCommand.Type)
    }

    /// Reads the text over the screen again, if the store has changed since it was read; what is shown of it stays in place.
    func refreshOverlay() {
        guard let overlay = program.overlay, let call = overlay.source, overlay.generation < data.generation else {
            return
        }
        program.overlay?.generation = data.generation
        guard let outcome = try? runner.run(call, in: data.open) else { return }
        if outcome.status != 0 {
            // Such as a task that another program has deleted: its last state is not the present one.
            program.overlay?.source = nil
            program.message = StyledText(
                StyledText.lines(ofOutput: outcome.errors).map { $0.plain.trimmingBlanks() }.joined(separator: " "),
                TextStyle(.red))
            return
        }
        let lines = StyledText.lines(ofOutput: outcome.output) + StyledText.lines(ofOutput: outcome.errors)
        program.overlay?.text.lines = lines
        program.overlay?.text.show(overlay.text.top)
    }
}
