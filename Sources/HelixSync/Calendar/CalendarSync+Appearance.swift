import HelixModel
import HelixStore

/// Syncs the names and colours of calendars: the changes of either side since the last sync are copied to the other. If both
/// sides changed one, the other side's value wins, as with mailboxes.
extension CalendarSync {
    /// Syncs the name and colour of a calendar.
    /// - Throws: ``HelixError``.
    func syncAppearance(_ calendar: inout RemoteCalendar, _ collection: RemoteCollection) throws {
        guard let id = calendar.calendar, let local = try store.calendars().first(where: { $0.id == id }) else {
            return
        }
        let theirs = collection.color.flatMap(CalendarColor.init(hex:))
        guard var appearance = calendar.appearance else {
            // At first there is no change: a name that was in use locally got a number.
            calendar.appearance = RemoteCalendar.Appearance(
                name: collection.name, localName: local.name, color: theirs, localColor: local.color)
            return try note(calendar)
        }
        let former = appearance
        if collection.name != appearance.name {
            let name = self.name(for: collection, among: try store.calendars().map(\.name).filter { $0 != local.name })
            outcome.add(.here, "rename", 1, name)
            if !options.isDryRun, name != local.name {
                try store.change("rename the calendar '\(local.name)'", from: .sync) { change in
                    try change.renameCalendar(id, to: name)
                    try self.renameBoard(of: calendar, from: local.name, to: name, change)
                }
            }
            (appearance.name, appearance.localName) = (collection.name, name)
        } else if local.name != appearance.localName {
            let boards = try store.boards()
            if !options.isDryRun, boards.contains(where: { $0.id == calendar.board && $0.name == appearance.localName })
            {
                try store.change("rename the board '\(appearance.localName)'", from: .sync) { change in
                    try self.renameBoard(of: calendar, from: appearance.localName, to: local.name, change)
                }
            }
            if try send(RemoteAppearance(name: local.name), to: collection, "its name '\(local.name)'") {
                // A server may store another name than the one sent.
                let found = try remote.collections().first { $0.href == collection.href }
                appearance.name = found?.name ?? local.name
            }
            appearance.localName = local.name
        }
        if theirs != appearance.color, let theirs {
            if !options.isDryRun, theirs != local.color {
                try store.change("color the calendar '\(appearance.localName)'", from: .sync) {
                    try $0.colorCalendar(id, theirs)
                }
            }
            outcome.add(.here, "color", 1, appearance.localName)
            (appearance.color, appearance.localColor) = (theirs, theirs)
        } else if local.color != appearance.localColor {
            if try send(RemoteAppearance(color: local.color), to: collection, "its colour") {
                appearance.color = local.color
            }
            appearance.localColor = local.color
        }
        guard appearance != former else { return }
        calendar.appearance = appearance
        try note(calendar)
    }

    /// Renames the calendar's board with it, unless that was given another name.
    private func renameBoard(
        of calendar: RemoteCalendar, from former: String, to name: String, _ change: Change
    ) throws {
        let boards = try change.boards()
        guard let board = calendar.board, boards.first(where: { $0.id == board })?.name == former,
            !boards.contains(where: { $0.name == name })
        else { return }
        try change.renameBoard(board, to: name)
    }

    private func note(_ calendar: RemoteCalendar) throws {
        if !options.isDryRun { try store.writeRemoteCalendars { try $0.save(calendar) } }
    }

    /// Sets the name or colour of a calendar on the other side.
    /// - Returns: whether it was set; a refusal is reported once.
    private func send(_ appearance: RemoteAppearance, to collection: RemoteCollection, _ what: String) throws -> Bool {
        if isReadOnly(collection) { return false }
        outcome.add(.there, appearance.name == nil ? "color" : "rename", 1, appearance.name ?? collection.name)
        if options.isDryRun { return false }
        if let reason = try remote.setAppearance(appearance, of: collection).refusal {
            outcome.problems.append("'\(collection.name)' refuses \(what): \(reason)")
            return false
        }
        return true
    }
}

/// A name and a color to set for a calendar on the other side; nil for no change.
struct RemoteAppearance: Hashable, Sendable {
    var name: String?
    var color: CalendarColor?
}
