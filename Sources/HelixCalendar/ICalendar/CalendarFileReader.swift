import HelixModel

/// The VEVENTs of one UID in a file.
public struct EventGroup {
    /// Their UID; derived from the content if the file has none.
    public var uid: String
    /// The components, in the order of the file.
    public var components: [RawComponent]
    /// The zones of their calendar.
    public var zones: ZoneResolver

    /// The components' text, in the form of the store.
    public var text: [UInt8] {
        components.count == 1 ? components[0].text : Array(components.map(\.text).joined())
    }
}

/// A part of a calendar file that is relevant to an import.
public enum CalendarFilePart {
    /// The beginning of a calendar; a file may have several.
    case calendarBegin(line: Int)
    /// A property of the calendar itself, such as its name or zone.
    case calendarProperty(ICalendarProperty, line: Int)
    case events(EventGroup)
    /// A component of another kind, such as VTODO.
    case other(RawComponent)
    /// A VTIMEZONE, which is part of the zones of the calendar's events.
    case timezone(RawComponent)
    case defect(ICalendarDefect)
    /// The end of a calendar.
    case calendarEnd
}

/// Reads a calendar file as groups of events, and resolves zones that are defined before or after their use, and the
/// zone of floating times.
public struct CalendarFileReader {
    private var reader: any ICalendarPieces
    private var zones = ZoneResolver()
    private var ready: [CalendarFilePart] = []
    private var readyIndex = 0
    private var current: EventGroup?
    /// Events with a zone that is not defined yet.
    private var waiting: [RawComponent] = []
    /// The maximum number of events that wait for a zone, which may never be defined.
    private static let waitingLimit = 5_000
    private var isAtEnd = false
    private var lastKnownZone = ""

    /// Creates a reader of pieces.
    public init(_ pieces: any ICalendarPieces) { reader = pieces }

    /// Creates a reader of the bytes that `chunk` returns: some per call, none at the end.
    /// - Parameter keepsLineNumbers: whether components have the lines of the file, as ``ICalendarReader/keepsLineNumbers`` says.
    public init(keepsLineNumbers: Bool = false, _ chunk: @escaping () throws -> [UInt8]) {
        var reader = ICalendarReader(chunk)
        reader.keepsLineNumbers = keepsLineNumbers
        self.init(reader)
    }

    /// Creates a reader of `bytes`.
    /// - Parameter keepsLineNumbers: whether components have the lines of the file.
    public init(_ bytes: [UInt8], keepsLineNumbers: Bool = false) {
        var rest: [UInt8]? = bytes
        self.init(keepsLineNumbers: keepsLineNumbers) {
            defer { rest = nil }
            return rest ?? []
        }
    }

    /// The zones of the current calendar that were read so far.
    public var currentZones: ZoneResolver { zones }

    /// Whether the bytes contained any iCalendar data.
    public var hasContent: Bool { reader.hasContent }

    /// The next part, or nil at the end.
    /// - Throws: what the source of bytes throws.
    public mutating func next() throws -> CalendarFilePart? {
        while true {
            if readyIndex < ready.count {
                defer { readyIndex += 1 }
                return ready[readyIndex]
            }
            ready.removeAll(keepingCapacity: true)
            readyIndex = 0
            if isAtEnd { return nil }
            guard let piece = try reader.next() else {
                isAtEnd = true
                finishCalendar()
                continue
            }
            take(piece)
        }
    }

    private mutating func take(_ piece: ICalendarPiece) {
        switch piece {
        case .calendarBegin(let line):
            finishCalendar()
            ready.append(.calendarBegin(line: line))
        case .calendarEnd: finishCalendar()
        case .calendarProperty(let property, let line):
            if property.name == "X-WR-TIMEZONE" {
                zones.floatingZone = ZoneDatabase.zone(tzid: property.text)
            }
            ready.append(.calendarProperty(property, line: line))
        case .defect(let defect): ready.append(.defect(defect))
        case .component(let raw):
            for defect in raw.defects { ready.append(.defect(defect)) }
            switch raw.name {
            case "VTIMEZONE":
                if let component = ICalendarComponent.list(String(decoding: raw.text, as: UTF8.self)).first {
                    zones.define(component)
                }
                ready.append(.timezone(raw))
            case "VEVENT":
                // Once one event waits for its zone, those after it wait, too, to keep the order.
                if waiting.isEmpty && knowsZones(raw) {
                    add(raw)
                } else {
                    waiting.append(raw)
                    if waiting.count > CalendarFileReader.waitingLimit { releaseWaiting() }
                }
            default: ready.append(.other(raw))
            }
        }
    }

    private mutating func finishCalendar() {
        releaseWaiting()
        if let group = current { ready.append(.events(group)) }
        current = nil
        ready.append(.calendarEnd)
        zones = ZoneResolver()
        lastKnownZone = ""
    }

    private mutating func releaseWaiting() {
        for raw in waiting { add(raw) }
        waiting = []
    }

    private mutating func add(_ component: RawComponent) {
        var raw = component
        if let zone = zones.floatingZone, !zone.isUTC { raw.bindFloatingTimes(to: zone.identifier) }
        let uid: String
        if let own = raw.uid {
            uid = own
        } else {
            raw.removeEmptyUIDs()
            uid = DerivedUID.uid(for: raw.text)
            raw.uid = uid
            raw.text.insert(contentsOf: Array("UID:\(uid)\n".utf8), at: "BEGIN:VEVENT\n".utf8.count)
            if !raw.lineNumbers.isEmpty { raw.lineNumbers.insert(0, at: 1) }
        }
        // An export of several calendars names the calendar where an event of it begins.
        if current?.uid == uid, current?.zones === zones, !CalendarNameLine.begins(raw.text) {
            current?.components.append(raw)
        } else {
            if let group = current { ready.append(.events(group)) }
            current = EventGroup(uid: uid, components: [raw], zones: zones)
        }
    }

    /// Whether all TZIDs of the component can be resolved already.
    private mutating func knowsZones(_ raw: RawComponent) -> Bool {
        var index = raw.text.startIndex
        let marker = Array(";TZID=".utf8)
        while let semicolon = raw.text[index...].firstIndex(of: 0x3B) {
            index = semicolon + 1
            guard raw.text[semicolon...].starts(with: marker) else { continue }
            let rest = raw.text[(semicolon + marker.count)...]
            let end = rest.firstIndex { $0 == 0x3A || $0 == 0x3B || $0 == 0x0A } ?? rest.endIndex
            if rest[..<end].elementsEqual(lastKnownZone.utf8) { continue }
            let tzid = String(decoding: rest[..<end], as: UTF8.self).filter { $0 != "\"" }
            guard zones.knows(tzid) else { return false }
            lastKnownZone = tzid
        }
        return true
    }
}

/// A UID for an event without one, derived from its content: equal content has an equal UID.
enum DerivedUID {
    /// Properties that an exporter may rewrite each time.
    private static let volatile = ["DTSTAMP", "CREATED", "LAST-MODIFIED", "SEQUENCE"]

    static func uid(for text: [UInt8]) -> String {
        // FNV-1a, twice with different seeds: for identification, not against attackers.
        var low: UInt64 = 0xCBF2_9CE4_8422_2325
        var high: UInt64 = 0x8422_2325_CBF2_9CE4
        for line in text.split(separator: 0x0A) {
            let isVolatile = volatile.contains { line.starts(with: $0.utf8) }
            if isVolatile { continue }
            for byte in line {
                low = (low ^ UInt64(byte)) &* 0x100_0000_01B3
                high = (high &+ UInt64(byte)) &* 0x100_0000_01B3 ^ high >> 29
            }
        }
        let digits = String(low, radix: 36) + String(high, radix: 36)
        return "\(digits)@content.helix"
    }
}
