import HelixModel
import HelixSQLite

/// An object that is being sent to the remote and is not acknowledged yet.
public struct SentObject: Hashable, Sendable {
    /// Its remote address.
    public var href: String
    /// The local item.
    public var item: SyncedItem
    /// Its components as they were sent.
    public var text: String

    /// Creates an object.
    public init(href: String, item: SyncedItem, text: String) {
        self.href = href
        self.item = item
        self.text = text
    }
}

extension Store {
    /// The objects sent in a sync that was interrupted before the remote answered, by address.
    /// - Throws: ``HelixError``.
    public func sentObjects(_ calendar: RemoteCalendar) throws -> [String: SentObject] {
        try read { db in
            var found: [String: SentObject] = [:]
            let row = try Statement(
                db, "SELECT href, event, task, text, contact FROM remote_sending WHERE calendar = ?1")
            row.bind(1, calendar.number)
            while try row.step() {
                let event = row.id(1).map { SyncedItem(.event, $0) }
                let other = row.id(2).map { SyncedItem(.task, $0) } ?? row.id(4).map { SyncedItem(.contact, $0) }
                guard let item = event ?? other else { continue }
                let href = row.text(0) ?? ""
                found[href] = SentObject(href: href, item: item, text: row.text(3) ?? "")
            }
            return found
        }
    }
}

extension RemoteCalendarWriter {
    /// Records the objects that are about to be sent.
    /// - Throws: ``HelixError``.
    public func beginSending(_ objects: [SentObject], in calendar: RemoteCalendar) throws {
        let row = try Statement(
            db,
            "INSERT OR REPLACE INTO remote_sending (calendar, href, event, task, text, contact) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        )
        for object in objects {
            row.bind(1, calendar.number)
            row.bind(2, object.href)
            row.bind(3, object.item.kind == .event ? object.item.id.text : nil)
            row.bind(4, object.item.kind == .task ? object.item.id.text : nil)
            row.bind(5, object.text)
            row.bind(6, object.item.kind == .contact ? object.item.id.text : nil)
            try row.run()
        }
    }

    /// Removes the record of an object once the remote has answered or its fate is known.
    /// - Throws: ``HelixError``.
    public func endSending(_ href: String, in calendar: RemoteCalendar) throws {
        let row = try Statement(db, "DELETE FROM remote_sending WHERE calendar = ?1 AND href = ?2")
        row.bind(1, calendar.number)
        row.bind(2, href)
        try row.run()
    }
}
