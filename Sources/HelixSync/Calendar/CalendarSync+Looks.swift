import HelixModel
import HelixStore

/// Syncs the names and colours of calendars: the changes of either side since the last sync are copied to the other. If both
/// sides changed one, the other side's value wins, as with mailboxes.
extension CalendarSync {
    /// Syncs the name and colour of a calendar.
    /// - Throws: ``HelixError``.
    func agreeOnLook(_ calendar: inout RemoteCalendar, _ collection: RemoteCollection) throws {
        guard let id = calendar.calendar, let local = try store.calendars().first(where: { $0.id == id }) else {
            return
        }
        let theirs = collection.color.flatMap(CalendarColor.init(hex:))
        guard var look = calendar.look else {
            // At first there is no change: a name that was in use locally got a number.
            calendar.look = RemoteCalendar.Look(
                name: collection.name, localName: local.name, color: theirs, localColor: local.color)
            return try note(calendar)
        }
        let former = look
        if collection.name != look.name {
            let name = self.name(for: collection, among: try store.calendars().map(\.name).filter { $0 != local.name })
            outcome.add(.here, "rename", 1, name)
            if !options.isDryRun, name != local.name {
                try store.change("rename the calendar '\(local.name)'", command: "sync") { change in
                    try change.renameCalendar(id, to: name)
                    try self.renameBoard(of: calendar, from: local.name, to: name, change)
                }
            }
            (look.name, look.localName) = (collection.name, name)
        } else if local.name != look.localName {
            let boards = try store.boards()
            if !options.isDryRun, boards.contains(where: { $0.id == calendar.board && $0.name == look.localName }) {
                try store.change("rename the board '\(look.localName)'", command: "sync") { change in
                    try self.renameBoard(of: calendar, from: look.localName, to: local.name, change)
                }
            }
            if try send(RemoteLook(name: local.name), to: collection, "its name '\(local.name)'") {
                // A server may store another name than the one sent.
                let found = try remote.collections().first { $0.href == collection.href }
                look.name = found?.name ?? local.name
            }
            look.localName = local.name
        }
        if theirs != look.color, let theirs {
            if !options.isDryRun, theirs != local.color {
                try store.change("color the calendar '\(look.localName)'", command: "sync") {
                    try $0.colorCalendar(id, theirs)
                }
            }
            outcome.add(.here, "color", 1, look.localName)
            (look.color, look.localColor) = (theirs, theirs)
        } else if local.color != look.localColor {
            if try send(RemoteLook(color: local.color), to: collection, "its colour") { look.color = local.color }
            look.localColor = local.color
        }
        guard look != former else { return }
        calendar.look = look
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
    private func send(_ look: RemoteLook, to collection: RemoteCollection, _ what: String) throws -> Bool {
        if isReadOnly(collection) { return false }
        outcome.add(.there, look.name == nil ? "color" : "rename", 1, look.name ?? collection.name)
        if options.isDryRun { return false }
        if let reason = try remote.setLook(look, of: collection).refusal {
            outcome.problems.append("'\(collection.name)' refuses \(what): \(reason)")
            return false
        }
        return true
    }
}

/// A name and a color to set for a calendar on the other side; nil for no change.
struct RemoteLook: Hashable, Sendable {
    var name: String?
    var color: CalendarColor?
}
