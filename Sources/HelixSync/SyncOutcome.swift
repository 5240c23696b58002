import HelixModel
import HelixStore

/// The options of a sync.
public struct SyncOptions: Sendable {
    /// Whether to plan only, without changing anything.
    public var isDryRun = false
    /// Whether to compare everything, even where both sides report no change.
    public var isFull = false
    /// Whether to override the mass-deletion guard.
    public var allowsMassDelete = false

    /// Returns this device's access to a gateway; without it gateway accounts are skipped.
    public var gateway: GatewayAccess.Maker?

    /// The zone of times without one.
    public var zone: Zone

    /// The user's own addresses.
    public var own: [String]

    /// The settings of the rules for arriving mail; without them no rules run.
    public var rules: RuleSetting?

    /// Creates options with the defaults.
    public init(zone: Zone, own: [String]) {
        self.zone = zone
        self.own = own
    }
}

/// The result of an account's sync, or of its dry run.
public struct SyncOutcome: Sendable {
    /// The name of the account.
    public var account: String
    /// One line of the plan or result: a count, an operation and a place.
    public struct Step: Hashable, Sendable {
        /// The side that changes.
        public enum Side: String, Sendable {
            /// This machine.
            case here
            /// The server.
            case there
        }

        /// The side that changes.
        public var side: Side
        /// The operation: `send`, `fetch`, `file`, `flag`, `move`, `remove`, `create`, `rename`, `remove mailbox`.
        public var verb: String
        /// The number of entries.
        public var count: Int
        /// The mailbox or calendar; empty for sent mail.
        public var place: String
    }

    /// The steps, in order.
    public var steps: [Step] = []
    /// The steps that failed, with the reason; the next sync retries them.
    public var problems: [String] = []
    /// Notes on steps that the user may want to check.
    public var notes: [String] = []
    /// Whether there is a conflict that the user must resolve.
    public var needsChoice = false
    /// The reason why the sync failed as a whole.
    public var failure: HelixError?
    /// The number of round trips.
    public var roundTrips = 0
    /// The results of the mail accounts that a gateway keeps, which are synced with it.
    public var mail: [SyncOutcome] = []

    /// Creates an empty result.
    public init(account: String) { self.account = account }

    mutating func add(_ side: Step.Side, _ verb: String, _ count: Int, _ place: String) {
        guard count > 0 else { return }
        if let index = steps.firstIndex(where: { $0.side == side && $0.verb == verb && $0.place == place }) {
            steps[index].count += count
        } else {
            steps.append(Step(side: side, verb: verb, count: count, place: place))
        }
    }

    /// The number of changes on a side.
    public func count(_ side: Step.Side) -> Int { steps.filter { $0.side == side }.reduce(0) { $0 + $1.count } }
}

/// The mass-deletion guard: a side that suddenly lacks many entries may have lost them, and is not followed.
enum MassDeletion {
    /// Whether that many deletions are suspicious.
    static func isSuspicious(_ gone: Int, of total: Int) -> Bool { gone >= 5 && gone * 5 > total }

    /// The message about them.
    static func message(_ gone: Int, _ total: Int, isServer: Bool, what: String = "messages") -> String {
        let side = isServer ? "the server" : "this machine"
        return "\(gone) of \(total) \(what) are gone from \(side); they were kept on the other side;"
            + " to delete them there, too: helix sync --allow-mass-delete"
    }
}
