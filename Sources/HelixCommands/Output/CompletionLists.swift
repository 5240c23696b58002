import ArgumentParser
import FoundationEssentials
import HelixContacts
import HelixMail
import HelixModel
import HelixSecurity
import HelixStore
import HelixSync
import HelixTasks
import HelixTerminal

/// The dynamic completions of the shells. On an error the list is empty: completion fails silently.
enum CompletionLists {
    @Sendable static func zones(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching(ZoneDatabase.names(), prefix)
    }

    @Sendable static func calendars(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching(names(of: try? open()?.calendars()), prefix)
    }

    @Sendable static func eventIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ids(.event, prefix) { store in
            // Events around now are the likeliest.
            let zone = ZoneDatabase.local(ProcessEnvironment.current["TZ"]) ?? .utc
            let range = TimeRange(start: store.now - 86_400, end: store.now + 14 * 86_400)
            return Array(try store.occurrences(in: range, zone: zone).map(\.event).uniqued.prefix(100))
        }
    }

    @Sendable static func taskIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ids(.task, prefix) { store in
            let zone = ZoneDatabase.local(ProcessEnvironment.current["TZ"]) ?? .utc
            let urgency = Urgency(now: store.now, zone: zone)
            return try store.tasks(.state(.open), order: .urgency, limit: 100, zone: zone, urgency: urgency)
                .tasks.map(\.task.id)
        }
    }

    /// Events and tasks whose reminders went off and were not answered, the latest first.
    @Sendable static func ringingIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        [EntityKind.event, .task].flatMap { kind in
            ids(kind, prefix) { store in
                let range = TimeRange(start: store.now - CommandContext.rungReach, end: store.now + 1)
                let zone = ZoneDatabase.local(ProcessEnvironment.current["TZ"]) ?? .utc
                return try store.reminders(in: range, zone: zone, allDay: 9 * 3600, calendars: .all).reminders
                    .filter { $0.kind == kind }.map(\.id).reversed().uniqued
            }
        }
    }

    @Sendable static func entityIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        taskIDs(arguments, index, prefix) + eventIDs(arguments, index, prefix) + timeIDs(arguments, index, prefix)
            + EntityDescriptor.all.filter(\.isLinkable).map(\.kind)
            .filter { ![.task, .event, .timeEntry].contains($0) }
            .flatMap { kind in ids(kind, prefix) { try $0.newest(kind, limit: 50) } }
    }

    @Sendable static func timeIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ids(.timeEntry, prefix) { store in
            let range = TimeRange(start: store.now - 7 * 86_400, end: store.now + 86_400)
            return try store.timeEntries(in: range, zone: .utc).map(\.entry.id)
        }
    }

    @Sendable static func fileIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ids(.file, prefix) { Array(try $0.files().suffix(100).map(\.id)) }
    }

    @Sendable static func materialIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ids(.material, prefix) { store in
            try store.projects().flatMap { try store.materials(of: $0.id) }.suffix(100).map(\.id)
        }
    }

    @Sendable static func invoices(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.invoices())?.map(\.number) ?? [], prefix)
    }

    @Sendable static func accounts(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.mailAccounts())?.map(\.name) ?? [], prefix)
    }

    @Sendable static func allAccounts(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.accounts())?.map(\.name) ?? [], prefix)
    }

    /// The ids of pending sync conflicts.
    @Sendable static func conflictIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let store = try? open(), let held = try? SyncChoices(store, zone: .utc).list() else { return [] }
        let choices = held.map { CompletionChoice(value: String($0.id.text.prefix(6)), description: $0.title) }
        return CompletionChoice.texts(choices.filter { $0.value.hasPrefix(prefix) })
    }

    @Sendable static func savedSearches(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.savedSearches())?.map(\.name) ?? [], prefix)
    }

    @Sendable static func templates(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let context = try? CommandContext(AgentEntry.entered(.process), output: OutputOptions.parse([]))
        return matching((try? context.map(TemplateFolder.init)?.names()) ?? [], prefix)
    }

    @Sendable static func rules(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.mailRules())?.map(\.name) ?? [], prefix)
    }

    @Sendable static func mailboxes(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.mailboxes())?.map(\.mailbox.name) ?? [], prefix)
    }

    @Sendable static func messageIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ids(.message, prefix) { try $0.messages(.everything, limit: 100).map(\.id) }
    }

    @Sendable static func draftIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ids(.message, prefix) { try $0.drafts(limit: 100).map(\.id) }
    }

    @Sendable static func outgoingIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ids(.outgoing, prefix) { try $0.outbox().map(\.id) }
    }

    @Sendable static func gatewayAccounts(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.accounts())?.filter { $0.kind == .gateway }.map(\.name) ?? [], prefix)
    }

    @Sendable static func conversations(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.conversations())?.prefix(100).map(\.conversation.name) ?? [], prefix)
    }

    @Sendable static func chatMessageIDs(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        ids(.chatMessage, prefix) { store in
            let latest = try store.conversations().prefix(5).map(\.conversation.id)
            return try latest.flatMap { try store.chatMessages(in: $0, limit: 20).map(\.id) }
        }
    }

    /// The addresses of correspondents and the names and addresses of contacts, those first to whom one wrote most often and most
    /// lately.
    @Sendable static func people(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let store = try? open() else { return [] }
        let ranked = (try? MailPeople.ranked([prefix], own: [], in: store, now: store.now)) ?? []
        var weights: [String: Double] = [:]
        for person in ranked { weights[person.address.lowercased()] = person.weight }
        let words: ContactQuery = prefix.hasIndexedWord ? .words(prefix, inName: false, isPrefix: true) : .everything
        let contacts = ((try? store.contacts(words, limit: 200).contacts) ?? []).filter { !$0.emails.isEmpty }
        var found: [(choice: CompletionChoice, weight: Double)] = ranked.map {
            (CompletionChoice(value: $0.address, description: $0.name), $0.weight)
        }
        for contact in contacts {
            let weight = contact.emails.reduce(0) { $0 + (weights[$1.lowercased()] ?? 0) }
            found.append((CompletionChoice(value: contact.name, description: contact.emails[0]), weight))
            found += contact.emails.map {
                (CompletionChoice(value: $0, description: contact.name), weights[$0.lowercased()] ?? 0)
            }
        }
        var known: Set<String> = []
        let sorted = found.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.choice).filter {
                $0.value.lowercased().hasPrefix(prefix.lowercased()) && known.insert($0.value.lowercased()).inserted
            }
        return CompletionChoice.texts(Array(sorted.prefix(50)))
    }

    /// The names of contacts, and their ids.
    @Sendable static func contacts(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let store = try? open() else { return [] }
        let asked: ContactQuery =
            prefix.hasIndexedWord ? .words(prefix, inName: true, isPrefix: true) : .everything
        let names = (try? store.contacts(asked, limit: 50).contacts) ?? []
        let named = names.filter { $0.name.lowercased().hasPrefix(prefix.lowercased()) }.map {
            CompletionChoice(value: $0.name, description: $0.emails.first ?? $0.organization ?? "")
        }
        return CompletionChoice.texts(named) + (prefix.isEmpty ? [] : ids(.contact, prefix) { _ in [] })
    }

    @Sendable static func addressBooks(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.addressBooks())?.map(\.name) ?? [], prefix)
    }

    @Sendable static func contactGroups(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.contactGroups()) ?? [], prefix)
    }

    @Sendable static func boards(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.boards())?.map(\.name) ?? [], prefix)
    }

    @Sendable static func columns(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.boards())?.flatMap { $0.columns.map(\.name) } ?? [], prefix)
    }

    @Sendable static func tasksAndColumns(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        taskIDs(arguments, index, prefix) + columns(arguments, index, prefix)
    }

    @Sendable static func projects(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.projectNames()) ?? [], prefix)
    }

    @Sendable static func views(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching((try? open()?.savedViews())?.map(\.name) ?? [], prefix)
    }

    /// The names that begin with `prefix`, each once.
    static func matching(_ names: [String], _ prefix: String) -> [String] {
        var known: Set<String> = []
        let begun = names.filter { $0.lowercased().hasPrefix(prefix.lowercased()) && known.insert($0).inserted }
        return CompletionChoice.texts(begun.map { CompletionChoice(value: $0) })
    }

    /// The ids of a kind that begin with `prefix`; the usual ones if it is empty.
    private static func ids(_ kind: EntityKind, _ prefix: String, usual: (Store) throws -> [EntityID]) -> [String] {
        guard let store = try? open() else { return [] }
        let found =
            prefix.isEmpty
            ? try? usual(store) : try? store.candidates(EntityPrefix(prefix), kinds: [kind], limit: 50).map(\.id)
        let short = (try? store.shortIDs(found ?? [])) ?? [:]
        let titles = (try? store.entities(found ?? [])) ?? [:]
        let choices = short.map { CompletionChoice(value: $0.value, description: titles[$0.key]?.title ?? "") }
        return CompletionChoice.texts(choices.sorted { $0.value < $1.value })
    }

    @Sendable static func changeSets(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let all = (try? open()?.history(limit: 50)) ?? []
        let choices = all.map { CompletionChoice(value: String($0.id.text.prefix(6)), description: $0.summary) }
        return CompletionChoice.texts(choices.filter { $0.value.hasPrefix(prefix) })
    }

    @Sendable static func proposals(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let all = (try? open()?.proposals(isPending: true)) ?? []
        let choices = all.map { proposal in
            let summaries = proposal.steps.map(\.summary).joined(separator: "; ")
            return CompletionChoice(
                value: String(proposal.id.text.prefix(4)), description: "\(proposal.profile): \(summaries)")
        }
        return CompletionChoice.texts(choices.filter { $0.value.hasPrefix(prefix) })
    }

    /// Commands that have a schema, as one argument each for the words after `schema`.
    @Sendable static func schemas(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let typed = Array(arguments.prefix(max(0, index)).drop { $0 != "schema" }.dropFirst())
        let next = Schema.all.compactMap { entry -> String? in
            let words = entry.command.split(separator: " ").map(String.init)
            return words.count > typed.count && Array(words.prefix(typed.count)) == typed ? words[typed.count] : nil
        }
        return matching(Array(Set(next)).sorted(), prefix)
    }

    /// The fields of the command's JSON, after those that were typed: `--fields id,ti`.
    @Sendable static func fields(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let words = arguments.filter { !$0.hasPrefix("-") }
        let entry = Schema.all.filter { entry in
            let name = entry.command.split(separator: " ").map(String.init)
            return words.indices.contains { Array(words.dropFirst($0).prefix(name.count)) == name }
        }.max { $0.command.count < $1.command.count }
        guard let entry else { return [] }
        let typed = prefix.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let before = typed.dropLast().map { $0 + "," }.joined()
        return matching(entry.fieldNames.filter { !typed.dropLast().contains($0) }.map { before + $0 }, prefix)
    }

    @Sendable static func settings(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        matching(ConfigurationKey.allCases.map(\.rawValue), prefix)
    }

    /// The values of the setting before it, if there are few, or names of zones, commands and languages.
    @Sendable static func settingValues(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let words = arguments.prefix(max(0, index))
        guard let place = words.lastIndex(of: "set"), words.indices.contains(place + 1),
            let key = ConfigurationKey(rawValue: words[place + 1])
        else { return [] }
        switch key.kind {
        case .bool: return matching(["true", "false"], prefix)
        case .choice(let values): return matching(values, prefix)
        case .zone: return zones(arguments, index, prefix)
        case .weekdays: return matching(Weekday.allCases.map { DateWords.name($0).lowercased() }, prefix)
        case .languages: return matching(DatePhraseParser.languages.map(\.code) + ["none"], prefix)
        case .sights:
            return matching(["private"] + names(of: try? open()?.calendars()).map { "calendar:" + $0 }, prefix)
        case .text, .words, .list, .number, .count, .command, .clock, .duration, .wait, .hours, .nightHours, .invoice,
            .url,
            .mailQuery:
            return []
        }
    }

    private static func names(of calendars: [CalendarRecord]?) -> [String] { calendars?.map(\.name) ?? [] }

    /// The store, if it exists: completion does not create it.
    static func open() throws -> Store? {
        let invocation = try AgentEntry.entered(.process)
        guard try invocation.homeLock()?.reason == nil else { return nil }
        let context = try CommandContext(invocation, output: OutputOptions.parse([]))
        guard FileManager.default.fileExists(atPath: context.paths.store) else { return nil }
        return try context.store()
    }
}
