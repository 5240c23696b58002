import HelixModel

/// The events of the last minutes that clients were told, so that none is told twice.
struct RecentEvents {
    private var (young, old) = (Set<GatewayEvent>(), Set<GatewayEvent>())

    /// The number of events after which the older half is forgotten.
    private static let most = 20_000

    /// Inserts events of stored messages.
    /// - Returns: those that are new, and all events of other kinds: a conversation may change again.
    @discardableResult
    mutating func insert(_ events: [GatewayEvent]) -> [GatewayEvent] {
        events.filter { event in
            guard case .message(_, _, isNew: true) = event else { return true }
            if young.contains(event) || old.contains(event) { return false }
            young.insert(event)
            if young.count >= RecentEvents.most { (old, young) = (young, []) }
            return true
        }
    }
}
