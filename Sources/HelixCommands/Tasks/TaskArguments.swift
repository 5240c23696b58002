import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixStore
import HelixSystem
import HelixTasks
import HelixTerminal

extension CommandContext {
    /// The parser of one-line tasks.
    var taskLines: TaskLineParser { TaskLineParser(dates: dates.looking(.ahead), me: configuration.list(.email).first) }

    /// The names by which tasks and projects are assigned to the user: addresses, and names at gateways.
    /// - Throws: ``HelixError``.
    func ownNames() throws -> [String] {
        let gateways = try store().accounts().filter { $0.kind == .gateway }
        let names = try gateways.flatMap {
            [$0.settings.user, try store().chatPlace(of: $0.id).name].compactMap { $0 }
        }
        return (configuration.list(.email) + names).uniqued
    }

    /// The parser of filters; `@name` is a saved view.
    var filters: TaskQueryParser { filters(besides: nil) }

    /// The parser of filters; rejects views that refer to `view`, directly or through others.
    func filters(besides view: String?) -> TaskQueryParser {
        TaskQueryParser(dates: dates, me: try self.ownNames(), urgency: configuration.urgency) { [self] name in
            if let view, name.lowercased() == view.lowercased() {
                throw HelixError(.conflict, "the view '\(view)' would refer to itself")
            }
            return try store().savedView(named: name)?.filter
        }
    }

    /// The urgency of tasks at present.
    var urgency: Urgency { Urgency(coefficients: configuration.urgency, now: now, zone: zone) }

    /// Parses a filter; limited to open tasks that are not hidden, unless it sets a state.
    /// - Throws: ``HelixError`` of code `usage`.
    func filter(_ words: [String], showsHidden: Bool = false) throws -> TaskFilter {
        shown(try filters.filter(QueryNoun.tasks.line(words, dates: dates)), showsHidden: showsHidden)
    }

    /// Finds a task by a prefix of its id.
    /// - Throws: ``HelixError`` of code `notFound` or `ambiguous`.
    func task(_ prefix: String) throws -> TaskDetails {
        let store = try store()
        return try store.task(try store.entity(EntityPrefix(prefix), kinds: [.task]).id)
    }

    /// Resolves arguments to tasks: ids, `-` for ids on standard input, or a filter.
    ///
    /// Words without filter syntax must be ids: a mistyped id must not change every task that contains the word.
    /// - Parameter state: the state for filters that do not set one.
    /// - Throws: ``HelixError``.
    func taskIDs(_ words: [String], state: TaskState? = .open) throws -> [EntityID] {
        targeted(try allTaskIDs(words, state: state), "tasks")
    }

    private func allTaskIDs(_ words: [String], state: TaskState?) throws -> [EntityID] {
        let store = try store()
        var typed: [String] = []
        for word in words {
            if word == "-" { typed += try standardInputIDs() } else { typed.append(word) }
        }
        let isFilter = typed.contains { word in
            word.contains { ":<>=()".contains($0) } || ["+", "-", "@", "!"].contains(word.prefix(1))
                || ["not", "and", "or"].contains(word.lowercased())
        }
        guard isFilter else {
            return try typed.flatMap { $0.split(separator: ",").map(String.init) }.map { word in
                do { return try store.entity(EntityPrefix(word), kinds: [.task]).id } catch let error as HelixError
                    where error.code == .notFound
                {
                    throw HelixError(
                        .notFound, error.message,
                        hint: "Ids are expected here. To match a word, use text:\(word); lists and searches show ids.")
                }
            }.uniqued
        }
        let words = typed.joined(separator: " ")
        let asked = try filters.filter(QueryNoun.tasks.line(typed, dates: dates))
        let found = try store.taskIDs(try listed(asked, state), zone: zone)
        let rest = try unlisted(asked, found.count)
        if found.isEmpty {
            note("No task matches \(words).")
            try noteNothing(asked, typed)
        }
        if let rest { note(StyledText(rest)) }
        return found
    }

    /// Prints notes on why a filter may match nothing: unknown names, and values that swallowed words.
    /// - Throws: ``HelixError``.
    func noteNothing(_ filter: TaskFilter, _ words: [String]) throws {
        let store = try store()
        let boards = try store.boards()
        for name in Set(filter.names) {
            let (kind, known): (String, [String]) =
                switch name {
                case .project: ("project", try store.projects().map(\.name))
                case .board: ("board", boards.map(\.name))
                case .column: ("column", boards.flatMap { $0.columns.map(\.name) })
                }
            let typed = name.text
            if known.contains(where: { $0.lowercased() == typed.lowercased() }) { continue }
            let below = known.contains { $0.lowercased().hasPrefix(typed.lowercased() + ".") }
            if below { continue }
            let near = EditDistance.suggestion(for: typed.lowercased(), among: known.map { $0.lowercased() })
            let hint = near.map { "; did you mean '\($0)'?" } ?? "."
            explain("Unknown \(kind) '\(typed)'\(hint)")
        }
        noteWhole(words, of: .tasks)
    }

    /// Prints notes on arguments that were parsed as one field with a value of several words.
    func noteWhole(_ words: [String], of noun: QueryNoun) {
        for word in noun.whole(words, dates: dates) {
            explain("'\(word)' is one value; put search words before the field.")
        }
    }

    /// A remark on tasks that match a filter, but are done, dropped or hidden and so not among the `count` found.
    func unlisted(_ asked: TaskFilter, _ count: Int) throws -> String? {
        let others = asked.namesState ? 0 : try store().taskIDs(asked, zone: zone).count - count
        if others <= 0 { return nil }
        return "\(others) more \(others == 1 ? "is" : "are") done, dropped or hidden, and unchanged: "
            + "status:all includes them."
    }

    /// A filter limited to the tasks that `list` shows, or to those in another state.
    private func listed(_ asked: TaskFilter, _ state: TaskState?) throws -> TaskFilter {
        guard let state, state != .open else { return shown(asked) }
        return asked.namesState ? asked : TaskFilter.state(state).and(asked)
    }

    /// A filter limited to open tasks that are not hidden, unless it sets a state.
    func shown(_ filter: TaskFilter, showsHidden: Bool = false) -> TaskFilter {
        var bounds = TaskFilter.everything
        if !filter.namesState { bounds = bounds.and(.state(.open)) }
        if !filter.namesHidden && !filter.namesState && !showsHidden { bounds = bounds.and(.not(.mark(.waiting))) }
        return bounds.and(filter)
    }

    /// The first word of each line of standard input.
    private func standardInputIDs() throws -> [String] {
        let data = try FileStream(descriptor: console.input, closes: false).read(upToCount: 16_000_000)
        return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap {
            $0.split(whereSeparator: \.isWhitespace).first.map(String.init)
        }
    }
}

/// The handling of a task that depends on open ones.
enum OnBlocked: String, ExpressibleByArgument, CaseIterable {
    case warn
    case fail
}

/// The option `--on-blocked`.
struct BlockedOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("If a task depends on open ones: warn or fail.", valueName: "what"))
    var onBlocked: OnBlocked = .warn

    /// No options given.
    static var unset: BlockedOptions {
        var options = BlockedOptions()
        options.onBlocked = .warn
        return options
    }

    /// Warns about open tasks that a task depends on, or refuses.
    /// - Throws: ``HelixError`` of code `conflict`.
    func check(_ task: EntityID, _ change: Change, _ context: CommandContext, _ warnings: inout [String]) throws {
        let blockers = try change.openBlockers(of: task)
        if blockers.isEmpty { return }
        let names = try change.described(blockers)
        let own = try change.described([task])
        if onBlocked == .fail {
            throw HelixError(
                .conflict, "\(own) waits for \(names)", hint: "Finish that first, or pass --on-blocked warn.")
        }
        warnings.append("\(own) still waits for \(names).")
    }
}
