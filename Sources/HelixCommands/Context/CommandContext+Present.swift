import FoundationEssentials
import Glibc
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// The output of a command.
extension CommandContext {
    /// The items that a command works on: with --limit, no more than it would list.
    func targeted<Item>(_ found: [Item], _ what: String) -> [Item] {
        guard let limit = output.limit, found.count > limit else { return found }
        note(
            StyledText(
                "--limit \(limit) leaves out \(found.count - limit) of \(found.count) \(what).", TextStyle(.yellow)))
        return Array(found.prefix(limit))
    }

    /// Prints a report in the requested form: drawn for a person, or as JSON.
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

    /// Prints a report like ``present(_:ids:)``, with the given short ids: deleted entities have none in the store.
    /// - Throws: ``HelixError``.
    func present<R: Report>(_ report: R, shortIDs: [EntityID: String], width: Int? = nil) throws {
        if let opened { showWarnings(of: opened) }
        if list.printsLines || output.isJSON { return try writeMachine(report) }
        // Failures are thrown as errors, which are printed.
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
        if output.limit != nil, shown.isTruncated, shown is any CuttableReport, next == nil, shown.rest == nil {
            canvas.line(StyledText("More results: raise --limit.", .dim))
        }
        defer {
            if shown.isTruncated, let rest = shown.rest {
                note(StyledText("More: \(rest.option) \(rest.cursor)", .dim))
            } else if let next {
                note(StyledText("More: --after \(next)", .dim))
            }
        }
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

    /// The requested columns. A report with its own layout becomes a table if another order is requested.
    private func columns<R: Report>(of report: R) throws -> [String]? {
        if let columns = output.columnList { return columns }
        guard list.readsAll, !(report is any OrderedReport) else { return nil }
        let keys = (list.sort.map { ListOptions.keys($0).map(\.name) } ?? [])
        let own = R.Item.fields.filter(\.isSimple).prefix(6).map(\.name)
        return own + keys.filter { !own.contains($0) }
    }

    /// The report in the requested order, from the requested item on and limited, with the cursor of the rest.
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

    /// The items in the requested order, from the requested one on.
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
                    .notFound, "no item '\(after)' in this list", hint: "Pass the 'next' of the previous page.")
            }
            rows.removeFirst(place + 1)
        }
        return rows.map(\.0)
    }

    /// Draws the fields of a report's items, or a note if there are none.
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
        "Event \(event.text.prefix(8)) has more occurrences than are listed here. Choose a shorter range to see all."
    }

    /// Writes text of the output itself.
    /// - Throws: ``HelixError`` of code `io`.
    ///
    /// On a terminal, control characters are escaped first: titles come from strangers. Files and pipes get every byte.
    func write(_ text: String) throws {
        let shown = terminal.isInteractive ? SafeText.lines(text).joined(separator: "\n") : text
        guard console.write(shown) else { throw cannotWrite }
    }

    private var cannotWrite: HelixError {
        let isSaved = opened?.hasChanged ?? false
        return HelixError(
            .io, "the output cannot be written" + (isSaved ? "; the change itself is saved" : ""),
            hint: isSaved ? "Do not run it again: 'helix history' shows the change." : "Is the disk full?")
    }

    /// Writes a report's JSON as a stream, so that a long one needs no memory.
    private func writeMachine<R: Report>(_ report: R) throws {
        // Items without an id are named by another unique field.
        let identity = ["id", "address", "name", "key"].first { name in
            R.Item.fields.contains { $0.name == name }
        }
        // The items of a pair, such as two events in conflict, are named both.
        let pair = R.Item.fields.filter { field in
            if case .object(let inner) = field.kind { inner.contains { $0.name == "id" } } else { false }
        }.map(\.name)
        if list.ids, identity == nil, pair.isEmpty {
            let names = R.Item.fields.filter(\.isSimple).prefix(2).map { "{\($0.name)}" }.joined(separator: " ")
            throw HelixError(
                .usage, "the items of this list have no ids", hint: "Print fields instead: --format '\(names)'.")
        }
        let viewer = viewer
        let names = output.fieldList
        // However a report itself applies --limit, programs get no more items than they requested.
        let all = try ordered(report.items)
        let items = output.limit.map { Array(all.prefix($0)) } ?? all
        // If the command itself has read only the requested number, the rest begins after the last item.
        let isCut = report.isTruncated || items.count < all.count
        let next =
            isCut && output.limit != nil
            ? report.rest?.cursor ?? items.last.flatMap { $0.json(for: viewer).cursor } : nil
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
            guard console.write(pending) else { throw cannotWrite }
            pending.removeAll(keepingCapacity: true)
        }
        if list.printsLines {
            let format = try list.format.map { try LineFormat($0, of: R.Item.fields) }
            var known: Set<String> = []
            for item in items {
                let json = item.json(for: viewer)
                if let format {
                    try put(format.line(json, viewer) + "\n")
                } else if identity == nil {
                    for name in pair {
                        guard case .object(let inner)? = json.fields.first(where: { $0.name == name })?.value,
                            case .string(let id)? = inner.fields.first(where: { $0.name == "id" })?.value,
                            known.insert(id).inserted
                        else { continue }
                        try put(id + "\n")
                    }
                } else if case .string(let id)? = json.fields.first(where: { $0.name == identity })?.value,
                    known.insert(id).inserted
                {
                    try put(id + "\n")
                }
            }
            try put("", isLast: true)
            if let next {
                console.report("helix: more: \(report.rest?.option ?? "--after") \(next)\n")
            }
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
                console.report("helix: \(CommandContext.truncation(event))\n")
            }
            return
        }
        guard R.isList else {
            var object = JSONObject()
            object.set("schema", R.schema)
            if tellsDryRun, !R.Item.fields.contains(where: { $0.name == "dry_run" }) { object.set("dry_run", true) }
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
                + (tellsDryRun ? ",\n  \"dry_run\": true" : "") + "\n}\n",
            isLast: true)
    }
}
