import HelixCalendar
import HelixGateway
import HelixModel
import HelixStore

/// `calendar.*` for the phone apps: the method names of the one for iOS, and those of the one for Android
/// (docs/gateway.md, "Calendar"). Their accounts are helix's calendars.
enum CalendarMethods {
    static let all: [GatewayMethod] = [
        both("calendar.list_accounts", "calendar.accounts.list", .read) { call, store in
            try call.params.end()
            let (counts, sources) = (try store.eventCounts(), try CalendarWire.sources(store))
            return .array(
                try store.calendars().map {
                    try CalendarWire.account($0, events: counts[$0.id], call, store, sources)
                })
        },
        both("calendar.get_primary_account", "calendar.accounts.primary", .read) { call, store in
            try call.params.end()
            var all = try store.calendars()
            // The apps cannot show a calendar tab without an account; a new user gets the calendar that a first event would make.
            if all.isEmpty, call.session.can(.write) {
                try call.change("add calendar", in: store) { change, _ in _ = try change.defaultCalendar() }
                all = try store.calendars()
            }
            let (counts, sources) = (try store.eventCounts(), try CalendarWire.sources(store))
            return try (all.first(where: \.isDefault) ?? all.first).map {
                try CalendarWire.account($0, events: counts[$0.id], call, store, sources)
            } ?? .null
        },
        both("calendar.list_events", "calendar.events.list", .read) { call, store in
            let calendars = try CalendarWire.selection(try call.params.identity("account_id"), store)
            let limit = try call.params.integer("limit", in: 1...500) ?? 20
            let skip = try call.params.integer("skip", in: 0...1_000_000)
            let offset = try call.params.integer("offset", in: 0...1_000_000)
            try call.params.end()
            // The apps show a month back and a year ahead.
            let range = TimeRange(start: call.now - 31 * 86_400, end: call.now + 366 * 86_400)
            return try CalendarWire.page(range, calendars, limit, skip ?? offset ?? 0, call, store)
        },
        both("calendar.get_event", "calendar.events.get", .read) { call, store in
            let id = try call.params.needed("id", most: 64)
            try call.params.end()
            return try CalendarWire.event(try CalendarWire.occurrence(id, call, store), call, store)
        },
        both("calendar.get_attendees", "calendar.events.attendees", .read) { call, store in
            let id = try call.params.needed("event_id", most: 64)
            try call.params.end()
            let event = try CalendarWire.component(of: try CalendarWire.occurrence(id, call, store), store)
            return ["attendees": .array(CalendarWire.attendees(event))]
        },
        both("calendar.search_events", "calendar.events.search", .read) { call, store in
            try CalendarSearch.run(&call, store)
        },
        both("calendar.create_event", "calendar.events.create", .write) { call, store in
            let calendar = try call.params.identity("account_id")
            var changes = EventChanges()
            changes.title = try call.params.needed("title", most: 10_000)
            try CalendarWire.read(&call.params, into: &changes, isNew: true)
            let new = try call.newEntity(.event)
            try call.params.end()
            if try new.isMade(in: store) {
                return try CalendarWire.event(try CalendarWire.occurrence(new.id.text, call, store), call, store)
            }
            let uid = (new.isKeyed ? new.id : EntityID()).text + "@helix"
            let component = ICalendarComponent.event(uid: uid, now: call.now, changes)
            let id = try call.change("add '\(changes.title ?? "")'", in: store) { change, _ in
                let target = try calendar.map { id in
                    guard let found = try store.calendars().first(where: { $0.id == id }) else {
                        throw HelixError(.notFound, "unknown account \(id.text)")
                    }
                    return found.id
                }
                return try change.createEvent(
                    [component], id: new.id, uid: uid, zones: nil, in: try target ?? change.defaultCalendar().id)
            }
            return try CalendarWire.event(try CalendarWire.occurrence(id.text, call, store), call, store)
        },
        both("calendar.update_event", "calendar.events.update", .write) { call, store in
            let id = try CalendarWire.whole(try call.params.needed("id", most: 64), call.params)
            var changes = EventChanges()
            changes.title = try call.params.text("title", most: 10_000)
            try CalendarWire.read(&call.params, into: &changes, isNew: false)
            try call.params.end()
            let stored = try store.event(id)
            try call.requireOwn(stored)
            var components = stored.components
            guard let master = components.firstIndex(where: { $0.first("RECURRENCE-ID") == nil && $0.name == "VEVENT" })
            else { throw GatewayError(.invalidRequest, "the event \(id.text) has only single occurrences") }
            try CalendarWire.keepLength(&changes, stored)
            components[master].apply(changes)
            components[master].touch(now: call.now)
            let changed = components
            try call.change("edit '\(try CalendarWire.occurrence(id.text, call, store).title)'", in: store) {
                change, _ in
                try change.updateEvent(id, changed)
            }
            return try CalendarWire.event(try CalendarWire.occurrence(id.text, call, store), call, store)
        },
        both("calendar.delete_event", "calendar.events.delete", .write) { call, store in
            let id = try CalendarWire.whole(try call.params.needed("id", most: 64), call.params)
            // Deleted events are kept in the history either way.
            _ = try call.params.bool("hard_delete")
            try call.params.end()
            try call.requireOwn(try store.event(id))
            let title = try CalendarWire.occurrence(id.text, call, store).title
            try call.change("delete '\(title)'", in: store) { change, _ in try change.deleteEvent(id) }
            return ["id": .string(id.text), "deleted": true]
        },
        both("calendar.check_conflicts", "calendar.conflicts.check", .read) { call, store in
            let id = try call.params.needed("event_id", most: 64)
            try call.params.end()
            let occurrence = try CalendarWire.occurrence(id, call, store)
            let others = try CalendarWire.conflicts(of: [occurrence], store)[CalendarWire.key(occurrence)] ?? []
            return ["conflicts": .array(try others.map { try CalendarWire.event($0, call, store) })]
        },
        both("calendar.mark_conflicts", "calendar.conflicts.mark", .read) { call, store in
            let id = try call.params.needed("event_id", most: 64)
            // Conflicts are computed, not set.
            _ = try call.params.bool("has_conflict")
            try call.params.end()
            return try CalendarWire.event(try CalendarWire.occurrence(id, call, store), call, store)
        },
        both("calendar.analytics", "calendar.stats", .read) { call, store in
            let calendars = try CalendarWire.selection(try call.params.identity("account_id"), store)
            try call.params.end()
            return try CalendarSearch.analytics(calendars, call, store)
        },
        both("calendar.start_sync", "calendar.sync.start", .write) { call, store in
            _ = try CalendarWire.selection(try call.params.identity("account_id"), store)
            try call.params.end()
            call.services.accounts.sync(call.session.user.id)
            return ["status": "syncing"]
        },
    ].flatMap { $0 }

    private static func both(
        _ name: String, _ other: String, _ scope: GatewayProtocol.Scope,
        _ run: @escaping @Sendable (inout MethodCall, Store) throws -> JSONText
    ) -> [GatewayMethod] { [.user(name, scope, run), .user(other, scope, run)] }
}

extension MethodCall {
    /// Refuses that an agent changes an event with other people: the calendar's server would tell them (RFC 6638).
    fileprivate func requireOwn(_ event: StoredEvent) throws {
        guard session.platform == AgentAccess.platform else { return }
        let hasOthers = event.components.contains { $0.first("ATTENDEE") != nil || $0.first("ORGANIZER") != nil }
        if hasOthers { throw GatewayError(.forbidden, "other people are invited to this event, and would be told") }
    }
}
