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

    /// Tells what a picture cannot show: warnings of the store, events with more occurrences than were read, remarks.
    func tellBesides() {
        guard let opened else { return }
        showWarnings(of: opened)
        for event in truncatedEvents { explain(CommandContext.truncation(event)) }
        for remark in opened.remarks { explain(remark) }
        opened.remarks = []
    }

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
        let identity = ItemIdentity(of: R.Item.fields)
        if list.ids, identity.field == nil, identity.pair.isEmpty {
            let names = R.Item.fields.filter(\.isSimple).prefix(2).map { "{\($0.name)}" }.joined(separator: " ")
            throw HelixError(
                .usage, "the items of this list have no ids", hint: "Print fields instead: --format '\(names)'.")
        }
        // However a report itself applies --limit, programs get no more items than they requested.
        let all = try ordered(report.items)
        let items = output.limit.map { Array(all.prefix($0)) } ?? all
        let isCut = report.isTruncated || items.count < all.count
        var page = MachinePage(
            report: report, items: items, isTruncated: isCut || !truncatedEvents.isEmpty, names: output.fieldList,
            viewer: viewer)
        // If the command itself has read only the requested number, the rest begins after the last item.
        if isCut, output.limit != nil {
            page.next = report.rest?.cursor ?? (hasList ? page.items.last.flatMap(page.cursor) : nil)
        }
        if let names = page.names {
            let known = R.Item.fields
            if let unknown = names.first(where: { name in !known.contains { $0.name == name } }) {
                throw SchemaField.unknown(unknown, among: known)
            }
        }
        if list.printsLines { return try writeLines(page, identity) }
        if output.jsonl { return try writeJSONLines(page) }
        if R.isList { try writeList(page) } else { try writeObject(page) }
    }

    /// Appends text and an object to the pending output, which is written piece by piece.
    private func put(
        _ text: String, _ object: JSONObject? = nil, indent: Int? = nil, isLast: Bool = false,
        to pending: inout [UInt8]
    ) throws {
        pending.append(contentsOf: text.utf8)
        if let object { JSONValue.object(object).write(to: &pending, indent: indent) }
        guard isLast || pending.count > 1 << 16 else { return }
        guard console.write(pending) else { throw cannotWrite }
        pending.removeAll(keepingCapacity: true)
    }

    /// Writes a line for each item: its id, or the requested format.
    private func writeLines<R: Report>(_ page: MachinePage<R>, _ identity: ItemIdentity) throws {
        let format = try list.format.map { try LineFormat($0, of: R.Item.fields) }
        var pending: [UInt8] = []
        var known: Set<String> = []
        for item in page.items {
            let json = item.json(for: page.viewer)
            if let format {
                try put(format.line(json, page.viewer) + "\n", to: &pending)
            } else if let field = identity.field {
                if let id = json.string(field), known.insert(id).inserted { try put(id + "\n", to: &pending) }
            } else {
                for name in identity.pair {
                    guard case .object(let inner)? = json.fields.first(where: { $0.name == name })?.value,
                        let id = inner.string("id"), known.insert(id).inserted
                    else { continue }
                    try put(id + "\n", to: &pending)
                }
            }
        }
        try put("", isLast: true, to: &pending)
        if let next = page.next {
            console.report("helix: more: \(page.report.rest?.option ?? "--after") \(next)\n")
        }
    }

    /// Writes the JSON of each item on a line of its own.
    private func writeJSONLines<R: Report>(_ page: MachinePage<R>) throws {
        var pending: [UInt8] = []
        for item in page.items {
            try put("", page.json(item), to: &pending)
            try put("\n", to: &pending)
        }
        if let next = page.next {
            var more = JSONObject()
            more.set("next", next)
            more.set("truncated", true)
            try put("", more, to: &pending)
            try put("\n", to: &pending)
        }
        try put("", isLast: true, to: &pending)
        for event in truncatedEvents { console.report("helix: \(CommandContext.truncation(event))\n") }
    }

    /// Writes the fields of the only item as an object.
    private func writeObject<R: Report>(_ page: MachinePage<R>) throws {
        var object = JSONObject()
        object.set("schema", R.schema)
        if tellsDryRun, !R.Item.fields.contains(where: { $0.name == "dry_run" }) { object.set("dry_run", true) }
        for field in page.report.items.first.map(page.json)?.fields ?? [] { object.set(field.name, field.value) }
        var pending: [UInt8] = []
        try put("", object, indent: 0, to: &pending)
        try put("\n", isLast: true, to: &pending)
    }

    /// Writes an object with the items, the remarks and the cursor of the rest.
    private func writeList<R: Report>(_ page: MachinePage<R>) throws {
        var pending: [UInt8] = []
        try put("{\n  \"schema\": \"\(R.schema)\",\n  \"items\": [", to: &pending)
        for (index, item) in page.items.enumerated() {
            try put(index == 0 ? "\n    " : ",\n    ", page.json(item), indent: 2, to: &pending)
        }
        let close = page.items.isEmpty ? "]" : "\n  ]"
        let remarks = page.report.remarks
        if !remarks.isEmpty {
            try put(close + ",\n  \"remarks\": ", to: &pending)
            JSONValue.array(remarks.map { .string($0) }).write(to: &pending, indent: 1)
        }
        try put(
            (remarks.isEmpty ? close : "") + (page.isTruncated ? ",\n  \"truncated\": true" : "")
                + (page.next.map { ",\n  \"next\": " + JSONValue.string($0).text() } ?? "")
                + (tellsDryRun ? ",\n  \"dry_run\": true" : "") + "\n}\n",
            isLast: true, to: &pending)
    }
}

/// The items of a report for a program, with the cursor of the rest.
private struct MachinePage<R: Report> {
    let report: R
    let items: [R.Item]
    let isTruncated: Bool
    var next: String?
    /// The requested fields; nil for all.
    let names: [String]?
    let viewer: Viewer

    func json(_ item: R.Item) -> JSONObject {
        let whole = item.json(for: viewer)
        return names.map(whole.selecting) ?? whole
    }

    func cursor(_ item: R.Item) -> String? { item.json(for: viewer).cursor }
}

/// The fields that identify the items of a list.
private struct ItemIdentity {
    /// The id; items without one are named by another unique field.
    let field: String?
    /// The items of a pair, such as two events in conflict, which are named both.
    let pair: [String]

    init(of fields: [SchemaField]) {
        field = ["id", "address", "name", "key"].first { name in fields.contains { $0.name == name } }
        pair = fields.filter { field in
            if case .object(let inner) = field.kind { inner.contains { $0.name == "id" } } else { false }
        }.map(\.name)
    }
}

extension JSONObject {
    /// The text of a field.
    fileprivate func string(_ name: String) -> String? {
        guard case .string(let text)? = fields.first(where: { $0.name == name })?.value else { return nil }
        return text
    }
}
