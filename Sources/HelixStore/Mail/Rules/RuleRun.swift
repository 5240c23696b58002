import HelixCrypto
import HelixMail
import HelixModel
import HelixSQLite
import HelixTasks

/// Runs the rules for mail: each on the messages that match it and were not stopped by an earlier one.
public struct RuleRun {
    /// The effect of a rule.
    public struct Effect: Sendable {
        /// The rule.
        public var rule: MailRule
        /// The messages that match, in the order of time, the newest first.
        public var matches: [EntityID] = []
        /// Those that were changed, or for which a task was added.
        public var changed: [EntityID] = []
        /// The tasks that were added.
        public var tasks: [EntityID] = []
        /// Why it did not run, or not for all.
        public var problem: String?
        /// The changes that it made, if each rule made its own.
        public var undo: [EntityID] = []

        /// The same, with how to take it back: `rule 'bills': 2 messages; to undo: helix undo k3f7ab`.
        public var told: String {
            undo.isEmpty
                ? words
                : words + "; to undo: helix undo " + undo.map { String($0.text.prefix(6)) }.joined(separator: ", ")
        }

        /// An effect in words: `rule 'bills': 2 messages`.
        public var words: String {
            let count = changed.count
            return "rule '\(rule.name)': \(count == 1 ? "1 message" : "\(count) messages")"
                + (tasks.isEmpty ? "" : ", \(tasks.count == 1 ? "1 task" : "\(tasks.count) tasks")")
        }
    }

    private let store: Store
    private let setting: RuleSetting

    /// The most messages for which one run takes arrivals.
    private static let batch = 500

    /// The rules of a store.
    public init(_ store: Store, _ setting: RuleSetting) { (self.store, self.setting) = (store, setting.now(in: store)) }

    /// Runs the active rules on the messages that arrived since the last call. Each rule is a change of its own, which is undone
    /// by its ID; a rule that fails is left out, and told.
    /// - Returns: the rules that did something, or failed.
    /// - Throws: ``HelixError``.
    public func takeArrivals() throws -> [Effect] {
        guard store.canRunRules, try store.hasRuleIntake() else { return [] }
        var done: [Effect] = []
        while true {
            let (looked, arrivals) = try store.ruleIntake(limit: Self.batch)
            if looked.isEmpty { break }
            let rules = arrivals.isEmpty ? [] : try store.mailRules().filter(\.isActive)
            let run = try effects(of: rules, on: arrivals) { rule, ids in
                // A rule that fails does not keep the others from running.
                do { return try take(ids, by: rule) } catch let error as HelixError where error.code != .busy {
                    var effect = Effect(rule: rule)
                    effect.problem = error.message
                    return effect
                }
            }
            try store.settleRuleIntake(looked, run)
            done += run.filter { !$0.changed.isEmpty || $0.problem != nil }
            if looked.count < Self.batch { break }
        }
        return done
    }

    /// Runs rules on messages that are there, as one change.
    /// - Parameter scope: the messages.
    /// - Throws: ``HelixError``; nothing is changed then.
    public func run(_ rules: [MailRule], on scope: MailQuery, isDryRun: Bool) throws -> [Effect] {
        let ids = try store.messages(scope, limit: 10_000_000).map(\.id)
        return try store.trying("run rules", command: "mail rules run", isDryRun: isDryRun) { change in
            let done = try effects(of: rules, on: ids) { rule, ids in
                try apply(rule, to: matches(of: rule, among: ids), in: change)
            }
            let words = done.filter { !$0.changed.isEmpty }.map(\.words)
            if !words.isEmpty { change.summary = words.joined(separator: "; ") }
            return done
        }
    }

    /// The effects of rules in their order, each on the messages that no earlier one stopped.
    private func effects(
        of rules: [MailRule], on ids: [EntityID], _ body: (MailRule, [EntityID]) throws -> Effect
    ) throws -> [Effect] {
        var left = ids
        return try rules.map { rule in
            let effect = try body(rule, left)
            if rule.stops {
                let stopped = Set(effect.matches)
                left.removeAll { stopped.contains($0) }
            }
            return effect
        }
    }

    /// The messages among some that a rule is about.
    private func matches(of rule: MailRule, among ids: [EntityID]) throws -> [EntityID] {
        if ids.isEmpty { return [] }
        let query = try setting.queries(store).parse(rule.query)
        if ids.count <= Self.batch {
            return try store.messages(.all([query, .oneOf(ids)]), limit: ids.count).map(\.id)
        }
        let known = Set(ids)
        return try store.messages(query, limit: 10_000_000).map(\.id).filter { known.contains($0) }
    }

    /// Runs a rule on arrivals. If the server allows a change of some messages only, these are changed.
    private func take(_ ids: [EntityID], by rule: MailRule) throws -> Effect {
        let matches = try matches(of: rule, among: ids)
        func run(on part: [EntityID]) throws -> Effect {
            try store.change("", command: "mail rules run", origin: .rule) { change in
                var effect = try apply(rule, to: part, in: change)
                change.summary = effect.words
                if !effect.changed.isEmpty { effect.undo = [change.id] }
                return effect
            }
        }
        if matches.isEmpty { return Effect(rule: rule) }
        do { return try run(on: matches) } catch let error as HelixError where error.code != .busy && matches.count > 1
        {
            var effect = Effect(rule: rule)
            effect.matches = matches
            for id in matches {
                do {
                    let one = try run(on: [id])
                    effect.changed += one.changed
                    effect.tasks += one.tasks
                    effect.undo += one.undo
                } catch let error as HelixError where error.code != .busy { effect.problem = error.message }
            }
            return effect
        }
    }

    /// Does what a rule says with messages.
    private func apply(_ rule: MailRule, to ids: [EntityID], in change: Change) throws -> Effect {
        var effect = Effect(rule: rule)
        effect.matches = ids
        var edit = MessageEdit()
        var lines: [String] = []
        for action in rule.actions {
            switch action {
            case .label(let name): edit.addedLabels.append(name)
            case .unlabel(let name): edit.removedLabels.append(name)
            case .move(let mailbox): edit.target = .made(mailbox)
            case .archive: edit.target = .role(.archive)
            case .trash: edit.target = .role(.trash)
            case .read: edit.set.insert(.seen)
            case .star: edit.set.insert(.flagged)
            case .mute: edit.addedLabels.append(MessageAway.muted)
            case .snooze(let phrase):
                let end = try setting.snooze(phrase)
                // A fixed day that has come: it would stay at the top of the inbox.
                guard end > setting.present else {
                    effect.problem = "the time of its snooze, '\(phrase)', is past"
                    continue
                }
                let label = MessageAway.label(until: end)
                edit.addedLabels.append(label)
                let old = try store.messages(ids: ids).flatMap(\.labels).filter { MessageAway.time($0) != nil }
                edit.removedLabels += Set(old).subtracting([label]).sorted()
            case .task(let line): lines.append(line)
            }
        }
        var changed = Set(edit.isEmpty ? [] : try change.editMessages(ids, edit))
        for (place, line) in lines.enumerated() {
            for id in ids {
                guard let task = try addTask(line, place, for: id, rule, change) else { continue }
                effect.tasks.append(task)
                changed.insert(id)
            }
        }
        effect.changed = ids.filter { changed.contains($0) }
        return effect
    }

    /// Adds the task of a rule for a message, once: its ID is made of theirs.
    private func addTask(
        _ line: String, _ place: Int, for message: EntityID, _ rule: MailRule, _ change: Change
    ) throws -> EntityID? {
        let id = EntityID(digest: SHA256.hash(Array("\(rule.id.text) \(message.text) \(place)".utf8)))
        guard try JournaledTable.table(.task).row(change.db, id) == nil else { return nil }
        var fields = try setting.task(line)
        fields.newID = id
        let subject = try Store.title(change.db, .message, message)
        let shown = subject.trimmingBlanks().isEmpty ? "(no subject)" : subject
        fields.title = (fields.title ?? "{subject}").replacing("{subject}", with: shown)
        _ = try change.addTask(fields, dates: setting.dates)
        _ = try change.addLink(id, message, .related)
        return id
    }
}
