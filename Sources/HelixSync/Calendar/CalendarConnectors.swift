import HelixModel
import HelixStore

/// Accounts with a CalDAV server.
struct CalDAVConnector: AccountConnector {
    func sync(_ sync: AccountSync, _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws {
        try sync.calendars(try CalDAVRemote(sync.account), &outcome, progress)
    }

    func check(_ steps: inout AccountSteps) { steps.checkCalDAV() }
}

/// Accounts with a CardDAV server.
struct CardDAVConnector: AccountConnector {
    func sync(_ sync: AccountSync, _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws {
        try sync.calendars(try CalDAVRemote(sync.account), &outcome, progress)
    }

    func check(_ steps: inout AccountSteps) { steps.checkCalDAV() }
}

/// Folders of calendars that are shared with other programs (vdir).
struct FolderConnector: AccountConnector {
    func sync(_ sync: AccountSync, _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws {
        try sync.calendars(FolderRemote(root: sync.account.path), &outcome, progress)
    }

    func check(_ steps: inout AccountSteps) {
        guard steps.checkFolder() else { return }
        let root = steps.account.path
        _ = steps.attempt("calendars") {
            let names = try FolderRemote(root: root).collections().map {
                "'\($0.name)'\($0.isReadOnly ? " (read-only)" : "")"
            }
            return names.joined(separator: ", ")
        }
    }
}

/// Published calendars.
struct PublishedConnector: AccountConnector {
    func sync(_ sync: AccountSync, _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws {
        let marker = sync.options.isFull ? nil : try sync.store.remoteCalendars(sync.account).first?.marker
        let remote = try PublishedCalendar(sync.account, known: PublishedCalendar.RemoteState(marker: marker))
        try sync.calendars(remote, &outcome, progress)
    }

    func check(_ steps: inout AccountSteps) { steps.checkPublished() }
}
