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
            if otherZone != nil {
                otherZone = nil
                return .refused("Your own zone alone; z again adds another.")
            }
            return .ask(.zone, question: "Zone:", initial: "")
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
        guard purpose == .zone, isFinal, let text, !text.trimmingBlanks().isEmpty else { return .none }
        guard let zone = ZoneDatabase.zone(typed: text.trimmingBlanks()) else {
            return .ask(.zone, question: "Unknown zone; name it like Europe/Rome:", initial: text)
        }
        otherZone = zone
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

    /// Whether the line of an instant is the last one of an event that has several: dragged, it moves the end alone.
    private func isEnd(_ instant: Instant, of item: OccurrenceItem) -> Bool {
        guard case .timed(let range) = item.occurrence.time else { return false }
        let step = gridStep * 60
        return instant > range.start && instant + step >= range.end
    }

    mutating func take(_ mouse: MouseEvent) -> UIAnswer {
        switch mouse.kind {
        case .wheelDown: return turn(1)
        case .wheelUp: return turn(-1)
        case .press:
            guard scale == .week || scale == .day, let point = point(mouse) else { return .none }
            let (first, _) = span
            day = first + point.column
            let instant = zone.instant(CivilDateTime(day, secondOfDay: point.minute * 60))
            let found = dayPlaces.first { place in
                guard case .timed(let range) = items[place].occurrence.time else { return false }
                return instant + gridStep * 60 > range.start && instant < range.end
            }
            let isNew = found != chosen
            chosen = found ?? dayPlaces.first
            if let item = chosenItem { choices.note(item.occurrence, on: day) }
            if let found, let item = chosenItem, moving == nil {
                moving = Move(
                    index: found, original: item, grip: point, stretches: isEnd(instant, of: item), opens: !isNew)
            }
            return .none
        case .drag:
            guard let grip = moving?.grip, let point = point(mouse) else { return .none }
            let seconds = (point.column - grip.column) * 86_400 + (point.minute - grip.minute) * 60
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
}
