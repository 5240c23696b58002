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
    private let workers: [PushWorker]
    private let waiting = Mutex(Waiting())

    /// The number of workers; a slow service delays only those that share its worker.
    private static let parallel = 4
    /// The maximum number of waiting notices, of all targets and of one.
    private static let (most, mostEach) = (10_000, 50)
    /// The pauses before a notice is sent again, in seconds.
    static let pauses: [Double] = [5, 30, 120]

    private struct Waiting {
        var count = 0
        var each: [EntityID: Int] = [:]
        /// The time of each user's last test.
        var tests: [EntityID: ContinuousClock.Instant] = [:]
        var isStopping = false
    }

    /// A tested target with the outcome.
    typealias Tested = (target: PushTarget, outcome: Outcome)
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
        workers = (0..<Self.parallel).map { PushWorker("helix.gateway.push.\($0)", configuration) }
    }

    /// Notifies the devices of a conversation's members that are not connected.
    func send(_ notice: PushNotice) {
        targets.perform { [self] store in
            do {
                let all = try store.pushTargets(in: notice.conversation, from: notice.sender)
                for target in all where isAway(target) { queue(notice, target) }
            } catch { log.error("push failed", metadata: ["error": "\(error)"]) }
        }
    }

    /// Whether the device that a target stands for is not connected.
    private func isAway(_ target: PushTarget) -> Bool {
        // Connections that may not read receive no messages.
        let present = clients.clients(of: target.user).filter { $0.session.can(.read) }
        return switch target.condition {
        case .device: !present.contains { $0.session.device == target.device }
        case .user: present.isEmpty
        case .always: true
        }
    }

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
            waiting.tests[user] = .now
            return false
        }
        guard !isEarly else {
            let error = GatewayError(
                .unavailable, "wait some seconds between tests", isRetryable: true, retryAfter: 5000)
            return done(.failure(error))
        }
        targets.perform { [self] store in
            do {
                let chosen = try store.pushTargets(of: user).filter(isChosen)
                let results = Mutex<[Tested]>([])
                let pending = DispatchGroup()
                let notice = PushNotice(testAt: clock.now)
                for target in chosen {
                    pending.enter()
                    worker(target).run(orElse: pending.leave) { [self] worker in
                        let outcome = attempt(notice, target, worker)
                        note(outcome, of: target)
                        results.withLock { $0.append((target, outcome)) }
                        pending.leave()
                    }
                }
                pending.notify(queue: .global()) {
                    let order = chosen.map(\.id)
                    done(
                        .success(
                            results.withLock { $0 }.sorted {
                                order.firstIndex(of: $0.target.id) ?? 0 < order.firstIndex(of: $1.target.id) ?? 0
                            }))
                }
            } catch { done(.failure(GatewayError(.unavailable, "the push targets cannot be read"))) }
        }
    }

    private func queue(_ notice: PushNotice, _ target: PushTarget) {
        let isQueued = waiting.withLock { waiting in
            guard !waiting.isStopping, waiting.count < Self.most, waiting.each[target.id, default: 0] < Self.mostEach
            else { return false }
            waiting.count += 1
            waiting.each[target.id, default: 0] += 1
            return true
        }
        guard isQueued else { return metrics.pushed(target.kind.rawValue, "dropped") }
        deliver(notice, target, attempt: 0)
    }

    private func deliver(_ notice: PushNotice, _ target: PushTarget, attempt number: Int) {
        worker(target).run { [self] worker in
            // The device may have connected in the meantime, and has the message.
            guard isAway(target) else { return done(notice, target, nil) }
            let outcome = attempt(notice, target, worker)
            guard case .failed = outcome, number < Self.pauses.count else { return done(notice, target, outcome) }
            worker.queue.asyncAfter(deadline: .now() + Self.pauses[number]) { [weak self] in
                self?.deliver(notice, target, attempt: number + 1)
            }
        }
    }

    /// Ends the wait of a notice, and records its outcome.
    private func done(_ notice: PushNotice, _ target: PushTarget, _ outcome: Outcome?) {
        waiting.withLock { waiting in
            waiting.count -= 1
            let left = waiting.each[target.id, default: 1] - 1
            waiting.each[target.id] = left > 0 ? left : nil
        }
        if let outcome { note(outcome, of: target) }
    }

    /// Records the outcome of a delivery.
    private func note(_ outcome: Outcome, of target: PushTarget) {
        let (word, problem) = outcome.words
        metrics.pushed(target.kind.rawValue, word)
        if let problem {
            log.warning(
                "push not delivered",
                metadata: ["kind": "\(target.kind.rawValue)", "to": "\(target.shownAddress)", "reason": "\(problem)"])
        }
        guard problem != nil || target.failures > 0 else { return }
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

    private func attempt(_ notice: PushNotice, _ target: PushTarget, _ worker: PushWorker) -> Outcome {
        do {
            let outcome = try once(notice, target, worker)
            // Apple's service wants a new token: its own clock may differ.
            guard target.kind == .apns, case .refused(let reason) = outcome, reason.contains("ProviderToken") else {
                return outcome
            }
            signers.renewAppleToken()
            return try once(notice, target, worker)
        } catch {
            let error = error as? HelixError
            let reason = error?.message ?? "the request failed"
            return error?.code == .configuration || error?.code == .badInput ? .refused(reason) : .failed(reason)
        }
    }

    private func once(_ notice: PushNotice, _ target: PushTarget, _ worker: PushWorker) throws -> Outcome {
        let request = try PushRequest(notice, to: target, signers, now: clock.now)
        return Outcome(try worker.send(request), of: target.kind)
    }

    private func worker(_ target: PushTarget) -> PushWorker {
        // All targets of a service share a worker, and so its connection.
        let origin = target.kind == .apns ? "apns" : target.shownAddress
        let number = origin.utf8.reduce(UInt32(5381)) { ($0 &* 33) &+ UInt32($1) }
        return workers[Int(number) % workers.count]
    }

    /// Starts no more deliveries.
    func finish() {
        waiting.withLock { $0.isStopping = true }
        for worker in workers { worker.finish() }
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
