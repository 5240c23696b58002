import HelixMail
import HelixModel
import HelixNetwork

extension FetchedMessage {
    /// Creates a message from `FETCH` items; nil for those without a UID, which servers send unasked.
    init?(_ values: [IMAPValue]) {
        guard let items = values.first?.values else { return nil }
        self.init(uid: 0)
        var uid: UInt32?
        var place = 0
        while place + 1 < items.count {
            let value = items[place + 1]
            let name = items[place].text?.uppercased() ?? ""
            place += 2
            switch name {
            case "UID": uid = value.number.map { UInt32(clamping: $0) }
            case "FLAGS": flags = value.values.map(ServerFlags.init)
            case "INTERNALDATE": date = value.text.flatMap(Self.date)
            case "RFC822.SIZE": size = value.number
            case "BODY[]":
                if case .spilled = value { isSpilled = true }
                if case .string(let bytes) = value { body = bytes }
            case "BODY[HEADER]":
                if case .string(let bytes) = value { head = bytes }
            case let name where name.hasPrefix("BODY[HEADER"):
                if case .string(let bytes) = value { messageID = Self.messageID(bytes) }
            default: break
            }
        }
        guard let uid, uid > 0 else { return nil }
        self.uid = uid
    }

    /// The Message-ID in headers that contain no other field.
    private static func messageID(_ head: [UInt8]) -> String? {
        guard let colon = head.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        return MessageIDs.first(Array(head[(colon + 1)...]))
    }

    /// Parses ` 1-Feb-2026 10:00:00 +0000` (RFC 9051 §9, date-time).
    static func date(_ text: String) -> Instant? {
        let parts = text.split(separator: " ")
        guard parts.count == 3 else { return nil }
        let day = parts[0].split(separator: "-")
        let time = parts[1].split(separator: ":").compactMap { Int($0) }
        guard day.count == 3, time.count == 3, let number = Int(day[0]), let year = Int(day[2]),
            let month = DateWords.month(abbreviation: day[1]), let offset = Int(parts[2]),
            let date = CivilDate(validYear: year, month: month, day: number),
            (0..<24).contains(time[0]), (0..<60).contains(time[1]), (0..<61).contains(time[2])
        else { return nil }
        let sign = offset < 0 ? -1 : 1
        let seconds = sign * ((abs(offset) / 100) * 3600 + (abs(offset) % 100) * 60)
        let civil = CivilDateTime(date, hour: time[0], minute: time[1], second: min(time[2], 59))
        return Instant(civil.seconds - Int64(seconds))
    }

    /// A date in the format of `APPEND`.
    static func text(_ instant: Instant) -> String {
        let civil = CivilDateTime(seconds: instant.seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let month = DateWords.name(month: civil.date.month)
        let day = civil.date.day < 10 ? " \(civil.date.day)" : "\(civil.date.day)"
        return "\(day)-\(month)-\(civil.date.year) \(two(civil.hour)):\(two(civil.minute)):\(two(civil.second)) +0000"
    }
}
