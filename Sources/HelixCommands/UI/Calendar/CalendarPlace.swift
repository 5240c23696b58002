import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// The calendar on the screen: a day, a week, a month or a year, and an event that is moved.
struct CalendarPlace: UIPlace {
    /// The days that are shown.
    enum Scale: Sendable {
        case day, week, month, year
    }

    /// An event that is moved or stretched, and not put down yet.
    struct Move: Sendable {
        /// The place in ``items``.
        var index: Int
        var original: OccurrenceItem
        /// The seconds by which its start and its end are moved.
        var start = 0
        var end = 0
        /// The place of the mouse that drags it; an event of whole days has no minute.
        var grip: (column: Int, minute: Int?)?
        /// Whether the mouse drags its end alone.
        var stretches = false
        /// Whether a click that does not move it opens it.
        var opens = false
    }

    let name = UIPlaceName.cal
    var scale = Scale.week
    /// The day that is chosen.
    var day = CivilDate(dayNumber: 0)
    /// The events of the days that are shown.
    var items: [OccurrenceItem] = []
    /// The place of the chosen event in ``items``.
    var chosen: Int?
    var moving: Move?
    /// The zones whose clocks stand beside the own one.
    var otherZones: [Zone] = []
    var hours: (start: Int, end: Int) = (9 * 3600, 17 * 3600)
    var firstWeekday = Weekday.monday
    var zone = Zone.utc
    var today = CivilDate(dayNumber: 0)
    var policy = ConflictPolicy(zone: .utc)
    var year: YearReport?
    private(set) var width = 80
    private(set) var height = 20
    private var generation = -1
    private var isPlaced = false
    private var loaded: (Scale, CivilDate)?
    private var pages = CalendarPages()
    /// The events of which one is chosen after the next read.
    private var wanted: [EntityID] = []
    /// Whether the day follows it: not after a command that took one occurrence of a series away.
    private var followsWanted = false
    /// The event that was opened, which must be among those of its day.
    private var opened: EntityID?
    private var answer = UIAnswer.none
    var choices = CalendarChoices()

    var bindings: [UIBinding] { moving == nil ? CalendarBindings.view : CalendarBindings.moving }

    var status: String {
        if let moved = moving.map({ self.moved($0) }) {
            let partners = conflicts(of: moved)
            let words = span(moved.time)
            let warning = partners.isEmpty ? "" : "  ! conflicts with " + partners.prefix(2).joined(separator: ", ")
            return "Move \(moved.title): \(words)\(warning)"
        }
        let scale =
            switch scale {
            case .day: "Day"
            case .week: "Week"
            case .month: "Month"
            case .year: "Year"
            }
        guard let item = chosenItem else { return "\(scale)  \(DateWords.text(day))" }
        return "\(span(item.occurrence.time))  \(item.label)"
    }

    /// A time with its days.
    private func span(_ time: OccurrenceTime) -> String {
        Viewer(
            now: zone.startOfDay(today), zone: zone, homeZone: zone, firstWeekday: firstWeekday,
            usesTwelveHours: usesTwelveHours
        ).span(time)
    }
    private var usesTwelveHours = false

    /// The chosen event.
    var chosenItem: OccurrenceItem? { chosen.flatMap { items.indices.contains($0) ? items[$0] : nil } }

    var target: UITarget {
        var target = UITarget()
        target.values["day"] = ISO8601.text(day)
        // A new event is on that day; today needs no word.
        target.values["on"] = day == today ? "" : ISO8601.text(day) + " "
        guard let item = chosenItem else { return target }
        target.id = item.occurrence.event.text
        target.ids = [item.occurrence.event.text]
        target.values["title"] = item.occurrence.title
        // The chooser asks which occurrences of a series are meant.
        target.values["scope"] = ""
        if item.occurrence.isRecurring {
            target.values["series"] = ISO8601.text(item.occurrence.time.days(in: zone).first)
        }
        return target
    }

    mutating func resize(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The first of the days that are shown, and their number.
    var span: (first: CivilDate, count: Int) { span(of: day) }

    /// The first of the days that are shown with a day, and their number.
    private func span(of day: CivilDate) -> (first: CivilDate, count: Int) {
        switch scale {
        case .day: return (day, 1)
        case .week: return (day.startOfWeek(on: firstWeekday), 7)
        case .month:
            let first = day.startOfMonth.startOfWeek(on: firstWeekday)
            let end = day.startOfMonth.adding(months: 1)
            return (first, ((end - 1 - first) / 7 + 1) * 7)
        case .year:
            let first = CivilDate(year: day.year, month: 1, day: 1)
            return (first, CivilDate.isLeap(day.year) ? 366 : 365)
        }
    }

    mutating func load(_ data: UIData) throws {
        let context = try data.context()
        (zone, today, policy) = (context.zone, context.today, context.conflictPolicy)
        (hours, firstWeekday) = (context.configuration.hours, context.configuration.firstWeekday)
        usesTwelveHours = context.viewer.usesTwelveHours
        if !isPlaced {
            day = today
            isPlaced = true
        }
        let (first, count) = span
        noteChoice()
        pages.keep(generation: data.generation)
        if generation == data.generation, let loaded, loaded == (scale, first) {
            if data.isIdle, let next = unreadNeighbour, (try? items(of: next, context)) == nil { pages.giveUp(next) }
            return choose()
        }
        if scale == .year {
            year = try context.yearReport(from: first, count: count, calendars: .unset)
            items = []
        } else {
            items = try items(of: CalendarPages.Span(first: first, count: count), context)
        }
        (generation, loaded) = (data.generation, (scale, first))
        keepMoving()
        choose()
    }

    /// The events of some days, from the pages or the store.
    private mutating func items(of span: CalendarPages.Span, _ context: CommandContext) throws -> [OccurrenceItem] {
        try pages.items(of: span) { try context.items(from: span.first, count: span.count, calendars: .unset) }
    }

    /// The days after or before those that are shown, if they were not read.
    private var unreadNeighbour: CalendarPages.Span? {
        if scale == .year || moving != nil { return nil }
        let (first, count) = span
        let own = scale == .month ? day.startOfMonth : first
        let next = scale == .month ? day.startOfMonth.adding(months: 1) : first + count
        return [next, own - 1].map { span(of: $0) }.map { CalendarPages.Span(first: $0.first, count: $0.count) }
            .first { !pages.has($0) }
    }

    /// Less than a key that is held down needs to come again: else a hand that walks through the weeks waits for each.
    var readPause: Int32 { 15 }

    var wantsMore: Bool { loaded != nil && unreadNeighbour != nil }

    /// The places of the events of the chosen day.
    var dayPlaces: [Int] {
        items.indices.filter {
            let days = items[$0].occurrence.time.days(in: zone)
            return day >= days.first && day < days.end
        }
    }

    /// Lets a move go on after the events were read again, if its event is still where it was.
    private mutating func keepMoving() {
        guard let move = moving else { return }
        let original = move.original.occurrence
        let place = items.firstIndex { $0.occurrence.event == original.event && $0.occurrence.time == original.time }
        if let place {
            moving?.index = place
        } else {
            moving = nil
            answer = .refused("The event was changed meanwhile; it is not moved.")
        }
    }

    /// Remembers the chosen event, before the day or the events change.
    private mutating func noteChoice() {
        if let item = chosenItem, moving == nil { choices.note(item.occurrence) }
    }

    /// Chooses an event of the day: the wanted one, the one that was chosen there before, or the first.
    mutating func choose() {
        if let moving {
            chosen = moving.index
            return
        }
        if followsWanted, !dayPlaces.contains(where: { wanted.contains(items[$0].occurrence.event) }) {
            // It came back on another day: of several occurrences, the nearest.
            let days = items.filter { wanted.contains($0.occurrence.event) }
                .map { max(span.first, $0.occurrence.time.days(in: zone).first) }
            day = days.min { abs($0 - day) < abs($1 - day) } ?? day
        }
        let places = dayPlaces
        chosen =
            wanted.compactMap { wanted in places.first { items[$0].occurrence.event == wanted } }.first
            ?? choices.place(on: day, among: places, of: items) ?? places.first
        (wanted, followsWanted) = ([], false)
        if let opened, chosenItem?.occurrence.event != opened {
            answer = .refused("That event is not on this day any more.")
        }
        opened = nil
    }

    mutating func pending() -> UIAnswer {
        defer { answer = .none }
        return answer
    }

    func plainLines(for viewer: Viewer) -> [String]? {
        if scale == .year { return nil }
        let (first, count) = span
        let head = count == 1 ? viewer.day(first) : "\(DateWords.text(first)) to \(DateWords.text(first + (count - 1)))"
        let rows = shownItems.enumerated().map { place, item in
            let mark = place == moving?.index ?? chosen ?? -1 ? "▸ " : ""
            let conflict = item.isInConflict ? ", in conflict" : ""
            return "\(mark)\(span(item.occurrence.time)), \(item.label), \(item.occurrence.calendar.name)\(conflict)"
        }
        return ["\(head), chosen day \(viewer.day(day))"] + (rows.isEmpty ? ["No events."] : rows)
    }

    mutating func open(_ item: UIItem) -> Bool {
        switch item {
        case .day(let date): day = date
        case .event(let id, let date): (day, wanted, opened) = (date, [id], id)
        default: return false
        }
        isPlaced = true
        moving = nil
        if scale == .year { scale = .week }
        return true
    }

    mutating func didRun(_ words: [String], since start: Instant) {
        wanted = chosenItem.map { [$0.occurrence.event] } ?? []
    }

    mutating func choose(among ids: [EntityID]) { (wanted, followsWanted) = (ids, true) }

    // MARK: Moving

    /// The occurrence at the place where it is now.
    func moved(_ move: Move) -> Occurrence {
        var occurrence = move.original.occurrence
        switch occurrence.time {
        case .timed(let range):
            // A day is a day on the clock, not 24 hours.
            func shifted(_ instant: Instant, by seconds: Int) -> Instant {
                var civil = zone.civil(instant)
                let days = Int((Double(seconds) / 86_400).rounded(.down))
                civil = CivilDateTime(civil.date + days, secondOfDay: civil.secondOfDay)
                return zone.instant(civil) + (seconds - days * 86_400)
            }
            let start = shifted(range.start, by: move.start)
            let end = max(start + 300, shifted(range.end, by: move.end))
            occurrence.time = .timed(TimeRange(start: start, end: end))
        case .days(let first, let end):
            let (from, to) = (first + move.start / 86_400, end + move.end / 86_400)
            occurrence.time = .days(from, max(from + 1, to))
        }
        return occurrence
    }

    /// The events as they are while one is moved.
    var shownItems: [OccurrenceItem] {
        guard let moving else { return items }
        var occurrences = items.map(\.occurrence)
        occurrences[moving.index] = moved(moving)
        return OccurrenceItem.list(occurrences, policy: policy)
    }

    /// The titles of the events that an occurrence conflicts with.
    private func conflicts(of occurrence: Occurrence) -> [String] {
        guard let moving else { return [] }
        let partners = Set(shownItems[moving.index].conflicts)
        return items.filter { partners.contains($0.occurrence.event) }.map(\.occurrence.title)
    }
}
