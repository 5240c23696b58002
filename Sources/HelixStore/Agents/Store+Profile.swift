import HelixModel
import HelixSQLite

extension Store {
    /// Restricts the store, for as long as it is open, to what a profile may see and change.
    ///
    /// - Parameter run: the run of the agent, for the history.
    /// - Throws: ``HelixError`` of code `notAllowed` for a file that is another store's.
    public func confine(to profile: AgentProfile, run: String) throws {
        guard self.profile == nil else { throw HelixError(.unexpected, "the store is confined already") }
        try requireOwnFile()
        actor = ChangeActor(.agent, name: profile.name, run: run)
        if !profile.seesAll {
            do {
                try database.execute(sql: "PRAGMA temp_store = MEMORY")
                try database.addFolding("helix_folded", Store.folded)
                try database.confine(
                    to: ConfinedTables(profile).conditions,
                    and: [EntityDescriptor.temporaryViewDefinition])
            } catch { throw readable(error) }
        }
        self.profile = profile
    }

    /// Refuses a store that is a link: its folder, and with it the settings, would be another one's.
    private func requireOwnFile() throws {
        guard Store.isOwnFile(path) else {
            throw HelixError(
                .notAllowed,
                "the store at \(path) is a link, or another file is a hard link to it, which a profile may not use",
                hint: "Set HELIX_HOME to the folder of the store itself, and remove other names of it.")
        }
    }

    /// The profiles that a person has set, as the store knows them. An agent's own settings file cannot widen them.
    /// - Throws: ``HelixError``.
    public func profiles() throws -> [AgentProfile] {
        try read { db in
            try Row.fetchAll(
                db, sql: "SELECT name, value FROM setting WHERE name >= 'agent.' AND name < 'agent/' ORDER BY name"
            ).map { row in
                let (name, value): (String, String) = try (row["name"], row["value"])
                return try AgentProfile(
                    String(name.dropFirst("agent.".count)), json: JSONText(Array(value.utf8)))
            }
        }
    }

    /// Keeps the profiles that the settings have, if they changed. No profile may do this.
    /// - Throws: ``HelixError``.
    public func keepProfiles(_ profiles: [AgentProfile]) throws {
        let sorted = profiles.sorted { $0.name < $1.name }
        // A profile that another version of helix wrote is replaced.
        guard profile == nil, !isReadOnly, (try? self.profiles()) != sorted else { return }
        try writeDurably { db in
            try db.execute(sql: "DELETE FROM setting WHERE name >= 'agent.' AND name < 'agent/'")
            for profile in sorted {
                try db.execute(
                    sql: "INSERT INTO setting (name, value) VALUES (?, ?)",
                    arguments: ["agent." + profile.name, profile.json.compact])
            }
        }
    }
}

extension Store {
    /// Runs maintenance that must see everything, such as the index of the mail folders, in a store without restrictions.
    /// - Throws: ``HelixError``, and the errors of `body`.
    func unconfined<Value>(_ body: (Store) throws -> Value) throws -> Value {
        guard database.isConfined else { return try body(self) }
        let whole = try Store(path: path, now: now, addresses: addresses)
        defer { warnings += whole.warnings }
        return try body(whole)
    }
}

// MARK: Changes

extension AgentProfile {
    /// The error of something that the profile forbids.
    public func refusal(_ what: String, rule: Key, hint: String? = nil) -> HelixError {
        HelixError(
            .notAllowed, "the profile '\(name)' may not \(what) (agent.\(name).\(rule.rawValue))",
            hint: hint ?? "Ask the person for whom you work; a profile cannot be changed from within.")
    }

    /// Checks that it may change a domain.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func requireChange(_ domain: Domain?) throws {
        guard let domain else {
            if change.isEmpty { throw refusal("change anything", rule: .change) }
            return
        }
        if change.contains(domain) { return }
        throw refusal(change.isEmpty ? "change anything" : "change \(domain.noun)", rule: .change)
    }
}

extension AgentProfile.Domain {
    /// Its entities, for people.
    public var noun: String {
        switch self {
        case .mail: "mail"
        case .calendar: "the calendar"
        case .tasks: "tasks and projects"
        case .time: "time entries"
        case .chat: "chat"
        case .contacts: "contacts"
        }
    }
}

extension Store {
    /// Checks that the profile may change a kind, for what is done on the disk before the journal records it.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func requireChange(_ kind: EntityKind) throws { try profile?.requireChange(kind.domain) }
}

extension EntityKind {
    /// The domain of a profile to which it belongs; nil for links, which connect any of them.
    var domain: AgentProfile.Domain? {
        switch self {
        case .calendar, .event: .calendar
        case .task, .board, .column, .view, .project, .material, .file, .invoice: .tasks
        case .timeEntry: .time
        case .message, .search, .rule, .outgoing, .account: .mail
        case .conversation, .chatMessage, .chatAttachment: .chat
        case .addressBook, .contact: .contacts
        case .link: nil
        }
    }
}

extension Change {
    /// Checks that a profile may make a change of this kind, and that it has not made too many.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func requirePermission(_ kind: EntityKind) throws {
        guard let profile = store.profile, origin != .sync, !store.isReplaying else { return }
        if kind == .account { throw profile.refusal("change accounts", rule: .change) }
        // A rule acts later, with the rights of the person.
        if kind == .rule { throw profile.refusal("change rules", rule: .change) }
        try profile.requireChange(kind.domain)
        // A container that it adds or renames could leave those that it sees, or take the place of one.
        if kind == .calendar, profile.calendars != nil {
            throw profile.refusal("add or change calendars, of which it sees some", rule: .calendars)
        }
        if kind == .board, profile.boards != nil {
            throw profile.refusal("add or change boards, of which it sees some", rule: .boards)
        }
        guard let hourly = profile.hourly else { return }
        let made =
            try count
            + (Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM change_set s JOIN change c ON c.change_set = s.n
                    WHERE s.actor_name = ? AND s.made_at > ? AND s.id <> ?
                    """, arguments: [profile.name, store.now.seconds - 3600, id.text]) ?? 0)
        if made >= hourly {
            throw profile.refusal(
                "make more than \(hourly) changes in an hour", rule: .hourly,
                hint: "Wait, or ask the person for whom you work.")
        }
    }
}

extension Change {
    /// Refuses a change after which the profile would no longer see the entity: it could neither tell of it nor take it back.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func requireVisible(_ kind: EntityKind, _ id: EntityID) throws {
        guard let profile = store.profile, db.isConfined, !store.isReplaying,
            try JournaledTable.table(kind).row(db, id) == nil
        else { return }
        throw HelixError(
            .notAllowed,
            "the profile '\(profile.name)' may not make a change after which it no longer sees this \(kind.name) "
                + "(the rules agent.\(profile.name).* that hide it)",
            hint: "Ask the person for whom you work; a profile cannot be changed from within.")
    }

    /// Refuses to take back a change of an entity that exists, and that the profile does not see: it would do nothing.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func requireKnown(_ kind: EntityKind, _ id: EntityID, verb: String) throws {
        guard let profile = store.profile, db.isConfined else { return }
        let isHidden = try store.unconfined { whole in
            try whole.read { try JournaledTable.table(kind).row($0, id) != nil }
        }
        guard isHidden else { return }
        throw HelixError(
            .notAllowed,
            "the profile '\(profile.name)' may not \(verb) a change of a \(kind.name) that it does not see "
                + "(the rules agent.\(profile.name).* that hide it)",
            hint: "The person's own 'helix \(verb)' can.")
    }
}
