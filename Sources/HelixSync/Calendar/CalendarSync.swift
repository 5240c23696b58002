import HelixCalendar
import HelixModel
import HelixStore

/// Keeps calendars and boards here and on another side the same.
final class CalendarSync {
    let store: Store
    let account: MailAccount
    let remote: any CalendarRemote
    let options: SyncOptions
    let progress: (String) -> Void
    var outcome: SyncOutcome
    /// So many objects are asked for at once.
    private static let batchCount = 1000
    /// The addresses of what the other side refused in this sync.
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

    /// Whether nothing is ever written to a calendar.
    func isReadOnly(_ collection: RemoteCollection) -> Bool {
        collection.isReadOnly || account.settings.isReadOnly == true
    }

    /// Does it all.
    /// - Throws: ``HelixError``; what was done until then is done.
    func run() throws {
        defer { outcome.roundTrips = remote.roundTrips }
        progress("\(account.name): asking for calendars")
        let isFirst = try store.remoteCalendars(account).isEmpty
        var rest = try calendars()
        // What somebody writes there at the same moment is seen the next time round.
        for round in 0..<3 where !rest.isEmpty {
            // All are looked at before any is changed: what is gone in one may have come to another.
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
                "'\(name)' is changed on the other side all the time; the rest waits for the next sync")
        }
        try sayChoices()
    }

    /// Says of a server without any object that it claims to have none: that may be another account than the one that is meant.
    private func sayEmpty(_ looks: [CalendarLook]) {
        guard account.kind == .caldav, !looks.isEmpty, looks.allSatisfy(\.wanted.isEmpty) else { return }
        let calendars = looks.count == 1 ? "its calendar" : "any of its \(looks.count) calendars"
        outcome.notes.append("the server says that there is nothing in \(calendars); it was asked twice")
    }

    /// A calendar that both sides have, and its name here.
    private typealias Pair = (RemoteCalendar, RemoteCollection, String)

    /// The calendars of the other side, with what they are here.
    private func calendars() throws -> [Pair] {
        try NewCollections(self).run()
        let all = try remote.collections()
        let selection = account.settings.calendarSelection
        let left = Set(
            all.filter { collection in selection.map { !$0.includes(collection.name) } ?? false }.map(\.href))
        let found = all.filter { !left.contains($0.href) }
        // Calendars that are left out stay as they are on both sides.
        let known = try store.remoteCalendars(account).filter { !$0.isWaiting && !left.contains($0.href) }
        var pairs: [Pair] = []
        // Asked once, and with each full sync.
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
                // It was deleted here. To delete it there is for the program that shows it there.
                outcome.notes.append(
                    "\(collection.name) was deleted here, and is left as it is there; to leave it out: helix account edit"
                        + " \(account.name) --calendars '-\(collection.name)'")
            }
        }
        for calendar in known where !found.contains(where: { $0.href == calendar.href }) { try drop(calendar) }
        return pairs
    }

    /// What is different on both sides.
    private func look(_ pair: Pair, isAgain: Bool) throws -> CalendarLook {
        let (given, collection, name) = pair
        let calendar = try store.remoteCalendars(account).first { $0.number == given.number } ?? given
        let look = CalendarLook(calendar, collection, name)
        look.seen = try store.newestChange()
        look.local = try store.localChanges(calendar, zone: options.zone)
        look.token = calendar.token
        look.isFirstToken = calendar.token == nil
        // What waited for a choice and was deleted since is looked at once more: the other side has what nobody took.
        let isChosen = try releaseDecided(look)
        // Of a calendar that could only be read, the other side may have shown less than there is: before anything is written, all of
        // it is read anew.
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
        progress("\(account.name): looking at \(name)")
        // The first sync came within the second of a change, and kept no token: a state that was given twice since shows by what
        // the objects say alone.
        let isUnsure = look.isFirstToken && collection.countsSeconds && !look.known.isEmpty && !isAgain
        // A full sync compares what objects say, and not only their states.
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

    /// The objects to be fetched: those whose state is another one.
    ///
    /// A server that names some which are in the state that is known either gave one state twice (SOGo counts anew where an object is
    /// deleted and made again), or has forgotten what its token means and lists all that it has, without those that are gone
    /// (DAViCal): then they are fetched, and what is gone is found out by a list of the whole.
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

    /// Forgets that somebody was to choose, where what it was about was deleted here, or the account's strategy is another
    /// one by now.
    /// - Returns: whether there was such a thing.
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

    /// The objects that are different there.
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
        // Where nothing at all may be read, it is no matter of single objects.
        let isShut = objects.isEmpty && look.known.isEmpty
        if !forbidden.isEmpty, !isShut {
            // That does not change with time; it is said when they are new or change.
            let count = forbidden.count == 1 ? "1 object" : "\(forbidden.count) objects"
            outcome.notes.append("the server does not let you read \(count) in '\(look.name)'")
        }
        let ungiven = remote.ungiven.intersection(look.wanted).union(isShut ? forbidden : [])
        if !ungiven.isEmpty {
            // With what is known of the other side as it was, they are asked for again.
            look.isUnfinished = true
            let count = ungiven.count == 1 ? "an object" : "\(ungiven.count) objects"
            outcome.problems.append("the server lists \(count) in '\(look.name)' that it does not give")
        }
        return objects
    }

    /// Whether so many that are gone are too many to be believed; it is said then.
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
        // What is different on both sides is brought together; what is deleted here and changed there comes back.
        let wanted = Set(look.wanted)
        let (merged, filed) = look.local.changed.reduce(into: (0, look.local.new.count)) { counts, change in
            if wanted.contains(change.former.href) { counts.0 += 1 } else { counts.1 += 1 }
        }
        outcome.add(.here, "merge", merged, look.name)
        outcome.add(.there, "file", filed, look.name)
        outcome.add(.there, "remove", look.local.gone.filter { !wanted.contains($0.href) }.count, look.name)
    }

    /// Sends what is different here, and writes down that both sides agree.
    /// - Returns: whether they do.
    private func settle(_ look: CalendarLook) throws -> Bool {
        let isSent = try send(look)
        if isSent, !look.isBraked, !look.isUnfinished {
            let isSettled = look.collection.isSettled
            // Of a state that counts seconds another change may come: the former token names that one, too.
            look.calendar.marker = isSettled ? look.collection.marker : nil
            if isSettled || look.isFirstToken { look.calendar.token = isSettled ? look.token : nil }
        }
        look.calendar.isReadOnly = isReadOnly(look.collection)
        if isSent { look.calendar.seen = look.seen }
        // What was sent changes what the other side says: then the next look is the one that finds nothing.
        try store.writeRemoteCalendars { writer in
            try writer.save(look.calendar)
            try writer.noteListed(look.listed, in: look.calendar)
        }
        return isSent
    }

    /// Says what waits for a person to choose.
    private func sayChoices() throws {
        for held in try store.heldChanges() where held.account == account.name {
            outcome.needsChoice = true
            outcome.problems.append(
                "'\(Self.title(held.theirs))' was changed on both sides; choose:"
                    + " helix sync resolve \(held.item.id.text.prefix(6)) --keep local|server|both")
        }
    }

    /// What an event or a task is called.
    static func title(_ text: String) -> String {
        ICalendarComponent.list(text).first { $0.name != "VTIMEZONE" }?.first("SUMMARY")?.text ?? "(no title)"
    }

    /// An event or a task as an object of its own.
    static func file(text: String, zones: String?) -> [UInt8] {
        var export = CalendarExport(now: Instant(0))
        export.note(text: text, zones: zones)
        return export.header(name: nil) + export.event(text) + export.footer
    }
}
