import HelixCalendar
import HelixModel
import HelixStore

/// Writes to the other side.
extension CalendarSync {
    /// Sends the local changes.
    /// - Returns: whether the other side stored all of them unchanged.
    func send(_ diff: CollectionDiff) throws -> Bool {
        let calendar = diff.calendar
        var local = try store.localChanges(calendar, zone: options.zone)
        if isReadOnly(diff.collection) {
            let count = local.new.count + local.changed.count + local.gone.count
            if count > 0 {
                outcome.notes.append(
                    "'\(diff.name)' is read-only: \(count) local change\(count == 1 ? "" : "s") cannot be sent"
                )
            }
            return true
        }
        try leaveOutRefused(&local, diff)
        let addresses = Dictionary(
            local.new.map { ($0.item, remote.href(forUID: $0.uid, in: diff.collection)) },
            uniquingKeysWith: { first, _ in first })
        // If the connection breaks now, the next sync checks which of these arrived.
        let sent =
            local.new.map { SentObject(href: addresses[$0.item] ?? "", item: $0.item, text: $0.text) }
            + local.changed.map { SentObject(href: $0.former.href, item: $0.object.item, text: $0.object.text) }
        try store.writeRemoteCalendars { try $0.beginSending(sent, in: calendar) }
        var isDone = true
        let taken = local.new.isEmpty ? [:] : try store.syncedObjects(calendar)
        for object in local.new {
            let href = addresses[object.item] ?? ""
            // An entry deleted locally, changed on the other side and restored by 'undo' exists there already, as another one.
            if taken[href] != nil {
                outcome.problems.append(
                    "'\(Self.title(object.text))' stays local: the other side has another entry with the same UID")
                try store.writeRemoteCalendars { try $0.endSending(href, in: calendar) }
                continue
            }
            if try !put(object, to: href, replacing: nil, diff) { isDone = false }
        }
        for (former, object) in local.changed {
            if try !put(object, to: former.href, replacing: former.etag, diff) { isDone = false }
        }
        if try !remove(local.gone, diff) { isDone = false }
        return isDone
    }

    /// Writes an object to the other side.
    /// - Returns: whether the other side stored it unchanged.
    private func put(
        _ object: LocalObject, to href: String, replacing etag: String?, _ diff: CollectionDiff
    ) throws -> Bool {
        let calendar = diff.calendar
        let what = "the \(object.item.kind.name) '\(Self.title(object.text))'"
        let write = try remote.put(Self.file(text: object.text, zones: object.zones), to: href, replacing: etag)
        // A scheduling server modifies objects: notified attendees, and answers that no longer count (RFC 6638 §3.2).
        let isRead = calendar.schedules == true && object.text.hasBytes(of: "\nATTENDEE")
        var isDone = try settle(write, what, href, object.text, diff) {
            // Without an ETag it is fetched once more in this sync.
            var synced = SyncedObject(href: href, etag: isRead ? "" : $1, item: object.item, text: object.text)
            synced.isSent = true
            try $0.save(synced, in: calendar)
            outcome.add(.there, "file", 1, diff.name)
        }
        if case .done = write, isRead { isDone = false }
        try store.writeRemoteCalendars { try $0.endSending(href, in: calendar) }
        return isDone
    }

    /// Removes objects on the other side, unless they are suspiciously many.
    /// - Returns: whether the other side did not change them meanwhile.
    private func remove(_ gone: [SyncedObject], _ diff: CollectionDiff) throws -> Bool {
        let total = try store.syncedCount(account)
        if !options.allowsMassDelete, MassDeletion.isSuspicious(gone.count, of: total) {
            outcome.problems.append(
                MassDeletion.message(gone.count, total, isServer: false, what: Self.contents(diff))
                    + " ('\(diff.name)')")
            return true
        }
        var isDone = true
        for former in gone {
            let what = "the removal of '\(Self.title(former.text ?? ""))'"
            let write = try remote.delete(former.href, former.etag)
            let isRemoved = try settle(write, what, former.href, "", diff) { writer, _ in
                try writer.forget(former.href, in: diff.calendar)
                outcome.add(.there, "remove", 1, diff.name)
            }
            if !isRemoved { isDone = false }
        }
        return isDone
    }

    /// Stores the result of a write.
    /// - Returns: whether the other side did not change the object meanwhile.
    private func settle(
        _ write: RemoteWrite, _ what: String, _ href: String, _ text: String, _ diff: CollectionDiff,
        _ body: (RemoteCalendarWriter, String) throws -> Void
    ) throws -> Bool {
        switch write {
        case .done(let etag): try store.writeRemoteCalendars { try body($0, etag) }
        case .changedMeanwhile: return false
        case .refused(let reason): outcome.problems.append("'\(diff.name)' refuses \(what): \(reason)")
        case .forbidden(let reason):
            outcome.problems.append("'\(diff.name)' refuses \(what), which is kept locally: \(reason)")
            refusedNow.insert(href)
            try store.writeRemoteCalendars { try $0.refuse(href, text, in: diff.calendar) }
        }
        return true
    }

    /// Drops local changes that the other side refused permanently, except in a full sync.
    private func leaveOutRefused(_ local: inout LocalObjectChanges, _ diff: CollectionDiff) throws {
        let refused = try store.refusedObjects(diff.calendar)
        if refused.isEmpty { return }
        if options.isFull {
            let again = refused.keys.filter { !refusedNow.contains($0) }
            return try store.writeRemoteCalendars { try $0.forgetRefused(again, in: diff.calendar) }
        }
        var titles: [String] = []
        var kept: Set<String> = []
        func isRefused(_ href: String, _ text: String, _ title: String) -> Bool {
            guard refused[href] == text else { return false }
            kept.insert(href)
            if !refusedNow.contains(href) { titles.append("'\(Self.title(title))'") }
            return true
        }
        local.new.removeAll { isRefused(remote.href(forUID: $0.uid, in: diff.collection), $0.text, $0.text) }
        local.changed.removeAll { isRefused($0.former.href, $0.object.text, $0.object.text) }
        local.gone.removeAll { isRefused($0.href, "", $0.text ?? "") }
        // Entries that changed since then are tried again.
        let former = refused.keys.filter { !kept.contains($0) }
        if !former.isEmpty { try store.writeRemoteCalendars { try $0.forgetRefused(former, in: diff.calendar) } }
        if titles.isEmpty { return }
        let names = titles.prefix(3).joined(separator: ", ") + (titles.count > 3 ? " and \(titles.count - 3) more" : "")
        outcome.notes.append(
            "'\(diff.name)' refused \(names): the change\(titles.count == 1 ? " stays" : "s stay") local"
                + " ('helix sync --full' retries)")
    }
}
