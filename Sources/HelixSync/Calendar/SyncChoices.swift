import HelixCalendar
import HelixModel
import HelixStore

/// A conflict: an entry that was changed on both sides, for the user to resolve.
public struct SyncChoice: Sendable {
    /// The values of one property on both sides.
    public struct Difference: Hashable, Sendable {
        /// Its display name: `title`.
        public var name: String
        /// The value as of the last sync; nil if there was none.
        public var before: String?
        /// The local value.
        public var here: String?
        /// The value on the other side.
        public var there: String?
    }

    /// The conflicting change.
    public var held: HeldChange
    /// The local title.
    public var title: String
    /// The properties that both sides changed in different ways.
    public var differences: [Difference]
}

/// The user's decision on a conflict.
public enum SyncDecision: String, Sendable, CaseIterable {
    /// Keep the local change.
    case local
    /// Keep the other side's change.
    case server
    /// Keep the other side's change, and a copy of the local one beside it.
    case both
}

/// Lists and resolves conflicts.
public struct SyncChoices {
    private let store: Store
    private let zone: Zone

    /// - Parameter zone: the zone of times without one.
    public init(_ store: Store, zone: Zone) {
        self.store = store
        self.zone = zone
    }

    /// The unresolved conflicts, the oldest first.
    /// - Throws: ``HelixError``.
    public func list() throws -> [SyncChoice] {
        try store.heldChanges().compactMap { held in
            guard let ours = try store.localObject(held.item, zone: zone) else { return nil }
            let merge = ComponentMerge(
                base: held.synced.text ?? "", ours: ours.text, theirs: held.theirs, strategy: .server)
            return SyncChoice(
                held: held, title: CalendarSync.title(ours.text),
                differences: merge.contested.map { name in
                    SyncChoice.Difference(
                        name: PropertyWords.word(name), before: PropertyWords.value(name, in: held.synced.text ?? ""),
                        here: PropertyWords.value(name, in: ours.text),
                        there: PropertyWords.value(name, in: held.theirs))
                })
        }
    }

    /// Resolves a conflict. The result is sent by the next sync.
    /// - Throws: ``HelixError``.
    public func resolve(_ choice: SyncChoice, _ decision: SyncDecision) throws {
        let held = choice.held
        // Like every change of a sync it is skipped by 'undo', which would overwrite the chosen version with the rejected one.
        try store.change("resolve the conflict of '\(choice.title)'", from: .sync) { change in
            let writer = try held.calendar.board.map { try RemoteTaskWriter(change, board: $0, zone: zone) }
            let ours =
                held.item.kind == .task ? try writer?.object(held.item.id) : try change.storedEvent(held.item.id)
            guard let ours else { throw HelixError(.notFound, "'\(choice.title)' no longer exists") }
            let merge = ComponentMerge(
                base: held.synced.text ?? "", ours: ours.text, theirs: held.theirs,
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
                SyncedObject(href: held.synced.href, etag: held.etag, item: held.item, text: held.theirs),
                in: held.calendar)
            try change.remoteCalendars.release(held.synced.href, in: held.calendar)
            // The objects to send are found from now on.
            var calendar = held.calendar
            calendar.seen = -1
            try change.remoteCalendars.save(calendar)
        }
    }

    /// The same components with a new identity.
    private static func copy(_ object: LocalObject) -> String {
        let uid = ICalendarProperty("UID", text: EntityID().text + (object.item.kind == .task ? "@helix" : ""))
        return ICalendarComponent.list(object.text).map { component in
            var component = component
            component.set("UID", uid)
            return component.text
        }.joined()
    }
}
