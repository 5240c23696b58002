import HelixModel
import HelixStore

extension CalendarSync {
    /// Creates a local calendar or board for a calendar of the other side.
    func adopt(_ collection: RemoteCollection) throws -> RemoteCalendar? {
        if options.isDryRun { return nil }
        let isReadOnly = isReadOnly(collection)
        if collection.takesContacts { return try adoptBook(collection, isReadOnly) }
        let calendar = try store.former(.calendar, collection.href, of: account)
        let board = try store.former(.board, collection.href, of: account)
        if calendar != nil || !collection.takesEvents && board != nil {
            try store.writeRemoteCalendars {
                try $0.add(collection.href, calendar: calendar, board: board, of: account, isReadOnly: isReadOnly)
            }
        } else if collection.takesEvents {
            let name = self.name(for: collection, among: try store.calendars().map(\.name))
            outcome.add(.here, "create", 1, "the calendar '\(name)'")
            let color = collection.color.flatMap(CalendarColor.init(hex:))
            try store.change("add the calendar '\(name)' of '\(account.name)'", from: .sync) { change in
                let made = try change.addCalendar(name, color: color)
                try change.remoteCalendars.add(
                    collection.href, calendar: made.id, board: board, of: account, isReadOnly: isReadOnly)
            }
        } else {
            let name = self.name(for: collection, among: try store.boards().map(\.name))
            outcome.add(.here, "create", 1, "the board '\(name)'")
            try store.change("add the board '\(name)' of '\(account.name)'", from: .sync) { change in
                let made = try self.addBoard(name, change)
                try change.remoteCalendars.add(
                    collection.href, calendar: nil, board: made, of: account, isReadOnly: isReadOnly)
            }
        }
        return try store.remoteCalendars(account).first { $0.href == collection.href }
    }

    /// Creates a local address book for one of the other side.
    private func adoptBook(_ collection: RemoteCollection, _ isReadOnly: Bool) throws -> RemoteCalendar? {
        if let book = try store.former(.addressBook, collection.href, of: account) {
            try store.writeRemoteCalendars {
                try $0.add(collection.href, calendar: nil, board: nil, book: book, of: account, isReadOnly: isReadOnly)
            }
        } else {
            let name = self.name(for: collection, among: try store.addressBooks().map(\.name))
            outcome.add(.here, "create", 1, "the address book '\(name)'")
            try store.change("add the address book '\(name)' of '\(account.name)'", from: .sync) { change in
                let made = try change.addAddressBook(name)
                try change.remoteCalendars.add(
                    collection.href, calendar: nil, board: nil, book: made.id, of: account, isReadOnly: isReadOnly)
            }
        }
        return try store.remoteCalendars(account).first { $0.href == collection.href }
    }

    /// Creates what an event or a contact of a collection belongs to; a task's board is found with its task.
    func prepare(for kind: EntityKind, _ diff: CollectionDiff, _ change: Change) throws {
        if kind == .event { _ = try calendar(of: diff, change) }
        if kind == .contact { _ = try book(of: diff, change) }
    }

    /// The address book for a collection that contains a contact now: an empty calendar, as a folder of vCards was taken for, is
    /// kept as a local one.
    private func book(of diff: CollectionDiff, _ change: Change) throws -> EntityID {
        let books = try change.addressBooks()
        if let known = diff.calendar.book, books.contains(where: { $0.id == known }) { return known }
        let former = try store.former(.addressBook, diff.collection.href, of: account)
        let id = try former ?? change.addAddressBook(name(for: diff.collection, among: books.map(\.name))).id
        (diff.calendar.calendar, diff.calendar.board, diff.calendar.book) = (nil, nil, id)
        try change.remoteCalendars.save(diff.calendar)
        return id
    }

    /// The board for a calendar that contains a task now.
    func board(of diff: CollectionDiff, _ change: Change) throws -> EntityID {
        let boards = try change.boards()
        if let known = diff.calendar.board, boards.contains(where: { $0.id == known }) { return known }
        let former = try store.former(.board, diff.collection.href, of: account)
        let id = try former ?? addBoard(name(for: diff.collection, among: boards.map(\.name)), change)
        diff.calendar.board = id
        try change.remoteCalendars.save(diff.calendar)
        return id
    }

    /// The calendar for a board that contains an event now.
    func calendar(of diff: CollectionDiff, _ change: Change) throws -> EntityID {
        let calendars = try change.calendars()
        if let known = diff.calendar.calendar, calendars.contains(where: { $0.id == known }) { return known }
        let former = try store.former(.calendar, diff.collection.href, of: account)
        let color = diff.collection.color.flatMap(CalendarColor.init(hex:))
        let id =
            try former ?? change.addCalendar(name(for: diff.collection, among: calendars.map(\.name)), color: color).id
        diff.calendar.calendar = id
        try change.remoteCalendars.save(diff.calendar)
        return id
    }

    private func addBoard(_ name: String, _ change: Change) throws -> EntityID {
        // New tasks stay on this machine by default.
        _ = try change.board(named: nil)
        return try change.addBoard(name, columns: Board.usualColumns).id
    }

    func name(for collection: RemoteCollection, among others: [String]) -> String {
        let taken = Set(others.map { $0.lowercased() })
        let line = collection.name.split(whereSeparator: \.isNewline).joined(separator: " ")
        let plain = line.trimmingBlanks().isEmpty ? account.name : String(line.prefix(150))
        var name = plain
        if taken.contains(name.lowercased()) { name = "\(plain) (\(account.name))" }
        var number = 2
        while taken.contains(name.lowercased()) {
            name = "\(plain) (\(account.name) \(number))"
            number += 1
        }
        return name
    }

    /// Detaches a calendar that was deleted on the other side: its entries stay local.
    func drop(_ calendar: RemoteCalendar) throws {
        let name = try self.name(calendar) ?? calendar.href
        outcome.notes.append("'\(name)' was deleted on the other side; its entries are kept locally")
        if !options.isDryRun { try store.writeRemoteCalendars { try $0.forget(calendar) } }
    }

    /// The local name of a calendar of the other side; nil if it was deleted locally.
    func name(_ calendar: RemoteCalendar) throws -> String? {
        if let id = calendar.calendar { return try store.calendars().first { $0.id == id }?.name }
        if let id = calendar.book { return try store.addressBooks().first { $0.id == id }?.name }
        return try store.boards().first { $0.id == calendar.board }?.name
    }
}
