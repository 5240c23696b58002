import Foundation
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// What comes out of a command.
extension CommandContext {
    /// Prints a report as it is wanted: drawn for a person, or as JSON.
    ///
    /// - Parameters:
    ///   - ids: identities whose short forms the drawing shows.
    ///   - width: the columns to draw on, if not the terminal's.
    /// - Throws: ``HelixError``: an unknown field, or output that cannot be written.
    func present<R: Report>(
        _ report: R, ids: some Collection<EntityID> = [EntityID](), width: Int? = nil
    ) throws {
        try present(report, shortIDs: ids.isEmpty || output.isMachine ? [:] : try store().shortIDs(ids), width: width)
    }

    /// As ``present(_:ids:)``, with short ids that are known already: of what is gone there are none any more.
    /// - Throws: ``HelixError``.
    func present<R: Report>(_ report: R, shortIDs: [EntityID: String], width: Int? = nil) throws {
        if let opened { showWarnings(of: opened) }
        if list.printsLines || output.isJSON { return try writeMachine(report) }
        // What goes wrong is an error, which is said.
        if isSilent { return }
        let (shown, next) = try cut(report)
        var viewer = viewer
        viewer.shortIDs = shortIDs
        var canvas = Canvas(
            width: width ?? terminal.width, isASCII: terminal.isASCII, isBounded: width != nil || terminal.hasWidth)
        if let columns = try columns(of: report) {
            try draw(shown, columns: columns, on: &canvas, for: &viewer)
        } else {
            shown.draw(on: &canvas, for: viewer)
        }
        if output.limit != nil, shown.isTruncated, shown is any CuttableReport {
            canvas.line(StyledText("More results: raise --limit.", .dim))
        }
        defer { if let next { note(StyledText("More: --after \(next)", .dim)) } }
        for event in truncatedEvents { canvas.paragraph(CommandContext.truncation(event), style: .dim) }
        for remark in opened?.remarks ?? [] { canvas.paragraph(SafeText.line(remark), style: .dim) }
        opened?.remarks = []
        let pager = configuration.text(.pager) ?? environment["HELIX_PAGER"] ?? environment["PAGER"] ?? "less"
        guard
            terminal.write(
                canvas.rendered(color: terminal.hasColor, links: terminal.hasLinks(pager: pager)), pager: pager)
        else {
            throw cannotWrite
        }
    }

    /// The columns that are wanted. What is drawn in an order of its own is a table where another order is wanted.
    private func columns<R: Report>(of report: R) throws -> [String]? {
        if let columns = output.columnList { return columns }
        guard list.readsAll, !(report is any OrderedReport) else { return nil }
        let keys = (list.sort.map { ListOptions.keys($0).map(\.name) } ?? [])
        let own = R.Item.fields.filter(\.isSimple).prefix(6).map(\.name)
        return own + keys.filter { !own.contains($0) }
    }

    /// The report in the order that is wanted, from the item on that is wanted, and cut; with the cursor of the rest.
    private func cut<R: Report>(_ report: R) throws -> (R, next: String?) {
        guard list.readsAll else { return (output.limit.map { report.limited(to: $0) } ?? report, nil) }
        guard output.columns == nil, var ordered = report as? any OrderedReport else { return (report, nil) }
        let next = try reorder(&ordered)
        return (ordered as? R ?? report, next)
    }

    private func reorder<R: OrderedReport>(_ report: inout R) throws -> String? {
        let items = try ordered(report.items)
        report.items = items
        if let limit = output.limit { report = report.limited(to: limit) }
        guard items.count > report.items.count, let last = report.items.last else { return nil }
        return last.json(for: viewer).cursor
    }

    /// Items in the order that is wanted, from the one on that is wanted.
    private func ordered<Item: ReportItem>(_ items: [Item]) throws -> [Item] {
        guard list.readsAll else { return items }
        let viewer = viewer
        var rows = items.map { ($0, $0.json(for: viewer)) }
        if let sort = list.sort {
            rows = try ListOrder(sort, of: Item.fields).places(rows.map(\.1)).map { rows[$0] }
        }
        if list.reverse { rows.reverse() }
        if let after = list.after {
            let place =
                rows.firstIndex { $0.1.cursor == after }
                ?? rows.lastIndex { $0.1.cursor?.hasPrefix(after) ?? false }
            guard let place else {
                throw HelixError(
                    .notFound, "no item '\(after)' in this list", hint: "--after takes the 'next' of an answer.")
            }
            rows.removeFirst(place + 1)
        }
        return rows.map(\.0)
    }

    /// Draws the fields of a report's items, and says if there are none.
    private func draw<R: Report>(
        _ report: R, columns: [String], on canvas: inout Canvas, for viewer: inout Viewer
    ) throws {
        var table = try ColumnTable(columns, of: R.Item.fields)
        for item in try ordered(report.items).prefix(output.limit ?? report.items.count) {
            table.add(item.json(for: viewer))
        }
        let ids = table.ids
        if !ids.isEmpty { viewer.shortIDs.merge(try store().shortIDs(ids)) { own, _ in own } }
        table.draw(on: &canvas, for: viewer)
        for remark in report.remarks { canvas.paragraph(SafeText.line(remark), style: .dim) }
    }

    /// Events that have more occurrences than the view lists.
    private var truncatedEvents: [EntityID] { opened.map { $0.truncatedEvents.sorted() } ?? [] }

    private static func truncation(_ event: EntityID) -> String {
        "Event \(event.text.prefix(8)) occurs more often than is listed here. Name a shorter range to see all."
    }

    /// Writes text that is the output itself.
    /// - Throws: ``HelixError`` of code `io`.
    ///
    /// On a terminal it is made harmless first: titles come from strangers. Files and pipes get every byte.
    func write(_ text: String) throws {
        let shown = terminal.isInteractive ? SafeText.lines(text).joined(separator: "\n") : text
        guard Terminal.write(shown, to: STDOUT_FILENO) else { throw cannotWrite }
    }

    private var cannotWrite: HelixError {
        let isSaved = opened?.hasChanged ?? false
        return HelixError(
            .io, "the output cannot be written" + (isSaved ? "; what was to be changed is saved" : ""),
            hint: isSaved ? "Do not run it again: 'helix history' shows the change." : "Is the disk full?")
    }

    /// Writes a report's JSON as it is made, so that a long one needs no memory.
    private func writeMachine<R: Report>(_ report: R) throws {
        let viewer = viewer
        let names = output.fieldList
        // Whatever a report makes of --limit itself, programs get no more items than they asked for.
        let all = try ordered(report.items)
        let items = output.limit.map { Array(all.prefix($0)) } ?? all
        // Where a command itself has read no more than was asked for, the last item is where the rest begins.
        let isCut = report.isTruncated || items.count < all.count
        let next = isCut && output.limit != nil ? items.last.flatMap { $0.json(for: viewer).cursor } : nil
        let isTruncated = report.isTruncated || items.count < all.count || !truncatedEvents.isEmpty
        if let names {
            let known = R.Item.fields
            if let unknown = names.first(where: { name in !known.contains { $0.name == name } }) {
                throw SchemaField.unknown(unknown, among: known)
            }
        }
        func json(_ item: R.Item) -> JSONObject {
            let whole = item.json(for: viewer)
            return names.map(whole.selecting) ?? whole
        }
        var pending: [UInt8] = []
        func put(_ text: String, _ object: JSONObject? = nil, indent: Int? = nil, isLast: Bool = false) throws {
            pending.append(contentsOf: text.utf8)
            if let object { JSONValue.object(object).write(to: &pending, indent: indent) }
            guard isLast || pending.count > 1 << 16 else { return }
            guard Terminal.write(pending, to: STDOUT_FILENO) else { throw cannotWrite }
            pending.removeAll(keepingCapacity: true)
        }
        if list.printsLines {
            let format = try list.format.map { try LineFormat($0, of: R.Item.fields) }
            var known: Set<String> = []
            for item in items {
                let json = item.json(for: viewer)
                if let format {
                    try put(format.line(json, viewer) + "\n")
                } else if case .string(let id)? = json.fields.first(where: { $0.name == "id" })?.value,
                    known.insert(id).inserted
                {
                    try put(id + "\n")
                }
            }
            try put("", isLast: true)
            if let next { _ = Terminal.write("helix: more: --after \(next)\n", to: STDERR_FILENO) }
            return
        }
        if output.jsonl {
            for item in items {
                try put("", json(item))
                try put("\n")
            }
            if let next {
                var more = JSONObject()
                more.set("next", next)
                more.set("truncated", true)
                try put("", more)
                try put("\n")
            }
            try put("", isLast: true)
            for event in truncatedEvents {
                _ = Terminal.write("helix: \(CommandContext.truncation(event))\n", to: STDERR_FILENO)
            }
            return
        }
        guard R.isList else {
            var object = JSONObject()
            object.set("schema", R.schema)
            if isDryRun { object.set("dry_run", true) }
            for field in report.items.first.map(json)?.fields ?? [] { object.set(field.name, field.value) }
            try put("", object, indent: 0)
            return try put("\n", isLast: true)
        }
        try put("{\n  \"schema\": \"\(R.schema)\",\n  \"items\": [")
        for (index, item) in items.enumerated() {
            try put(index == 0 ? "\n    " : ",\n    ", json(item), indent: 2)
        }
        let close = items.isEmpty ? "]" : "\n  ]"
        if !report.remarks.isEmpty {
            try put(close + ",\n  \"remarks\": ")
            JSONValue.array(report.remarks.map { .string($0) }).write(to: &pending, indent: 1)
        }
        try put(
            (report.remarks.isEmpty ? close : "") + (isTruncated ? ",\n  \"truncated\": true" : "")
                + (next.map { ",\n  \"next\": " + JSONValue.string($0).text() } ?? "")
                + (isDryRun ? ",\n  \"dry_run\": true" : "") + "\n}\n",
            isLast: true)
    }
}
