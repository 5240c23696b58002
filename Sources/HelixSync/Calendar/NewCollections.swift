import HelixModel
import HelixStore

/// Creates calendars on the other side that were created locally for it.
struct NewCollections {
    private let sync: CalendarSync

    init(_ sync: CalendarSync) { self.sync = sync }

    /// Creates the pending ones.
    /// - Throws: ``HelixError``.
    func run() throws {
        for calendar in try sync.store.remoteCalendars(sync.account) where calendar.isWaiting {
            guard let name = try sync.name(calendar) else {
                // It was deleted locally, or undone, before it was sent.
                if !sync.options.isDryRun { try sync.store.writeRemoteCalendars { try $0.forget(calendar) } }
                continue
            }
            if sync.account.settings.isReadOnly == true { continue }
            guard !sync.options.isDryRun else {
                sync.outcome.add(.there, "create", 1, name)
                continue
            }
            let color = try sync.store.calendars().first { $0.id == calendar.calendar }?.color
            do {
                let href = try sync.remote.create(
                    name, color: color, events: calendar.calendar != nil, tasks: calendar.board != nil)
                try sync.store.writeRemoteCalendars { try $0.place(calendar, at: href) }
                try paint(href, color)
                sync.outcome.add(.there, "create", 1, name)
            } catch let error as HelixError where error.code != .offline {
                sync.outcome.problems.append("'\(name)' cannot be created on the other side: \(error.message)")
            }
        }
    }

    /// Sets the colour of a new calendar if the server ignored it on creation.
    private func paint(_ href: String, _ color: CalendarColor?) throws {
        guard let color, let made = try sync.remote.collections().first(where: { $0.href == href }),
            made.color.flatMap(CalendarColor.init(hex:)) != color
        else { return }
        if let reason = try sync.remote.setAppearance(RemoteAppearance(color: color), of: made).refusal {
            sync.outcome.problems.append("'\(made.name)' refuses its colour: \(reason)")
        }
    }

    /// The last part of the address of a calendar with that name.
    static func slug(_ name: String) -> String {
        let plain = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "-" }.joined()
        let slug = plain.split(separator: "-").joined(separator: "-")
        return slug.isEmpty ? EntityID().text : String(slug.prefix(60))
    }
}

extension RemoteCalendar {
    /// Whether it was created locally, and does not exist on the other side yet.
    var isWaiting: Bool { href.hasPrefix(RemoteCalendar.waiting) }
}
