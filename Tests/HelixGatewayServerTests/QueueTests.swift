import HelixGateway
import HelixGatewayStore
import HelixModel
import Synchronization
import Testing

@testable import HelixGatewayServer

@Suite struct QueueTests {
    /// A gate that a job waits for.
    private final class Gate: Sendable {
        private let state = Mutex(false)
        func open() { state.withLock { $0 = true } }
        func wait() { while !state.withLock({ $0 }) { pause() } }
        private func pause() { _ = ContinuousClock.now }
    }

    /// A list that jobs append to.
    private final class Record: Sendable {
        private let list = Mutex<[String]>([])
        func add(_ text: String) { list.withLock { $0.append(text) } }
        var all: [String] { list.withLock { $0 } }
    }

    @Test func sendersTakeTurns() {
        let (queue, gate, record) = (FairQueue(label: "test"), Gate(), Record())
        queue.add("", FairQueue.Job { gate.wait() })
        for number in 0..<100 { queue.add("ana", FairQueue.Job { record.add("ana \(number)") }) }
        queue.add("bo", FairQueue.Job { record.add("bo") })
        gate.open()
        queue.finish()
        // A hundred requests of one sender delay another by one.
        #expect(record.all.firstIndex(of: "bo") ?? 99 <= 1)
        #expect(record.all.filter { $0 != "bo" } == (0..<100).map { "ana \($0)" })
    }

    @Test func aSenderWithTooManyRequestsIsRefusedAndOthersAreNot() {
        let (queue, gate, record) = (FairQueue(label: "test"), Gate(), Record())
        queue.add("", FairQueue.Job { gate.wait() })
        for _ in 0..<FairQueue.mostEach + 5 {
            queue.add("ana", FairQueue.Job(refuse: { record.add($0.code) }) {})
        }
        queue.add("bo", FairQueue.Job(refuse: { record.add("bo \($0.code)") }) {})
        #expect(record.all == Array(repeating: "RATE_LIMIT_EXCEEDED", count: 5))
        gate.open()
        queue.finish()
    }

    @Test func jobsOfDisconnectedSendersAreDroppedAndMandatoryOnesAreDone() {
        let (queue, gate, record) = (FairQueue(label: "test"), Gate(), Record())
        queue.add("", FairQueue.Job { gate.wait() })
        queue.add("ana", FairQueue.Job(isWanted: { false }) { record.add("unwanted") })
        queue.add("ana", FairQueue.Job { record.add("mandatory") })
        gate.open()
        queue.finish()
        #expect(record.all == ["mandatory"])
        // After the end everything is refused.
        queue.add("ana", FairQueue.Job(refuse: { record.add($0.code) }) { record.add("late") })
        #expect(record.all == ["mandatory", "UNAVAILABLE"])
    }

    @Test func guessesAreSlowedDownByNetworkAndName() {
        let now = Instant(1_795_255_200)
        let (network, name) = ("address 192.0.2.7", FailureGuard.key(ofName: "Ana"))
        #expect(name == FailureGuard.key(ofName: "ana"))
        func guards(_ count: Int) -> FailureGuard {
            let failures = SignInFailures(count: count, last: now)
            return FailureGuard(count == 0 ? [:] : [network: failures, name: failures])
        }
        for count in 0..<5 { #expect(guards(count).wait([network, name], now: now) == nil) }
        #expect(guards(5).wait([network], now: now) == 1)
        #expect(guards(5).wait([name], now: now) == nil)
        // A network waits for minutes; the owner of a name is not locked out for long.
        #expect(guards(45).wait([network], now: now) == 300)
        #expect(guards(45).wait([name], now: now) == 8)
        #expect(guards(45).wait([network], now: Instant(now.seconds + 301)) == nil)
        #expect(guards(45).failures(of: network, now: Instant(now.seconds + 901)) == 0)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"), ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.7"),
        ("?", "?", "?"),
    ])
    func networksAreCountedByTheirOwner(_ address: String, _ network: String, _ wide: String) {
        #expect(Network.of(address) == network && Network.wide(address) == wide)
    }
}
