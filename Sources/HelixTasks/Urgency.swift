import HelixModel

/// A property of a task that adds to its urgency. The raw value is its name in the settings and in output.
public enum UrgencyFactor: String, Sendable, CaseIterable {
    case due
    case priority
    case age
    case blocking
    case blocked
    case started
    case scheduled
    case project
    case tags
    case waiting

    /// The default coefficient.
    public var usual: Double {
        switch self {
        case .due: 12
        case .priority, .blocking: 8
        case .age: 2
        case .blocked: -5
        case .started: 4
        case .scheduled: 5
        case .project, .tags: 1
        case .waiting: -3
        }
    }
}

/// The coefficients by which the properties of a task add to its urgency; users can set each.
public struct UrgencyCoefficients: Hashable, Sendable {
    /// The coefficients in the order of the factors: lists read them thousands of times.
    private var values: [Double]

    /// Creates the default coefficients; `changed` replaces some, by name.
    public init(_ changed: [String: Double] = [:]) {
        values = UrgencyFactor.allCases.map { changed[$0.rawValue] ?? $0.usual }
    }

    /// The coefficient with a name; 0 if there is none.
    public subscript(name: String) -> Double { UrgencyFactor(rawValue: name).map { self[$0] } ?? 0 }

    /// The coefficient of a property.
    public subscript(factor: UrgencyFactor) -> Double {
        UrgencyFactor.allCases.firstIndex(of: factor).map { values[$0] } ?? 0
    }

    /// The properties whose coefficient is not 0.
    var effective: [(factor: UrgencyFactor, coefficient: Double)] {
        zip(UrgencyFactor.allCases, values).filter { $0.1 != 0 }.map { ($0, $1) }
    }
}

/// The properties of a task that determine its urgency.
public struct UrgencyFacts: Hashable, Sendable {
    /// True if the task is open and not of kind `info`.
    public var isTask = true
    /// The due date or time.
    public var due: TaskTime?
    /// The planned start of work.
    public var scheduled: TaskTime?
    /// The time until which it is hidden.
    public var hiddenUntil: TaskTime?
    /// The priority.
    public var priority: TaskPriority?
    /// The time of creation.
    public var createdAt = Instant(0)
    /// True if work has started.
    public var isStarted = false
    /// The number of open tasks on which it depends.
    public var blockers = 0
    /// The number of open tasks that depend on it.
    public var blocking = 0
    /// True if it belongs to a project.
    public var hasProject = false
    /// The number of tags.
    public var tags = 0

    /// Creates the facts of an open task without properties.
    public init() {}
}

/// The urgency of tasks: the weighted sum of their properties.
public struct Urgency: Sendable {
    /// A term of the sum.
    public struct Term: Hashable, Sendable {
        /// The name of the coefficient.
        public var name: String
        /// The factor, from 0 to 1.
        public var factor: Double
        /// The factor times the coefficient.
        public var value: Double
    }

    /// The coefficients of the properties.
    public let coefficients: UrgencyCoefficients
    private let summands: [(factor: UrgencyFactor, coefficient: Double)]
    private let now: Instant
    private let zone: Zone

    /// Creates the calculation of urgency at `now`, with the days of `zone`.
    public init(coefficients: UrgencyCoefficients = UrgencyCoefficients(), now: Instant, zone: Zone) {
        self.coefficients = coefficients
        summands = coefficients.effective
        self.now = now
        self.zone = zone
    }

    /// The terms that are not 0, largest first.
    public func terms(_ facts: UrgencyFacts) -> [Term] {
        guard facts.isTask else { return [] }
        return summands.compactMap { name, coefficient in
            let factor = factor(name, facts)
            let value = factor * coefficient
            return value == 0 ? nil : Term(name: name.rawValue, factor: factor, value: value)
        }
        .sorted { abs($0.value) > abs($1.value) }
    }

    /// The sum.
    public func value(_ facts: UrgencyFacts) -> Double {
        guard facts.isTask else { return 0 }
        var sum = 0.0
        for (name, coefficient) in summands { sum += factor(name, facts) * coefficient }
        return sum
    }

    /// An urgency above that of all tasks that are due later than `instant` or never, and to which `absent` properties add nothing.
    public func bound(dueAfter instant: Instant, without absent: Set<UrgencyFactor>) -> Double {
        var sum = 0.0
        for (name, coefficient) in summands where coefficient > 0 && !absent.contains(name) {
            sum += coefficient * (name == .due ? dueFactor(.moment(instant)) : 1)
        }
        // More than what the order of additions can change.
        return sum + 0.000_001
    }

    private func factor(_ name: UrgencyFactor, _ facts: UrgencyFacts) -> Double {
        switch name {
        case .due: return facts.due.map(dueFactor) ?? 0
        case .priority:
            switch facts.priority {
            case .critical?: return 1
            case .high?: return 0.75
            case .medium?: return 0.5
            case .low?: return 0.25
            case nil: return 0
            }
        case .age: return min(1, max(0, Double(now - facts.createdAt) / (365 * 86_400)))
        case .blocking: return facts.blocking == 0 ? 0 : min(1, 0.8 + 0.1 * Double(facts.blocking - 1))
        case .blocked: return facts.blockers > 0 ? 1 : 0
        case .started: return facts.isStarted ? 1 : 0
        case .scheduled: return facts.scheduled.map { $0.start(in: zone) <= now ? 1 : 0 } ?? 0
        case .project: return facts.hasProject ? 1 : 0
        case .tags: return facts.tags == 0 ? 0 : facts.tags == 1 ? 0.8 : facts.tags == 2 ? 0.9 : 1
        case .waiting: return facts.hiddenUntil.map { $0.start(in: zone) > now ? 1 : 0 } ?? 0
        }
    }

    /// The factor of the due time: 0.2 until two weeks before, growing linearly to 1 one week after.
    private func dueFactor(_ due: TaskTime) -> Double {
        let days = Double(now - due.end(in: zone)) / 86_400
        return min(1, max(0.2, 0.2 + 0.8 * (days + 14) / 21))
    }
}
