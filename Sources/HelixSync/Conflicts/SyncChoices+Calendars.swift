import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore

/// Conflicts with calendar servers.
extension SyncChoices {
    func calendarChoices() throws -> [SyncChoice] {
        try store.heldChanges().compactMap { held in
            guard let ours = try store.localObject(held.item, zone: zone) else { return nil }
            let merge = ComponentMerge(
                base: held.synced.text ?? "", ours: ours.text, theirs: held.theirs, strategy: .server)
            return SyncChoice(
                source: .calendar(held), kind: held.item.kind, id: held.item.id, account: held.account,
                foundAt: held.foundAt, title: CalendarSync.title(ours.text),
                differences: merge.contested.map { name in
                    SyncChoice.Difference(
                        name: PropertyWords.word(name), before: PropertyWords.value(name, in: held.synced.text ?? ""),
                        here: PropertyWords.value(name, in: ours.text),
                        there: PropertyWords.value(name, in: held.theirs))
                })
        }
    }

    func resolve(_ held: HeldChange, _ choice: SyncChoice, _ decision: SyncDecision) throws {
        // Like every change of a sync it is skipped by 'undo', which would overwrite the chosen version with the rejected one.
        try store.change("resolve the conflict of '\(choice.title)'", from: .sync) { change in
            let writer = try held.calendar.board.map { try RemoteTaskWriter(change, board: $0, zone: zone) }
            let ours: LocalObject? =
                switch held.item.kind {
                case .task: try writer?.object(held.item.id)
                case .contact: try change.contactObject(held.item.id)
                default: try change.storedEvent(held.item.id)
                }
            guard let ours else { throw HelixError(.notFound, "'\(choice.title)' no longer exists") }
            let merge = ComponentMerge(
                base: held.synced.text ?? "", ours: ours.text, theirs: held.theirs,
                strategy: decision == .local ? .local : .server)
            let zones = held.zones ?? ours.zones
            if held.item.kind == .task {
                try writer?.write((zones ?? "") + merge.text, to: held.item.id)
                if decision == .both { try writer?.write(Self.copy(ours), to: nil) }
                try writer?.finish()
            } else if held.item.kind == .contact {
                try change.setContactText(held.item.id, merge.text)
                if decision == .both, let book = held.calendar.book, let card = VCard(text: Self.copy(ours)) {
                    try change.createContact(card, in: book)
                }
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
        copy(object.text, suffix: object.item.kind == .task ? "@helix" : "")
    }

    /// The same components with a new identity.
    static func copy(_ text: String, suffix: String) -> String {
        let uid = ICalendarProperty("UID", text: EntityID().text + suffix)
        return ICalendarComponent.list(text).map { component in
            var component = component
            component.set("UID", uid)
            return component.text
        }.joined()
    }
}
