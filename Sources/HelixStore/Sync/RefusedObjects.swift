import HelixModel
import HelixSQLite

extension Store {
    /// The objects that the remote rejected permanently: their components by address; empty for a deletion.
    /// - Throws: ``HelixError``.
    public func refusedObjects(_ calendar: RemoteCalendar) throws -> [String: String] {
        try read { db in
            var found: [String: String] = [:]
            let row = try Statement(db, "SELECT href, text FROM refused_object WHERE calendar = ?1")
            row.bind(1, calendar.number)
            while try row.step() { found[row.text(0) ?? ""] = row.text(1) ?? "" }
            return found
        }
    }
}

extension RemoteCalendarWriter {
    /// Records that the remote rejected an object permanently.
    ///
    /// - Parameter text: its components; empty for a deletion.
    /// - Throws: ``HelixError``.
    public func refuse(_ href: String, _ text: String, in calendar: RemoteCalendar) throws {
        let row = try Statement(db, "INSERT OR REPLACE INTO refused_object (calendar, href, text) VALUES (?1, ?2, ?3)")
        row.bind(1, calendar.number)
        row.bind(2, href)
        row.bind(3, text)
        try row.run()
    }

    /// Forgets rejected objects.
    /// - Throws: ``HelixError``.
    public func forgetRefused(_ hrefs: some Sequence<String>, in calendar: RemoteCalendar) throws {
        let row = try Statement(db, "DELETE FROM refused_object WHERE calendar = ?1 AND href = ?2")
        for href in hrefs {
            row.bind(1, calendar.number)
            row.bind(2, href)
            try row.run()
        }
    }
}
