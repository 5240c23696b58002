import FoundationEssentials
import HelixModel

/// A calendar or address book on the other side.
struct RemoteCollection: Hashable, Sendable {
    /// Its address.
    var href: String
    /// Its display name.
    var name: String
    /// Its colour, `#RRGGBB`.
    var color: String?
    /// Whether it is read-only.
    var isReadOnly: Bool
    /// Whether it accepts events.
    var takesEvents = true
    /// Whether it accepts tasks.
    var takesTasks = true
    /// Whether it is an address book.
    var takesContacts = false
    /// The other side's state tag: an equal tag means that nothing changed.
    var marker: String?
    /// The sync token for the next request of changes.
    var token: String?
    /// Whether ``marker`` and ``token`` will differ after the next change. Some servers use the second of the last change for
    /// them: another change within the same second changes neither.
    var isSettled = true

    /// Whether ``marker`` is a time in seconds.
    var countsSeconds = false

    /// Checks whether the marker is a time, by the server's clock.
    mutating func judgeMarker(at now: Date) {
        let second = Int(now.timeIntervalSince1970)
        // Milliseconds and microseconds distinguish two changes, and have more digits.
        let seconds = (marker ?? "").split { !$0.isNumber }.filter { $0.utf8.count == 10 }.compactMap { Int($0) }
        countsSeconds = seconds.contains { (1_000_000_000...second + 2).contains($0) }
        isSettled = !seconds.contains { abs($0 - second) <= 2 }
    }
}

/// The changes of a calendar on the other side.
struct RemoteCalendarChanges {
    /// The objects that may have changed, with their ETags.
    var changed: [String: String] = [:]
    /// The deleted objects, where the server lists them; otherwise those that are not among the changed ones.
    var gone: [String]?
    /// The sync token for the next request.
    var token: String?
}

/// An object of a calendar on the other side.
struct RemoteObject {
    var href: String
    var etag: String
    var bytes: [UInt8]
}

/// The result of a write to the other side.
enum RemoteWrite {
    /// It was written, with its new ETag; empty where the other side does not return one.
    case done(etag: String)
    /// It was changed by another client meanwhile.
    case changedMeanwhile
    /// It was refused, with the reason.
    case refused(String)
    /// It was refused permanently, with the reason; the same content need not be sent again.
    case forbidden(String)

    /// The reason for a refusal.
    var refusal: String? {
        switch self {
        case .refused(let reason), .forbidden(let reason): reason
        case .done, .changedMeanwhile: nil
        }
    }
}

extension CalendarRemote {
    func schedules() throws -> Bool { false }
    func setAppearance(_ appearance: RemoteAppearance, of collection: RemoteCollection) throws -> RemoteWrite {
        .refused("it stores no names and colours")
    }
    var ungiven: Set<String> { [] }
    var forbidden: Set<String> { [] }

    /// The file name of a new object: its UID, if that is a valid name.
    func fileName(forUID uid: String, in collection: RemoteCollection) -> String {
        let isPlain =
            !uid.isEmpty && uid.utf8.count < 200 && !uid.hasPrefix(".")
            && uid.utf8.allSatisfy {
                ($0 >= 48 && $0 <= 57) || ($0 | 32 >= 97 && $0 | 32 <= 122) || "-_.@".utf8.contains($0)
            }
        return (isPlain ? uid : EntityID().text) + (collection.takesContacts ? ".vcf" : ".ics")
    }
}

/// The other side of a calendar account.
protocol CalendarRemote {
    /// The number of round trips.
    var roundTrips: Int { get }
    /// The addresses of objects that the other side listed but did not return.
    var ungiven: Set<String> { get }
    /// The addresses of objects that the user may not read.
    var forbidden: Set<String> { get }
    /// The calendars.
    /// - Throws: ``HelixError``.
    func collections() throws -> [RemoteCollection]
    /// Whether the other side sends invitations and answers by itself (RFC 6638).
    /// - Throws: ``HelixError``.
    func schedules() throws -> Bool
    /// Sets the name or colour of a calendar.
    /// - Throws: ``HelixError``.
    func setAppearance(_ appearance: RemoteAppearance, of collection: RemoteCollection) throws -> RemoteWrite
    /// Creates a calendar, or an address book if it takes neither events nor tasks.
    /// - Returns: its address.
    /// - Throws: ``HelixError``: `notAllowed` if that is not possible.
    func create(_ name: String, color: CalendarColor?, events: Bool, tasks: Bool) throws -> String
    /// The changes since the last sync.
    ///
    /// - Parameter isFirst: whether this is the first sync: then all objects will be fetched.
    /// - Throws: ``HelixError``.
    func changes(in collection: RemoteCollection, since token: String?, isFirst: Bool) throws -> RemoteCalendarChanges
    /// The objects at the addresses; those that were deleted meanwhile are left out.
    /// - Throws: ``HelixError``.
    func fetch(_ hrefs: [String], in collection: RemoteCollection) throws -> [RemoteObject]
    /// The address of a new object.
    func href(forUID uid: String, in collection: RemoteCollection) -> String
    /// Writes an object; without an etag it must be a new one.
    /// - Throws: ``HelixError``.
    func put(_ bytes: [UInt8], to href: String, replacing etag: String?) throws -> RemoteWrite
    /// Deletes an object if it has that ETag.
    /// - Throws: ``HelixError``.
    func delete(_ href: String, _ etag: String) throws -> RemoteWrite
}
