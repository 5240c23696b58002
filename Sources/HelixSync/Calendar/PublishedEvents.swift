import HelixCalendar
import HelixCrypto
import HelixModel
import HelixStore

/// The single events of one large file.
enum PublishedEvents {
    /// The events by their UIDs; their ETags are hashes of their content.
    /// - Throws: ``HelixError``.
    static func split(_ bytes: [UInt8]) throws -> [String: RemoteObject] {
        var reader = CalendarFileReader(bytes)
        var groups: [String: EventGroup] = [:]
        var order: [String] = []
        while let part = try reader.next() {
            guard case .events(let group) = part else { continue }
            if groups[group.uid] == nil {
                groups[group.uid] = group
                order.append(group.uid)
            } else {
                groups[group.uid]?.components += group.components
            }
        }
        var objects: [String: RemoteObject] = [:]
        for uid in order {
            guard let group = groups[uid] else { continue }
            let text = String(decoding: group.text, as: UTF8.self)
            let object = CalendarSync.file(text: text, zones: group.keptZones)
            let hash = SHA256.hash(object).prefix(12).map { String($0, radix: 16) }.joined()
            objects[uid] = RemoteObject(href: uid, etag: hash, bytes: object)
        }
        return objects
    }
}
