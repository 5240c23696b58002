import HelixCalendar
import HelixModel
import HelixStore

/// Syncs local calendars and boards with another side.
final class CalendarSync {
    let store: Store
    let account: MailAccount
    let remote: any CalendarRemote
    let options: SyncOptions
    let progress: (String) -> Void
    var outcome: SyncOutcome
    /// The number of objects that one request fetches.
    private static let batchCount = 1000
    /// The addresses of objects that the other side refused in this sync.
    var refusedNow: Set<String> = []

    init(
        _ store: Store, _ account: MailAccount, _ remote: any CalendarRemote, _ options: SyncOptions,
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
        progress("\(account.name): listing calendars")
        let isFirst = try store.remoteCalendars(account).isEmpty
        var rest = try calendars()
        // Changes made on the other side meanwhile are found in the next round.
        for round in 0..<3 where !rest.isEmpty {
            // All diffs come before any change: an object removed from one calendar may have moved to another.
            let looks = try rest.map { try look($0, isAgain: round > 0) }.filter { !$0.isQuiet }
            if isFirst, round == 0 { sayEmpty(looks) }
            let total = try store.agreedCount(account)
            if options.isDryRun {
                for look in looks {
                    _ = brake(look, look.gone.count, total)
                    describe(look)
                }
                return try sayChoices()
            }
            let intake = CalendarIntake(self, looks)
            for look in looks { try intake.take(look) }
            for look in looks { try intake.remove(look, total) }
            rest = []
            for look in looks where try !settle(look) { rest.append((look.calendar, look.collection, look.name)) }
        }
        for (_, _, name) in rest {
            outcome.problems.append(
                "'\(name)' keeps changing on the other side; the rest follows with the next sync")
        }
        try sayChoices()
    }

    /// Notes that the server claims to have no object at all: that may be the wrong account.
    private func sayEmpty(_ looks: [CalendarLook]) {
        guard account.kind == .caldav, !looks.isEmpty, looks.allSatisfy(\.wanted.isEmpty) else { return }
        let calendars = looks.count == 1 ? "its calendar" : "any of its \(looks.count) calendars"
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
            try agreeOnLook(&calendar, collection)
            if let name = try name(calendar) {
                pairs.append((calendar, collection, name))
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

    /// The diff of a calendar.
    private func look(_ pair: Pair, isAgain: Bool) throws -> CalendarLook {
        let (given, collection, name) = pair
        let calendar = try store.remoteCalendars(account).first { $0.number == given.number } ?? given
        let look = CalendarLook(calendar, collection, name)
        look.seen = try store.newestChange()
        look.local = try store.localChanges(calendar, zone: options.zone)
        look.token = calendar.token
        look.isFirstToken = calendar.token == nil
        // If an unresolved conflict was deleted since, the object is fetched again: the other side's version was not imported.
        let isChosen = try releaseDecided(look)
        // While a calendar was read-only, the other side may have shown fewer objects than exist: before the first write, all are
        // fetched again.
        let isOpened = calendar.isReadOnly && !collection.isReadOnly && account.settings.isReadOnly != true
        let isFull = options.isFull || isChosen || isOpened
        look.unsure = try store.sentObjects(calendar)
        let isSame =
            collection.marker != nil && collection.marker == calendar.marker && !isFull && !isAgain
            && look.unsure.isEmpty
        if isSame, look.local.isEmpty {
            look.isQuiet = true
            if calendar.seen != look.seen, !options.isDryRun {
                look.calendar.seen = look.seen
                try store.writeRemoteCalendars { try $0.save(look.calendar) }
            }
            return look
        }
        look.known = try store.agreedObjects(calendar)
        if isSame { return look }
        progress("\(account.name): checking \(name)")
        // The first sync took place within the second of a change, and stored no token: if an ETag was reused since, only
        // the objects' content shows it.
        let isUnsure = look.isFirstToken && collection.countsSeconds && !look.known.isEmpty && !isAgain
        // A full sync compares contents, and not only ETags.
        let isThorough = (options.isFull || isOpened || isUnsure) && !options.isDryRun
        var changes = try remote.changes(
            in: collection, since: isFull ? nil : calendar.token, isFirst: look.known.isEmpty || isThorough)
        look.token = changes.token
        look.wanted = try wanted(&changes, look, isThorough: isThorough)
        look.wanted += look.unsure.keys.filter { !look.wanted.contains($0) }.sorted()
        look.gone = (changes.gone ?? look.known.keys.filter { changes.changed[$0] == nil }.sorted()).filter {
            look.known[$0] != nil
        }
        return look
    }

    /// The objects to fetch: those with a new ETag.
    ///
    /// A server that lists objects with a known ETag either reused a tag (SOGo restarts its count when an object is deleted and
    /// recreated), or has lost the meaning of its token and lists all objects, without the deleted ones (DAViCal): then they are
    /// fetched, and a complete list shows which ones were deleted.
    private func wanted(
        _ changes: inout RemoteCalendarChanges, _ look: CalendarLook, isThorough: Bool
    ) throws -> [String] {
        if isThorough { return changes.changed.keys.sorted() }
        var wanted = Set(changes.changed.filter { look.known[$0.key]?.etag != $0.value || $0.value.isEmpty }.keys)
        let repeated = changes.changed.keys.filter { !wanted.contains($0) }
        look.listed = repeated.filter { look.known[$0]?.isSent == true }
        let same = repeated.filter { look.known[$0]?.isSent != true }
        guard changes.gone != nil, !same.isEmpty else { return wanted.sorted() }
        wanted.formUnion(same)
        let whole = try remote.changes(in: look.collection, since: nil, isFirst: false)
        changes.gone = nil
        for (href, etag) in whole.changed where look.known[href]?.etag != etag { wanted.insert(href) }
        changes.changed = whole.changed
        return wanted.sorted()
    }

    /// Drops unresolved conflicts whose entry was deleted locally, or whose account now has another strategy.
    /// - Returns: whether there was one.
    private func releaseDecided(_ look: CalendarLook) throws -> Bool {
        if options.isDryRun { return false }
        let isAsking = account.settings.strategy == .ask
        if isAsking, look.local.gone.isEmpty { return false }
        let held = try store.heldChanges().filter { $0.calendar.number == look.calendar.number }.map(\.agreed.href)
        let gone = Set(look.local.gone.map(\.href))
        let decided = held.filter { !isAsking || gone.contains($0) }
        if decided.isEmpty { return false }
        try store.writeRemoteCalendars { writer in
            for href in decided { try writer.release(href, in: look.calendar) }
        }
        look.local = try store.localChanges(look.calendar, zone: options.zone)
        return true
    }

    /// Fetches the objects that changed on the other side.
    func fetch(_ look: CalendarLook) throws -> [RemoteObject] {
        var objects: [RemoteObject] = []
        for start in stride(from: 0, to: look.wanted.count, by: Self.batchCount) {
            let batch = Array(look.wanted[start..<min(start + Self.batchCount, look.wanted.count)])
            objects += try remote.fetch(batch, in: look.collection)
            if look.wanted.count > Self.batchCount {
                progress("\(account.name): \(look.name) \(objects.count) of \(look.wanted.count)")
            }
        }
        let forbidden = remote.forbidden.intersection(look.wanted)
        // If no object at all is readable, single ones are not the cause.
        let isShut = objects.isEmpty && look.known.isEmpty
        if !forbidden.isEmpty, !isShut {
            // That is permanent; it is reported for new and changed objects.
            let count = forbidden.count == 1 ? "1 object" : "\(forbidden.count) objects"
            outcome.notes.append("the server does not allow reading \(count) in '\(look.name)'")
        }
        let ungiven = remote.ungiven.intersection(look.wanted).union(isShut ? forbidden : [])
        if !ungiven.isEmpty {
            // The sync state of the other side is kept, so that they are requested again.
            look.isUnfinished = true
            let count = ungiven.count == 1 ? "an object" : "\(ungiven.count) objects"
            outcome.problems.append("the server lists \(count) in '\(look.name)' that it does not return")
        }
        return objects
    }

    /// Whether the mass-deletion guard rejects the deletions; it is reported then.
    func brake(_ look: CalendarLook, _ gone: Int, _ total: Int) -> Bool {
        guard !options.allowsMassDelete, MassDeletion.isSuspicious(gone, of: total) else { return false }
        outcome.problems.append(
            MassDeletion.message(gone, total, isServer: true, what: "events and tasks") + " ('\(look.name)')")
        look.isBraked = true
        return true
    }

    private func describe(_ look: CalendarLook) {
        outcome.add(.here, "fetch", look.wanted.count, look.name)
        if !look.isBraked { outcome.add(.here, "remove", look.gone.count, look.name) }
        if isReadOnly(look.collection) { return }
        // Changes of both sides are merged; an entry deleted locally and changed on the other side is restored.
        let wanted = Set(look.wanted)
        let (merged, filed) = look.local.changed.reduce(into: (0, look.local.new.count)) { counts, change in
            if wanted.contains(change.former.href) { counts.0 += 1 } else { counts.1 += 1 }
        }
        outcome.add(.here, "merge", merged, look.name)
        outcome.add(.there, "file", filed, look.name)
        outcome.add(.there, "remove", look.local.gone.filter { !wanted.contains($0.href) }.count, look.name)
    }

    /// Sends the local changes, and records the sync state.
    /// - Returns: whether both sides are in sync.
    private func settle(_ look: CalendarLook) throws -> Bool {
        let isSent = try send(look)
        if isSent, !look.isBraked, !look.isUnfinished {
            let isSettled = look.collection.isSettled
            // Within one second another change may follow: the former token includes that one, too.
            look.calendar.marker = isSettled ? look.collection.marker : nil
            if isSettled || look.isFirstToken { look.calendar.token = isSettled ? look.token : nil }
        }
        look.calendar.isReadOnly = isReadOnly(look.collection)
        if isSent { look.calendar.seen = look.seen }
        // Sending changes the other side's state tag: the next round finds no difference then.
        try store.writeRemoteCalendars { writer in
            try writer.save(look.calendar)
            try writer.noteListed(look.listed, in: look.calendar)
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

    /// The title of an event or a task.
    static func title(_ text: String) -> String {
        ICalendarComponent.list(text).first { $0.name != "VTIMEZONE" }?.first("SUMMARY")?.text ?? "(no title)"
    }

    /// The file of a single event or task.
    static func file(text: String, zones: String?) -> [UInt8] {
        var export = CalendarExport(now: Instant(0))
        export.note(text: text, zones: zones)
        return export.header(name: nil) + export.event(text) + export.footer
    }
}
