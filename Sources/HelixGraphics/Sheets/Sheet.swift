import HelixTerminal

/// A size of paper, in points.
public enum PaperSize: String, Sendable, CaseIterable {
    case a3, a4, a5, letter, legal

    /// The shorter and the longer side (ISO 216, ANSI Y14.1).
    public var sides: (short: Double, long: Double) {
        switch self {
        case .a3: (841.89, 1190.55)
        case .a4: (595.28, 841.89)
        case .a5: (419.53, 595.28)
        case .letter: (612, 792)
        case .legal: (612, 1008)
        }
    }
}

/// A sheet of paper.
public struct Sheet: Sendable {
    /// The size in points.
    public var width, height: Double
    /// The title at the top, the line beside it, and the line at the bottom.
    public var title, subtitle, footer: String
    /// The names in the legend, with their colours.
    public var legend: [(name: String, color: TerminalColor)]

    /// Creates a sheet.
    public init(
        _ size: PaperSize, isPortrait: Bool, title: String, subtitle: String, footer: String,
        legend: [(name: String, color: TerminalColor)]
    ) {
        let (short, long) = size.sides
        (width, height) = isPortrait ? (short, long) : (long, short)
        (self.title, self.subtitle, self.footer, self.legend) = (title, subtitle, footer, legend)
    }

    static let margin = 30.0

    /// The area between the head and the foot.
    var area: Box {
        Box(
            x: Sheet.margin, y: Sheet.margin + 30, width: width - 2 * Sheet.margin,
            height: height - 2 * Sheet.margin - 46)
    }

    /// A page with its head, its legend and its foot.
    func page(_ remark: String = "") -> Picture {
        var picture = Picture(width: width, height: height, title: title, summary: subtitle)
        let inner = width - 2 * Sheet.margin
        // A small sheet has a smaller title, not a cut one.
        let size = min(17, inner * 0.7 / (Double(TextWidth.of(title)) * 0.72))
        picture.text(title, Sheet.margin, Sheet.margin - 4 + (17 - size), width: inner * 0.7, size: size, bold: true)
        picture.text(
            remark.isEmpty ? subtitle : remark, Sheet.margin + inner * 0.7, Sheet.margin + 3, width: inner * 0.3,
            size: min(9, inner / 44),
            align: .right, color: picture.theme.faint)
        let bottom = height - Sheet.margin - 6
        picture.text(
            footer, Sheet.margin + inner * 0.55, bottom, width: inner * 0.45, size: 8, align: .right,
            color: picture.theme.faint)
        var x = Sheet.margin
        for (place, (name, color)) in legend.enumerated() {
            let room = Double(TextWidth.of(name)) * 5.6 + 26
            if x + room > Sheet.margin + inner * 0.5 {
                picture.text(
                    "+\(legend.count - place)", x, bottom, width: 24, size: 8, color: picture.theme.faint)
                break
            }
            picture.rectangle(x, bottom + 1, 8, 8, radius: 2, PictureColor(color))
            picture.text(name, x + 12, bottom, width: room, size: 8, color: picture.theme.faint)
            x += room
        }
        return picture
    }
}

/// An event on a sheet.
public struct SheetEvent: Hashable, Sendable {
    /// The time, such as `09:00–10:30`; empty for all-day events.
    public var time: String
    /// The title, and the place.
    public var label, detail: String
    /// The colour of its calendar.
    public var color: TerminalColor
    /// Whether it is cancelled, declined or free.
    public var isFaint: Bool

    /// Creates an event.
    public init(time: String, label: String, detail: String, color: TerminalColor, isFaint: Bool) {
        (self.time, self.label, self.detail, self.color, self.isFaint) = (time, label, detail, color, isFaint)
    }

    private var tint: PictureColor { PictureColor(color).faded(isFaint ? 0.06 : 0.16) }

    /// Draws the event as a box with an edge in its colour.
    func draw(on picture: inout Picture, _ box: Box, size: Double, showsTime: Bool) {
        // Lines of the grid do not go through it.
        picture.rectangle(box.x, box.y, box.width, box.height, radius: 2, picture.theme.background)
        picture.rectangle(box.x, box.y, box.width, box.height, radius: 2, tint)
        picture.rectangle(box.x, box.y, 2.5, box.height, radius: 1, PictureColor(color).faded(isFaint ? 0.4 : 1))
        let ink = isFaint ? picture.theme.faint : picture.theme.text
        let room = box.width - 7
        let line = size * PictureText.lineHeight
        let count = max(1, Int((box.height - 1) / line))
        let top = box.height < line + 2 ? box.y + (box.height - line) / 2 : box.y + 1.5
        guard count > 1 else {
            // The axis shows the time, too: the title goes first if only one has room.
            let hasRoom =
                room >= 90
                || TextFit.count("\(time.prefix { $0 != "–" }) \(label)", width: room, size: size, most: 2) < 2
            let text = showsTime && !time.isEmpty && hasRoom ? "\(time.prefix { $0 != "–" }) \(label)" : label
            return picture.text(text, box.x + 5, top, width: room, size: size, color: ink)
        }
        let hasTime = showsTime && !time.isEmpty
        let time = room < 58 ? String(time.prefix { $0 != "–" }) : time
        let details = count >= 3 ? detail : ""
        let labelLines = min(4, max(1, count - (hasTime ? 1 : 0) - (details.isEmpty ? 0 : 1)))
        picture.text(
            label, box.x + 5, top, width: room, size: size, bold: true, lines: labelLines, color: ink)
        var y = top + Double(TextFit.count(label, width: room, size: size, most: labelLines)) * line
        if hasTime, y + line <= box.y + box.height + 1 {
            picture.text(time, box.x + 5, y, width: room, size: size - 0.5, color: picture.theme.faint)
            y += line
        }
        if !details.isEmpty, y + line <= box.y + box.height + 1 {
            let rest = max(1, Int((box.y + box.height - y) / line))
            picture.text(
                details, box.x + 5, y, width: room, size: size - 0.5, lines: rest, color: picture.theme.faint)
        }
    }
}

/// An event over several days of a sheet.
public struct SheetBar: Hashable, Sendable {
    /// The days, counted from the first of the sheet or of the week.
    public var columns: Range<Int>
    /// Whether it began before them, and whether it ends later.
    public var comesFromBefore, goesOn: Bool
    /// The event.
    public var event: SheetEvent

    /// Creates a bar.
    public init(columns: Range<Int>, comesFromBefore: Bool = false, goesOn: Bool = false, event: SheetEvent) {
        (self.columns, self.comesFromBefore, self.goesOn, self.event) = (columns, comesFromBefore, goesOn, event)
    }

    func draw(on picture: inout Picture, x: Double, y: Double, columnWidth: Double, height: Double, size: Double) {
        let left = x + Double(columns.lowerBound) * columnWidth + 1.5
        var event = event
        event.label = (comesFromBefore ? "‹ " : "") + event.label + (goesOn ? " ›" : "")
        let width = Double(columns.count) * columnWidth - 3
        event.draw(
            on: &picture, Box(x: left, y: y, width: width, height: height), size: size, showsTime: !comesFromBefore)
    }
}

/// The events of days whose sheet has no room for all of them, as lists over as many pages as they need.
struct SheetList {
    let sheet: Sheet
    let days: [(name: String, events: [SheetEvent])]

    func pages() -> [Picture] {
        var pages: [Picture] = []
        let (area, gap, line) = (sheet.area, 24.0, 13.0)
        let width = (area.width - gap) / 2
        var (column, y) = (2, 0.0)
        func makeRoom(_ height: Double) {
            if column < 2, y + height <= area.y + area.height { return }
            column = column >= 1 ? 0 : 1
            if column == 0 { pages.append(sheet.page("lists of full days")) }
            y = area.y
        }
        for day in days {
            makeRoom(line * 3)
            func heading(_ text: String) {
                let x = area.x + Double(column) * (width + gap)
                pages[pages.count - 1].text(text, x, y, width: width, size: 10, bold: true)
                y += line + 3
            }
            heading(day.name)
            for event in day.events {
                let place = (column, pages.count)
                makeRoom(line)
                if place != (column, pages.count) { heading(day.name + ", continued") }
                let x = area.x + Double(column) * (width + gap)
                pages[pages.count - 1].rectangle(x, y + 2, 2.5, 9, radius: 1, PictureColor(event.color))
                let faint = pages[pages.count - 1].theme.faint
                pages[pages.count - 1].text(event.time, x + 7, y, width: 74, size: 8.5, color: faint)
                let text = event.detail.isEmpty ? event.label : "\(event.label) · \(event.detail)"
                pages[pages.count - 1].text(
                    text, x + 84, y, width: width - 84, size: 9, color: event.isFaint ? faint : nil)
                y += line
            }
            y += 8
        }
        return pages
    }
}

extension TextFit {
    /// An estimate of the lines that a text takes.
    static func count(_ text: String, width: Double, size: Double, most: Int) -> Int {
        lines(
            of: PictureText(text, x: 0, y: 0, width: width, size: size, bold: true, lines: most, color: PictureColor(0))
        ).count
    }
}
