import HelixModel
import HelixStore
import HelixTerminal

extension MailPlace {
    /// The title of the list.
    var title: String {
        let base =
            switch source {
            case .inbox: "Inbox"
            case .mailbox(let account, let name): hasSeveralAccounts ? "\(account)/\(name)" : name
            case .query(let text): text.isEmpty ? "All mail" : text
            }
        return typed.isEmpty ? base : "\(base) · \(typed)"
    }

    private var whole: ScreenArea { ScreenArea(x: 0, y: 0, width: width, height: height) }

    /// The part with the list.
    var listArea: ScreenArea {
        switch preview {
        case .none: whole
        case .below: whole.split(top: max(3, height * 2 / 5)).0
        case .beside: whole.split(left: width / 2).0
        }
    }

    /// The part with the message: all of it while it is read.
    var readerArea: ScreenArea {
        if isReading || draft != nil { return ScreenArea(x: 1, y: 0, width: width - 2, height: height) }
        let rest =
            switch preview {
            case .none: ScreenArea(x: 0, y: 0, width: 0, height: 0)
            case .below: whole.split(top: listArea.height + 1).1
            case .beside: whole.split(left: listArea.width + 1).1
            }
        return ScreenArea(x: rest.x + 1, y: rest.y, width: rest.width - 1, height: rest.height)
    }

    func draw(on frame: inout ScreenFrame, in area: ScreenArea, for viewer: Viewer) {
        func placed(_ own: ScreenArea) -> ScreenArea {
            ScreenArea(x: area.x + own.x, y: area.y + own.y, width: own.width, height: own.height)
        }
        if isReading || draft != nil {
            let part = placed(readerArea)
            frame.grid.put(reader?.text.shown ?? [], in: part)
            if let reader { frame.images += reader.images?.shown.placed(in: part, from: reader.text.top) ?? [] }
            return
        }
        drawList(on: &frame, in: placed(listArea), viewer)
        guard preview != .none else { return }
        let part = placed(readerArea)
        if preview == .below {
            frame.grid.put(String(repeating: "─", count: area.width), x: area.x, y: part.y - 1, style: .dim)
        } else {
            for y in area.y..<(area.y + area.height) { frame.grid.put("│", x: part.x - 2, y: y, style: .dim) }
        }
        if let reader, reader.id == rows.place(list.cursor)?.id { frame.grid.put(reader.text.shown, in: part) }
    }

    private func drawList(on frame: inout ScreenFrame, in area: ScreenArea, _ viewer: Viewer) {
        if rows.rows.isEmpty {
            let nothing = source == .inbox ? "The inbox is empty." : "No messages."
            let text =
                hasAccounts
                ? typed.isEmpty ? nothing : "No message matches."
                : "No mail accounts yet: 'helix account add home maildir ~/Mail' adds one."
            frame.grid.put(text, x: area.x + 2, y: area.y + 1, limit: area.width - 2, style: .dim)
            return
        }
        for (offset, row) in list.shown.prefix(area.height).enumerated() {
            let y = area.y + offset
            guard let place = rows.place(row) else { continue }
            let ids = marked.isEmpty ? [] : rows.ids(of: row)
            let markedCount = ids.count { marked.contains($0) }
            if row == list.cursor { frame.grid.put("▸", x: area.x, y: y, style: .bold) }
            if markedCount > 0 {
                // A folded conversation may be marked in part.
                let mark = markedCount == ids.count ? "*" : "+"
                frame.grid.put(mark, x: area.x + 1, y: y, style: TextStyle(.yellow, bold: true))
            }
            if let item = items[place.number] {
                let line = line(item, rows.rows[row], width: area.width - 2, viewer)
                frame.grid.put(line, x: area.x + 2, y: y, limit: area.width - 2)
            }
            if row == list.cursor { frame.grid.lay(.selection, x: area.x, y: y, width: area.width) }
        }
    }

    /// A message in a line.
    private func line(_ item: MailItem, _ row: MailRows.Row, width: Int, _ viewer: Viewer) -> StyledText {
        let isWide = width >= 70
        let isUnread = row.count > 1 ? row.isUnread : item.isUnread
        let style: TextStyle = isUnread ? .bold : .plain
        var line = item.marks(isUnread: isUnread)
        line.append(" ")
        let date = viewer.brief(item.message.date, isNarrow: !isWide)
        line.append(StyledText(date, .dim).padded(isWide ? 10 : 6, right: true))
        line.append("  ")
        let senders = max(8, min(24, width / 4))
        var person = StyledText(row.isChild ? "  ↳ " : "", .dim)
        person.append(item.person, style)
        line.append(person.padded(senders))
        line.append(" ")
        if rows.isFolded {
            line.append(StyledText(row.count > 1 ? "\(row.count)" : "", .dim).padded(3, right: true) + " ")
        }
        var subject = item.signs
        if !subject.isEmpty { subject.append(" ") }
        subject.append(item.subject, style)
        subject.append(item.labels(for: viewer))
        if case .query = source { subject.append("  " + item.message.mailbox, TextStyle(.green)) }
        if isWide, !item.message.snippet.isEmpty { subject.append("  " + item.message.snippet, .dim) }
        line.append(subject)
        return line
    }
}
