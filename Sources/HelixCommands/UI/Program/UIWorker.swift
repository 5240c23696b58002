import Glibc
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// Does the effects of the program: reads the store and runs commands. It has no screen of its own.
final class UIWorker {
    let context: CommandContext
    let data: UIData
    var runner: UIRunner
    var program: UIProgram
    /// Gives the terminal to another program, and takes it back.
    var lend: (() -> Void) -> Void = { $0() }
    /// Whether the place must be read again before it is drawn.
    var needsLoad = true
    /// Whether the reading of the typed line is out of date.
    private var needsReading = false
    private(set) var sync: Subprocess?

    init(_ context: CommandContext, _ program: UIProgram) {
        (self.context, self.program) = (context, program)
        data = UIData(context.invocation)
        runner = UIRunner(invocation: context.invocation)
        runner.hasColor = context.terminal.hasColor
    }

    /// The viewer at this moment.
    var viewer: Viewer {
        var viewer = context.viewer
        viewer.now = context.clock
        return viewer
    }

    // MARK: Reading

    /// Reads what the place shows.
    /// - Throws: ``HelixError`` of code `locked` if helix is locked.
    func load() throws {
        needsLoad = false
        do {
            try program.current.load(data)
            program.clock = try clock()
        } catch let error as HelixError where error.code == .locked { throw error } catch { say(error) }
        if let remark = data.remarks(), program.message.isEmpty {
            program.message = StyledText(remark, TextStyle(.yellow))
        }
        // The reads themselves change the store, such as by indexing mail.
        _ = data.hasChanged()
    }

    /// The running timer in words.
    private func clock() throws -> StyledText {
        let context = try data.context()
        guard let running = try context.store().runningEntry() else { return StyledText() }
        var text = StyledText("▶ ", TextStyle(.green, bold: true))
        text.append(DateWords.text(hours: Int(max(0, context.clock.seconds - running.entry.start.seconds))))
        if !running.title.isEmpty { text.append(" " + StyledText(running.title).fitted(24).plain) }
        return text
    }

    /// Does what was put off until no key waits.
    /// - Returns: whether there was something.
    /// - Throws: as ``load()``.
    func doWaitingWork() throws -> Bool {
        if needsReading {
            needsReading = false
            read()
            return true
        }
        guard program.current.wantsMore else { return false }
        try load()
        return true
    }

    /// Looks for what changed meanwhile.
    func look() {
        if data.hasChanged() {
            data.didChange()
            needsLoad = true
        }
        if let clock = try? clock() { program.clock = clock }
        guard let running = sync, running.isOver else { return }
        sync = nil
        program.background = nil
        let output = String(decoding: running.readOutput(within: 1) ?? [], as: UTF8.self)
        let errors = String(decoding: running.readOutput(within: 1, errors: true) ?? [], as: UTF8.self)
        show(
            UIRunner.Outcome(status: Int32(running.wait()), output: output, errors: errors), of: UICall(words: ["sync"])
        )
        data.didChange()
        needsLoad = true
    }

    // MARK: Commands

    /// Does an effect that needs no screen.
    func perform(_ effect: UIProgram.Effect) {
        switch effect {
        case .load: needsLoad = true
        case .call(let call): run(call)
        case .complete: complete()
        case .read: needsReading = true
        case .palette:
            do { perform(program.follow(.choose(try UIPalette.chooser(data)))) } catch { say(error) }
        case .sync:
            if sync != nil { break }
            sync = runner.start(["sync"])
            program.background = sync == nil ? nil : "↻ sync"
        case .redraw, .suspend, .quit: break
        }
    }

    private func run(_ call: UICall) {
        if program.history.last != call.line { program.history.append(call.line) }
        if call.needsTerminal || runner.needsTerminal(call.words) {
            runOnTerminal(call)
        } else {
            do {
                let outcome = try runner.run(call)
                show(outcome, of: call)
                // Settings count at once.
                if call.words.first == "config" { data.close() }
                if outcome.status == 0 {
                    program.current.didRun(call.words)
                    if call.isRepeated { perform(program.follow(program.current.press(.type))) }
                }
            } catch { say(error) }
        }
        data.didChange()
        needsLoad = true
    }

    /// Shows the outcome of a command: in a line, or over the screen if it is a text to read.
    private func show(_ outcome: UIRunner.Outcome, of call: UICall) {
        let errors = StyledText.lines(ofOutput: outcome.errors)
        let lines = StyledText.lines(ofOutput: outcome.output)
        let command = "helix " + call.line
        if outcome.status != 0 {
            if errors.count + lines.count > 2 { return program.show(UIOverlay(command, lines + errors)) }
            let text = errors.map { $0.plain.trimmingBlanks() }.joined(separator: " ")
            program.message = StyledText(text.isEmpty ? "It failed (\(outcome.status))." : text, TextStyle(.red))
            return
        }
        if call.showsOutput, lines.count + errors.count > 1 { return program.show(UIOverlay(command, lines + errors)) }
        var text = lines.first ?? errors.first ?? StyledText("Done.")
        if lines.count > 1 { text.append(" … (\(lines.count) lines)", .dim) }
        if let warning = errors.first, !lines.isEmpty {
            text.append("  ")
            text.append(warning.styled { $0.color = .yellow })
        }
        text.append("   ")
        text.append(command, .dim)
        program.message = text
    }

    private func runOnTerminal(_ call: UICall) {
        data.close()
        var status: Int?
        lend {
            status = runner.runOnTerminal(call)
            guard status != 0 || call.showsOutput else { return }
            if status == nil { context.console.report("helix: the command cannot be started\n") }
            _ = context.console.line("Enter goes back to the screen")
        }
        if status == 0 { program.current.didRun(call.words) }
        program.message = StyledText("helix " + call.line, .dim)
    }

    private func say(_ error: any Error) {
        let text = (error as? HelixError).map { $0.message + ($0.hint.map { ". \($0)" } ?? "") } ?? "\(error)"
        program.message = StyledText(text, TextStyle(.red))
    }

    // MARK: The typed line

    private func complete() {
        guard let line = program.line, let words = line.words(line.editor.before) else { return }
        let found = UICompletion(runner: runner).candidates(words)
        let prefix = words.last ?? ""
        let (text, candidates) = UICompletion.insertion(found, prefix: prefix)
        if let text { program.line?.insert(text, replacing: prefix.count) }
        let shown = found.isEmpty ? ["(no completion)"] : candidates
        program.line?.candidates = shown
        needsReading = true
    }

    /// Shows how a line that adds or moves something is read, by its dry run.
    private func read() {
        guard let line = program.line, case .answer(let template, let target) = line.kind else { return }
        guard UIWorker.isRead(template.line), !line.text.trimmingBlanks().isEmpty,
            var rehearsal = UICall(template, target, answer: line.text)
        else {
            program.line?.reading = []
            return
        }
        rehearsal.words.append("--dry-run")
        guard let outcome = try? runner.run(rehearsal) else { return }
        let text = outcome.status == 0 ? outcome.output : outcome.errors
        let width = program.width - 2
        let lines = StyledText.lines(ofOutput: text).prefix(6).map { $0.fitted(width) }
        program.line?.reading = lines
    }

    /// Whether the reading of a line is shown while it is typed: of those with dates in words.
    private static func isRead(_ line: String) -> Bool {
        ["cal add", "cal move", "cal copy", "tasks add", "tasks edit", "remind", "mail snooze"].contains {
            line.hasPrefix($0)
        }
    }
}

extension UIProgram {
    /// Shows a text over the screen.
    mutating func show(_ overlay: UIOverlay) {
        var text = overlay
        text.text.height = body.height - 1
        self.overlay = text
    }
}
