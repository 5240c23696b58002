import HelixCalendar
import HelixModel
import HelixStore

/// Keeps calendars here and on another side the same.
final class CalendarSync {
    private let store: Store
    private let account: MailAccount
    private let remote: any CalendarRemote
    private let options: SyncOptions
    private let progress: (String) -> Void
    private(set) var outcome: SyncOutcome
    /// Events that an object of the other side was found for in this look.
    private var bound: Set<EntityID> = []
    /// So many objects are asked for at once.
    private static let batchCount = 1000

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

    /// Does it all.
    /// - Throws: ``HelixError``; what was done until then is done.
    func run() throws {
        defer { outcome.roundTrips = remote.roundTrips }
        progress("\(account.name): asking for calendars")
        let found = try remote.collections()
        let known = try store.remoteCalendars(account)
        for collection in found {
            guard let calendar = try known.first(where: { $0.href == collection.href }) ?? adopt(collection) else {
                outcome.add(.here, "create", 1, collection.name)
                continue
            }
            try sync(calendar, collection)
        }
        for calendar in known where !found.contains(where: { $0.href == calendar.href }) { try drop(calendar) }
    }

    /// Makes a calendar here for one of the other side.
    private func adopt(_ collection: RemoteCollection) throws -> RemoteCalendar? {
        if options.isDryRun { return nil }
        if let known = try store.formerCalendar(collection.href, of: account) {
            try store.writeRemoteCalendars {
                try $0.add(collection.href, as: known, of: account, isReadOnly: collection.isReadOnly)
            }
            return try store.remoteCalendars(account).first { $0.href == collection.href }
        }
        let names = Set(try store.calendars().map { $0.name.lowercased() })
        var name = collection.name
        if names.contains(name.lowercased()) { name = "\(collection.name) (\(account.name))" }
        var number = 2
        while names.contains(name.lowercased()) {
            name = "\(collection.name) (\(account.name) \(number))"
            number += 1
        }
        let chosen = name
        let color = collection.color.flatMap(CalendarColor.init(hex:))
        try store.change("add the calendar '\(chosen)' of '\(account.name)'", command: "sync") { change in
            let made = try change.addCalendar(chosen, color: color)
            try change.remoteCalendars.add(
                collection.href, as: made.id, of: account, isReadOnly: collection.isReadOnly)
        }
        return try store.remoteCalendars(account).first { $0.href == collection.href }
    }

    /// A calendar that the other side has no more: its events stay here, and are nobody else's any more.
    private func drop(_ calendar: RemoteCalendar) throws {
        let name = try self.name(calendar)
        outcome.problems.append("the calendar '\(name)' is gone from the other side; what was in it stays here")
        if !options.isDryRun { try store.writeRemoteCalendars { try $0.forget(calendar) } }
    }

    private func name(_ calendar: RemoteCalendar) throws -> String {
        try store.calendars().first { $0.id == calendar.calendar }?.name ?? calendar.href
    }

    private func sync(_ calendar: RemoteCalendar, _ collection: RemoteCollection) throws {
        guard let name = try store.calendars().first(where: { $0.id == calendar.calendar })?.name else {
            // The calendar was deleted here. To delete it there is for the program that shows it there.
            outcome.problems.append("the calendar of \(collection.name) was deleted here, and is left as it is there")
            return
        }
        // What somebody writes there at the same moment is seen the next time round.
        for round in 0..<3 where try pass(calendar, collection, name, isAgain: round > 0) { return }
        outcome.problems.append("'\(name)' is changed on the other side all the time; the rest waits for the next sync")
    }

    /// One look at both sides.
    /// - Returns: whether both are the same now.
    private func pass(_ given: RemoteCalendar, _ collection: RemoteCollection, _ name: String, isAgain: Bool) throws
        -> Bool
    {
        guard var calendar = try store.remoteCalendars(account).first(where: { $0.number == given.number }) else {
            return true
        }
        let local = try store.localEventChanges(calendar)
        let isSame = collection.marker != nil && collection.marker == calendar.marker && !options.isFull && !isAgain
        if isSame, local.new.isEmpty, local.changed.isEmpty, local.gone.isEmpty { return true }
        let known = try store.remoteEvents(calendar)
        var incoming = Incoming()
        var token = calendar.token
        if !isSame {
            progress("\(account.name): looking at \(name)")
            let changes = try remote.changes(in: collection, since: options.isFull ? nil : calendar.token)
            token = changes.token
            let wanted = changes.changed.filter { known[$0.key]?.etag != $0.value || $0.value.isEmpty }.keys.sorted()
            for start in stride(from: 0, to: wanted.count, by: Self.batchCount) {
                let batch = Array(wanted[start..<min(start + Self.batchCount, wanted.count)])
                incoming.objects += try remote.fetch(batch, in: collection)
                if wanted.count > Self.batchCount {
                    progress("\(account.name): \(name) \(incoming.objects.count) of \(wanted.count)")
                }
            }
            incoming.gone = (changes.gone ?? known.keys.filter { changes.changed[$0] == nil }).filter {
                known[$0] != nil
            }
        }
        try brake(&incoming, known, name)
        if options.isDryRun {
            describe(incoming, local, known, calendar, name)
            return true
        }
        let isApplied = try apply(incoming, local, known, calendar, name)
        let isSent = try calendar.isReadOnly ? true : send(calendar, collection, name)
        if isApplied, isSent {
            (calendar.marker, calendar.token) = (collection.marker, token)
            calendar.isReadOnly = collection.isReadOnly
            let done = calendar
            // What was sent changes what the other side says: then the next look is the one that finds nothing.
            try store.writeRemoteCalendars { try $0.save(done) }
        }
        return isSent
    }

    /// What comes from the other side.
    private struct Incoming {
        var objects: [RemoteObject] = []
        var gone: [String] = []
        var isBraked = false
    }

    private func brake(_ incoming: inout Incoming, _ known: [String: RemoteEvent], _ name: String) throws {
        let total = try store.remoteEventCount(account)
        guard !options.allowsMassDelete, MassDeletion.isSuspicious(incoming.gone.count, of: total) else { return }
        outcome.problems.append(
            MassDeletion.message(incoming.gone.count, total, isServer: true, what: "events") + " ('\(name)')")
        incoming.gone = []
        incoming.isBraked = true
    }

    private func describe(
        _ incoming: Incoming, _ local: LocalEventChanges, _ known: [String: RemoteEvent], _ calendar: RemoteCalendar,
        _ name: String
    ) {
        outcome.add(.here, "fetch", incoming.objects.count, name)
        outcome.add(.here, "remove", incoming.gone.count, name)
        if calendar.isReadOnly { return }
        outcome.add(.there, "file", local.new.count + local.changed.count, name)
        outcome.add(.there, "remove", local.gone.count, name)
    }

    /// Takes what came from the other side, as one change.
    /// - Returns: whether all of it was taken.
    private func apply(
        _ incoming: Incoming, _ local: LocalEventChanges, _ known: [String: RemoteEvent], _ calendar: RemoteCalendar,
        _ name: String
    ) throws -> Bool {
        if incoming.objects.isEmpty, incoming.gone.isEmpty { return !incoming.isBraked }
        let changedHere = Dictionary(local.changed.map { ($0.former.href, $0.event) }, uniquingKeysWith: { $1 })
        let goneHere = Set(local.gone.map(\.href))
        bound = []
        try store.change("sync '\(name)'", command: "sync") { change in
            let importer = try EventImporter(change, calendar: calendar.calendar)
            for object in incoming.objects {
                try take(
                    object, known[object.href], changedHere[object.href], goneHere.contains(object.href), calendar,
                    name,
                    change, importer)
            }
            for href in incoming.gone {
                try change.remoteCalendars.forget(href, in: calendar)
                // An event whose address is another one now is not gone.
                guard let id = known[href]?.event, !goneHere.contains(href), !bound.contains(id) else { continue }
                if changedHere[href] != nil {
                    outcome.problems.append("an event of '\(name)' was changed here and deleted there; it stays")
                    continue
                }
                try change.deleteEvent(id)
                outcome.add(.here, "remove", 1, name)
            }
        }
        return !incoming.isBraked
    }

    /// Takes one object.
    private func take(
        _ object: RemoteObject, _ former: RemoteEvent?, _ changedHere: LocalEvent?, _ isGoneHere: Bool,
        _ calendar: RemoteCalendar, _ name: String, _ change: Change, _ importer: EventImporter
    ) throws {
        guard let group = try self.group(object) else {
            // A task, or nothing that can be read: it is left alone, and not asked for again.
            return try change.remoteCalendars.save(
                RemoteEvent(href: object.href, etag: object.etag, event: nil, text: nil), in: calendar)
        }
        let text = String(decoding: group.text, as: UTF8.self)
        func save(_ event: EntityID?) throws {
            if let event { bound.insert(event) }
            try change.remoteCalendars.save(
                RemoteEvent(href: object.href, etag: object.etag, event: event, text: text), in: calendar)
        }
        if let former, former.text == text, !isGoneHere { return try save(former.event) }
        if let former, let id = former.event, !isGoneHere {
            guard let changedHere else {
                try change.setEventText(id, text, zones: group.keptZones)
                outcome.add(.here, "fetch", 1, name)
                return try save(id)
            }
            let merge = EventMerge(
                base: former.text ?? "", ours: changedHere.text, theirs: text,
                strategy: account.settings.strategy ?? .merge)
            let zones = group.keptZones ?? changedHere.zones
            // What gives way is kept in the history, whichever side it is of.
            if !merge.contested.isEmpty {
                try change.setEventText(id, text, zones: zones)
                let title = ICalendarComponent.list(text).first?.first("SUMMARY")?.text ?? ""
                outcome.notes.append(
                    "'\(title)' was changed on both sides: what gave way (\(merge.contested.joined(separator: ", "))) is in"
                        + " 'helix history \(id.text.prefix(6))'")
            }
            try change.setEventText(id, merge.text, zones: zones)
            outcome.add(.here, "merge", 1, name)
            return try save(id)
        }
        if isGoneHere {
            outcome.problems.append("an event of '\(name)' was deleted here and changed there; it is back")
        }
        if let own = try change.event(uid: group.uid, in: calendar.calendar) {
            // Both sides have it, and nobody wrote down that they agree.
            if own.text != text, case .updated = try importer.add(group) { outcome.add(.here, "fetch", 1, name) }
            return try save(own.id)
        }
        if case .created(let id) = try importer.add(group) {
            outcome.add(.here, "fetch", 1, name)
            return try save(id)
        }
        outcome.problems.append("an event of '\(name)' cannot be used: \(object.href)")
        try save(nil)
    }

    /// The event of an object; nil if it is none.
    private func group(_ object: RemoteObject) throws -> EventGroup? {
        var isGiven = false
        var reader = CalendarFileReader {
            defer { isGiven = true }
            return isGiven ? [] : object.bytes
        }
        var found: EventGroup?
        while let part = try reader.next() {
            guard case .events(let group) = part else { continue }
            if found == nil {
                found = group
            } else if found?.uid == group.uid {
                found?.components += group.components
            } else {
                outcome.problems.append("\(object.href) has several events, of which one is shown")
            }
        }
        return found
    }

    /// Sends what is different here.
    /// - Returns: whether the other side took all of it as it was.
    private func send(_ calendar: RemoteCalendar, _ collection: RemoteCollection, _ name: String) throws -> Bool {
        let local = try store.localEventChanges(calendar)
        var isDone = true
        func settle(
            _ write: RemoteWrite, _ what: String, _ body: (RemoteCalendarWriter, String) throws -> Void
        ) throws {
            switch write {
            case .done(let etag): try store.writeRemoteCalendars { try body($0, etag) }
            case .changedMeanwhile: isDone = false
            case .refused(let reason): outcome.problems.append("'\(name)' does not take \(what): \(reason)")
            }
        }
        for event in local.new {
            let href = remote.href(forUID: event.uid, in: collection)
            try settle(try remote.put(Self.object(event), to: href, replacing: nil), "the event \(event.uid)") {
                try $0.save(RemoteEvent(href: href, etag: $1, event: event.id, text: event.text), in: calendar)
                outcome.add(.there, "file", 1, name)
            }
        }
        for (former, event) in local.changed {
            try settle(
                try remote.put(Self.object(event), to: former.href, replacing: former.etag), "the event \(event.uid)"
            ) {
                try $0.save(RemoteEvent(href: former.href, etag: $1, event: event.id, text: event.text), in: calendar)
                outcome.add(.there, "file", 1, name)
            }
        }
        let total = try store.remoteEventCount(account)
        if !options.allowsMassDelete, MassDeletion.isSuspicious(local.gone.count, of: total) {
            outcome.problems.append(
                MassDeletion.message(local.gone.count, total, isServer: false, what: "events") + " ('\(name)')")
            return isDone
        }
        for former in local.gone {
            try settle(try remote.delete(former.href, former.etag), "that an event is removed") { writer, _ in
                try writer.forget(former.href, in: calendar)
                outcome.add(.there, "remove", 1, name)
            }
        }
        return isDone
    }

    /// An event as an object of its own.
    static func object(_ event: LocalEvent) -> [UInt8] {
        var export = CalendarExport(now: Instant(0))
        export.note(text: event.text, zones: event.zones)
        return export.header(name: nil) + export.event(event.text) + export.footer
    }
}
