import Dispatch
import FoundationEssentials
import HelixGateway
import HelixGatewayStore
import HelixModel
import HelixNetwork
import Logging
import Synchronization

/// Notifies devices that are away of messages, by the push services that they registered.
///
/// Notices are kept in memory: a gateway that stops loses those that no service has accepted yet, never a message.
final class PushSender: Sendable {
    let signers: PushSigners
    private let targets: StoreQueue<any GatewayPushStore>
    private let clients: ClientNotifier
    private let clock: GatewayClock
    private let metrics: GatewayMetrics
    private let log: Logger
    private let lanes: PushLanes
    private let waiting = Mutex(Waiting())
    /// The notices whose targets are not looked up yet.
    private let pace = Mutex(Pace())
    private let arrived = Mutex<[PushNotice]>([])

    /// The maximum number of waiting notices, of all targets and of one.
    private static let (most, mostEach) = (10_000, 50)
    /// The pauses before a notice is sent again, in seconds.
    static let pauses: [Double] = [5, 30, 120]

    private struct Waiting {
        var count = 0
        var each: [EntityID: Int] = [:]
        /// The failures in a row of targets, and the time until which they are left alone.
        var failing: [EntityID: (count: Int, until: ContinuousClock.Instant)] = [:]
        /// The time of each user's last test.
        var tests: [EntityID: ContinuousClock.Instant] = [:]
        var isStopping = false
    }

    /// A tested target with the outcome.
    typealias Tested = (target: PushTarget, outcome: Outcome)
    /// The number of failures in a row after which a target is left alone, for a time that doubles up to an hour.
    private static let mostFailures = 3
    /// The longest duration of a test: a target that has not answered by then failed.
    private static let testPatience = 20
    /// The minimum time between two tests of a user.
    private static let testPause = Duration.seconds(2)

    /// The outcome of a delivery.
    enum Outcome: Sendable {
        case delivered
        /// The target does not exist any more.
        case gone(String)
        /// A repetition is pointless.
        case refused(String)
        /// It may work later.
        case failed(String)
    }

    init(
        _ configuration: PushConfiguration, secret: [UInt8], targets: StoreQueue<any GatewayPushStore>,
        clients: ClientNotifier, clock: GatewayClock, metrics: GatewayMetrics, log: Logger
    ) {
        signers = PushSigners(configuration, secret: secret)
        (self.targets, self.clients, self.clock) = (targets, clients, clock)
        (self.metrics, self.log) = (metrics, log)
        lanes = PushLanes(configuration)
    }

    /// Notifies the devices of a conversation's members that are not connected.
    func send(_ notice: PushNotice) {
        let isFirst = arrived.withLock { arrived in
            arrived.append(notice)
            return arrived.count == 1
        }
        guard isFirst else { return }
        let pause = pace.withLock { $0.pause(now: .now) }
        if pause == .zero { return sendArrived() }
        DispatchQueue.global(qos: .utility).asyncAfter(
            deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1)))
        ) { [self] in sendArrived() }
    }

    /// The pace of looking up targets. Under load, notices of a moment are collected: many are about few conversations.
    private struct Pace {
        /// The length of a moment, and the number of times in it that notices are not collected.
        private static let (moment, most) = (Duration.milliseconds(100), 10)
        private var start = ContinuousClock.now
        private var count = 0

        mutating func pause(now: ContinuousClock.Instant) -> Duration {
            if now - start >= Self.moment { (start, count) = (now, 0) }
            count += 1
            return count <= Self.most ? .zero : Self.moment - (now - start)
        }
    }

    private func sendArrived() {
        targets.perform { [self] store in
            let notices = arrived.withLock { arrived in
                defer { arrived = [] }
                return arrived
            }
            var known: [Origin: [PushTarget]] = [:]
            for notice in notices {
                let origin = Origin(conversation: notice.conversation, sender: notice.sender)
                do {
                    let all = try known[origin] ?? store.pushTargets(in: notice.conversation, from: notice.sender)
                    known[origin] = all
                    for target in all where isAway(target) { queue(notice, target) }
                } catch { log.error("push failed", metadata: ["error": "\(error)"]) }
            }
        }
    }

    private struct Origin: Hashable {
        let conversation: EntityID
        let sender: EntityID?
    }

    /// Whether the device that a target stands for is not connected, to any gateway.
    private func isAway(_ target: PushTarget) -> Bool {
        switch target.condition {
        case .device: !clients.isReading(device: target.device, of: target.user)
        case .user: !clients.isReading(target.user)
        case .always: true
        }
    }

    private func queue(_ notice: PushNotice, _ target: PushTarget) {
        let isQueued = waiting.withLock { waiting in
            guard !waiting.isStopping, waiting.count < Self.most, waiting.each[target.id, default: 0] < Self.mostEach,
                waiting.failing[target.id].map({ $0.until < .now }) ?? true
            else { return false }
            waiting.count += 1
            waiting.each[target.id, default: 0] += 1
            return true
        }
        guard isQueued else { return metrics.pushed(target.kind.rawValue, "dropped") }
        deliver(notice, target.id, of: target.user, attempt: 0)
    }

    /// Delivers a notice to a target as it is then: it may have been removed, its user may have muted the conversation or be
    /// here, and the message may have been removed in the meantime.
    private func deliver(_ notice: PushNotice, _ id: EntityID, of user: EntityID, attempt number: Int) {
        // It waits for room first, so that the store is read as late as possible.
        lanes.run(for: user) { [self] in
            targets.perform { [self] store in
                let present: PushTarget?
                do {
                    present = try store.pushTarget(
                        id, for: notice.message, in: notice.conversation, from: notice.sender)
                } catch {
                    log.error("push failed", metadata: ["error": "\(error)"])
                    present = nil
                }
                guard let target = present, isAway(target) else { return done(id) }
                lanes.run(for: user) { [self] in
                    let outcome = attempt(notice, target)
                    guard case .failed = outcome, number < Self.pauses.count, !isLeftAlone(id) else {
                        done(id)
                        return note(outcome, of: target)
                    }
                    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.pauses[number]) {
                        [weak self] in
                        self?.deliver(notice, id, of: user, attempt: number + 1)
                    }
                }
            }
        }
    }

    private func isLeftAlone(_ id: EntityID) -> Bool {
        waiting.withLock { $0.failing[id].map { $0.until > .now } ?? false }
    }

    /// Ends the wait of a notice.
    private func done(_ id: EntityID) {
        waiting.withLock { waiting in
            waiting.count -= 1
            let left = waiting.each[id, default: 1] - 1
            waiting.each[id] = left > 0 ? left : nil
        }
    }

    /// Records the outcome of a delivery.
    private func note(_ outcome: Outcome, of target: PushTarget) {
        let (word, problem) = outcome.words
        metrics.pushed(target.kind.rawValue, word)
        waiting.withLock { waiting in
            guard problem != nil else {
                waiting.failing[target.id] = nil
                return
            }
            let count = (waiting.failing[target.id]?.count ?? 0) + 1
            if waiting.failing.count > 10_000 { waiting.failing = [:] }
            let pause = count < Self.mostFailures ? 0 : min(3600, 15 << min(count - Self.mostFailures, 8))
            waiting.failing[target.id] = (count, .now + .seconds(pause))
        }
        if let problem {
            log.warning(
                "push not delivered",
                metadata: ["kind": "\(target.kind.rawValue)", "to": "\(target.host)", "reason": "\(problem)"])
        }
        targets.perform { [log] store in
            do {
                if case .gone = outcome {
                    try store.removePushTarget(target.id, of: target.user)
                } else {
                    try store.notePush(target.id, problem: problem)
                }
            } catch { log.error("push failed", metadata: ["error": "\(error)"]) }
        }
    }

    private func attempt(_ notice: PushNotice, _ target: PushTarget) -> Outcome {
        do {
            let outcome = try once(notice, target)
            // Apple's service wants a new token: its own clock may differ.
            guard target.kind == .apns, case .refused(let reason) = outcome, reason.contains("ProviderToken") else {
                return outcome
            }
            signers.renewAppleToken()
            return try once(notice, target)
        } catch {
            let error = error as? HelixError
            let reason = error?.message ?? "the request failed"
            let isLasting = [.configuration, .badInput].contains(error?.code) || reason.contains("private network")
            return isLasting ? .refused(reason) : .failed(reason)
        }
    }

    private func once(_ notice: PushNotice, _ target: PushTarget) throws -> Outcome {
        let request = try PushRequest(notice, to: target, signers, now: clock.now)
        return Outcome(try lanes.send(request), of: target.kind)
    }

    /// Starts no more deliveries.
    func finish() {
        waiting.withLock { $0.isStopping = true }
        lanes.finish()
    }
}

/// Tests of a user's targets.
extension PushSender {
    /// Sends a test notice to a user's targets, connected or not, once each.
    /// - Parameter isChosen: the targets to test.
    func test(
        _ user: EntityID, _ isChosen: @escaping @Sendable (PushTarget) -> Bool,
        then done: @escaping @Sendable (Result<[Tested], GatewayError>) -> Void
    ) {
        // Requests to addresses of a user's choice are not made for them as fast as they ask.
        let isEarly = waiting.withLock { waiting in
            let last = waiting.tests[user]
            guard last.map({ $0.duration(to: .now) >= Self.testPause }) ?? true else { return true }
            if waiting.tests.count > 10_000 { waiting.tests = [:] }
            // Until the end of this test; its targets may be slow.
            waiting.tests[user] = .now + .seconds(Self.testPatience)
            return false
        }
        guard !isEarly else {
            let error = GatewayError(
                .unavailable, "a test is running, or ended just now; try again in a few seconds", isRetryable: true,
                retryAfter: 5000)
            return done(.failure(error))
        }
        targets.perform { [self] store in
            do {
                let test = PushTest(try store.pushTargets(of: user).filter(isChosen)) { [self] results in
                    waiting.withLock { $0.tests[user] = .now }
                    done(.success(results))
                }
                let notice = PushNotice(testAt: clock.now)
                for target in test.targets {
                    lanes.run(for: user, orElse: { test.add(.failed("the gateway is stopping"), of: target) }) {
                        [self] in
                        guard !test.isOver else { return }
                        let outcome = attempt(notice, target)
                        note(outcome, of: target)
                        test.add(outcome, of: target)
                    }
                }
                DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(Self.testPatience)) {
                    test.end()
                }
            } catch { done(.failure(GatewayError(.unavailable, "the push targets cannot be read"))) }
        }
    }
}

/// The outcomes of a test, which are answered when all are there or its time is over.
private final class PushTest: Sendable {
    let targets: [PushTarget]
    private let outcomes = Mutex<[EntityID: PushSender.Outcome]?>([:])
    private let done: @Sendable ([PushSender.Tested]) -> Void

    init(_ targets: [PushTarget], then done: @escaping @Sendable ([PushSender.Tested]) -> Void) {
        (self.targets, self.done) = (targets, done)
        if targets.isEmpty { end() }
    }

    /// Whether it was answered.
    var isOver: Bool { outcomes.withLock { $0 == nil } }

    func add(_ outcome: PushSender.Outcome, of target: PushTarget) {
        let isComplete = outcomes.withLock { outcomes in
            outcomes?[target.id] = outcome
            return outcomes?.count == targets.count
        }
        if isComplete { end() }
    }

    /// Answers; a target without an outcome failed.
    func end() {
        guard
            let found = outcomes.withLock({ outcomes in
                defer { outcomes = nil }
                return outcomes
            })
        else { return }
        done(targets.map { ($0, found[$0.id] ?? .failed("no answer within the time of the test")) })
    }
}

extension PushSender.Outcome {
    /// Reads a service's answer.
    init(_ answer: HTTPClient.Answer, of kind: PushTarget.Kind) {
        let text = String(decoding: answer.body.prefix(1 << 10), as: UTF8.self)
        let reason = (try? JSONText(Array(answer.body.prefix(1 << 10))))?["reason"]?.text
        let line = text.prefix(80).split(whereSeparator: \.isNewline).first.map(String.init)
        let shown = "\(answer.status) \(reason ?? line ?? "")".trimmingBlanks()
        switch answer.status {
        case 200..<300: self = .delivered
        // Apple's names for tokens that are none, or belong to another app.
        case 400 where kind == .apns && ["BadDeviceToken", "DeviceTokenNotForTopic"].contains(reason):
            self = .gone(shown)
        case 404 where [.webpush, .unifiedpush].contains(kind), 410: self = .gone(shown)
        case 408, 425, 429, 500...: self = .failed(shown)
        default: self = .refused(shown)
        }
    }

    /// The outcome as metrics name it, with the reason of a failure.
    var words: (name: String, problem: String?) {
        switch self {
        case .delivered: ("delivered", nil)
        case .gone(let reason): ("gone", reason)
        case .refused(let reason): ("refused", reason)
        case .failed(let reason): ("failed", reason)
        }
    }
}
