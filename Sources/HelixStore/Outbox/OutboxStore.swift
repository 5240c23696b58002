import HelixModel
import HelixSQLite

extension Store {
    /// The messages queued for sending, in the order of their send times.
    /// - Throws: ``HelixError``.
    public func outbox() throws -> [OutgoingMessage] { try read { try Store.outgoing($0, "1", []) } }

    /// The outgoing message with an ID.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func outgoing(_ id: EntityID) throws -> OutgoingMessage { try read { try Store.outgoing($0, id) } }

    /// The messages of the run of a proposal that wait for a person.
    /// - Throws: ``HelixError``.
    public func heldMessages(of proposal: Proposal) throws -> [OutgoingMessage] {
        try read {
            try Store.outgoing(
                $0,
                """
                state = 'held' AND EXISTS (SELECT 1 FROM change c JOIN change_set s ON s.n = c.change_set
                    WHERE c.entity = outgoing.id AND c.operation = 'create' AND s.run = ? AND s.actor_name = ?)
                """, [proposal.run, proposal.profile])
        }
    }

    /// The change that cancelled the messages of a proposal with its rejection; nil if there is none that can be taken back.
    /// - Throws: ``HelixError``.
    public func cancellation(of proposal: Proposal) throws -> EntityID? {
        try read { db in
            try String.fetchOne(
                db, sql: Store.cancelled("s.id", "AND s.command = 'review reject'") + " ORDER BY s.n DESC LIMIT 1",
                arguments: [proposal.run, proposal.profile])
        }.map { EntityID(stored: $0) }
    }

    /// The subjects of the messages of a proposal that a person cancelled.
    /// - Throws: ``HelixError``.
    public func cancelledSubjects(of proposal: Proposal) throws -> [String] {
        try read { db in
            try String.fetchAll(
                db, sql: Store.cancelled("DISTINCT ifnull(json_extract(c.before, '$.subject'), '')", ""),
                arguments: [proposal.run, proposal.profile])
        }
    }

    /// The query of changes that removed messages of a run and a profile from the outbox, and are not undone.
    private static func cancelled(_ columns: String, _ condition: String) -> String {
        """
        SELECT \(columns) FROM change c JOIN change_set s ON s.n = c.change_set
        WHERE c.kind = 'outgoing' AND c.operation = 'delete' AND s.reversed_by IS NULL AND s.reverses IS NULL
            AND s.origin = 'command' AND NOT EXISTS (SELECT 1 FROM outgoing o WHERE o.id = c.entity) \(condition)
            AND EXISTS (SELECT 1 FROM change d JOIN change_set t ON t.n = d.change_set
                WHERE d.entity = c.entity AND d.operation = 'create' AND t.run = ? AND t.actor_name = ?)
        """
    }

    /// The number of outgoing messages, and how many of them are parked.
    /// - Throws: ``HelixError``.
    public func outboxCount() throws -> (waiting: Int, parked: Int) {
        try read { db in
            let row = try Statement(db, "SELECT COUNT(*), ifnull(SUM(state = 'parked'), 0) FROM outgoing")
            var count = (waiting: 0, parked: 0)
            while try row.step() { count = (Int(row.integer(0)), Int(row.integer(1))) }
            return count
        }
    }

    static func outgoing(_ db: Database, _ id: EntityID) throws -> OutgoingMessage {
        guard let found = try outgoing(db, "id = ?", [id.text]).first else {
            throw HelixError(
                .notFound, "unknown outgoing message \(id.text)", hint: "List them with 'helix outbox list'.")
        }
        return found
    }

    static func outgoing(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [OutgoingMessage] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT *, (SELECT s.actor_name FROM change c JOIN change_set s ON s.n = c.change_set
                    WHERE c.entity = outgoing.id AND c.operation = 'create' ORDER BY s.n LIMIT 1) AS author
                FROM outgoing WHERE \(condition) ORDER BY leaves_at, n
                """, arguments: arguments
        ).map {
            var message = try OutgoingMessage(
                id: EntityID(stored: $0["id"]), account: EntityID(stored: $0["account"]),
                state: OutgoingMessage.State(rawValue: $0["state"]) ?? .parked, madeAt: Instant($0["made_at"]),
                leavesAt: Instant($0["leaves_at"]), tries: $0["tries"], problem: $0["problem"],
                messageID: $0["message_id"], sender: $0["sender"],
                recipients: ($0["recipients"] as String).split(separator: "\n").map(String.init),
                subject: $0["subject"],
                sha256: $0["sha256"], size: $0["size"], author: $0["author"])
            message.followUp = try ($0["follow_up"] as Int64?).map { Instant($0) }
            return message
        }
    }

    /// Writes the bytes of an outgoing message next to the store; the caller must discard them at the end.
    /// - Throws: ``HelixError``, for example if the disk is full, and what `body` throws.
    public func stageOutgoing(_ body: (([UInt8]) throws -> Void) throws -> Void) throws -> StagedFile {
        try files.stageWritten(by: body)
    }

    /// The path of the bytes of an outgoing message.
    /// - Throws: ``HelixError`` of code `badInput` if they are missing or changed.
    public func outgoingFile(_ message: OutgoingMessage) throws -> String {
        guard files.state(message.sha256, size: message.size, isThorough: true) == .whole,
            let path = files.path(message.sha256)
        else {
            throw HelixError(
                .badInput, "the content of the message '\(message.subject)' is missing or damaged",
                hint: "Restore it from a backup with 'helix restore'.")
        }
        return path
    }

    /// Descriptions of the outgoing messages whose bytes are missing or damaged.
    func outgoingProblems(_ db: Database) throws -> [String] {
        try Store.outgoing(db, "1", []).compactMap { message in
            let state = files.state(message.sha256, size: message.size, isThorough: true)
            return state == .whole ? nil : "the outgoing message '\(message.subject)' is \(state.rawValue)"
        }
    }
}

extension Change {
    /// Queues a message for sending.
    /// - Throws: ``HelixError``.
    public func queue(_ message: OutgoingMessage, _ staged: StagedFile) throws {
        try store.files.keep(staged)
        var message = message
        // A message of an agent waits for a person, if its profile says so.
        if store.profile?.send == .held || store.proposes && store.profile?.send != .never { message.state = .held }
        try create(
            .outgoing, message.id, JournalFields(fields(of: message).merging(["kind": "mail".databaseValue]) { $1 }))
    }

    /// Replaces a queued message with another version.
    /// - Throws: ``HelixError`` of code `notFound` if it was sent meanwhile.
    public func replace(_ message: OutgoingMessage, _ staged: StagedFile?) throws {
        if let staged { try store.files.keep(staged) }
        _ = try Store.outgoing(db, message.id)
        try update(.outgoing, message.id, JournalFields(fields(of: message)))
    }

    /// Removes a message from the outbox.
    /// - Throws: ``HelixError`` of code `notFound` if it was sent meanwhile.
    public func removeOutgoing(_ id: EntityID) throws {
        _ = try Store.outgoing(db, id)
        try delete(.outgoing, id)
    }

    /// Removes a message from the outbox, if it still waits for a person.
    /// - Throws: ``HelixError``.
    public func removeHeld(_ id: EntityID) throws {
        guard let found = try Store.outgoing(db, "id = ?", [id.text]).first, found.state == .held else { return }
        try delete(.outgoing, id)
    }

    /// Removes a message from the outbox, if it is still queued and not being sent.
    /// - Throws: ``HelixError``.
    public func withdrawOutgoing(_ id: EntityID) throws {
        guard let found = try Store.outgoing(db, "id = ?", [id.text]).first, found.state != .leaving else { return }
        try delete(.outgoing, id)
    }

    private func fields(of message: OutgoingMessage) -> [String: DatabaseValue] {
        [
            "account": message.account.text.databaseValue, "state": message.state.rawValue.databaseValue,
            "made_at": message.madeAt.seconds.databaseValue, "leaves_at": message.leavesAt.seconds.databaseValue,
            "tries": message.tries.databaseValue, "problem": message.problem.databaseValue,
            "message_id": message.messageID.databaseValue, "sender": message.sender.databaseValue,
            "recipients": message.recipients.joined(separator: "\n").databaseValue,
            "subject": message.subject.databaseValue, "sha256": message.sha256.databaseValue,
            "size": message.size.databaseValue, "follow_up": (message.followUp?.seconds).databaseValue,
        ]
    }
}
