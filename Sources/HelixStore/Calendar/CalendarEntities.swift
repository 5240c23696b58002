import HelixModel

extension EntityDescriptor {
    /// Calendars.
    static let calendar = EntityDescriptor(
        .calendar,
        JournaledTable(.calendar, "calendar", ["name", "color", "is_hidden", "is_default", "position"]),
        isAddressed: true, isCounted: true, replicaOrder: 5,
        rules: JournalRules(words: ["is_hidden": .flag, "is_default": .flag]))

    /// Events.
    static let event = EntityDescriptor(
        .event,
        JournaledTable(
            kind: .event, name: "event", columns: ["calendar", "uid", "text", "zones"], textIndex: "event_text",
            didWrite: { store, db, id in try EventIndex(store: store, db: db).rebuild(id) },
            willDelete: { store, db, id in try EventIndex(store: store, db: db).remove(id) }),
        title: "(SELECT c.title FROM component c WHERE c.event = e.n ORDER BY c.ordinal LIMIT 1)",
        isAddressed: true, isLarge: true, isLinkable: true, isCounted: true, replicaOrder: 6,
        search: EntitySearch(order: 2, word: "event", aspects: [.time, .person, .tag]) {
            store, db, query, zone, limit in
            let selected = try store.selected(db, .all)
            let (asked, bounds) = (try EventQuerySQL(query.events, db, store), query.events.bounds)
            let reader = OccurrenceReader(
                range: Store.always, zone: zone, addresses: store.addresses, calendars: selected)
            var found: [EntityCandidate] = []
            for component in try store.ranked(db, asked, calendars: nil, limit: limit * 2) where found.count < limit {
                guard let next = try store.next(db, component: component, reader, from: bounds.start, to: bounds.end),
                    !found.contains(where: { $0.id == next.event })
                else { continue }
                var event = EntityCandidate(id: next.event, kind: .event, title: next.title)
                switch next.time {
                case .days(let first, _): event.moment = .date(first)
                case .timed(let range): event.moment = .instant(range.start)
                }
                found.append(event)
            }
            return found
        },
        rules: JournalRules(words: ["calendar": .title(.calendar)], hidden: ["zones"]))
}
