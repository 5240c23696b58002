import HelixCalendar
import HelixModel
import HelixStore

/// Takes what came from the other side into calendars and boards here.
final class CalendarIntake {
    private let sync: CalendarSync
    private var store: Store { sync.store }
    /// Events and tasks that an object of the other side was found for.
    private var bound: Set<EntityID> = []
    /// What is gone from one calendar of the other side, and may have come to another.
    private var departing: [Departure: AgreedObject] = [:]
    /// Addresses of what waited for a choice.
    private var heldBefore: Set<String> = []

    private struct Departure: Hashable {
        var kind: EntityKind
        var uid: String
    }

    init(_ sync: CalendarSync, _ looks: [CalendarLook]) {
        self.sync = sync
        heldBefore = Set(((try? sync.store.heldChanges()) ?? []).map(\.agreed.href))
        for look in looks {
            for href in look.gone {
                guard let object = look.known[href], let item = object.item, let text = object.text,
                    let uid = ICalendarComponent.list(text).first?.first("UID")?.text
                else { continue }
                departing[Departure(kind: item.kind, uid: uid)] = object
            }
        }
    }

    /// One calendar in which something is taken in, within one change.
    private final class Intake {
        let look: CalendarLook
        let change: Change
        let changedHere: [String: LocalObject]
        let goneHere: Set<String>
        let held: Set<String>
        /// Whether what was looked for last is something else's double.
        var isDouble = false
        private let sync: CalendarSync
        private var importer: EventImporter?
        private var writer: RemoteTaskWriter?

        init(_ look: CalendarLook, _ change: Change, _ sync: CalendarSync) throws {
            self.look = look
            self.change = change
            self.sync = sync
            changedHere = Dictionary(look.local.changed.map { ($0.former.href, $0.object) }, uniquingKeysWith: { $1 })
            goneHere = Set(look.local.gone.map(\.href))
            held = try change.remoteCalendars.held(in: look.calendar)
        }

        var name: String { look.name }

        func events() throws -> EventImporter? {
            guard let calendar = look.calendar.calendar else { return nil }
            if importer == nil { importer = try EventImporter(change, calendar: calendar) }
            return importer
        }

        func tasks() throws -> RemoteTaskWriter {
            if let writer { return writer }
            let made = try RemoteTaskWriter(
                change, board: try sync.board(of: look, change), zone: sync.options.zone)
            writer = made
            return made
        }

        /// An event or a task as it is here.
        func current(_ item: SyncedItem) throws -> LocalObject {
            item.kind == .task ? try tasks().object(item.id) : try change.storedEvent(item.id)
        }

        func replace(_ item: SyncedItem, _ text: String, zones: String?) throws {
            if item.kind == .task {
                try tasks().write((zones ?? "") + text, to: item.id)
            } else {
                try change.setEventText(item.id, text, zones: zones)
            }
        }

        func finish() throws { try writer?.finish() }
    }

    // MARK: What is there

    /// Takes the objects of a calendar, as one change.
    /// - Throws: ``HelixError``.
    func take(_ look: CalendarLook) throws {
        let objects = try UnsureObjects(sync, look).settle(try sync.fetch(look))
        if objects.isEmpty { return }
        try store.change("sync '\(look.name)'", command: "sync") { change in
            let intake = try Intake(look, change, sync)
            for object in objects {
                try take(object, intake)
                sayUndelivered(object, change)
            }
            try intake.finish()
        }
    }

    private static let scheduleStatus = Array("SCHEDULE-STATUS".utf8)

    /// Says whom the server could not tell of an event (RFC 6638 §7.3): a status that begins with 3 or 5.
    private func sayUndelivered(_ object: RemoteObject, _ change: Change) {
        // Few objects have one, and none is read twice for want of it.
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
                let id = uid.flatMap { try? change.event(uid: $0) }?.id
                let name = id.map { String($0.text.prefix(8)) } ?? "ID"
                sync.outcome.problems.append(
                    "the server could not tell \(person.calendarAddress) of '\(CalendarSync.title(parsed.text))' (\(status));"
                        + " 'helix cal invite \(name) \(person.calendarAddress) --by-mail' does")
            }
        }
    }

    private func agree(_ object: RemoteObject, _ parsed: ParsedObject?, _ item: SyncedItem?, _ intake: Intake) throws {
        if let item { bound.insert(item.id) }
        let calendar = intake.look.calendar
        try intake.change.remoteCalendars.save(
            AgreedObject(href: object.href, etag: object.etag, item: item, text: item == nil ? nil : parsed?.text),
            in: calendar)
        if intake.held.contains(object.href) { try intake.change.remoteCalendars.release(object.href, in: calendar) }
    }

    private func take(_ object: RemoteObject, _ intake: Intake) throws {
        let known = intake.look.known[object.href]
        let parsed = try? ParsedObject.read(object.bytes)
        guard let parsed else { return try leave(object, known, .unreadable, intake) }
        if parsed.kind == .event { _ = try sync.calendar(of: intake.look, intake.change) }
        // To write one of them back would take the others away.
        if parsed.hasMore { return try leave(object, known, .several, intake) }
        let former = known.flatMap { $0.item?.kind == parsed.kind ? $0 : nil }
        if former == nil, let old = known?.item, intake.changedHere[object.href] == nil,
            !intake.goneHere.contains(object.href)
        {
            // It was a task and is an event now, or the other way round.
            try intake.change.remoteCalendars.forget(object.href, in: intake.look.calendar)
            if old.kind == .task { try intake.change.deleteTask(old.id) } else { try intake.change.deleteEvent(old.id) }
        }
        let isGoneHere = intake.goneHere.contains(object.href)
        if let former, let item = former.item, !isGoneHere {
            return try update(item, former, object, parsed, intake.changedHere[object.href], intake)
        }
        if isGoneHere, let former, let item = former.item, try takeElsewhere(item, former, object, parsed, intake) {
            return
        }
        if isGoneHere, let former, let text = former.text, AnswerChanges.isAll(from: text, to: parsed.text) {
            // It is deleted there in the state that it has now.
            return try intake.change.remoteCalendars.save(
                AgreedObject(href: object.href, etag: object.etag, item: former.item, text: text),
                in: intake.look.calendar)
        }
        if isGoneHere {
            sync.outcome.notes.append(
                "'\(CalendarSync.title(parsed.text))' was deleted here and changed there; it is back")
        }
        // What was at another address until now is the same, wherever that was.
        if let moved = departing[Departure(kind: parsed.kind, uid: parsed.uid)], let item = moved.item,
            try move(item, parsed, moved, object, intake)
        {
            return
        }
        if let own = try counterpart(parsed, object, intake) { return try agree(object, parsed, own, intake) }
        if intake.isDouble { return try agree(object, nil, nil, intake) }
        try add(object, parsed, intake)
    }

    /// Takes over what was changed there in something that was moved here to where the other side does not see it: it stays
    /// where it was moved, and goes from there.
    /// - Returns: false if it is not here any more.
    private func takeElsewhere(
        _ item: SyncedItem, _ former: AgreedObject, _ object: RemoteObject, _ parsed: ParsedObject, _ intake: Intake
    ) throws -> Bool {
        guard let base = former.text, let ours = try store.localObject(item, zone: sync.options.zone),
            try intake.change.remoteCalendars.addresses(of: item) == [object.href]
        else { return false }
        let merge = ComponentMerge(base: base, ours: ours.text, theirs: parsed.text, strategy: .merge)
        let zones = parsed.zones ?? ours.zones
        if merge.text != ours.text {
            if item.kind == .event {
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
            AgreedObject(href: object.href, etag: object.etag, item: item, text: parsed.text), in: intake.look.calendar)
        return true
    }

    /// Why an object is left alone.
    private enum Defect: String {
        case unreadable = "cannot be read any more"
        case several = "has more than one event or task in it"
    }

    /// Leaves an object alone that helix must not write: what it was here stays as it is.
    private func leave(_ object: RemoteObject, _ known: AgreedObject?, _ defect: Defect, _ intake: Intake) throws {
        guard let known, let item = known.item else {
            if defect == .several {
                sync.outcome.notes.append(
                    "\(object.href) \(defect.rawValue), and is left alone: 'helix cal import' and 'helix tasks import' read it"
                )
            } else if ParsedObject.isBroken(object.bytes) {
                sync.outcome.notes.append("\(object.href) cannot be read, and is left alone")
            }
            return try agree(object, nil, nil, intake)
        }
        bound.insert(item.id)
        sync.outcome.notes.append(
            "\(object.href) \(defect.rawValue); what it was stays here, and it is left alone there")
        // Without a text nothing is compared, and nothing written.
        try intake.change.remoteCalendars.save(
            AgreedObject(
                href: object.href, etag: object.etag, item: item, text: defect == .unreadable ? known.text : nil),
            in: intake.look.calendar)
    }

    /// What both sides have, and nobody wrote down that they agree: the later one stands.
    private func counterpart(_ parsed: ParsedObject, _ object: RemoteObject, _ intake: Intake) throws -> SyncedItem? {
        intake.isDouble = false
        let own: LocalObject?
        if parsed.kind == .event {
            own = try intake.look.calendar.calendar.flatMap { try intake.change.event(uid: parsed.uid, in: $0) }
        } else {
            own = try intake.tasks().task(uid: parsed.uid)
        }
        guard let own else { return nil }
        // Two objects of one UID: one of them is shown, and neither is written into the other.
        let gone = Set(intake.look.gone)
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
        } else if let id = try intake.tasks().write((parsed.zones ?? "") + parsed.text, to: nil) {
            made = SyncedItem(.task, id)
        }
        if made == nil {
            sync.outcome.problems.append("something in '\(intake.name)' cannot be used: \(object.href)")
        } else {
            sync.outcome.add(.here, "fetch", 1, intake.name)
        }
        try agree(object, parsed, made, intake)
    }

    /// Something that got another address there, or went to another calendar, does so here, with all that hangs on it.
    /// - Returns: false if it is not here any more.
    private func move(
        _ item: SyncedItem, _ parsed: ParsedObject, _ former: AgreedObject, _ object: RemoteObject, _ intake: Intake
    ) throws -> Bool {
        guard let before = try? store.localObject(item, zone: sync.options.zone) else { return false }
        if item.kind == .event, let calendar = intake.look.calendar.calendar {
            try intake.change.placeEvent(item.id, in: calendar)
        }
        let isHeld = heldBefore.contains(former.href)
        let ours = before.text == former.text && !isHeld ? nil : before
        let isElsewhere = intake.look.known[former.href] == nil
        if former.text == parsed.text, ours == nil {
            // A task stands in another column then, though it says the same.
            if item.kind == .task, isElsewhere { try intake.replace(item, parsed.text, zones: parsed.zones) }
            try agree(object, parsed, item, intake)
        } else {
            try update(item, former, object, parsed, ours, intake)
        }
        if isElsewhere { sync.outcome.add(.here, "move", 1, intake.name) }
        return true
    }

    /// Something that both sides have, and that is different there.
    private func update(
        _ item: SyncedItem, _ former: AgreedObject, _ object: RemoteObject, _ parsed: ParsedObject,
        _ changedHere: LocalObject?, _ intake: Intake
    ) throws {
        if former.text == parsed.text, changedHere == nil || former.href == object.href {
            return try agree(object, parsed, item, intake)
        }
        let isHeld = intake.held.contains(object.href)
        guard let base = former.text, let ours = try isHeld ? intake.current(item) : changedHere else {
            try intake.replace(item, parsed.text, zones: parsed.zones)
            sync.outcome.add(.here, "fetch", 1, intake.name)
            return try agree(object, parsed, item, intake)
        }
        let strategy = sync.account.settings.strategy ?? .merge
        let merge = ComponentMerge(base: base, ours: ours.text, theirs: parsed.text, strategy: strategy)
        if !merge.contested.isEmpty, strategy == .ask {
            bound.insert(item.id)
            try intake.change.remoteCalendars.save(
                AgreedObject(href: object.href, etag: former.etag, item: item, text: base), in: intake.look.calendar)
            return try intake.change.remoteCalendars.hold(
                object.href, etag: object.etag, theirs: parsed.text, zones: parsed.zones, in: intake.look.calendar,
                at: store.now)
        }
        let zones = parsed.zones ?? ours.zones
        // What gives way is kept in the history, whichever side it is of.
        if !merge.contested.isEmpty {
            try intake.replace(item, parsed.text, zones: zones)
            let words = merge.contested.map(PropertyWords.word).joined(separator: ", ")
            sync.outcome.notes.append(
                "'\(CalendarSync.title(parsed.text))' was changed on both sides: what gave way (\(words)) is in"
                    + " 'helix history \(item.id.text.prefix(6))'")
        }
        try intake.replace(item, merge.text, zones: zones)
        sync.outcome.add(.here, "merge", 1, intake.name)
        try agree(object, parsed, item, intake)
    }

    // MARK: What is gone

    /// Takes out what is gone from a calendar of the other side, as one change.
    ///
    /// - Parameter total: how much was on both sides before.
    /// - Throws: ``HelixError``.
    func remove(_ look: CalendarLook, _ total: Int) throws {
        if look.gone.isEmpty { return }
        let goneHere = Set(look.local.gone.map(\.href))
        let changedHere = Set(look.local.changed.map(\.former.href))
        // What has another address now is not gone.
        let lost = look.gone.filter { href in
            guard let item = look.known[href]?.item, !goneHere.contains(href) else { return false }
            return !bound.contains(item.id)
        }
        let isBraked = sync.brake(look, lost.count, total)
        let kept = isBraked ? Set(lost) : []
        try store.change("sync '\(look.name)'", command: "sync") { change in
            let held = try change.remoteCalendars.held(in: look.calendar)
            for href in look.gone where !kept.contains(href) {
                try change.remoteCalendars.forget(href, in: look.calendar)
                guard lost.contains(href), let item = look.known[href]?.item,
                    try change.remoteCalendars.addresses(of: item).isEmpty
                else { continue }
                if changedHere.contains(href) || held.contains(href) {
                    sync.outcome.notes.append(
                        "'\(CalendarSync.title(look.known[href]?.text ?? ""))' was changed here and deleted there; it stays"
                    )
                    continue
                }
                if item.kind == .task { try change.deleteTask(item.id) } else { try change.deleteEvent(item.id) }
                sync.outcome.add(.here, "remove", 1, look.name)
            }
        }
    }
}
