import HelixModel

/// A top-level piece of an iCalendar stream, in the order of the file.
public enum ICalendarPiece: Sendable {
    /// The beginning of VCALENDAR.
    case calendarBegin(line: Int)
    /// A property of VCALENDAR itself.
    case calendarProperty(ICalendarProperty, line: Int)
    /// A component of the calendar.
    case component(RawComponent)
    /// An unusable part; reading continues after it.
    case defect(ICalendarDefect)
    /// The end of VCALENDAR, or of the file.
    case calendarEnd(line: Int)
}

/// The reason why a part of a file is unusable.
public struct ICalendarDefect: Hashable, Sendable {
    /// The line of the file, from 1.
    public var line: Int
    /// The skipped part: `VEVENT`, or `line`.
    public var part: String
    /// The reason, as a phrase.
    public var reason: String
    /// Its UID, if known.
    public var uid: String?
    /// The name of the file, if there are several.
    public var file: String?

    /// Creates a defect in `line`.
    public init(line: Int, part: String, reason: String, uid: String? = nil) {
        self.line = line
        self.part = part
        self.reason = reason
        self.uid = uid
    }
}

/// A raw component: its unfolded lines from BEGIN to END, joined by line feeds.
public struct RawComponent: Sendable {
    /// `VEVENT`, in upper case.
    public var name: String
    /// The unfolded lines, each ended by a line feed, valid UTF-8 without control characters.
    public var text: [UInt8]
    /// The line of BEGIN in the file, from 1.
    public var line: Int
    /// The value of its first UID.
    public var uid: String?
    /// Invalid lines in it that were skipped.
    public var defects: [ICalendarDefect]
    /// The file's line of each line of ``text``, 0 for added ones; empty unless ``ICalendarReader/keepsLineNumbers``.
    public var lineNumbers: [Int] = []
    /// The file's lines that are not UTF-8 and were read as Windows-1252.
    public var foreignLines: [Int] = []
    /// The file's lines whose control characters were left out.
    public var cleanedLines: [Int] = []
    /// Whether times without a zone were read in the zone of the calendar (`X-WR-TIMEZONE`).
    public var usesCalendarZone = false
    /// The event in the text, if it was read ahead and the text has not changed since.
    public internal(set) var event: ReadEvent?

    /// Its event: the one that was read ahead, or else from the text.
    /// - Throws: ``EventComponentError`` if the component has no usable start.
    public func readEvent(_ zones: ZoneResolver) throws(EventComponentError) -> EventComponent {
        if let event { return event.component }
        return try EventComponent(text, zones: zones)
    }

    /// Reads its event ahead. One with a zone that is not known yet stays unread: the zone may be defined later.
    public mutating func readAhead(_ zones: ZoneResolver) {
        guard name == "VEVENT", uid != nil, let component = try? EventComponent(text, zones: zones),
            !component.warnings.contains(where: { $0.hasPrefix("unknown zone") })
        else { return }
        event = ReadEvent(component)
    }
}

/// An event that was read from a component, in one place however often the component is copied.
public final class ReadEvent: Sendable {
    /// The event.
    public let component: EventComponent

    init(_ component: EventComponent) { self.component = component }
}

/// A source of the pieces of an iCalendar stream.
public protocol ICalendarPieces {
    /// Whether any BEGIN was read.
    var hasContent: Bool { get }

    /// The next piece, or nil at the end.
    /// - Throws: what the source of bytes throws.
    mutating func next() throws -> ICalendarPiece?
}

/// Reads an iCalendar stream (RFC 5545 §3.1, §3.4) in pieces, with one component in memory at a time.
///
/// It accepts deviations of real files: bare line feeds, a byte order mark, Windows-1252 text, a missing VCALENDAR,
/// junk between components, unmatched END.
public struct ICalendarReader: ICalendarPieces {
    /// The maximum size of a component in bytes; larger ones are skipped.
    public static let componentLimit = 16 << 20
    /// The maximum nesting depth; components with deeper nesting are skipped.
    public static let depthLimit = 16

    private var lines: UnfoldedLines
    private var pending: [ICalendarPiece] = []
    private var isInCalendar = false
    /// Whether any BEGIN was read.
    public private(set) var hasContent = false
    /// Whether components have ``RawComponent/lineNumbers``.
    public var keepsLineNumbers = false

    /// Creates a reader of the bytes that `chunk` returns: some per call, none at the end.
    public init(_ chunk: @escaping () throws -> [UInt8]) {
        lines = UnfoldedLines(chunk)
    }

    /// The next piece, or nil at the end.
    /// - Throws: what the source of bytes throws.
    public mutating func next() throws -> ICalendarPiece? {
        while pending.isEmpty {
            guard let line = try lines.next() else {
                guard isInCalendar else { return nil }
                isInCalendar = false
                pending.append(
                    .defect(
                        ICalendarDefect(
                            line: lines.number, part: "VCALENDAR", reason: "the file ends before END:VCALENDAR")))
                pending.append(.calendarEnd(line: lines.number))
                break
            }
            try take(line)
        }
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    private mutating func take(_ line: UnfoldedLines.Line) throws {
        switch Marker(line.bytes) {
        case .begin("VCALENDAR"):
            hasContent = true
            if isInCalendar { pending.append(.calendarEnd(line: line.number)) }
            isInCalendar = true
            pending.append(.calendarBegin(line: line.number))
        case .begin(let name):
            hasContent = true
            pending.append(try component(name, from: line))
        case .end("VCALENDAR") where isInCalendar:
            isInCalendar = false
            pending.append(.calendarEnd(line: line.number))
        case .end(let name):
            let reason = "END:\(name) has no BEGIN"
            pending.append(.defect(ICalendarDefect(line: line.number, part: "line", reason: reason)))
        case nil:
            guard isInCalendar, !line.isBlank else { return }
            if let property = ICalendarProperty(line.bytes) {
                pending.append(.calendarProperty(property, line: line.number))
            } else {
                pending.append(.defect(line.defect))
            }
        }
    }

    /// Reads the component that begins with `first`, up to its END.
    private mutating func component(_ name: String, from first: UnfoldedLines.Line) throws -> ICalendarPiece {
        var reading = OpenComponent(name, from: first.number, keepsLineNumbers: keepsLineNumbers)
        while !reading.stack.isEmpty {
            guard let line = try lines.next() else {
                return reading.defect("the file ends inside it (line \(lines.number))")
            }
            switch Marker(line.bytes) {
            case .begin(let inner):
                if inner == name && inner != "VTIMEZONE" && reading.stack.count == 1 || inner == "VCALENDAR" {
                    // These are never nested: END was lost. Reading continues with the next component.
                    lines.unread(line)
                    return reading.defect("it has no END before the next BEGIN:\(inner) in line \(line.number)")
                }
                reading.begin(inner, line)
            case .end("VCALENDAR") where !reading.stack.contains("VCALENDAR"):
                lines.unread(line)
                return reading.defect("it has no END before END:VCALENDAR")
            case .end(let inner): reading.end(inner, line)
            case nil: reading.add(line)
            }
        }
        return reading.refusal.map { reading.defect($0) } ?? .component(reading.raw)
    }

    /// A component while it is read.
    private struct OpenComponent {
        private(set) var raw: RawComponent
        /// The names of the components that have no END yet.
        private(set) var stack: [String]
        /// The reason for skipping the component, of which then nothing is kept.
        private(set) var refusal: String?
        private let keepsLineNumbers: Bool

        init(_ name: String, from line: Int, keepsLineNumbers: Bool) {
            raw = RawComponent(name: name, text: [], line: line, uid: nil, defects: [])
            stack = [name]
            self.keepsLineNumbers = keepsLineNumbers
            append(ArraySlice("BEGIN:\(name)".utf8), line)
        }

        /// The component as an unusable part.
        func defect(_ reason: String) -> ICalendarPiece {
            .defect(ICalendarDefect(line: raw.line, part: raw.name, reason: reason, uid: raw.uid))
        }

        private mutating func append(_ bytes: ArraySlice<UInt8>, _ number: Int) {
            guard refusal == nil else { return }
            if raw.text.count + bytes.count > ICalendarReader.componentLimit {
                refuse("it is larger than \(ICalendarReader.componentLimit >> 20) MB")
                return
            }
            raw.text.append(contentsOf: bytes)
            raw.text.append(0x0A)
            if keepsLineNumbers { raw.lineNumbers.append(number) }
        }

        private mutating func refuse(_ reason: String) {
            refusal = reason
            raw.text = []
        }

        /// Adds the BEGIN of an inner component.
        mutating func begin(_ inner: String, _ line: UnfoldedLines.Line) {
            stack.append(inner)
            if stack.count > ICalendarReader.depthLimit {
                refuse("it is nested deeper than \(ICalendarReader.depthLimit) levels")
                if stack.count > 100_000 { stack.removeLast() }
            }
            append(line.bytes, line.number)
        }

        /// Adds an END, before it those of inner components that lack one.
        mutating func end(_ inner: String, _ line: UnfoldedLines.Line) {
            guard let position = stack.lastIndex(of: inner) else {
                raw.defects.append(
                    ICalendarDefect(line: line.number, part: "line", reason: "END:\(inner) has no BEGIN"))
                return
            }
            for open in stack[position...].reversed() {
                append(ArraySlice("END:\(open)".utf8), line.number)
            }
            stack.removeSubrange(position...)
        }

        /// Adds a property.
        mutating func add(_ line: UnfoldedLines.Line) {
            if line.isBlank { return }
            guard ICalendarProperty.isContentLine(line.bytes) else {
                raw.defects.append(line.defect)
                return
            }
            if stack.count == 1, raw.uid == nil, line.bytes.count >= 4, let first = line.bytes.first,
                first | 0x20 == 0x75, let property = ICalendarProperty(line.bytes), property.name == "UID"
            {
                let uid = property.text.trimmingBlanks()
                if !uid.isEmpty { raw.uid = uid }
            }
            append(line.bytes, line.number)
            if line.isForeign { raw.foreignLines.append(line.number) }
            if line.isCleaned { raw.cleanedLines.append(line.number) }
        }
    }

    /// A BEGIN or END line, which structures a stream.
    private enum Marker {
        case begin(String)
        case end(String)

        init?(_ line: ArraySlice<UInt8>) {
            guard let first = line.first, first | 0x20 == 0x62 || first | 0x20 == 0x65, line.count < 80 else {
                return nil
            }
            let text = String(decoding: line, as: UTF8.self).uppercased()
            if text.hasPrefix("BEGIN:") {
                self = .begin(String(text.dropFirst(6)).trimmingBlanks())
            } else if text.hasPrefix("END:") {
                self = .end(String(text.dropFirst(4)).trimmingBlanks())
            } else {
                return nil
            }
        }
    }
}
