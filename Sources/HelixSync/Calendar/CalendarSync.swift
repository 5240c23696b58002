import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore

/// Syncs local calendars and boards with another side.
final class CalendarSync {
    let store: Store
    let account: Account
    let remote: any CalendarRemote
    let options: SyncOptions
    let progress: (String) -> Void
    var outcome: SyncOutcome
    /// The number of objects that one request fetches.
    private static let batchCount = 1000
    /// The addresses of objects that the other side refused in this sync.
    var refusedNow: Set<String> = []

    init(
        _ store: Store, _ account: Account, _ remote: any CalendarRemote, _ options: SyncOptions,
        _ outcome: SyncOutcome, progress: @escaping (String) -> Void
    ) {
        self.store = store
        self.account = account
        self.remote = remote
        self.options = options
        self.progress = progress
        self.outcome = outcome
    }

    /// Whether a calendar is read-only for helix.
    func isReadOnly(_ collection: RemoteCollection) -> Bool {
        collection.isReadOnly || account.settings.isReadOnly == true
    }

    /// Runs the sync.
    /// - Throws: ``HelixError``; the steps completed until then persist.
    func run() throws {
        defer { outcome.roundTrips = remote.roundTrips }
        progress("\(account.name): listing \(account.kind == .carddav ? "address books" : "calendars")")
        let isFirst = try store.remoteCalendars(account).isEmpty
        var rest = try calendars()
        // Changes made on the other side meanwhile are found in the next round.
        for round in 0..<3 where !rest.isEmpty {
            // All diffs come before any change: an object removed from one calendar may have moved to another.
            let diffs = try rest.map { try diff($0, isAgain: round > 0) }.filter { !$0.isQuiet }
            if isFirst, round == 0 { sayEmpty(diffs) }
            let total = try store.syncedCount(account)
            if options.isDryRun {
                for diff in diffs {
                    _ = guardDeletions(diff, diff.gone.count, total)
                    describe(diff)
                }
                return try sayChoices()
            }
            let intake = try CalendarIntake(self, diffs)
            for diff in diffs { try intake.take(diff) }
            for diff in diffs { try intake.remove(diff, total) }
            rest = []
            for diff in diffs where try !settle(diff) { rest.append((diff.calendar, diff.collection, diff.name)) }
        }
        for (_, _, name) in rest {
            outcome.problems.append(
                "'\(name)' keeps changing on the other side; the rest follows with the next sync")
        }
        try sayChoices()
    }

    /// Notes that the server claims to have no object at all: that may be the wrong account.
    private func sayEmpty(_ diffs: [CollectionDiff]) {
        guard account.kind == .caldav || account.kind == .carddav, !diffs.isEmpty, diffs.allSatisfy(\.wanted.isEmpty)
        else { return }
        let word = account.kind == .carddav ? "address book" : "calendar"
        let calendars = diffs.count == 1 ? "its \(word)" : "any of its \(diffs.count) \(word)s"
        outcome.notes.append("the server reports no entries in \(calendars); it was asked twice")
    }

    /// A calendar of both sides, and its local name.
    private typealias Pair = (RemoteCalendar, RemoteCollection, String)

    /// The calendars of the other side, matched with the local ones.
    private func calendars() throws -> [Pair] {
        try NewCollections(self).run()
        let all = try remote.collections()
        let selection = account.settings.calendarSelection
        let left = Set(
            all.filter { collection in selection.map { !$0.includes(collection.name) } ?? false }.map(\.href))
        let found = all.filter { !left.contains($0.href) }
        // Calendars that are left out stay unchanged on both sides.
        let known = try store.remoteCalendars(account).filter { !$0.isWaiting && !left.contains($0.href) }
        var pairs: [Pair] = []
        // Requested once, and by each full sync.
        let isNew = found.contains { collection in known.first { $0.href == collection.href }?.schedules == nil }
        let schedules = isNew || options.isFull ? try remote.schedules() : nil
        for collection in found {
            guard var calendar = try known.first(where: { $0.href == collection.href }) ?? adopt(collection) else {
                outcome.add(.here, "create", 1, collection.name)
                let objects = try remote.changes(in: collection, since: nil, isFirst: true).changed.count
                outcome.add(.here, "fetch", objects, collection.name)
                continue
            }
            if let schedules, calendar.schedules != schedules, !options.isDryRun {
                calendar.schedules = schedules
                let saved = calendar
                try store.writeRemoteCalendars { try $0.save(saved) }
            }
            try syncAppearance(&calendar, collection)
            if let name = try name(calendar) {
                pairs.append((calendar, try asKnown(collection, calendar), name))
            } else {
                // It was deleted locally. helix does not delete whole calendars on the other side.
                outcome.notes.append(
                    "\(collection.name) was deleted locally, and is kept on the other side; to leave it out: helix account edit"
                        + " \(account.name) --calendars '-\(collection.name)'")
            }
        }
        for calendar in known where !found.contains(where: { $0.href == calendar.href }) { try drop(calendar) }
        return pairs
    }

    /// A collection with the kind of objects that it had before: a file of another kind in a folder does not change what it is.
    private func asKnown(_ collection: RemoteCollection, _ calendar: RemoteCalendar) throws -> RemoteCollection {
        var collection = collection
        if calendar.book != nil {
            (collection.takesEvents, collection.takesTasks, collection.takesContacts) = (false, false, true)
        } else if collection.takesContacts, try !store.syncedObjects(calendar).isEmpty {
            (collection.takesEvents, collection.takesTasks, collection.takesContacts) = (true, true, false)
        }
        return collection
    }

    /// The diff of a calendar.
    private func diff(_ pair: Pair, isAgain: Bool) throws -> CollectionDiff {
        let (given, collection, name) = pair
        let calendar = try store.remoteCalendars(account).first { $0.number == given.number } ?? given
        let diff = CollectionDiff(calendar, collection, name)
        diff.seen = try store.newestChange()
        diff.local = try store.localChanges(calendar, zone: options.zone)
        diff.token = calendar.token
        diff.isFirstToken = calendar.token == nil
        // If an unresolved conflict was deleted since, the object is fetched again: the other side's version was not imported.
        let isChosen = try releaseDecided(diff)
        // While a calendar was read-only, the other side may have shown fewer objects than exist: before the first write, all are
        // fetched again.
        let isOpened = calendar.isReadOnly && !collection.isReadOnly && account.settings.isReadOnly != true
        let isFull = options.isFull || isChosen || isOpened
        diff.unsure = try store.sentObjects(calendar)
        let isSame =
            collection.marker != nil && collection.marker == calendar.marker && !isFull && !isAgain
            && diff.unsure.isEmpty
        if isSame, diff.local.isEmpty {
            diff.isQuiet = true
            if calendar.seen != diff.seen, !options.isDryRun {
                diff.calendar.seen = diff.seen
                try store.writeRemoteCalendars { try $0.save(diff.calendar) }
            }
            return diff
        }
        diff.known = try store.syncedObjects(calendar)
        if isSame { return diff }
        progress("\(account.name): checking \(name)")
        // The first sync took place within the second of a change, and stored no token: if an ETag was reused since, only
        // the objects' content shows it.
        let isUnsure = diff.isFirstToken && collection.countsSeconds && !diff.known.isEmpty && !isAgain
        // A full sync compares contents, and not only ETags.
        let isThorough = (options.isFull || isOpened || isUnsure) && !options.isDryRun
        var changes = try remote.changes(
            in: collection, since: isFull ? nil : calendar.token, isFirst: diff.known.isEmpty || isThorough)
        diff.token = changes.token
        diff.wanted = try wanted(&changes, diff, isThorough: isThorough)
        diff.wanted += diff.unsure.keys.filter { !diff.wanted.contains($0) }.sorted()
        diff.gone = (changes.gone ?? diff.known.keys.filter { changes.changed[$0] == nil }.sorted()).filter {
            diff.known[$0] != nil
        }
        return diff
    }

    /// The objects to fetch: those with a new ETag.
    ///
    /// A server that lists objects with a known ETag either reused a tag (SOGo restarts its count when an object is deleted and
    /// recreated), or has lost the meaning of its token and lists all objects, without the deleted ones (DAViCal): then they are
    /// fetched, and a complete list shows which ones were deleted.
    private func wanted(
        _ changes: inout RemoteCalendarChanges, _ diff: CollectionDiff, isThorough: Bool
    ) throws -> [String] {
        if isThorough { return changes.changed.keys.sorted() }
        var wanted = Set(changes.changed.filter { diff.known[$0.key]?.etag != $0.value || $0.value.isEmpty }.keys)
        let repeated = changes.changed.keys.filter { !wanted.contains($0) }
        diff.listed = repeated.filter { diff.known[$0]?.isSent == true }
        let same = repeated.filter { diff.known[$0]?.isSent != true }
        guard changes.gone != nil, !same.isEmpty else { return wanted.sorted() }
        wanted.formUnion(same)
        let whole = try remote.changes(in: diff.collection, since: nil, isFirst: false)
        changes.gone = nil
        for (href, etag) in whole.changed where diff.known[href]?.etag != etag { wanted.insert(href) }
        changes.changed = whole.changed
        return wanted.sorted()
    }

    /// Drops unresolved conflicts whose entry was deleted locally, or whose account now has another strategy.
    /// - Returns: whether there was one.
    private func releaseDecided(_ diff: CollectionDiff) throws -> Bool {
        if options.isDryRun { return false }
        let isAsking = account.settings.strategy == .ask
        if isAsking, diff.local.gone.isEmpty { return false }
        let held = try store.heldChanges().filter { $0.calendar.number == diff.calendar.number }.map(\.synced.href)
        let gone = Set(diff.local.gone.map(\.href))
        let decided = held.filter { !isAsking || gone.contains($0) }
        if decided.isEmpty { return false }
        try store.writeRemoteCalendars { writer in
            for href in decided { try writer.release(href, in: diff.calendar) }
        }
        diff.local = try store.localChanges(diff.calendar, zone: options.zone)
        return true
    }

    /// Fetches the objects that changed on the other side.
    func fetch(_ diff: CollectionDiff) throws -> [RemoteObject] {
        var objects: [RemoteObject] = []
        for start in stride(from: 0, to: diff.wanted.count, by: Self.batchCount) {
            let batch = Array(diff.wanted[start..<min(start + Self.batchCount, diff.wanted.count)])
            objects += try remote.fetch(batch, in: diff.collection)
            if diff.wanted.count > Self.batchCount {
                progress("\(account.name): \(diff.name) \(objects.count) of \(diff.wanted.count)")
            }
        }
        let forbidden = remote.forbidden.intersection(diff.wanted)
        // If no object at all is readable, single ones are not the cause.
        let isShut = objects.isEmpty && diff.known.isEmpty
        if !forbidden.isEmpty, !isShut {
            // That is permanent; it is reported for new and changed objects.
            let count = forbidden.count == 1 ? "1 object" : "\(forbidden.count) objects"
            outcome.notes.append("the server does not allow reading \(count) in '\(diff.name)'")
        }
        let ungiven = remote.ungiven.intersection(diff.wanted).union(isShut ? forbidden : [])
        if !ungiven.isEmpty {
            // The sync state of the other side is kept, so that they are requested again.
            diff.isUnfinished = true
            let count = ungiven.count == 1 ? "an object" : "\(ungiven.count) objects"
            outcome.problems.append("the server lists \(count) in '\(diff.name)' that it does not return")
        }
        return objects
    }

    /// Whether the mass-deletion guard rejects the deletions; it is reported then.
    func guardDeletions(_ diff: CollectionDiff, _ gone: Int, _ total: Int) -> Bool {
        guard !options.allowsMassDelete, MassDeletion.isSuspicious(gone, of: total) else { return false }
        outcome.problems.append(
            MassDeletion.message(gone, total, isServer: true, what: Self.contents(diff)) + " ('\(diff.name)')")
        diff.isGuarded = true
        return true
    }

    /// The kinds of entries of a collection, for messages.
    static func contents(_ diff: CollectionDiff) -> String {
        diff.collection.takesContacts ? "contacts" : "events and tasks"
    }

    private func describe(_ diff: CollectionDiff) {
        outcome.add(.here, "fetch", diff.wanted.count, diff.name)
        if !diff.isGuarded { outcome.add(.here, "remove", diff.gone.count, diff.name) }
        if isReadOnly(diff.collection) { return }
        // Changes of both sides are merged; an entry deleted locally and changed on the other side is restored.
        let wanted = Set(diff.wanted)
        let (merged, filed) = diff.local.changed.reduce(into: (0, diff.local.new.count)) { counts, change in
            if wanted.contains(change.former.href) { counts.0 += 1 } else { counts.1 += 1 }
        }
        outcome.add(.here, "merge", merged, diff.name)
        outcome.add(.there, "file", filed, diff.name)
        outcome.add(.there, "remove", diff.local.gone.filter { !wanted.contains($0.href) }.count, diff.name)
    }

    /// Sends the local changes, and records the sync state.
    /// - Returns: whether both sides are in sync.
    private func settle(_ diff: CollectionDiff) throws -> Bool {
        let isSent = try send(diff)
        if isSent, !diff.isGuarded, !diff.isUnfinished {
            let isSettled = diff.collection.isSettled
            // Within one second another change may follow: the former token includes that one, too.
            diff.calendar.marker = isSettled ? diff.collection.marker : nil
            if isSettled || diff.isFirstToken { diff.calendar.token = isSettled ? diff.token : nil }
        }
        diff.calendar.isReadOnly = isReadOnly(diff.collection)
        if isSent { diff.calendar.seen = diff.seen }
        // Sending changes the other side's state tag: the next round finds no difference then.
        try store.writeRemoteCalendars { writer in
            try writer.save(diff.calendar)
            try writer.noteListed(diff.listed, in: diff.calendar)
        }
        return isSent
    }

    /// Reports the conflicts that the user must resolve.
    private func sayChoices() throws {
        for held in try store.heldChanges() where held.account == account.name {
            outcome.needsChoice = true
            outcome.problems.append(
                "'\(Self.title(held.theirs))' was changed on both sides; resolve the conflict:"
                    + " helix sync resolve \(held.item.id.text.prefix(6)) --keep local|server|both")
        }
    }

    /// The title of an event or a task, the name of a contact.
    static func title(_ text: String) -> String {
        if text.hasPrefix("BEGIN:VCARD") {
            return VCard(text: text).map(\.contact.name).flatMap { $0.isEmpty ? nil : $0 } ?? "(no name)"
        }
        return ICalendarComponent.list(text).first { $0.name != "VTIMEZONE" }?.first("SUMMARY")?.text ?? "(no title)"
    }

    /// The file of a single event, task or contact.
    static func file(text: String, zones: String?) -> [UInt8] {
        if let card = VCard(text: text) { return card.file }
        var export = CalendarExport(now: Instant(0))
        export.note(text: text, zones: zones)
        return export.header(name: nil) + export.event(text) + export.footer
    }
}
