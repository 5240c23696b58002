import HelixCalendar
import HelixModel

/// A part of a file of vCards.
public enum VCardPiece: Sendable {
    /// A vCard, and the line of its BEGIN, from 1.
    case card(VCard, line: Int)
    /// A part that cannot be read, or was changed to be read; reading continues after it.
    case defect(ICalendarDefect)
}

/// Reads vCards of the versions 2.1, 3 and 4 from a file, one by one, with every line kept.
///
/// A vCard 2.1 becomes one of version 3: no server takes the former.
public struct VCardReader {
    private var lines: UnfoldedLines
    private var waiting: [VCardPiece] = []
    private var isAtEnd = false
    /// The maximum number of bytes of a vCard: photos are part of it.
    static let sizeLimit = 16 << 20

    /// Creates a reader of a whole file.
    public init(_ bytes: [UInt8]) {
        var rest: [UInt8]? = bytes
        self.init {
            defer { rest = nil }
            return rest ?? []
        }
    }

    /// Creates a reader of a stream; `source` returns its next bytes, none at its end.
    public init(_ source: @escaping () throws -> [UInt8]) { lines = UnfoldedLines(source) }

    /// The next vCard or defect; nil at the end.
    /// - Throws: the error of the source.
    public mutating func next() throws -> VCardPiece? {
        while waiting.isEmpty, !isAtEnd { try read() }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// Reads up to the end of the next vCard.
    private mutating func read() throws {
        while let line = try lines.next() {
            if line.isBlank { continue }
            if Self.isMarker(line.bytes, "BEGIN:VCARD") { return try readCard(from: line.number) }
            waiting.append(.defect(Self.defect(line)))
            // The rest of a file that is no vCard is skipped at once.
            while let other = try lines.next() {
                if Self.isMarker(other.bytes, "BEGIN:VCARD") { return try readCard(from: other.number) }
            }
        }
        isAtEnd = true
    }

    private mutating func readCard(from start: Int) throws {
        var card = CardLines(start: start)
        while let line = try lines.next() {
            switch card.add(line) {
            case .more: break
            case .end: return finish(card.items, card.defects, card.size, card.start)
            case .nextCard:
                waiting.append(.defect(Self.missingEnd(card.start)))
                card = CardLines(start: line.number)
            }
        }
        isAtEnd = true
        waiting.append(.defect(Self.missingEnd(card.start)))
    }

    private static func missingEnd(_ line: Int) -> ICalendarDefect {
        ICalendarDefect(line: line, part: "VCARD", reason: "it has no end, and was skipped")
    }

    private mutating func finish(
        _ items: [ICalendarComponent.Item], _ defects: [ICalendarDefect], _ size: Int, _ start: Int
    ) {
        guard size <= Self.sizeLimit else {
            return waiting.append(
                .defect(ICalendarDefect(line: start, part: "VCARD", reason: "it is larger than 16 MB, and was skipped"))
            )
        }
        var card = VCard(ICalendarComponent("VCARD", items: items))
        var notes = defects
        if let version = card.first("VERSION")?.value.trimmingBlanks() {
            if version.hasPrefix("2") { card = LegacyVCard(card, line: start).converted(&notes) }
        } else {
            card.component.items.insert(.line("VERSION:3.0"), at: 0)
        }
        let uid = card.uid
        waiting += notes.map { defect in
            var defect = defect
            defect.uid = uid
            return .defect(defect)
        }
        waiting.append(.card(card, line: start))
    }

    fileprivate static func isMarker(_ line: ArraySlice<UInt8>, _ marker: String) -> Bool {
        guard line.count < 40 else { return false }
        return String(decoding: line, as: UTF8.self).uppercased().trimmingBlanks() == marker
    }

    fileprivate static func defect(_ line: UnfoldedLines.Line) -> ICalendarDefect {
        let shown = String(decoding: line.bytes.prefix(40), as: UTF8.self)
        return ICalendarDefect(line: line.number, part: "line", reason: "'\(shown)' is not a property")
    }
}

/// The lines of a vCard, collected up to its end.
private struct CardLines {
    enum Outcome {
        case more
        /// The vCard is complete.
        case end
        /// The line begins another vCard, before the end of this one.
        case nextCard
    }

    /// The line of its BEGIN, from 1.
    let start: Int
    private(set) var items: [ICalendarComponent.Item] = []
    private(set) var defects: [ICalendarDefect] = []
    /// The number of bytes.
    private(set) var size = 0
    /// A quoted-printable line of vCard 2.1, which goes on after a '=' at its end.
    private var quoted: String?
    /// The vCards within it (AGENT of version 2.1), which belong to another person.
    private var (depth, agent) = (0, "")

    init(start: Int) { self.start = start }

    mutating func add(_ line: UnfoldedLines.Line) -> Outcome {
        let text = String(decoding: line.bytes, as: UTF8.self)
        if line.isForeign {
            defects.append(
                ICalendarDefect(line: line.number, part: "line", reason: "is not UTF-8, and was read as Windows-1252"))
        }
        if line.isCleaned {
            defects.append(
                ICalendarDefect(line: line.number, part: "line", reason: "has control characters, left out"))
        }
        size += text.utf8.count
        if let begun = quoted {
            quoted = nil
            let whole = begun.dropLast() + text
            if whole.hasSuffix("=") { quoted = String(whole) } else { items.append(.line(String(whole))) }
            return .more
        }
        if line.isBlank { return .more }
        if VCardReader.isMarker(line.bytes, "BEGIN:VCARD") {
            if depth == 0, !endsWithAgent { return .nextCard }
            depth += 1
            agent += text + "\n"
        } else if VCardReader.isMarker(line.bytes, "END:VCARD") {
            if depth == 0 { return .end }
            endAgent(text)
        } else if depth > 0 {
            agent += text + "\n"
        } else {
            addProperty(line, text)
        }
        return .more
    }

    private mutating func endAgent(_ text: String) {
        depth -= 1
        agent += text + "\n"
        if depth > 0 { return }
        // Version 3 has the inner vCard as a text (RFC 2426 §3.5.4).
        items[items.count - 1] = .line("AGENT:" + ICalendarProperty.escaped(agent))
        agent = ""
    }

    private mutating func addProperty(_ line: UnfoldedLines.Line, _ text: String) {
        guard ICalendarProperty(line.bytes) != nil else {
            defects.append(VCardReader.defect(line))
            return
        }
        if text.hasSuffix("="), text.uppercased().contains("QUOTED-PRINTABLE") {
            quoted = text
        } else {
            items.append(.line(text))
        }
    }

    private var endsWithAgent: Bool {
        guard case .line(let line)? = items.last else { return false }
        return VCard.isNamed(line, "AGENT")
    }
}
