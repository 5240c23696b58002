import HelixCalendar
import HelixModel
import HelixStore

/// Something that was changed on both sides, for a person to choose.
public struct SyncChoice: Sendable {
    /// What both sides say of one property.
    public struct Difference: Hashable, Sendable {
        /// What people call it: `title`.
        public var name: String
        /// What it was; nil where it was nothing.
        public var before: String?
        /// What it is here.
        public var here: String?
        /// What it is there.
        public var there: String?
    }

    /// The change that waits.
    public var held: HeldChange
    /// What it is called here.
    public var title: String
    /// What both sides changed, each in its own way.
    public var differences: [Difference]
}

/// What a person chooses where both sides changed the same.
public enum SyncDecision: String, Sendable, CaseIterable {
    /// What was changed here.
    case local
    /// What was changed on the other side.
    case server
    /// What was changed there, and a copy of what was changed here beside it.
    case both
}

/// Shows what was changed on both sides, and does what a person chooses.
public struct SyncChoices {
    private let store: Store
    private let zone: Zone

    /// - Parameter zone: the zone of times that name none.
    public init(_ store: Store, zone: Zone) {
        self.store = store
        self.zone = zone
    }

    /// What waits, the oldest first.
    /// - Throws: ``HelixError``.
    public func list() throws -> [SyncChoice] {
        try store.heldChanges().compactMap { held in
            guard let ours = try store.localObject(held.item, zone: zone) else { return nil }
            let merge = ComponentMerge(
                base: held.agreed.text ?? "", ours: ours.text, theirs: held.theirs, strategy: .server)
            return SyncChoice(
                held: held, title: CalendarSync.title(ours.text),
                differences: merge.contested.map { name in
                    SyncChoice.Difference(
                        name: PropertyWords.word(name), before: PropertyWords.value(name, in: held.agreed.text ?? ""),
                        here: PropertyWords.value(name, in: ours.text),
                        there: PropertyWords.value(name, in: held.theirs))
                })
        }
    }

    /// Does what a person chose. It goes to the other side with the next sync.
    /// - Throws: ``HelixError``.
    public func resolve(_ choice: SyncChoice, _ decision: SyncDecision) throws {
        let held = choice.held
        // As all that a sync does it is passed over by 'undo', which would send what was given up over what was kept.
        try store.change("choose for '\(choice.title)'", command: "sync") { change in
            let writer = try held.calendar.board.map { try RemoteTaskWriter(change, board: $0, zone: zone) }
            let ours =
                held.item.kind == .task ? try writer?.object(held.item.id) : try change.storedEvent(held.item.id)
            guard let ours else { throw HelixError(.notFound, "'\(choice.title)' is not here any more") }
            let merge = ComponentMerge(
                base: held.agreed.text ?? "", ours: ours.text, theirs: held.theirs,
                strategy: decision == .local ? .local : .server)
            let zones = held.zones ?? ours.zones
            if held.item.kind == .task {
                try writer?.write((zones ?? "") + merge.text, to: held.item.id)
                if decision == .both { try writer?.write(Self.copy(ours), to: nil) }
                try writer?.finish()
            } else {
                try change.setEventText(held.item.id, merge.text, zones: zones)
                if decision == .both, let calendar = held.calendar.calendar,
                    let group = try ParsedObject.read(CalendarSync.file(text: Self.copy(ours), zones: ours.zones))?
                        .group
                {
                    _ = try EventImporter(change, calendar: calendar).add(group)
                }
            }
            try change.remoteCalendars.save(
                AgreedObject(href: held.agreed.href, etag: held.etag, item: held.item, text: held.theirs),
                in: held.calendar)
            try change.remoteCalendars.release(held.agreed.href, in: held.calendar)
            // What is to be sent now is looked for.
            var calendar = held.calendar
            calendar.seen = -1
            try change.remoteCalendars.save(calendar)
        }
    }

    /// The same components as something of its own.
    private static func copy(_ object: LocalObject) -> String {
        let uid = ICalendarProperty("UID", text: EntityID().text + (object.item.kind == .task ? "@helix" : ""))
        return ICalendarComponent.list(object.text).map { component in
            var component = component
            component.set("UID", uid)
            return component.text
        }.joined()
    }
}
