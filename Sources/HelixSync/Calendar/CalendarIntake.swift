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

    private struct Departure: Hashable {
        var kind: EntityKind
        var uid: String
    }

    init(_ sync: CalendarSync, _ looks: [CalendarLook]) {
        self.sync = sync
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
        let objects = try sync.fetch(look)
        if objects.isEmpty { return }
        try store.change("sync '\(look.name)'", command: "sync") { change in
            let intake = try Intake(look, change, sync)
            for object in objects { try take(object, intake) }
            try intake.finish()
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
        guard let parsed = try ParsedObject.read(object.bytes),
            parsed.kind == .task || intake.look.calendar.calendar != nil
        else {
            // Nothing that helix keeps, or that can be read: it is left alone, and not asked for again.
            return try agree(object, nil, nil, intake)
        }
        if parsed.hasMore {
            // To write one of them back would take the others away.
            sync.outcome.notes.append(
                "\(object.href) has several events or tasks, and is left alone: 'helix cal import' and 'helix tasks import'"
                    + " read it")
            if intake.look.known[object.href]?.item == nil { try agree(object, nil, nil, intake) }
            return
        }
        let former = intake.look.known[object.href].flatMap { $0.item?.kind == parsed.kind ? $0 : nil }
        let isGoneHere = intake.goneHere.contains(object.href)
        if let former, let item = former.item, !isGoneHere {
            return try update(item, former, object, parsed, intake)
        }
        if isGoneHere {
            sync.outcome.notes.append(
                "'\(CalendarSync.title(parsed.text))' was deleted here and changed there; it is back")
        }
        if let own = try counterpart(parsed, intake) { return try agree(object, parsed, own, intake) }
        if let moved = departing[Departure(kind: parsed.kind, uid: parsed.uid)], let item = moved.item,
            try move(item, parsed, moved, object, intake)
        {
            return
        }
        try add(object, parsed, intake)
    }

    /// What both sides have, and nobody wrote down that they agree: the later one stands.
    private func counterpart(_ parsed: ParsedObject, _ intake: Intake) throws -> SyncedItem? {
        if let group = parsed.group, let calendar = intake.look.calendar.calendar {
            guard let own = try intake.change.event(uid: parsed.uid, in: calendar) else { return nil }
            if own.text != parsed.text, case .updated? = try intake.events()?.add(group) {
                sync.outcome.add(.here, "fetch", 1, intake.name)
            }
            return own.item
        }
        guard let own = try intake.tasks().task(uid: parsed.uid) else { return nil }
        if own.text != parsed.text, ComponentMerge.stamp(parsed.text) >= ComponentMerge.stamp(own.text) {
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

    /// Something that went from one calendar to another there does so here, with all that hangs on it.
    /// - Returns: false if it is not here any more.
    private func move(
        _ item: SyncedItem, _ parsed: ParsedObject, _ former: AgreedObject, _ object: RemoteObject, _ intake: Intake
    ) throws -> Bool {
        guard (try? intake.current(item)) != nil else { return false }
        if item.kind == .event, let calendar = intake.look.calendar.calendar {
            try intake.change.placeEvent(item.id, in: calendar)
        }
        let ours = try intake.current(item)
        let merge = ComponentMerge(
            base: former.text ?? "", ours: ours.text, theirs: parsed.text,
            strategy: sync.account.settings.strategy ?? .merge)
        try intake.replace(item, merge.text, zones: parsed.zones ?? ours.zones)
        sync.outcome.add(.here, "move", 1, intake.name)
        try agree(object, parsed, item, intake)
        return true
    }

    /// Something that both sides have, and that is different there.
    private func update(
        _ item: SyncedItem, _ former: AgreedObject, _ object: RemoteObject, _ parsed: ParsedObject, _ intake: Intake
    ) throws {
        if former.text == parsed.text { return try agree(object, parsed, item, intake) }
        let isHeld = intake.held.contains(object.href)
        guard let ours = try isHeld ? intake.current(item) : intake.changedHere[object.href] else {
            try intake.replace(item, parsed.text, zones: parsed.zones)
            sync.outcome.add(.here, "fetch", 1, intake.name)
            return try agree(object, parsed, item, intake)
        }
        let strategy = sync.account.settings.strategy ?? .merge
        let merge = ComponentMerge(
            base: former.text ?? "", ours: ours.text, theirs: parsed.text, strategy: strategy)
        let title = CalendarSync.title(parsed.text)
        if !merge.contested.isEmpty, strategy == .ask {
            bound.insert(item.id)
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
                "'\(title)' was changed on both sides: what gave way (\(words)) is in"
                    + " 'helix history \(item.id.text.prefix(6))'")
        }
        try intake.replace(item, merge.text, zones: zones)
        sync.outcome.add(.here, "merge", 1, intake.name)
        try agree(object, parsed, item, intake)
    }

    // MARK: What is gone

    /// Takes out what is gone from a calendar of the other side, as one change.
    /// - Throws: ``HelixError``.
    func remove(_ look: CalendarLook) throws {
        if look.gone.isEmpty { return }
        let goneHere = Set(look.local.gone.map(\.href))
        let changedHere = Set(look.local.changed.map(\.former.href))
        try store.change("sync '\(look.name)'", command: "sync") { change in
            let held = try change.remoteCalendars.held(in: look.calendar)
            for href in look.gone {
                try change.remoteCalendars.forget(href, in: look.calendar)
                // What has another address now is not gone.
                guard let item = look.known[href]?.item, !goneHere.contains(href), !bound.contains(item.id) else {
                    continue
                }
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
