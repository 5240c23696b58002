import HelixCalendar
import HelixModel
import HelixTerminal

extension CalendarPlace {
    mutating func press(_ motion: UIMotion) -> UIAnswer {
        if moving != nil { return pressWhileMoving(motion) }
        let isSheet = scale == .month || scale == .year
        switch motion {
        case .left: return go(-1)
        case .right: return go(1)
        case .down: return isSheet ? go(7) : step(1)
        case .up: return isSheet ? go(-7) : step(-1)
        case .pageDown: return turn(1)
        case .pageUp: return turn(-1)
        case .today:
            day = today
            return .load
        case .day: scale = .day
        case .week: scale = .week
        case .month: scale = .month
        case .year: scale = .year
        case .move:
            guard let chosen, let item = chosenItem else { return .refused("There is no event on this day.") }
            if isSheet { scale = .week }
            moving = Move(index: chosen, original: item)
            return isSheet ? .load : .none
        case .zone:
            let question = otherZones.isEmpty ? "Zone:" : "One more zone, or Enter for your own alone:"
            return .ask(.zone, question: question, initial: "")
        case .back:
            if scale != .week {
                scale = .week
                return .load
            }
            return .leave
        default: return .none
        }
        return .load
    }

    /// Goes to another day.
    private mutating func go(_ count: Int) -> UIAnswer {
        day = day + count
        return .load
    }

    /// Goes to the next event of the day, or to the next day with one.
    private mutating func step(_ count: Int) -> UIAnswer {
        let places = dayPlaces
        if let chosen, let place = places.firstIndex(of: chosen), places.indices.contains(place + count) {
            self.chosen = places[place + count]
            return .none
        }
        return .refused(count > 0 ? "No further event on this day." : "No earlier event on this day.")
    }

    /// Goes to the days before or after those that are shown.
    private mutating func turn(_ count: Int) -> UIAnswer {
        switch scale {
        case .day: day = day + count
        case .week: day = day + 7 * count
        case .month: day = day.adding(months: count)
        case .year: day = day.adding(months: 12 * count)
        }
        return .load
    }

    mutating func take(text: String?, for purpose: UIPurpose, isFinal: Bool) -> UIAnswer {
        guard purpose == .zone, isFinal, let text else { return .none }
        if text.trimmingBlanks().isEmpty {
            otherZones = []
            return .none
        }
        guard let zone = ZoneDatabase.zone(typed: text.trimmingBlanks()) else {
            return .ask(.zone, question: "Unknown zone; name it like Europe/Rome:", initial: text)
        }
        otherZones.removeAll { $0 == zone }
        // As many as leave room for the days.
        otherZones = (otherZones + [zone]).suffix(max(1, (width - 60) / 8))
        return .none
    }

    // MARK: Moving

    private mutating func pressWhileMoving(_ motion: UIMotion) -> UIAnswer {
        let isTimed = if case .timed? = moving?.original.occurrence.time { true } else { false }
        func shift(_ seconds: Int) {
            guard isTimed || seconds % 86_400 == 0 else { return }
            moving?.start += seconds
            moving?.end += seconds
        }
        func stretch(_ sign: Int) { moving?.end += sign * (isTimed ? 900 : 86_400) }
        switch motion {
        case .left: shift(-86_400)
        case .right: shift(86_400)
        case .down: shift(900)
        case .up: shift(-900)
        case .pageDown: shift(3600)
        case .pageUp: shift(-3600)
        case .stretch: stretch(1)
        case .shrink: stretch(-1)
        case .open: return put()
        case .back: moving = nil
        default: return .none
        }
        if let moving { day = moved(moving).time.days(in: zone).first }
        return .none
    }

    /// Puts the event where it is now.
    private mutating func put() -> UIAnswer {
        guard let move = moving else { return .none }
        moving = nil
        let occurrence = move.original.occurrence
        let now = moved(move)
        if now.time == occurrence.time { return .refused("It stays where it is.") }
        day = now.time.days(in: zone).first
        let id = occurrence.event.text
        var words: [String]
        let ends = ends(of: now.time)
        if move.start == move.end {
            words = ["cal", "move", id] + ends.start
        } else {
            words = ["cal", "edit", id, "--start", ends.start.joined(separator: " "), "--end", ends.end]
        }
        guard occurrence.isRecurring else { return .call(UICall(words: words)) }
        let date = ISO8601.text(occurrence.time.days(in: zone).first)
        return .choose(
            UIChooser(
                "This event repeats",
                [
                    ("Only this one", ["--this", date]), ("This and all that follow", ["--future", date]),
                    ("All", ["--all"]),
                ]
                .map { UIChooser.Choice(name: $0.0, effect: .call(UICall(words: words + $0.1))) }))
    }

    /// The start in words of a command, and the end; of days, the last one.
    private func ends(of time: OccurrenceTime) -> (start: [String], end: String) {
        switch time {
        case .days(let first, let end): return ([ISO8601.text(first)], ISO8601.text(end - 1))
        case .timed(let range):
            func text(_ instant: Instant) -> [String] {
                let civil = zone.civil(instant)
                let minute = civil.secondOfDay / 60
                return [
                    ISO8601.text(civil.date),
                    ISO8601.padded(minute / 60, 2) + ":" + ISO8601.padded(minute % 60, 2),
                ]
            }
            return (text(range.start), text(range.end).joined(separator: " "))
        }
    }

    // MARK: Mouse

    /// Whether a place is the last line of an event that has several, or the last of its days: dragged, it moves the end alone.
    private func isEnd(_ point: Point, of item: OccurrenceItem) -> Bool {
        switch item.occurrence.time {
        case .days(let first, let end): return end - first > 1 && point.day == end - 1
        case .timed(let range):
            guard let minute = point.minute else { return false }
            let instant = zone.instant(CivilDateTime(point.day, secondOfDay: minute * 60))
            return instant > range.start && instant + point.step * 60 >= range.end
        }
    }

    mutating func take(_ mouse: MouseEvent) -> UIAnswer {
        switch mouse.kind {
        case .wheelDown: return turn(1)
        case .wheelUp: return turn(-1)
        case .press: return pressed(mouse)
        case .drag:
            guard let grip = moving?.grip, let point = point(mouse) else { return .none }
            // An event with hours stays where it was while the mouse is over the head.
            guard grip.minute == nil || point.minute != nil else { return .none }
            let minutes = grip.minute.map { (point.minute ?? $0) - $0 } ?? 0
            let seconds = (point.column - grip.column) * 86_400 + minutes * 60
            if moving?.stretches == false { moving?.start = seconds }
            moving?.end = seconds
            return .none
        case .release:
            guard moving?.grip != nil else { return .none }
            let isMoved = moving.map { $0.start != 0 || $0.end != 0 } ?? false
            if isMoved { return put() }
            let opens = moving?.opens ?? false
            moving = nil
            // The first click chooses.
            if !opens { return .none }
            return .run(UITemplate(line: "cal show {id}", showsOutput: true))
        }
    }

    /// Chooses the event or the day under the mouse, and takes hold of the event.
    private mutating func pressed(_ mouse: MouseEvent) -> UIAnswer {
        if scale == .month {
            guard let clicked = dayOfMonth(mouse) else { return .none }
            // The first click chooses the day, the second one shows it.
            if clicked == day { scale = .day }
            day = clicked
            return .load
        }
        guard scale != .year, let point = point(mouse) else { return .none }
        if let moving, moving.grip == nil {
            // The keys that move an event go on with it.
            return point.event == moving.index ? .none : .refused("Enter puts the event here, Esc leaves it.")
        }
        day = point.day
        let isNew = point.event != chosen
        chosen = point.event ?? dayPlaces.first
        if let item = chosenItem { choices.note(item.occurrence, on: day) }
        guard let event = point.event, let item = chosenItem else { return .none }
        let isTimed = if case .timed = item.occurrence.time { true } else { false }
        // The bar of an event of a day or more has no minutes under the mouse.
        moving = Move(
            index: event, original: item, grip: (point.column, isTimed ? point.minute : nil),
            stretches: isEnd(point, of: item), opens: !isNew)
        return .none
    }
}
