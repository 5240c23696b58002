import Dispatch
import HelixGatewayLogs
import HelixGatewayStore
import HelixModel
import HelixStore
import HelixSync
import Logging
import Synchronization

/// Shares tasks and projects with the users they are assigned to: each has a copy in their own store, and what both have in
/// common is kept equal.
///
/// It works behind the requests, on a thread of its own that waits for the stores' queues. A request for one user never reaches
/// another's store; only this does, and only with the fields of ``Assignment``.
final class ShareKeeper: Sendable {
    private let queues: StoreQueues
    private let clients: ClientNotifier
    private let identities: SecretIdentities
    private let directory: DirectoryScope
    private let allowsSignUp: Bool
    private let clock: GatewayClock
    private let log: Logger
    private let queue = DispatchQueue(label: "helix.gateway.shares", qos: .utility)
    private let pending = Mutex<Set<EntityID>>([])
    private let isStopping = Atomic<Bool>(false)

    /// The longest wait for a queue, in seconds.
    private static let patience = 15

    init(
        queues: StoreQueues, clients: ClientNotifier, identities: SecretIdentities, directory: DirectoryScope,
        allowsSignUp: Bool, clock: GatewayClock, log: Logger
    ) {
        (self.queues, self.clients, self.identities) = (queues, clients, identities)
        (self.directory, self.allowsSignUp, self.clock, self.log) = (directory, allowsSignUp, clock, log)
    }

    /// Looks at the changes in a user's store, soon.
    func changed(_ user: EntityID) {
        guard pending.withLock({ $0.insert(user).inserted }) else { return }
        queue.async { [self] in
            _ = pending.withLock { $0.remove(user) }
            guard !isStopping.load(ordering: .relaxed) else { return }
            do { try share(changesOf: user) } catch let error as HelixError
                where [.busy, .offline].contains(error.code)
            {
                // The place in the journal is unchanged: it goes on later.
                queue.asyncAfter(deadline: .now() + .seconds(Self.patience)) { [weak self] in self?.changed(user) }
            } catch {
                log.error(
                    "sharing failed", metadata: ["code": "\((error as? HelixError)?.code.rawValue ?? "unexpected")"])
            }
        }
    }

    /// Looks at the assignments of all users: at the beginning at what has changed since the gateway stopped, later at all, since
    /// users may have been enabled or have met in a conversation.
    /// - Parameter all: the users whose assignments are not known otherwise.
    func lookAtAll(isFirst: Bool, _ all: () -> [EntityID]) {
        do {
            for user in try queues.users.usersWhoAssign() ?? all() { isFirst ? changed(user) : recheck(user) }
        } catch { log.error("sharing failed", metadata: ["error": "\((error as? HelixError)?.message ?? "")"]) }
    }

    /// Starts no more work.
    func finish() { isStopping.store(true, ordering: .relaxed) }

    /// Looks at all of a user's assignments again, soon: others may have become able to receive them.
    func recheck(_ user: EntityID) {
        queue.async { [self] in
            // If the gateway is too busy now, the hourly look finds the same.
            try? onStore(of: user) { try $0.setNote(Self.cursor, "-1") }
            changed(user)
        }
    }

    private func share(changesOf user: EntityID) throws {
        // The numbers of a journal are those of one copy of the user's store.
        let cursor = try onStore(of: user) { try $0.note(Self.cursor) }.flatMap { Int64($0) }
        let page = try onStore(of: user) { try $0.assignments(since: cursor.flatMap { $0 < 0 ? nil : $0 }) }
        guard page.head != cursor else { return }
        let shared = page.assignments.isEmpty ? [] : try onAccounts { try $0.sharedEntities(of: user) }
        // A project that is shared no more is removed after its tasks.
        var ended: [GatewayShare] = []
        for assignment in page.assignments where assignment.assignee != nil || shared.contains(assignment.id) {
            try tolerating(assignment.kind) {
                if let share = try onAccounts({ try $0.share(ofCopy: assignment.id, member: user) }) {
                    try reconcile(share)
                } else if let share = try offer(assignment, of: user) {
                    ended.append(share)
                }
            }
        }
        for share in ended {
            try tolerating(share.kind) {
                try withdraw(share)
                _ = try offer(try onStore(of: user) { try $0.assignment(share.kind, share.entity) }, of: user)
                // The tasks were offered before there was a copy of their project.
                for task in page.assignments where task.project == share.entity {
                    if let moved = try onAccounts({ try $0.share(of: task.id, owner: user) }) {
                        try reconcile(moved, placesAnew: true)
                    }
                }
            }
        }
        try onStore(of: user) { try $0.setNote(Self.cursor, String(page.head)) }
    }

    /// The name of the note with the last change set that was looked at.
    private static let cursor = "share-cursor"

    /// An entity that cannot be shared does not keep the others waiting.
    private func tolerating(_ kind: EntityKind, _ body: () throws -> Void) throws {
        do { try body() } catch let error as HelixError where ![.busy, .offline].contains(error.code) {
            // The message may name the entity.
            log.warning("not shared", metadata: ["kind": "\(kind.rawValue)", "code": "\(error.code.rawValue)"])
        }
    }

    /// Shares an owner's entity with its assignee, and ends the share with another one.
    /// - Returns: the share of a project that is to be ended when its tasks are done.
    private func offer(_ assignment: Assignment, of owner: EntityID) throws -> GatewayShare? {
        let known = try onAccounts { try $0.share(of: assignment.id, owner: owner) }
        guard known != nil || assignment.assignee != nil else { return nil }
        let target =
            try assignment.fields == nil
            ? nil : assignment.assignee.flatMap { name in try assignee(name, of: owner) }
        if let known {
            if known.member == target?.id {
                try reconcile(known)
                return nil
            }
            if known.kind == .project { return known }
            try withdraw(known)
        }
        guard let target else { return nil }
        guard assignment.isSound else {
            throw HelixError(.badInput, "the fields cannot be shared")
        }
        let share = GatewayShare(
            owner: owner, kind: assignment.kind, entity: assignment.id, member: target.id,
            copy: identities.identity("share", target.id, "\(owner.text) \(assignment.id.text)"), base: .object([]))
        // The share is recorded first: a copy without one would stay for ever.
        try onAccounts { try $0.saveShare(share) }
        try write(assignment, to: share)
        try agree(share, on: assignment.fields, assignment.project)
        log.info("shared", metadata: ["kind": "\(share.kind.rawValue)"])
        return nil
    }

    private func assignee(_ name: String, of owner: EntityID) throws -> GatewayUser? {
        // With sign-up, anybody could register under the name of an expected colleague: then both must know each other.
        let scope = allowsSignUp ? DirectoryScope.members : directory
        return try onAccounts { try $0.assignee(named: name, of: owner, in: scope) }
    }

    /// Merges both states of a shared entity, and writes the result to both stores.
    /// - Parameter placesAnew: whether the copy is moved to the copy of the owner's project, which was made since.
    private func reconcile(_ share: GatewayShare, placesAnew: Bool = false) throws {
        let theirs = try onStore(of: share.member) { try $0.assignment(share.kind, share.copy) }
        let ours = try onStore(of: share.owner) { try $0.assignment(share.kind, share.entity) }
        guard let owned = ours.fields else { return try withdraw(share) }
        guard let copied = theirs.fields else {
            // A share whose copy was not made yet has no fields; any other copy was deleted by the member.
            if share.base?.fields?.isEmpty == true { return try write(ours, to: share) }
            return try agree(share, on: nil, nil)
        }
        guard ours.isSound, theirs.isSound else { throw HelixError(.badInput, "the fields cannot be shared") }
        let project = try projectCopy(of: ours, share)
        var copy = copied
        // These are the owner's: the copy of a project has a name of its own, and blocks belong to the owner's project.
        if share.kind == .project {
            for name in ["name", "blocks"] { copy = copy.setting(name, owned[name] ?? .null) }
        }
        if share.kind == .task, theirs.project == nil || theirs.project != project {
            copy = copy.setting("block", owned["block"] ?? .null)
        }
        copy = Self.sorted(copy)
        let own = Self.sorted(owned)
        let base = share.base.map { Self.sorted($0.setting("project", .null)) }
        // A copy that its user deleted and restored has no base: what the owner has wins.
        let merged =
            base?.fields?.isEmpty == true
            ? own
            : Self.sorted(ReplicaMerge(kind: share.kind, base: base, ours: own, theirs: copy, prefersOurs: true).fields)
        let formerProject = share.base?["project"]?.text.map { EntityID(stored: $0) }
        let member = try onAccounts { try $0.user(share.member) }
        if merged != copy || theirs.assignee != member?.name || share.base == nil || formerProject != ours.project
            || placesAnew
        {
            let keepsProject = share.base != nil && formerProject == ours.project && !placesAnew
            try write(Assignment(ours, fields: merged), to: share, keepsProject: keepsProject)
        }
        if merged != own {
            let result = Assignment(ours, fields: merged)
            try onStore(of: share.owner) { store in
                try store.change("sync with the assignee", from: .sync) { try $0.putShared(result, at: nil) }
            }
            tell(share.owner)
        }
        if merged != base || formerProject != ours.project { try agree(share, on: merged, ours.project) }
    }

    private static func sorted(_ fields: JSONText) -> JSONText {
        .object((fields.fields ?? []).filter { !$0.value.isNull }.sorted { $0.name < $1.name })
    }

    /// The copy of an owner's project at the same member; nil if it is not shared with them.
    private func projectCopy(of assignment: Assignment, _ share: GatewayShare) throws -> EntityID? {
        guard let project = assignment.project,
            let shared = try onAccounts({ try $0.share(of: project, owner: share.owner) }),
            shared.member == share.member, shared.base != nil
        else { return nil }
        return shared.copy
    }

    /// Writes an owner's state to the member's copy.
    /// - Parameter keepsProject: whether the copy stays in the project that its user chose.
    private func write(_ assignment: Assignment, to share: GatewayShare, keepsProject: Bool = false) throws {
        let (owner, member) = try onAccounts { (try $0.user(share.owner), try $0.user(share.member)) }
        let place = Change.CopyPlace(
            assignee: member?.name ?? "me", project: try projectCopy(of: assignment, share),
            keepsProject: keepsProject, owner: owner?.name ?? "")
        let copy = Assignment(assignment, id: share.copy)
        try onStore(of: share.member) { store in
            try store.change("assigned by \(owner?.name ?? "")", from: .sync) { try $0.putShared(copy, at: place) }
        }
        tell(share.member)
    }

    /// Removes the copy of an entity that was deleted or is assigned to somebody else; completed ones stay.
    private func withdraw(_ share: GatewayShare) throws {
        let isGone = try onStore(of: share.member) { store -> Bool in
            guard let copy = try store.assignment(share.kind, share.copy).fields else { return false }
            guard copy["state"]?.text != "done", copy["status"]?.text != "done" else { return false }
            try store.change("no longer assigned", from: .sync) { change in
                if share.kind == .task {
                    try change.deleteTask(share.copy)
                } else if try change.contents(of: .project, share.copy).isEmpty {
                    try change.put(ReplicaRecord(kind: .project, id: share.copy, fields: nil))
                }
            }
            return true
        }
        try onAccounts { try $0.removeShare(of: share.entity, owner: share.owner) }
        if isGone { tell(share.member) }
    }

    /// Records the fields on which both stores agree, with the owner's project beside them.
    private func agree(_ share: GatewayShare, on fields: JSONText?, _ project: EntityID?) throws {
        var share = share
        share.base = fields?.setting("project", project.map { .string($0.text) } ?? .null)
        let agreed = share
        try onAccounts { try $0.saveShare(agreed) }
    }

    private func tell(_ user: EntityID) {
        clients.tell(user, "sync.changed", ["ts": .integer(clock.milliseconds)], as: .entities(user: user))
    }
}

extension ShareKeeper {
    /// Runs work on the queue of users and devices, and waits for it.
    private func onAccounts<Value: Sendable>(
        _ body: @escaping @Sendable (any GatewayAccountStore) throws -> Value
    ) throws -> Value {
        try wait { done in queues.accounts.perform { all in done(Result { try body(all.store) }) } }
    }

    /// Runs work on a user's own store, and waits for it.
    private func onStore<Value: Sendable>(
        of user: EntityID, _ body: @escaping @Sendable (Store) throws -> Value
    ) throws -> Value {
        try wait { done in
            let asker = Asker(user: "shares", isWanted: { true }) { _ in
                done(.failure(HelixError(.busy, "the store of a user is busy")))
            }
            queues.users.service(user).perform(for: asker, now: clock.now, isBrief: true) { store in
                done(Result { try store.get().perform(body) })
            }
        }
    }

    private func wait<Value: Sendable>(
        _ start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) throws -> Value {
        let isDone = DispatchSemaphore(value: 0)
        let box = ResultBox<Value>()
        start { value in
            box.result.withLock { $0 = value }
            isDone.signal()
        }
        guard isDone.wait(timeout: .now() + .seconds(Self.patience)) == .success,
            let value = box.result.withLock({ $0 })
        else { throw HelixError(.busy, "the gateway is busy") }
        return try value.get()
    }
}

/// The result of work on another queue.
private final class ResultBox<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}
