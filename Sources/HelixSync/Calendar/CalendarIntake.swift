import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore

/// Imports changes from the other side into local calendars and boards.
final class CalendarIntake {
    private let sync: CalendarSync
    private var store: Store { sync.store }
    /// Events and tasks that were matched with an object of the other side.
    private var bound: Set<EntityID> = []
    /// Objects that were removed from one calendar of the other side, and may have moved to another.
    private var departing: [Departure: SyncedObject] = [:]
    /// Addresses of objects with an unresolved conflict.
    private var heldBefore: Set<String> = []

    private struct Departure: Hashable {
        var kind: EntityKind
        var uid: String
    }

    /// - Throws: ``HelixError`` if the unresolved conflicts cannot be read: their objects must stay as they are.
    init(_ sync: CalendarSync, _ diffs: [CollectionDiff]) throws {
        self.sync = sync
        heldBefore = Set(try sync.store.heldChanges().map(\.synced.href))
        for diff in diffs {
            for href in diff.gone {
                guard let object = diff.known[href], let item = object.item, let text = object.text,
                    let uid = ICalendarComponent.list(text).first?.first("UID")?.text
                else { continue }
                departing[Departure(kind: item.kind, uid: uid)] = object
            }
        }
    }

    /// The import into one calendar, within one change.
    private final class Intake {
        let diff: CollectionDiff
        let change: Change
        let changedHere: [String: LocalObject]
        let localDeletions: Set<String>
        let held: Set<String>
        /// Whether the last object that was searched is a duplicate.
        var isDouble = false
        private let sync: CalendarSync
        private var importer: EventImporter?
        private var writer: RemoteTaskWriter?

        init(_ diff: CollectionDiff, _ change: Change, _ sync: CalendarSync) throws {
            self.diff = diff
            self.change = change
            self.sync = sync
            changedHere = Dictionary(diff.local.changed.map { ($0.former.href, $0.object) }, uniquingKeysWith: { $1 })
            localDeletions = Set(diff.local.gone.map(\.href))
            held = try change.remoteCalendars.held(in: diff.calendar)
        }

        var name: String { diff.name }

        func events() throws -> EventImporter? {
            guard let calendar = diff.calendar.calendar else { return nil }
            if importer == nil { importer = try EventImporter(change, calendar: calendar) }
            return importer
        }

        func tasks() throws -> RemoteTaskWriter {
            if let writer { return writer }
            let made = try RemoteTaskWriter(
                change, board: try sync.board(of: diff, change), zone: sync.options.zone)
            writer = made
            return made
        }

        /// The local state of an event or task.
        func current(_ item: SyncedItem) throws -> LocalObject {
            switch item.kind {
            case .task: try tasks().object(item.id)
            case .contact: try change.contactObject(item.id)
            default: try change.storedEvent(item.id)
            }
        }

        func replace(_ item: SyncedItem, _ text: String, zones: String?) throws {
            switch item.kind {
            case .task: try tasks().write((zones ?? "") + text, to: item.id)
            case .contact: try change.setContactText(item.id, text)
            default: try change.setEventText(item.id, text, zones: zones)
            }
        }

        func finish() throws { try writer?.finish() }
    }

    // MARK: Import

    /// Imports the objects of a calendar, as one change.
    /// - Throws: ``HelixError``.
    func take(_ diff: CollectionDiff) throws {
        let objects = try UnsureObjects(sync, diff).settle(try sync.fetch(diff))
        if objects.isEmpty { return }
        try store.change("sync '\(diff.name)'", from: .sync) { change in
            let intake = try Intake(diff, change, sync)
            for object in objects {
                try take(object, intake)
                try sayUndelivered(object, change)
            }
            try intake.finish()
        }
    }

    private static let scheduleStatus = Array("SCHEDULE-STATUS".utf8)

    /// Reports attendees whom the server could not notify (RFC 6638 §7.3): a status that begins with 3 or 5.
    private func sayUndelivered(_ object: RemoteObject, _ change: Change) throws {
        // Few objects have one; the rest need not be parsed twice.
        guard object.bytes.firstRange(of: Self.scheduleStatus) != nil, let parsed = try? ParsedObject.read(object.bytes)
        else {
            return
        }
        for component in ICalendarComponent.list(parsed.text) {
            for person in component.all("ATTENDEE") + component.all("ORGANIZER") {
                guard let status = person["SCHEDULE-STATUS"], let first = status.first, "35".contains(first) else {
                    continue
                }
                let uid = component.first("UID")?.text
                let id = try uid.flatMap { uid in try HelixError.ifFound { try change.event(uid: uid) } ?? nil }?.id
                let name = id.map { String($0.text.prefix(8)) } ?? "ID"
                sync.outcome.problems.append(
                    "the server could not notify \(person.calendarAddress) of '\(CalendarSync.title(parsed.text))' (\(status));"
                        + " to do so: helix cal invite \(name) \(person.calendarAddress) --by-mail")
            }
        }
    }

    private func markSynced(_ object: RemoteObject, _ parsed: ParsedObject?, _ item: SyncedItem?, _ intake: Intake)
        throws
    {
        if let item { bound.insert(item.id) }
        let calendar = intake.diff.calendar
        try intake.change.remoteCalendars.save(
            SyncedObject(href: object.href, etag: object.etag, item: item, text: item == nil ? nil : parsed?.text),
            in: calendar)
        if intake.held.contains(object.href) { try intake.change.remoteCalendars.release(object.href, in: calendar) }
    }

    private func take(_ object: RemoteObject, _ intake: Intake) throws {
        let known = intake.diff.known[object.href]
        let found = try? ParsedObject.read(object.bytes)
        // A vCard among events, and an event among vCards, are left alone.
        let isOfKind = (found?.kind == .contact) == intake.diff.collection.takesContacts
        guard let parsed = found, isOfKind else { return try leave(object, known, .unreadable, intake) }
        try sync.prepare(for: parsed.kind, intake.diff, intake.change)
        // To write one of them would remove the others.
        if parsed.hasMore { return try leave(object, known, .several, intake) }
        let former = known.flatMap { $0.item?.kind == parsed.kind ? $0 : nil }
        if former == nil, let old = known?.item, intake.changedHere[object.href] == nil,
            !intake.localDeletions.contains(object.href)
        {
            // It was a task and is an event now, or vice versa.
            try intake.change.remoteCalendars.forget(object.href, in: intake.diff.calendar)
            try intake.change.deleteSynced(old)
        }
        let isGoneHere = intake.localDeletions.contains(object.href)
        if let former, let item = former.item, !isGoneHere {
            return try update(item, former, object, parsed, intake.changedHere[object.href], intake)
        }
        if isGoneHere, let former, let item = former.item, try takeElsewhere(item, former, object, parsed, intake) {
            return
        }
        if isGoneHere, let former, let text = former.text, AnswerChanges.isAll(from: text, to: parsed.text) {
            // The next step deletes its present state on the other side.
            return try intake.change.remoteCalendars.save(
                SyncedObject(href: object.href, etag: object.etag, item: former.item, text: text),
                in: intake.diff.calendar)
        }
        if isGoneHere {
            sync.outcome.notes.append(
                "'\(CalendarSync.title(parsed.text))' was deleted locally and changed on the other side; it is restored"
            )
        }
        // An object that had another address until now keeps its identity.
        if let moved = departing[Departure(kind: parsed.kind, uid: parsed.uid)], let item = moved.item,
            try move(item, parsed, moved, object, intake)
        {
            return
        }
        if let own = try counterpart(parsed, object, intake) { return try markSynced(object, parsed, own, intake) }
        if intake.isDouble { return try markSynced(object, nil, nil, intake) }
        try add(object, parsed, intake)
    }

    /// Imports a change to an entry that was moved locally to where the other side does not see it: it stays there, and is
    /// removed from the other side.
    /// - Returns: false if it no longer exists locally.
    private func takeElsewhere(
        _ item: SyncedItem, _ former: SyncedObject, _ object: RemoteObject, _ parsed: ParsedObject, _ intake: Intake
    ) throws -> Bool {
        guard let base = former.text, let ours = try store.localObject(item, zone: sync.options.zone),
            try intake.change.remoteCalendars.addresses(of: item) == [object.href]
        else { return false }
        let merge = ComponentMerge(base: base, ours: ours.text, theirs: parsed.text, strategy: .merge)
        let zones = parsed.zones ?? ours.zones
        if merge.text != ours.text {
            if item.kind == .contact {
                try intake.change.setContactText(item.id, merge.text)
            } else if item.kind == .event {
                try intake.change.setEventText(item.id, merge.text, zones: zones)
            } else if let board = try intake.change.board(of: item.id) {
                let writer = try RemoteTaskWriter(intake.change, board: board, zone: sync.options.zone)
                try writer.write((zones ?? "") + merge.text, to: item.id)
                try writer.finish()
            }
            sync.outcome.add(.here, "merge", 1, intake.name)
        }
        bound.insert(item.id)
        try intake.change.remoteCalendars.save(
            SyncedObject(href: object.href, etag: object.etag, item: item, text: parsed.text), in: intake.diff.calendar)
        return true
    }

    /// The reason why an object is left alone.
    private enum Defect: String {
        case unreadable = "can no longer be read"
        case several = "contains more than one event, task or contact"
    }

    /// Leaves an object alone that helix must not write: its local state is kept.
    private func leave(_ object: RemoteObject, _ known: SyncedObject?, _ defect: Defect, _ intake: Intake) throws {
        guard let known, let item = known.item else {
            if defect == .several {
                sync.outcome.notes.append(
                    "\(object.href) \(defect.rawValue), and is left alone; to read it: helix \(object.href.hasSuffix(".vcf") ? "contacts import" : "cal import, helix tasks import")"
                )
            } else if try ParsedObject.isBroken(object.bytes) || ParsedObject.read(object.bytes) != nil {
                sync.outcome.notes.append("\(object.href) cannot be read, and is left alone")
            }
            return try markSynced(object, nil, nil, intake)
        }
        bound.insert(item.id)
        sync.outcome.notes.append(
            "\(object.href) \(defect.rawValue); its former state is kept locally, and the object is left alone")
        // Without a text nothing is compared or written.
        try intake.change.remoteCalendars.save(
            SyncedObject(
                href: object.href, etag: object.etag, item: item, text: defect == .unreadable ? known.text : nil),
            in: intake.diff.calendar)
    }

    /// The local entry with the UID of an object, before the first sync of both: the later one wins.
    private func counterpart(_ parsed: ParsedObject, _ object: RemoteObject, _ intake: Intake) throws -> SyncedItem? {
        intake.isDouble = false
        let own: LocalObject?
        if parsed.kind == .event {
            own = try intake.diff.calendar.calendar.flatMap { try intake.change.event(uid: parsed.uid, in: $0) }
        } else if parsed.kind == .contact {
            own = try intake.diff.calendar.book.flatMap { try intake.change.contactObject(uid: parsed.uid, in: $0) }
        } else {
            own = try intake.tasks().task(uid: parsed.uid)
        }
        guard let own else { return nil }
        // Two objects with one UID: one is shown, and neither is written into the other.
        let gone = Set(intake.diff.gone)
        let others = try intake.change.remoteCalendars.addresses(of: own.item).filter {
            $0 != object.href && !gone.contains($0)
        }
        if let other = others.first {
            sync.outcome.notes.append("\(object.href) has the UID of \(other), and is left alone")
            intake.isDouble = true
            return nil
        }
        if own.text == parsed.text { return own.item }
        if let group = parsed.group {
            if case .updated? = try intake.events()?.add(group) { sync.outcome.add(.here, "fetch", 1, intake.name) }
        } else if ComponentMerge.stamp(parsed.text) >= ComponentMerge.stamp(own.text) {
            try intake.replace(own.item, parsed.text, zones: parsed.zones)
            sync.outcome.add(.here, "fetch", 1, intake.name)
        }
        return own.item
    }

    private func add(_ object: RemoteObject, _ parsed: ParsedObject, _ intake: Intake) throws {
        var made: SyncedItem?
        if let group = parsed.group {
            if case .created(let id)? = try intake.events()?.add(group) { made = SyncedItem(.event, id) }
        } else if parsed.kind == .contact {
            if let book = intake.diff.calendar.book, let card = VCard(text: parsed.text) {
                made = SyncedItem(.contact, try intake.change.createContact(card, in: book))
            }
        } else if let id = try intake.tasks().write((parsed.zones ?? "") + parsed.text, to: nil) {
            made = SyncedItem(.task, id)
        }
        if made == nil {
            sync.outcome.problems.append("cannot import an object of '\(intake.name)': \(object.href)")
        } else {
            sync.outcome.add(.here, "fetch", 1, intake.name)
        }
        try markSynced(object, parsed, made, intake)
    }

    /// Applies a new address, or a move to another calendar, to the local entry, which keeps its identity and links.
    /// - Returns: false if it no longer exists locally.
    private func move(
        _ item: SyncedItem, _ parsed: ParsedObject, _ former: SyncedObject, _ object: RemoteObject, _ intake: Intake
    ) throws -> Bool {
        guard let before = try store.localObject(item, zone: sync.options.zone) else { return false }
        if item.kind == .event, let calendar = intake.diff.calendar.calendar {
            try intake.change.placeEvent(item.id, in: calendar)
        }
        if item.kind == .contact, let book = intake.diff.calendar.book {
            try intake.change.moveContact(item.id, to: book)
        }
        let isHeld = heldBefore.contains(former.href)
        let ours = before.text == former.text && !isHeld ? nil : before
        let isElsewhere = intake.diff.known[former.href] == nil
        if former.text == parsed.text, ours == nil {
            // A task is in another column then, even if its text is unchanged.
            if item.kind == .task, isElsewhere { try intake.replace(item, parsed.text, zones: parsed.zones) }
            try markSynced(object, parsed, item, intake)
        } else {
            try update(item, former, object, parsed, ours, intake)
        }
        if isElsewhere { sync.outcome.add(.here, "move", 1, intake.name) }
        return true
    }

    /// Applies a change of the other side to an entry that both sides have.
    private func update(
        _ item: SyncedItem, _ former: SyncedObject, _ object: RemoteObject, _ parsed: ParsedObject,
        _ changedHere: LocalObject?, _ intake: Intake
    ) throws {
        if former.text == parsed.text, changedHere == nil || former.href == object.href {
            return try markSynced(object, parsed, item, intake)
        }
        let isHeld = intake.held.contains(object.href)
        guard let base = former.text, let ours = try isHeld ? intake.current(item) : changedHere else {
            try intake.replace(item, parsed.text, zones: parsed.zones)
            sync.outcome.add(.here, "fetch", 1, intake.name)
            return try markSynced(object, parsed, item, intake)
        }
        let strategy = sync.account.settings.strategy ?? .merge
        let merge = ComponentMerge(base: base, ours: ours.text, theirs: parsed.text, strategy: strategy)
        if !merge.contested.isEmpty, strategy == .ask {
            bound.insert(item.id)
            try intake.change.remoteCalendars.save(
                SyncedObject(href: object.href, etag: former.etag, item: item, text: base), in: intake.diff.calendar)
            return try intake.change.remoteCalendars.hold(
                object.href, etag: object.etag, theirs: parsed.text, zones: parsed.zones, in: intake.diff.calendar,
                at: store.now)
        }
        let zones = parsed.zones ?? ours.zones
        // The overridden values of either side are kept in the history.
        if !merge.contested.isEmpty {
            try intake.replace(item, parsed.text, zones: zones)
            let words = merge.contested.map(PropertyWords.word).joined(separator: ", ")
            sync.outcome.notes.append(
                "'\(CalendarSync.title(parsed.text))' was changed on both sides: the overridden values (\(words)) are in"
                    + " 'helix history \(item.id.text.prefix(6))'")
        }
        try intake.replace(item, merge.text, zones: zones)
        sync.outcome.add(.here, "merge", 1, intake.name)
        try markSynced(object, parsed, item, intake)
    }

    // MARK: Deletions

    /// Removes the local entries that were deleted from a calendar of the other side, as one change.
    ///
    /// - Parameter total: the number of entries that both sides had before.
    /// - Throws: ``HelixError``.
    func remove(_ diff: CollectionDiff, _ total: Int) throws {
        if diff.gone.isEmpty { return }
        let localDeletions = Set(diff.local.gone.map(\.href))
        let changedHere = Set(diff.local.changed.map(\.former.href))
        // An object with a new address was not deleted.
        let lost = diff.gone.filter { href in
            guard let item = diff.known[href]?.item, !localDeletions.contains(href) else { return false }
            return !bound.contains(item.id)
        }
        let isGuarded = sync.guardDeletions(diff, lost.count, total)
        let kept = isGuarded ? Set(lost) : []
        try store.change("sync '\(diff.name)'", from: .sync) { change in
            let held = try change.remoteCalendars.held(in: diff.calendar)
            for href in diff.gone where !kept.contains(href) {
                try change.remoteCalendars.forget(href, in: diff.calendar)
                guard lost.contains(href), let item = diff.known[href]?.item,
                    try change.remoteCalendars.addresses(of: item).isEmpty
                else { continue }
                if changedHere.contains(href) || held.contains(href) {
                    sync.outcome.notes.append(
                        "'\(CalendarSync.title(diff.known[href]?.text ?? ""))' was changed locally and deleted on the other side; it stays"
                    )
                    continue
                }
                try change.deleteSynced(item)
                sync.outcome.add(.here, "remove", 1, diff.name)
            }
        }
    }
}
