import HelixModel
import HelixStore
import HelixTerminal

/// A notice in a report, and the JSON that hooks get.
struct NoticeItem: DescribedItem {
    let notice: Notice

    static let described = list {
        Field("notice", .integer, "Its number, in the order in which things happened.") { Int($0.notice.number) }
        Field("kind", .choice(Notice.Kind.allCases.map(\.rawValue)), "The kind of what happened.") {
            $0.notice.kind.rawValue
        }
        Field("id", .id, required: false, "What it is about.") { $0.notice.entity }
        Field("title", .string, "The title of what it is about.") { $0.notice.title }.foreign
        Field("detail", .string, "A time, a sender or a reason.") { $0.notice.detail }.foreign
        Field("time", .time, "When it happened.") { $1.iso($0.notice.time) }
        Field("told", .time, required: false, "When people were told, or need not be.") { item, viewer in
            item.notice.toldAt.map(viewer.iso)
        }
        Field("hooked", .time, required: false, "When its hook had run, or was given up; or there is none.") {
            item, viewer in item.notice.hookedAt.map(viewer.iso)
        }
        Field("tries", .integer, "The number of failed runs of its hook.") { $0.notice.tries }
        Field("problem", .string, required: false, "The last problem with its hook.") { $0.notice.problem }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// Notices, one a line.
struct NoticeReport: CuttableReport {
    static let schema = "helix.notices/1"
    var items: [NoticeItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No notices.", .dim)) }
        for item in items {
            let notice = item.notice
            let isToday = viewer.zone.date(notice.time) == viewer.today
            let time = isToday ? viewer.clock(notice.time) : viewer.moment(notice.time)
            var line = StyledText("  \(time)  ", TextStyle(.green))
            line.append(notice.kind.noun + "  ", .dim)
            line.append(notice.title.isEmpty ? "(no title)" : notice.title)
            if !notice.detail.isEmpty { line.append("  " + notice.detail, .dim) }
            canvas.line(line.fitted(canvas.textWidth))
            if let problem = notice.problem {
                let end = notice.hookedAt == nil ? "; it is tried again" : "; it was given up"
                canvas.line(
                    StyledText("    its hook failed: \(problem)\(notice.tries > 0 ? end : "")", TextStyle(.yellow))
                        .fitted(canvas.textWidth))
            } else if notice.toldAt == nil {
                canvas.line(StyledText("    not announced yet", .dim))
            }
        }
    }
}
