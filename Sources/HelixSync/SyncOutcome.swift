import HelixModel

/// How a sync is done.
public struct SyncOptions: Sendable {
    /// Only what would be done is found out.
    public var isDryRun = false
    /// Everything is compared, also what both sides say has not changed.
    public var isFull = false
    /// A side that misses most of what it had is believed.
    public var allowsMassDelete = false

    /// How this device signs in at a gateway; without it gateways are left alone.
    public var gateway: (@Sendable (MailAccount) -> GatewayAccess)?

    /// The zone of times that name none.
    public var zone: Zone

    /// The addresses of the one whose mail it is.
    public var own: [String]

    /// As usual.
    public init(zone: Zone, own: [String]) {
        self.zone = zone
        self.own = own
    }
}

/// What a sync of an account did, or would do.
public struct SyncOutcome: Sendable {
    /// The name of the account.
    public var account: String
    /// One line of the plan, or of what was done: how many, what, and where.
    public struct Step: Hashable, Sendable {
        /// Where the change goes.
        public enum Side: String, Sendable {
            /// To this machine.
            case here
            /// To the server.
            case there
        }

        /// Where the change goes.
        public var side: Side
        /// What becomes of them: `send`, `fetch`, `file`, `flag`, `move`, `remove`, `create`, `rename`, `remove mailbox`.
        public var verb: String
        /// How many.
        public var count: Int
        /// The mailbox or calendar; empty of what is sent.
        public var place: String
    }

    /// What was done, in order.
    public var steps: [Step] = []
    /// What could not be done, with the reason; it is tried again the next time.
    public var problems: [String] = []
    /// What was done, and somebody may want to look at.
    public var notes: [String] = []
    /// Whether something was changed on both sides, and waits for a person to choose.
    public var needsChoice = false
    /// Why it could not be done at all.
    public var failure: HelixError?
    /// How often the server was waited for.
    public var roundTrips = 0

    /// Nothing yet.
    public init(account: String) { self.account = account }

    mutating func add(_ side: Step.Side, _ verb: String, _ count: Int, _ place: String) {
        guard count > 0 else { return }
        if let index = steps.firstIndex(where: { $0.side == side && $0.verb == verb && $0.place == place }) {
            steps[index].count += count
        } else {
            steps.append(Step(side: side, verb: verb, count: count, place: place))
        }
    }

    /// How many things went in a direction.
    public func count(_ side: Step.Side) -> Int { steps.filter { $0.side == side }.reduce(0) { $0 + $1.count } }
}

/// A side that suddenly misses much of what it had may have lost it, and is not followed.
enum MassDeletion {
    /// Whether so many that are gone are too many.
    static func isSuspicious(_ gone: Int, of total: Int) -> Bool { gone >= 5 && gone * 5 > total }

    /// What is said of it.
    static func message(_ gone: Int, _ total: Int, isServer: Bool, what: String = "messages") -> String {
        let side = isServer ? "the server" : "this machine"
        return "\(gone) of \(total) \(what) are gone from \(side), and were not removed on the other side;"
            + " if that is right: helix sync --allow-mass-delete"
    }
}
