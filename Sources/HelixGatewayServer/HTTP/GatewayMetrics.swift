import Synchronization

/// The gateway's numbers, as Prometheus reads them.
final class GatewayMetrics: Sendable {
    private let connections = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)
    private let messages = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)
    private let slow = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)
    private let calls = Mutex<[String: (count: Int, seconds: Double)]>([:])

    func connected() {
        connections.add(1, ordering: .relaxed)
        accepted.add(1, ordering: .relaxed)
    }
    func disconnected() { connections.subtract(1, ordering: .relaxed) }
    func heard() { messages.add(1, ordering: .relaxed) }
    func refused() { refusals.add(1, ordering: .relaxed) }
    func droppedSlow() { slow.add(1, ordering: .relaxed) }
    func failedSignIn() { failures.add(1, ordering: .relaxed) }
    func called(_ method: String, seconds: Double) {
        calls.withLock { all in
            let found = all[method] ?? (0, 0)
            all[method] = (found.count + 1, found.seconds + seconds)
        }
    }

    /// How many connections there are.
    var connectionCount: Int { connections.load(ordering: .relaxed) }

    /// The text for Prometheus.
    var text: String {
        var out = ""
        func add(_ name: String, _ kind: String, _ help: String, _ value: Int) {
            out +=
                "# HELP helix_gateway_\(name) \(help)\n# TYPE helix_gateway_\(name) \(kind)\nhelix_gateway_\(name) \(value)\n"
        }
        add("connections", "gauge", "Connections that are open.", connections.load(ordering: .relaxed))
        add("connections_total", "counter", "Connections since the start.", accepted.load(ordering: .relaxed))
        add("messages_total", "counter", "Messages from clients.", messages.load(ordering: .relaxed))
        add("errors_total", "counter", "Questions that were answered with an error.", refusals.load(ordering: .relaxed))
        add(
            "slow_clients_total", "counter", "Clients that did not read and were sent away.",
            slow.load(ordering: .relaxed))
        add("signin_failures_total", "counter", "Clients that were not let in.", failures.load(ordering: .relaxed))
        out += "# HELP helix_gateway_calls_total Questions by method.\n# TYPE helix_gateway_calls_total counter\n"
        let all = calls.withLock { $0.sorted { $0.key < $1.key } }
        for (name, found) in all { out += "helix_gateway_calls_total{method=\"\(name)\"} \(found.count)\n" }
        out +=
            "# HELP helix_gateway_call_seconds_total Time for them.\n# TYPE helix_gateway_call_seconds_total counter\n"
        for (name, found) in all { out += "helix_gateway_call_seconds_total{method=\"\(name)\"} \(found.seconds)\n" }
        return out
    }
}
