import Synchronization

/// The gateway's metrics, in the Prometheus text format.
final class GatewayMetrics: Sendable {
    private let connections = Atomic<Int>(0)
    private let accepted = Atomic<Int>(0)
    private let messages = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)
    private let slow = Atomic<Int>(0)
    private let failures = Atomic<Int>(0)
    private let away = Atomic<Int>(0)
    private let pushes = Mutex<[String: Int]>([:])
    private let calls = Mutex<[String: (count: Int, seconds: Double)]>([:])

    func connected() {
        connections.add(1, ordering: .relaxed)
        accepted.add(1, ordering: .relaxed)
    }
    func disconnected() { connections.subtract(1, ordering: .relaxed) }
    func heard() { messages.add(1, ordering: .relaxed) }
    func refused() { refusals.add(1, ordering: .relaxed) }
    func droppedSlow() { slow.add(1, ordering: .relaxed) }
    func turnedAway() { away.add(1, ordering: .relaxed) }
    func failedSignIn() { failures.add(1, ordering: .relaxed) }
    /// Counts a push notification: delivered, gone, refused, failed, dropped.
    func pushed(_ kind: String, _ outcome: String) {
        pushes.withLock { $0["kind=\"\(kind)\",outcome=\"\(outcome)\"", default: 0] += 1 }
    }
    func called(_ method: String, seconds: Double) {
        calls.withLock { all in
            let found = all[method] ?? (0, 0)
            all[method] = (found.count + 1, found.seconds + seconds)
        }
    }

    /// The number of connections.
    var connectionCount: Int { connections.load(ordering: .relaxed) }

    /// The metrics as text.
    var text: String {
        var out = ""
        func add(_ name: String, _ kind: String, _ help: String, _ value: Int) {
            out += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n\(name) \(value)\n"
        }
        add("helix_gateway_connections", "gauge", "Open connections.", connections.load(ordering: .relaxed))
        add(
            "helix_gateway_connections_total", "counter", "Connections since the start.",
            accepted.load(ordering: .relaxed))
        add("helix_gateway_messages_total", "counter", "Messages from clients.", messages.load(ordering: .relaxed))
        add(
            "helix_gateway_errors_total", "counter", "Requests answered with an error.",
            refusals.load(ordering: .relaxed))
        add(
            "helix_gateway_slow_clients_total", "counter", "Clients disconnected because they did not read.",
            slow.load(ordering: .relaxed))
        add(
            "helix_gateway_signin_failures_total", "counter", "Failed sign-ins.",
            failures.load(ordering: .relaxed))
        let memory = ProcessMemory.now
        // Prometheus has a standard name for this metric.
        if let bytes = memory.resident {
            add("process_resident_memory_bytes", "gauge", "Resident memory.", bytes)
        }
        if let bytes = memory.allocated {
            add("helix_gateway_heap_bytes", "gauge", "Allocated memory.", bytes)
        }
        out += "# HELP helix_gateway_pushes_total Push notifications.\n# TYPE helix_gateway_pushes_total counter\n"
        for (labels, count) in pushes.withLock({ $0.sorted { $0.key < $1.key } }) {
            out += "helix_gateway_pushes_total{\(labels)} \(count)\n"
        }
        out += "# HELP helix_gateway_calls_total Requests by method.\n# TYPE helix_gateway_calls_total counter\n"
        let all = calls.withLock { $0.sorted { $0.key < $1.key } }
        for (name, found) in all { out += "helix_gateway_calls_total{method=\"\(name)\"} \(found.count)\n" }
        out +=
            "# HELP helix_gateway_call_seconds_total Time taken.\n# TYPE helix_gateway_call_seconds_total counter\n"
        for (name, found) in all { out += "helix_gateway_call_seconds_total{method=\"\(name)\"} \(found.seconds)\n" }
        return out
    }
}
