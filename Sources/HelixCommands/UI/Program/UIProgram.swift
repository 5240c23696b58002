import HelixModel
import HelixTerminal

/// The whole state of `helix ui`: keys change it, a picture is drawn from it, and its effects are done by ``UISession``.
struct UIProgram: Sendable {
    /// A work for the session.
    enum Effect: Sendable {
        case load
        case call(UICall)
        case complete
        case read
        /// A chat message is being typed.
        case typing
        case palette
        case sync
        case redraw
        case suspend
        case quit
    }

    var keymap = UIKeymap()
    private(set) var place: UIPlaceName
    var places: [UIPlaceName: any UIPlace] = [:]
    var line: UILine?
    var chooser: UIChooser?
    var overlay: UIOverlay?
    var tour: UITour?
    /// The reason why the place could not be read; it stands in place of the picture, which would be empty or out of date.
    var failure: String?
    /// The status of the place in words.
    var status: String { failure == nil ? current.status : "\(place.title)  not read" }
    /// The outcome of the last command.
    var message = StyledText()
    /// Whether the message was on the screen: only then the next key ends it.
    private var isMessageShown = false
    /// The whole output of the last command.
    var output: UIOverlay?
    /// The lines of the commands that were run, the last one last.
    var history: [String] = []
    /// The keys that may begin a sequence.
    private(set) var typed: [Key] = []
    /// The words at the right of the top line: the clock that runs.
    var clock = StyledText()
    /// The work that goes on beside the program, such as a sync.
    var background: String?
    private(set) var width = 80
    private(set) var height = 24
    private(set) var isOver = false

    init(at place: UIPlaceName, _ places: [any UIPlace]) {
        self.place = place
        for one in places { self.places[one.name] = one }
    }

    /// The place that is shown.
    var current: any UIPlace {
        get { places[place] ?? EmptyPlace() }
        set { places[place] = newValue }
    }

    /// Sets the size of the screen.
    mutating func resize(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        let lines = body.height
        for name in places.keys { places[name]?.resize(width: width, height: lines) }
        overlay?.text.height = lines - 1
        chooser?.list.height = UIChooser.height(in: lines)
    }

    /// The part of the screen for the place.
    var body: ScreenArea { ScreenArea(x: 0, y: 1, width: width, height: height - 3) }

    // MARK: Input

    /// Takes an input.
    mutating func take(_ event: InputEvent) -> [Effect] {
        switch event {
        case .key(let key, let bytes):
            let effects = press(key, bytes)
            // A failed read is tried again.
            return failure == nil || line != nil ? effects : effects + [.load]
        case .paste(let text):
            if line != nil { return type(Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)) }
            if var open = chooser {
                open.type(open.typed + SafeText.line(text))
                chooser = open
            }
            return []
        case .mouse(let mouse): return take(mouse)
        }
    }

    /// Notes that the picture was seen.
    mutating func didShow() { isMessageShown = !message.isEmpty }

    /// Ends a message that was seen.
    mutating func clearMessage() {
        if isMessageShown { message = StyledText() }
        isMessageShown = false
    }

    /// Whether the message is longer than the line below.
    var isMessageCut: Bool { message.width > width }

    private mutating func press(_ key: Key, _ bytes: [UInt8]) -> [Effect] {
        clearMessage()
        // It stops the program whatever is open, as in every program of the terminal.
        if key == "ctrl-z", case .binding(let binding) = keymap.match([key], in: [UIBindings.program]),
            case .program(.suspend) = binding.deed
        {
            return [.suspend]
        }
        if tour != nil {
            if tour?.press(key) == false { tour = nil }
            return []
        }
        if line != nil { return key == "esc" ? cancelLine() : type(bytes) }
        if chooser != nil { return choose(key) }
        if overlay != nil { return look(key) }
        typed.append(key)
        switch keymap.match(typed, in: [current.bindings, UIBindings.program]) {
        case .beginning: return []
        case .none:
            if typed.count > 1 || key.character != nil {
                message = StyledText("No key \(typed.map(\.name).joined(separator: " ")) here; ? shows the keys.", .dim)
            }
            typed = []
            return []
        case .binding(let binding):
            typed = []
            // Escape leaves what is open, never the program: it is pressed once too often too easily.
            if key == "esc", case .motion(.back) = binding.deed {
                let answer = current.press(.back)
                guard case .leave = answer else { return follow(answer) }
                message = StyledText("q quits.", .dim)
                return []
            }
            return perform(binding.deed)
        }
    }

    /// Performs what a key does.
    mutating func perform(_ deed: UIBinding.Deed) -> [Effect] {
        switch deed {
        case .motion(let motion): return follow(current.press(motion))
        case .command(let template): return ask(template)
        case .place(let name): return go(to: name)
        case .program(let deed):
            switch deed {
            case .quit: return quit()
            case .help: overlay = help()
            case .command: line = UILine(.command, label: ":", history: history)
            case .palette: return [.palette]
            case .redraw: return [.redraw]
            case .suspend: return [.suspend]
            case .sync: return [.sync]
            case .output:
                guard let output else {
                    message = StyledText("No command was run yet.", .dim)
                    break
                }
                show(output)
            case .undo: return [.call(UICall(words: ["undo"]))]
            case .redo: return [.call(UICall(words: ["redo"]))]
            }
            return []
        }
    }

    private mutating func quit() -> [Effect] {
        isOver = true
        return [.quit]
    }

    /// Shows a place.
    mutating func go(to name: UIPlaceName) -> [Effect] {
        (overlay, chooser, line) = (nil, nil, nil)
        place = name
        return [.load]
    }

    /// Does what a place answered.
    mutating func follow(_ answer: UIAnswer) -> [Effect] {
        switch answer {
        case .none: return []
        case .load: return [.load]
        case .loadTelling(let text):
            message = StyledText(text, .dim)
            return [.load]
        case .leave: return quit()
        case .refused(let reason):
            message = StyledText(reason, TextStyle(.yellow))
            return []
        case .ask(let purpose, let question, let initial):
            line = UILine(.text(purpose), label: question + " ", text: initial)
            return []
        case .run(let template): return ask(template)
        case .call(let call): return [.call(call)]
        case .open(let item): return open(item)
        case .choose(let list):
            var open = list
            open.list.height = UIChooser.height(in: body.height)
            chooser = open
            return []
        }
    }

    /// Opens an item in its place.
    mutating func open(_ item: UIItem) -> [Effect] {
        let name: UIPlaceName =
            switch item {
            case .message, .inbox, .mailbox, .search: .mail
            case .event, .day: .cal
            case .task, .board, .tasks: .tasks
            case .conversation: .chat
            }
        (overlay, chooser) = (nil, nil)
        place = name
        guard places[name]?.open(item) == true else {
            message = StyledText("It cannot be shown here.", TextStyle(.yellow))
            return []
        }
        return [.load]
    }

    // MARK: Commands

    /// Asks which occurrences of a series are meant.
    private func scopes(_ template: UITemplate, _ target: UITarget, day: String) -> UIChooser {
        let choices = [
            ("Only this one, \(day)", "--this=" + day), ("This and all that follow", "--future=" + day),
            ("All", "--all"),
        ]
        return UIChooser(
            (template.confirms ?? "Edit") + " '\(target.values["title"] ?? "")'",
            choices.compactMap { name, scope in
                var own = target
                own.values["scope"] = scope
                return UICall(template, own).map { UIChooser.Choice(name: name, effect: .call($0)) }
            })
    }

    /// Runs a command, after it has asked for what is missing.
    private mutating func ask(_ template: UITemplate) -> [Effect] {
        let target = current.target
        if template.line.contains("{scope}"), let day = target.values["series"] {
            return follow(.choose(scopes(template, target, day: day)))
        }
        if template.needsItem, target.ids.isEmpty, target.id == nil {
            message = StyledText("Nothing is chosen.", TextStyle(.yellow))
            return []
        }
        if target.ids.count > 1, template.needsItem, !template.takesSeveral, !template.showsOutput {
            message = StyledText(
                "That is for one item, and \(target.ids.count) are marked: Ctrl-T removes the marks.",
                TextStyle(.yellow))
            return []
        }
        if template.asks {
            line = UILine(
                .answer(template, target), label: template.question + ": ", text: target.filled(template.suggestion))
            // A value that is there is changed, not replaced by the first letter.
            if template.suggestion.hasPrefix("{") { line?.keepText() }
            return [.read]
        }
        return run(template, target, answer: "")
    }

    private mutating func run(_ template: UITemplate, _ target: UITarget, answer: String) -> [Effect] {
        guard var call = UICall(template, target, answer: answer) else {
            message = StyledText(template.missing, TextStyle(.yellow))
            return []
        }
        // An answer that is refused can be corrected.
        if template.asks { call.asked = UIAsked(template: template, target: target, answer: answer) }
        guard let question = template.confirms else { return [.call(call)] }
        let title = target.values["title"].map { " '\($0)'" } ?? ""
        let what = target.ids.count > 1 ? " (\(target.ids.count))" : title
        line = UILine(.confirmation(call), label: "\(question)\(what)? [y/n] ")
        return []
    }

    private mutating func cancelLine() -> [Effect] {
        guard let open = line else { return [] }
        line = nil
        guard case .text(let purpose) = open.kind else { return [] }
        return follow(current.take(text: nil, for: purpose, isFinal: true))
    }

    private mutating func type(_ bytes: [UInt8]) -> [Effect] {
        guard var open = line else { return [] }
        if case .confirmation(let call) = open.kind { return confirm(call, bytes) }
        let outcome = open.take(bytes)
        line = open
        switch outcome {
        case .cancelled: return cancelLine()
        case .complete: return open.isCompletable ? [.complete] : []
        case .changed:
            if case .text(let purpose) = open.kind {
                let effects = follow(current.take(text: open.text, for: purpose, isFinal: false))
                return purpose == .message ? effects + [.typing] : effects
            }
            return [.read]
        case .accepted(let text): return accept(text, open)
        }
    }

    /// Takes the answer to a question; other keys leave it open: they were meant for something else.
    private mutating func confirm(_ call: UICall, _ bytes: [UInt8]) -> [Effect] {
        switch String(decoding: bytes, as: UTF8.self).lowercased() {
        case "y":
            line = nil
            return [.call(call)]
        case "n", "q", "\r", "\n", "\u{3}", "\u{7}":
            line = nil
            message = StyledText("Nothing was changed.", .dim)
        default: line?.reading = [StyledText("Press y or n.", TextStyle(.yellow))]
        }
        return []
    }

    private mutating func accept(_ text: String, _ open: UILine) -> [Effect] {
        line = nil
        switch open.kind {
        case .command:
            let parsed = ShellWords.parse(text)
            var words = parsed.words
            if words.first == "helix" { words.removeFirst() }
            guard parsed.isClosed else {
                line = open
                line?.reading = [StyledText("A quote is not closed.", TextStyle(.red))]
                return []
            }
            if words.isEmpty { return [] }
            if ["q", "quit", "exit"].contains(words[0]) { return quit() }
            var call = UICall(words: words, showsOutput: true)
            call.isTyped = true
            return [.call(call)]
        case .answer(let template, let target):
            if text.trimmingBlanks().isEmpty {
                message = StyledText("Nothing was changed.", .dim)
                return []
            }
            return run(template, target, answer: text)
        case .text(let purpose): return follow(current.take(text: text, for: purpose, isFinal: true))
        case .confirmation: return []
        }
    }
}
