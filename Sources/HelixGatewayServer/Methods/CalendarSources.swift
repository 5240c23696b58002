import HelixModel
import HelixStore

/// The account behind a calendar, in the terms of the apps.
struct CalendarSource {
    /// The apps know these alone: `google`, `outlook` and `apple_icloud`, which stands for all others.
    var provider = "apple_icloud"
    var address: String?
    var isRemote = false
    var syncedAt: Instant?
    var problem: String?
}

/// The accounts behind the calendars of a store.
struct CalendarSources {
    private var sources: [EntityID: CalendarSource] = [:]

    init(_ store: Store) throws {
        let states = try store.syncStates()
        for account in try store.accounts() where account.kind.hasCalendars {
            let host = (account.settings.url ?? "").lowercased()
            var source = CalendarSource()
            if host.contains("google") {
                source.provider = "google"
            } else if ["outlook", "office365", "live.com"].contains(where: host.contains) {
                source.provider = "outlook"
            }
            source.address = account.settings.address ?? account.settings.user
            source.isRemote = true
            source.syncedAt = states[account.number]?.syncedAt
            source.problem = states[account.number]?.problem
            for remote in try store.remoteCalendars(account) {
                if let calendar = remote.calendar { sources[calendar] = source }
            }
        }
    }

    /// The account of a calendar; that of helix itself if it has none.
    subscript(_ calendar: EntityID) -> CalendarSource { sources[calendar] ?? CalendarSource() }
}
