import NIOCore
import NIOPosix
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Limits on the number of connections, from the moment they are accepted: descriptors are the first resource to run out.
final class ConnectionLimits: Sendable {
    private struct State {
        var total = 0
        var networks: [String: Int] = [:]
    }

    /// The maximum in total, and from one network.
    let most: Int
    let mostEach: Int
    private let state = Mutex(State())

    /// Descriptors reserved for everything else: stores, files, connections to assistants.
    private static let reserve = 256

    /// Raises the soft limit of descriptors, and lowers the maximum to what it allows.
    init(wanted: Int, mostEach: Int) {
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            let hard = limit.rlim_max == rlim_t.max ? rlim_t(1 << 20) : limit.rlim_max
            limit.rlim_cur = max(limit.rlim_cur, min(hard, rlim_t(wanted + ConnectionLimits.reserve * 4)))
            _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let there = Int(min(limit.rlim_cur, rlim_t(1 << 20)))
        most = max(16, min(wanted, there - min(ConnectionLimits.reserve, there / 2)))
        self.mostEach = max(8, min(mostEach, most / 2))
    }

    /// Counts a new connection; false if the limit is reached.
    func enter(_ network: String, isLocal: Bool) -> Bool {
        state.withLock { state in
            // Connections from this machine do not belong to one user: they come from a proxy, or from all its users.
            guard state.total < most, isLocal || state.networks[network, default: 0] < mostEach else { return false }
            state.total += 1
            state.networks[network, default: 0] += 1
            return true
        }
    }

    func leave(_ network: String) {
        state.withLock { state in
            state.total -= 1
            let left = state.networks[network, default: 1] - 1
            state.networks[network] = left > 0 ? left : nil
        }
    }

    /// The number of connections.
    var count: Int { state.withLock { $0.total } }
}

/// Precedes the handler that accepts connections: closes those over the limit, and pauses when the system has no
/// descriptor left.
final class AcceptLimiter: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let limits: ConnectionLimits
    private let refused: @Sendable () -> Void
    /// The pause in accepting when there is no descriptor.
    private static let rest = TimeAmount.milliseconds(500)

    init(_ limits: ConnectionLimits, refused: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.refused = refused
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        let address = channel.remoteAddress?.ipAddress ?? "?"
        let network = Network.of(address)
        guard limits.enter(network, isLocal: Network.isLoopback(address)) else {
            refused()
            return channel.close(promise: nil)
        }
        let limits = limits
        channel.closeFuture.whenComplete { _ in limits.leave(network) }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        refused()
        // The connection that could not be accepted is still pending: an immediate retry would keep the loop busy.
        let channel = context.channel
        channel.setOption(.autoRead, value: false).whenSuccess {
            channel.eventLoop.scheduleTask(in: AcceptLimiter.rest) {
                channel.setOption(.autoRead, value: true).whenSuccess { channel.read() }
            }
        }
    }
}
