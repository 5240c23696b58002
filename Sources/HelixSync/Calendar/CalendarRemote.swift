import Foundation
import HelixModel

/// A calendar on the other side.
struct RemoteCollection: Hashable, Sendable {
    /// Its address.
    var href: String
    /// What it is called.
    var name: String
    /// Its colour, `#RRGGBB`.
    var color: String?
    /// Whether nothing can be written there.
    var isReadOnly: Bool
    /// Whether it takes events.
    var takesEvents = true
    /// Whether it takes tasks.
    var takesTasks = true
    /// What the other side says of its state: the same words mean that nothing changed.
    var marker: String?
    /// What it wants to hear to tell what changed since.
    var token: String?
    /// Whether ``marker`` and ``token`` will be others after the next change. Some servers take the second of the last change for
    /// them: another change within the same second changes neither.
    var isSettled = true

    /// Whether ``marker`` is a time in seconds.
    var countsSeconds = false

    /// Tells what the marker is, at the server's time.
    mutating func judgeMarker(at now: Date) {
        let second = Int(now.timeIntervalSince1970)
        // Milliseconds and microseconds tell two changes apart, and have more digits.
        let seconds = (marker ?? "").split { !$0.isNumber }.filter { $0.utf8.count == 10 }.compactMap { Int($0) }
        countsSeconds = seconds.contains { (1_000_000_000...second + 2).contains($0) }
        isSettled = !seconds.contains { abs($0 - second) <= 2 }
    }
}

/// What changed in a calendar on the other side.
struct RemoteCalendarChanges {
    /// The objects that may have changed, with what tells their states apart.
    var changed: [String: String] = [:]
    /// The objects that are gone, where those are told; else all that are not among the changed ones.
    var gone: [String]?
    /// What it wants to hear the next time.
    var token: String?
}

/// An object of a calendar on the other side.
struct RemoteObject {
    var href: String
    var etag: String
    var bytes: [UInt8]
}

/// What became of something that was written to the other side.
enum RemoteWrite {
    /// It is there, in that state; empty where the other side does not tell.
    case done(etag: String)
    /// Somebody changed it meanwhile.
    case changedMeanwhile
    /// It was refused, with the reason.
    case refused(String)
    /// It was refused, with the reason, and will be as long as it is what it is.
    case forbidden(String)

    /// The reason of a refusal.
    var refusal: String? {
        switch self {
        case .refused(let reason), .forbidden(let reason): reason
        case .done, .changedMeanwhile: nil
        }
    }
}

extension CalendarRemote {
    func schedules() throws -> Bool { false }
    func setLook(_ look: RemoteLook, of collection: RemoteCollection) throws -> RemoteWrite {
        .refused("names and colours are not kept there")
    }
    var ungiven: Set<String> { [] }
    var forbidden: Set<String> { [] }

    /// The name of a new object's file: its UID, where that can be one.
    func fileName(forUID uid: String) -> String {
        let isPlain =
            !uid.isEmpty && uid.utf8.count < 200 && !uid.hasPrefix(".")
            && uid.utf8.allSatisfy {
                ($0 >= 48 && $0 <= 57) || ($0 | 32 >= 97 && $0 | 32 <= 122) || "-_.@".utf8.contains($0)
            }
        return (isPlain ? uid : EntityID().text) + ".ics"
    }
}

/// A place with calendars that helix keeps its own the same as.
protocol CalendarRemote {
    /// How often a server was waited for.
    var roundTrips: Int { get }
    /// The addresses of objects that the other side has, and did not give.
    var ungiven: Set<String> { get }
    /// The addresses of objects that the other side does not let its user read.
    var forbidden: Set<String> { get }
    /// The calendars.
    /// - Throws: ``HelixError``.
    func collections() throws -> [RemoteCollection]
    /// Whether the other side sends invitations and answers by itself (RFC 6638).
    /// - Throws: ``HelixError``.
    func schedules() throws -> Bool
    /// Gives a calendar another name or colour.
    /// - Throws: ``HelixError``.
    func setLook(_ look: RemoteLook, of collection: RemoteCollection) throws -> RemoteWrite
    /// Makes a calendar.
    /// - Returns: its address.
    /// - Throws: ``HelixError``: `notAllowed` where that cannot be.
    func create(_ name: String, color: CalendarColor?, events: Bool, tasks: Bool) throws -> String
    /// What changed since both sides agreed.
    ///
    /// - Parameter isFirst: whether nothing of it is known here: then all of it will be asked for.
    /// - Throws: ``HelixError``.
    func changes(in collection: RemoteCollection, since token: String?, isFirst: Bool) throws -> RemoteCalendarChanges
    /// The objects at such addresses; those that are gone by now are left out.
    /// - Throws: ``HelixError``.
    func fetch(_ hrefs: [String], in collection: RemoteCollection) throws -> [RemoteObject]
    /// The address of a new object.
    func href(forUID uid: String, in collection: RemoteCollection) -> String
    /// Writes an object; without an etag it must be a new one.
    /// - Throws: ``HelixError``.
    func put(_ bytes: [UInt8], to href: String, replacing etag: String?) throws -> RemoteWrite
    /// Removes an object in that state.
    /// - Throws: ``HelixError``.
    func delete(_ href: String, _ etag: String) throws -> RemoteWrite
}
