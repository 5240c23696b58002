import CMemory
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
    /// Takes changed colours over.
    var settingsDidChange: (Configuration) -> Void = { _ in }
    /// Whether there is no screen to which one goes back.
    var isPlain = false
    /// Whether the place must be read again before it is drawn.
    var needsLoad = true
    /// Whether the reading of the typed line is out of date.
    var needsReading = false
    /// The commands that run beside the program, such as a sync.
    private var jobs: [(call: UICall, process: Subprocess)] = []
    /// The process that indexes new mail.
    var indexing: Subprocess?
    /// Whether the last read failed: it is not tried again before a key or a change.
    private(set) var hasFailed = false
    /// Whether mail may have come that is not indexed.
    var mayHaveMail = true
    /// The number of reads and commands since memory was given back to the system.
    private var garbage = 0
    /// The changes that were made, or taken back, by keys and commands of the screen.
    var ownChanges: Set<EntityID> = []
    /// When the program began.
    let openedAt: Instant

    /// The connections of chat, while it is on the screen.
    private(set) var chat: ChatLink?

    /// Whether something runs beside the program.
    var isBusy: Bool { !jobs.isEmpty || indexing != nil }

    init(_ context: CommandContext, _ program: UIProgram) {
        (self.context, self.program, openedAt) = (context, program, context.now)
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
        (needsLoad, hasFailed) = (false, false)
        garbage += 1
        // Before the read: what others change while it goes on is noticed by the next look.
        if data.hasChanged() { data.didChange() }
        do {
            try program.current.load(data)
            program.clock = try clock()
            perform(program.follow(program.current.pending()))
            try connectChat()
            program.failure = nil
            refreshOverlay()
        } catch let error as HelixError where error.code == .locked { throw error } catch {
            hasFailed = true
            program.failure = UIWorker.words(error)
            say(error)
        }
        if let remark = data.remarks(), program.message.isEmpty {
            program.message = StyledText(remark, TextStyle(.yellow))
        }
        trim(after: 100)
    }

    /// Connects to gateways when chat is first shown.
    private func connectChat() throws {
        guard program.place == .chat, chat == nil, !context.usesNoBackground else { return }
        chat = try ChatLink(data.context())
    }

    /// Takes what came over the connections of chat.
    func listen() {
        guard let news = chat?.take() else { return }
        if news.hasChanged {
            data.didChange()
            needsLoad = true
        }
        if let remark = news.remark { program.message = remark }
        if var place = program.places[.chat] as? ChatPlace {
            place.take(typing: news.typing)
            program.places[.chat] = place
        }
    }

    /// Closes the store and the connections, such as while helix is locked.
    func close() {
        chat = nil
        data.close()
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

    /// Looks for what changed meanwhile.
    func look() {
        if data.hasChanged() {
            data.didChange()
            needsLoad = true
        }
        if let clock = try? clock() { program.clock = clock }
        if let process = indexing, process.isOver {
            indexing = nil
            noteIndexing(outcome(of: process).errors)
        }
        for (place, job) in jobs.enumerated().reversed() where job.process.isOver {
            jobs.remove(at: place)
            let outcome = outcome(of: job.process)
            show(outcome, of: job.call)
            if outcome.status != 0 { program.didFail(job.call) }
            data.didChange()
            needsLoad = true
        }
        program.background = jobs.last.map { "↻ " + $0.call.words.prefix(2).joined(separator: " ") }
        mayHaveMail = true
        trim(after: 1)
    }

    /// Gives memory back to the system after a number of reads: a fast hand makes much garbage before it rests.
    private func trim(after count: Int) {
        if garbage < count { return }
        garbage = 0
        helix_memory_trim()
    }

    /// The outcome of a process that has ended.
    private func outcome(of process: Subprocess) -> UIRunner.Outcome {
        UIRunner.Outcome(
            status: Int32(process.wait()),
            output: String(decoding: process.readOutput(within: 1) ?? [], as: UTF8.self),
            errors: String(decoding: process.readOutput(within: 1, errors: true) ?? [], as: UTF8.self))
    }

    /// Starts a command beside the program.
    private func start(_ call: UICall) {
        if jobs.contains(where: { $0.call == call }) { return }
        do { try data.checkStore() } catch { return say(error) }
        guard let process = runner.start(call.words) else {
            program.message = StyledText("It cannot be started.", TextStyle(.red))
            return
        }
        jobs.append((call, process))
        program.background = "↻ " + call.words.prefix(2).joined(separator: " ")
    }

    // MARK: Commands

    /// Does effects.
    func perform(_ effects: [UIProgram.Effect]) { for effect in effects { perform(effect) } }

    /// Does an effect that needs no screen.
    func perform(_ effect: UIProgram.Effect) {
        switch effect {
        case .load: needsLoad = true
        case .call(let call): run(call)
        case .complete: complete()
        case .typing:
            if let id = (program.current as? ChatPlace)?.shown, let link = chat,
                let conversation = try? data.context().store().conversation(id)
            {
                link.type(in: conversation)
            }
        case .read: needsReading = true
        case .palette:
            do { perform(program.follow(.choose(try UIPalette.chooser(data)))) } catch { say(error) }
        case .sync: start(UICall(words: ["sync"]))
        case .redraw, .suspend, .quit: break
        }
    }

    private func run(_ call: UICall) {
        do { try data.checkStore() } catch { return say(error) }
        if asksBeforeUndo(call) { return }
        if program.history.last != call.line, !call.isQuiet { program.history.append(call.line) }
        garbage += 1
        let begun = context.clock
        if call.isBackground, !context.usesNoBackground {
            program.current.didRun(call.words, since: begun)
            start(call)
            return
        }
        if call.needsTerminal || call.isTyped && runner.needsTerminal(call.words) {
            runOnTerminal(call)
        } else {
            do {
                let outcome = try runner.run(call, in: data.open)
                show(outcome, of: call)
                // Settings count at once.
                if call.words.first == "config", outcome.status == 0 { try takeSettings() }
                if outcome.status == 0 {
                    program.current.didRun(call.words, since: begun)
                } else {
                    program.didFail(call)
                }
                noteOwnChanges(of: call)
                if outcome.status == 0 {
                    if call.words.first == "chat" { chat?.push() }
                    if call.isRepeated { perform(program.follow(program.current.press(.type))) }
                }
            } catch { say(error) }
        }
        data.didChange()
        needsLoad = true
    }

    /// Shows the outcome of a command: in a line, or over the screen if it is a text to read.
    private func show(_ outcome: UIRunner.Outcome, of call: UICall) {
        if call.isQuiet, outcome.status == 0 { return }
        let errors = StyledText.lines(ofOutput: outcome.errors)
        let lines = StyledText.lines(ofOutput: outcome.output)
        let command = "helix " + call.line
        program.output = UIOverlay(command, lines + errors)
        if outcome.status != 0 {
            // The person is here: the question is asked.
            if outcome.errors.contains("Pass --yes"), call.isTyped {
                var sure = call
                sure.words.append("--yes")
                program.line = UILine(.confirmation(sure), label: "helix \(sure.line)? [y/n] ")
                return
            }
            if let asked = call.asked {
                var line = UILine(
                    .answer(asked.template, asked.target), label: asked.template.question + ": ", text: asked.answer)
                line.keepText()
                line.reading = errors.map { error in error.styled { $0.color = .red } }
                program.line = line
                return
            }
            if errors.count + lines.count > 2 { return program.show(UIOverlay(command, lines + errors)) }
            let text = errors.map { $0.plain.trimmingBlanks() }.joined(separator: " ")
            program.message = StyledText(text.isEmpty ? "It failed (\(outcome.status))." : text, TextStyle(.red))
            return
        }
        if call.showsOutput, lines.count + errors.count > 1 { return show(lines + errors, of: call) }
        program.message = UIWorker.summary(lines, errors, of: call)
    }

    /// An outcome in a line: the first lines, what is to be heeded, and the command.
    private static func summary(_ lines: [StyledText], _ errors: [StyledText], of call: UICall) -> StyledText {
        var text = StyledText()
        let shown = lines.filter { !$0.plain.trimmingBlanks().isEmpty }
        if call.count > 1 { text.append("\(call.count) items: ", .bold) }
        let most = call.count > 1 ? 1 : 3
        for (place, line) in shown.prefix(most).enumerated() {
            if place > 0 { text.append(" · ", .dim) }
            text.append(line.unindented)
        }
        if shown.count > most { text.append(" … (Ctrl-O shows all)", .dim) }
        for warning in errors where !warning.plain.trimmingBlanks().isEmpty {
            if !text.isEmpty { text.append("  ") }
            text.append(warning.unindented.styled { $0.color = .yellow })
        }
        if text.isEmpty { text.append("Done.") }
        text.append("   helix " + call.line, .dim)
        return text
    }

    /// Takes changed settings over.
    private func takeSettings() throws {
        data.close()
        let configuration = try data.context().configuration
        program.keymap = try configuration.keymap()
        settingsDidChange(configuration)
    }

    private func runOnTerminal(_ call: UICall) {
        data.close()
        let begun = context.clock
        var status: Int?
        lend {
            // Ctrl-C ends the command, not the program that waits for it.
            let former = signal(SIGINT) { _ in }
            defer { signal(SIGINT, former) }
            status = runner.runOnTerminal(call)
            guard status != 0 || call.showsOutput, !isPlain else { return }
            if status == nil { context.console.report("helix: the command cannot be started\n") }
            _ = context.console.line("Enter goes back to the screen")
        }
        noteOwnChanges(of: call, since: begun)
        if status == 0 { program.current.didRun(call.words, since: begun) }
        program.message =
            status == 0
            ? StyledText("helix " + call.line, .dim)
            : StyledText("helix \(call.line): it failed (\(status.map { "\($0)" } ?? "not started")).", TextStyle(.red))
    }

    /// Shows an error in the line below.
    func say(_ error: any Error) {
        program.message = StyledText(UIWorker.words(error), TextStyle(.red))
    }

    private static func words(_ error: any Error) -> String {
        (error as? HelixError).map { $0.message + ($0.hint.map { ". \($0)" } ?? "") } ?? "\(error)"
    }

    // MARK: The typed line

    private func complete() {
        guard let line = program.line, let words = line.words(line.editor.before), (try? data.checkStore()) != nil
        else {
            return
        }
        let found = UICompletion(runner: runner).candidates(words)
        let prefix = words.last ?? ""
        let (text, candidates) = UICompletion.insertion(found, prefix: prefix)
        if let text { program.line?.insert(text, replacing: prefix.count) }
        let shown = found.isEmpty ? ["(no completion)"] : candidates
        program.line?.candidates = shown
        needsReading = true
    }

    /// Shows how a line that adds or moves something is read, by its dry run.
    func read() {
        guard let line = program.line, case .answer(let template, let target) = line.kind else { return }
        guard UIWorker.isRead(template.line), !line.text.trimmingBlanks().isEmpty,
            var rehearsal = UICall(template, target, answer: line.text)
        else {
            program.line?.reading = []
            return
        }
        rehearsal.words.append("--dry-run")
        guard (try? data.checkStore()) != nil, let outcome = try? runner.run(rehearsal, in: data.open) else { return }
        let width = program.width - 2
        var lines = StyledText.lines(ofOutput: outcome.errors).filter { !$0.plain.hasPrefix("Dry run:") }
        if outcome.status == 0 {
            // Nothing is added yet: the verb and the identity of the rehearsal would mislead.
            let read = StyledText.lines(ofOutput: outcome.output).map(\.withoutVerb)
            lines = read + lines.map { warning in warning.styled { $0.color = .yellow } }
        }
        let shown = lines.prefix(7).map { $0.fitted(width) }
        program.line?.reading = shown
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

    /// Tells the places that a command has failed: the one that asked for it need not be the one that is shown.
    mutating func didFail(_ call: UICall) {
        for name in places.keys { places[name]?.didFail(call.words) }
    }
}

extension CommandContext {
    /// Whether nothing is to run beside the program, as in tests.
    var usesNoBackground: Bool { environment["HELIX_BACKGROUND"] == "off" }
}
