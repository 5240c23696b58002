import HelixModel

/// Taskwarrior exports: a JSON list, or one object per line.
///
/// Fields that helix does not have (annotations, UDAs, masks) are kept unchanged and written to exports.
public enum TaskwarriorFormat {
    /// Parses an export.
    ///
    /// - Parameters:
    ///   - now: the creation time of tasks without an entry date.
    ///   - zone: the time zone in which midnight stands for a whole day.
    /// - Throws: ``HelixError`` of code `badInput` if the file contains no JSON.
    public static func read(_ bytes: [UInt8], now: Instant, zone: Zone) throws -> ForeignTasks {
        var found = ForeignTasks()
        // A growing array would be copied each time.
        found.tasks.reserveCapacity(min(bytes.count / 128, 1 << 15))
        var number = 0
        var series = Series()
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        do {
            // One object at a time: each is freed before the next one is parsed.
            try JSONText.forEachElement(of: bytes) { object, text in
                number += 1
                add(object, text, number, to: &found, &series, now: now, zone)
            }
        } catch let whole as JSONText.Defect {
            (found, series) = (ForeignTasks(), Series())
            // One object per line, as `export` writes with json.array off, possibly with trailing commas.
            number = 0
            for (place, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                var line = line
                while let last = line.last, [0x2C, 0x0D, 0x20].contains(last) { line = line.dropLast() }
                if line.isEmpty || line.elementsEqual("[".utf8) || line.elementsEqual("]".utf8) { continue }
                if let object = try? JSONText(Array(line)), case .object = object {
                    number += 1
                    add(object, object.compact, number, to: &found, &series, now: now, zone)
                } else {
                    found.defects.append(ForeignDefect("line \(place + 1)", "it is not a JSON object"))
                }
            }
            let text = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            if text.first == UInt8(ascii: "["), text.last != UInt8(ascii: "]") {
                found.defects.append(ForeignDefect("end", "the list is not closed: the file may be cut off"))
            }
            guard number > 0 else {
                throw HelixError(.badInput, "the file is not JSON: \(whole.reason) at byte \(whole.offset)")
            }
        }
        joinSeries(&found, series)
        return found
    }

    /// Adds the task in an object; `number` is its position in the file.
    private static func add(
        _ object: JSONText, _ text: String, _ number: Int, to found: inout ForeignTasks, _ series: inout Series,
        now: Instant, _ zone: Zone
    ) {
        let fields = Fields(object)
        guard let task = task(text, fields, now: now, zone) else {
            return found.defects.append(ForeignDefect("task \(number)", "it has no description"))
        }
        var place = found.tasks.count
        if let uuid = fields.uuid?.text {
            // The last one is imported.
            if let former = series.places.updateValue(place, forKey: uuid) {
                let title = found.tasks[former].task.title.prefix(40)
                found.defects.append(
                    ForeignDefect(
                        "task \(number) ('\(title)')",
                        "another task of the file has its UUID, and is imported in its place"))
                place = former
                series.places[uuid] = former
                series.children[former] = nil
            }
        }
        for reason in defects(fields) {
            found.defects.append(
                ForeignDefect("task \(number) ('\(task.task.title.prefix(40))')", reason, isPartial: true))
        }
        if fields.annotations != nil { found.kept["annotations", default: 0] += 1 }
        for name in fields.others { found.kept[name, default: 0] += 1 }
        if fields.status?.text == "recurring" || fields.status?.text == "pending" && fields.parent == nil,
            let uid = task.task.uid, let period = period(fields)
        {
            series.templates[uid] = period
        } else if fields.status?.text == "recurring" {
            found.kept["recurring templates", default: 0] += 1
        }
        if let parent = fields.parent?.text { series.children[place] = parent }
        if place < found.tasks.count { found.tasks[place] = task } else { found.tasks.append(task) }
    }

    /// Templates by UUID, and the templates of instances by their place in the file.
    private struct Series {
        var templates: [String: ForeignRecurrence] = [:]
        var children: [Int: String] = [:]
        /// The places of tasks in the file, by UUID.
        var places: [String: Int] = [:]
    }

    /// The fields of an object, collected in one pass.
    private struct Fields {
        var description, uuid, project, tags, priority, depends, status, estimate, annotations, recur, parent: JSONText?
        var dates: [(name: String, value: JSONText, time: Instant?)] = []
        /// helix's own attributes, without their prefix.
        var extras: [String: String] = [:]
        /// The names of fields that are only kept: user-defined attributes, masks.
        var others: [String] = []
        /// The fields that are no text, and no list of texts.
        var unreadable: [(name: String, value: JSONText)] = []

        init(_ object: JSONText) {
            guard case .object(let fields) = object else { return }
            for field in fields {
                switch field.name {
                case "description": description = description ?? field.value
                case "uuid": if field.value.text != "" { uuid = uuid ?? field.value }
                case "entry", "modified", "due", "scheduled", "wait", "start", "end":
                    if !dates.contains(where: { $0.name == field.name }) {
                        dates.append((field.name, field.value, TaskwarriorFormat.time(field.value)))
                    }
                case "project": project = project ?? field.value
                case "tags": tags = tags ?? field.value
                case "priority": priority = priority ?? field.value
                case "depends": depends = depends ?? field.value
                case "status": status = status ?? field.value
                case "estimate": estimate = estimate ?? field.value
                case "annotations": annotations = annotations ?? field.value
                case "recur": recur = recur ?? field.value
                case "parent": parent = parent ?? field.value
                case let name where name.hasPrefix(TaskwarriorExtras.prefix):
                    if let text = field.value.text {
                        extras[String(name.dropFirst(TaskwarriorExtras.prefix.count))] = text
                    }
                // Taskwarrior calculates these.
                case "id", "urgency": break
                default: others.append(field.name)
                }
            }
            require("uuid", uuid)
            require("project", project)
            require("priority", priority)
            require("status", status)
            require("estimate", estimate)
            require("recur", recur)
            require("parent", parent)
            require("tags", tags, orList: true)
            require("depends", depends, orList: true)
        }

        /// Notes a field that is no text, and no list of texts.
        private mutating func require(_ name: String, _ value: JSONText?, orList: Bool = false) {
            guard let value else { return }
            if case .string = value { return }
            if orList, let elements = value.elements, elements.allSatisfy({ $0.text != nil }) { return }
            unreadable.append((name, value))
        }

        func time(_ name: String) -> Instant? { dates.first { $0.name == name }?.time }
    }

    /// The defects of values that helix cannot use; they are kept for exports.
    private static func defects(_ fields: Fields) -> [String] {
        var defects = fields.dates.filter { $0.time == nil }.map {
            "its \($0.name) \($0.value.compact) is not a date and is kept for exports only"
        }
        defects += fields.unreadable.map {
            "its \($0.name) \($0.value.compact) is no text and is kept for exports only"
        }
        if let priority = fields.priority?.text, !["H", "M", "L", ""].contains(priority) {
            defects.append("its priority '\(priority)' is not H, M or L and is kept for exports only")
        }
        if let recur = fields.recur?.text, fields.parent == nil, period(fields) == nil {
            defects.append("its recurrence '\(recur)' is kept for exports only")
        }
        defects += TaskwarriorExtras.defects(fields.extras)
        if let status = fields.status?.text, !Self.statuses.contains(status) {
            defects.append("its status '\(status)' is unknown; the task is open")
        }
        if let estimate = fields.estimate?.text, duration(estimate) == nil {
            defects.append("its estimate '\(estimate)' is no duration and is kept for exports only")
        }
        return defects
    }

    private static let statuses: Set = ["pending", "waiting", "completed", "deleted", "recurring"]

    /// The period of a recurring template; nil without a due date, and for one that helix cannot express.
    private static func period(_ fields: Fields) -> ForeignRecurrence? {
        fields.time("due") == nil ? nil : fields.recur?.text.flatMap(ForeignRecurrence.init(taskwarrior:))
    }

    /// Turns templates into recurring tasks: Taskwarrior has a template and instances, helix the next task of a series.
    ///
    /// The latest open instance of a template gets its recurrence, and the template is closed; a template without an open instance
    /// is itself the next task.
    private static func joinSeries(_ found: inout ForeignTasks, _ series: Series) {
        let (templates, children) = (series.templates, series.children)
        guard !templates.isEmpty else { return }
        let dues = found.tasks.map { $0.task.due?.start(in: .utc) ?? Instant(0) }
        var latest: [String: Int] = [:]
        for (place, parent) in children where templates[parent] != nil && found.tasks[place].task.state == .open {
            let own = dues[place]
            if latest[parent].map({ dues[$0] < own }) ?? true { latest[parent] = place }
        }
        for place in found.tasks.indices {
            guard let uid = found.tasks[place].task.uid, let period = templates[uid] else { continue }
            if let child = latest[uid] {
                found.tasks[child].task.recurrence = .rule(period.rule)
                found.kept["recurring templates", default: 0] += 1
            } else {
                found.tasks[place].task.state = .open
                found.tasks[place].task.completedAt = nil
                found.tasks[place].task.recurrence = .rule(period.rule)
            }
        }
    }

    /// The task in an object; nil if it has no description.
    static func task(_ object: JSONText, now: Instant, zone: Zone) -> ForeignTask? {
        task(object.compact, Fields(object), now: now, zone)
    }

    private static func task(_ whole: String, _ fields: Fields, now: Instant, _ zone: Zone) -> ForeignTask? {
        guard let title = fields.description?.text, !title.isEmpty else { return nil }
        var foreign = ForeignTask(title: title, createdAt: fields.time("entry") ?? now)
        // An object without a UUID is recognized by its content when it is imported again.
        foreign.task.uid = fields.uuid?.text ?? "content \(whole)"
        foreign.task.extra = whole
        foreign.modifiedAt = fields.time("modified")
        foreign.project = fields.project?.text
        foreign.task.tags =
            fields.tags?.elements?.compactMap(\.text)
            ?? fields.tags?.text?.split(separator: ",").map(String.init) ?? []
        foreign.task.due = fields.time("due").map { TaskwarriorExtras.time($0, zone) }
        foreign.task.scheduled = fields.time("scheduled").map { TaskwarriorExtras.time($0, zone) }
        foreign.task.hiddenUntil = fields.time("wait").map { TaskwarriorExtras.time($0, zone) }
        foreign.task.startedAt = fields.time("start")
        switch fields.priority?.text {
        case "H": foreign.task.priority = .high
        case "M": foreign.task.priority = .medium
        case "L": foreign.task.priority = .low
        default: break
        }
        foreign.blockerUIDs =
            fields.depends?.elements?.compactMap(\.text)
            ?? fields.depends?.text?.split(separator: ",").map(String.init) ?? []
        switch fields.status?.text {
        case "completed":
            foreign.task.state = .done
            foreign.task.completedAt = fields.time("end") ?? foreign.modifiedAt ?? now
        case "deleted", "recurring":
            // A template is not a task to do, unlike its instances.
            foreign.task.state = .dropped
            foreign.task.completedAt = fields.time("end") ?? foreign.modifiedAt ?? now
        default: break
        }
        if let estimate = fields.estimate?.text.flatMap(duration) { foreign.task.estimate = estimate }
        let notes = fields.annotations?.elements?.compactMap { $0["description"]?.text } ?? []
        if !notes.isEmpty { foreign.task.notes = notes.joined(separator: "\n") }
        if !fields.extras.isEmpty { TaskwarriorExtras.read(fields.extras, into: &foreign) }
        return foreign
    }

    /// `20261121T094806Z`
    static func stamp(_ instant: Instant) -> String {
        let civil = CivilDateTime(seconds: instant.seconds)
        return DigitWriter.text { writer in
            writer.put(civil.date)
            writer.put("T")
            writer.put(time: civil)
            writer.put("Z")
        }
    }

    static func time(_ value: JSONText?) -> Instant? {
        let seconds: Int64? =
            switch value {
            case .string(let text)?:
                if text.utf8.count == 16, let civil = civil(text) { civil.seconds } else { Int64(text) }
            case .number(let digits)?: Int64(digits)
            default: nil
            }
        return seconds.flatMap { times.contains($0) ? Instant($0) : nil }
    }

    /// The seconds of the years 1 to 9999 in every zone: other times cannot be written again.
    private static let times: ClosedRange<Int64> = -62_135_510_400...253_402_214_400

    private static func civil(_ text: String) -> CivilDateTime? {
        var text = text
        return text.withUTF8(civil)
    }

    private static func civil(_ bytes: UnsafeBufferPointer<UInt8>) -> CivilDateTime? {
        guard bytes[8] == 0x54, bytes[15] == 0x5A else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte) - 48
            }
            return value
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let date = CivilDate(validYear: year, month: month, day: day), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), hour < 24, minute < 60, second < 61
        else { return nil }
        return CivilDateTime(date, hour: hour, minute: minute, second: second)
    }

    /// `PT1H30M`, in seconds.
    private static func duration(_ text: String) -> Int? {
        guard text.hasPrefix("P") else { return nil }
        var seconds = 0
        var number = 0
        var isTime = false
        for character in text.dropFirst() {
            if let digit = character.wholeNumberValue, number < 1_000_000 {
                number = number * 10 + digit
                continue
            }
            switch character {
            case "T": isTime = true
            case "W": seconds += number * 7 * 86_400
            case "D": seconds += number * 86_400
            case "H": seconds += number * 3600
            case "M" where isTime: seconds += number * 60
            case "S": seconds += number
            default: return nil
            }
            number = 0
        }
        return seconds > 0 ? seconds : nil
    }
}
