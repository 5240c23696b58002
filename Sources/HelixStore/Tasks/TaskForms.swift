import HelixModel
import HelixTasks

/// The tasks of the store as an export writes them and an import reads them again, by the identities that a format gives them.
///
/// A format carries only a part of a task. What an import changes is the difference between the imported task and this form: so
/// the export of a store changes nothing when it is imported again, and fields that the format lacks are kept.
public struct TaskForms {
    /// A task in a format.
    public struct Form {
        /// The task.
        public var id: EntityID
        /// The index of the step of its checklist that has this identity; nil for the task itself.
        public var step: Int?
        /// Makes the form of the task; nil if the format has none.
        public var make: () throws -> ForeignTask?

        /// Creates a form.
        public init(id: EntityID, step: Int? = nil, make: @escaping () throws -> ForeignTask?) {
            (self.id, self.step, self.make) = (id, step, make)
        }
    }

    /// The forms of each identity, in the order of the export: formats without identities of their own can repeat one.
    private var forms: [String: [Form]] = [:]

    /// No tasks.
    public init() {}

    /// Adds a form.
    public mutating func add(_ form: Form, uid: String) { forms[uid, default: []].append(form) }

    /// Removes and returns the next form with an identity.
    mutating func claim(_ uid: String) -> Form? {
        guard var list = forms[uid], !list.isEmpty else { return nil }
        let first = list.removeFirst()
        forms[uid] = list
        return first
    }

    /// The task with an identity, claimed or not.
    func task(_ uid: String) -> EntityID? { identities[uid] }

    /// The tasks by identity; of several the first.
    private(set) var identities: [String: EntityID] = [:]

    /// Fixes the identities, which relations between imported tasks refer to.
    public mutating func close() { identities = forms.compactMapValues { $0.first?.id } }
}

extension TodoTask {
    /// The task with the differences between its form in a format and the imported one.
    func merged(_ base: ForeignTask, _ theirs: ForeignTask) -> TodoTask {
        var task = self
        let (was, new) = (base.task, theirs.task)
        func change<Value: Equatable>(_ path: WritableKeyPath<TodoTask, Value>) {
            if was[keyPath: path] != new[keyPath: path] { task[keyPath: path] = new[keyPath: path] }
        }
        change(\.title)
        change(\.state)
        if was.state != new.state { task.completedAt = new.completedAt }
        change(\.due)
        change(\.scheduled)
        change(\.hiddenUntil)
        change(\.startedAt)
        change(\.priority)
        change(\.tags)
        change(\.notes)
        change(\.estimate)
        change(\.recurrence)
        change(\.percent)
        change(\.checklist)
        change(\.kind)
        if theirs.namesCreation { change(\.createdAt) }
        change(\.block)
        for property in TaskProperty.all where property.get(was) != property.get(new) {
            property.set(&task, property.get(new))
        }
        // What the other program keeps beside the fields goes with a task of its own.
        if extra != nil { change(\.extra) }
        if source != nil { change(\.source) }
        return task
    }
}
