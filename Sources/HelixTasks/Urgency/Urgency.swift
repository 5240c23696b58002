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

    /// What it adds at most, if nobody says otherwise.
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

/// How much each property of a task adds to its urgency; the user may set each.
public struct UrgencyCoefficients: Hashable, Sendable {
    /// In the order of the factors: lists ask thousands of times.
    private var values: [Double]

    /// The usual ones; `changed` replaces some, by name.
    public init(_ changed: [String: Double] = [:]) {
        values = UrgencyFactor.allCases.map { changed[$0.rawValue] ?? $0.usual }
    }

    /// The coefficient of that name; 0 if there is none.
    public subscript(name: String) -> Double { UrgencyFactor(rawValue: name).map { self[$0] } ?? 0 }

    /// The coefficient of a property.
    public subscript(factor: UrgencyFactor) -> Double {
        UrgencyFactor.allCases.firstIndex(of: factor).map { values[$0] } ?? 0
    }

    /// Each property with its coefficient, those of 0 left out.
    var effective: [(factor: UrgencyFactor, coefficient: Double)] {
        zip(UrgencyFactor.allCases, values).filter { $0.1 != 0 }.map { ($0, $1) }
    }
}

/// What urgency follows from.
public struct UrgencyFacts: Hashable, Sendable {
    /// Whether there is anything to do.
    public var isTask = true
    /// When it must be done.
    public var due: TaskTime?
    /// When work on it is planned to begin.
    public var scheduled: TaskTime?
    /// Until when it is hidden.
    public var hiddenUntil: TaskTime?
    /// How much it matters.
    public var priority: TaskPriority?
    /// When it was made.
    public var createdAt = Instant(0)
    /// Whether work on it has begun.
    public var isStarted = false
    /// How many open tasks it waits for.
    public var blockers = 0
    /// How many open tasks wait for it.
    public var blocking = 0
    /// Whether it belongs to a project.
    public var hasProject = false
    /// How many tags it has.
    public var tags = 0

    /// An open task of which nothing is known.
    public init() {}
}

/// How urgent a task is: the sum of what its properties add.
public struct Urgency: Sendable {
    /// A summand.
    public struct Term: Hashable, Sendable {
        /// The coefficient's name.
        public var name: String
        /// From 0 to 1.
        public var factor: Double
        /// Times the coefficient.
        public var value: Double
    }

    /// How much each property adds.
    public let coefficients: UrgencyCoefficients
    private let summands: [(factor: UrgencyFactor, coefficient: Double)]
    private let now: Instant
    private let zone: Zone

    /// Urgency at `now`, days being those of `zone`.
    public init(coefficients: UrgencyCoefficients = UrgencyCoefficients(), now: Instant, zone: Zone) {
        self.coefficients = coefficients
        summands = coefficients.effective
        self.now = now
        self.zone = zone
    }

    /// The summands that are not 0, the greatest first.
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

    /// 0.2 two weeks and more before it is due, growing evenly to 1 a week after.
    private func dueFactor(_ due: TaskTime) -> Double {
        let days = Double(now - due.end(in: zone)) / 86_400
        return min(1, max(0.2, 0.2 + 0.8 * (days + 14) / 21))
    }
}
