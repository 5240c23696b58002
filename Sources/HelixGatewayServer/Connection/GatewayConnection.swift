import HelixGateway
import HelixGatewayStore
import HelixModel
import Logging
import NIOCore
import NIOWebSocket
import Synchronization

/// The gateway's side of one client's WebSocket. All of it runs on the connection's own event loop.
final class GatewayConnection: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private enum State {
        /// The client has received a nonce.
        case challenged(nonce: String)
        /// The request to connect is being decided.
        case asking
        case open(ClientSession)
        case over
    }

    private let services: ConnectionServices
    private let remote: String
    private let isLocal: Bool
    private let name = EntityID().text
    private var state = State.over
    private var context: ChannelHandlerContext?
    private var message: ByteBuffer?
    /// Whether the message arrived in text frames.
    private var isText = false
    private var sequence: Int64 = 0
    private var pending = 0
    private var pendingBytes = 0
    private var buffered = 0
    private var pings = RateLimiter()
    /// Whether the client still waits for responses.
    private let presence = Presence()
    /// The bytes that the client has read since the last tick.
    private var readBytes = 0
    /// The user's counters, once the client has signed in.
    private var tally: UserTally?
    private var deadline: Scheduled<Void>?
    private var ticks: RepeatedTask?

    init(_ services: ConnectionServices, remote: String, isLocal: Bool) {
        self.services = services
        self.remote = remote
        self.isLocal = isLocal
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let nonce = EntityID().text + EntityID().text
        state = .challenged(nonce: nonce)
        services.metrics.connected()
        send(
            .event(
                "connect.challenge", payload: ["nonce": .string(nonce), "ts": .integer(services.clock.milliseconds)],
                sequence: nil))
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: .seconds(GatewayConfiguration.handshakeTime)) {
            if case .open = bound.value.state { return }
            bound.value.end(code: 1008, reason: "handshake timeout")
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if case .open(let session) = state {
            services.clients.remove(session)
        }
        state = .over
        presence.end()
        deadline?.cancel()
        ticks?.cancel()
        services.metrics.disconnected()
        self.context = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let code = (error as? NIOWebSocketError).map { $0 == .invalidFrameLength ? 1009 : 1002 } ?? 1011
        end(code: code, reason: code == 1009 ? "frame too large" : "protocol error")
    }

    // Receiving

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .over = state { return }
        let frame = unwrapInboundIn(data)
        // A client masks its frames (RFC 6455 §5.1).
        guard frame.maskKey != nil else { return end(code: 1002, reason: "frames must be masked") }
        // No extension was negotiated (RFC 6455 §5.2).
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return end(code: 1002, reason: "reserved bits are set") }
        switch frame.opcode {
        case .text, .binary:
            guard message == nil else { return end(code: 1002, reason: "a message within a message") }
            message = frame.unmaskedData
            isText = frame.opcode == .text
        case .continuation:
            guard message != nil else { return end(code: 1002, reason: "nothing to continue") }
            var more = frame.unmaskedData
            message?.writeBuffer(&more)
        case .ping:
            guard pings.wait("ping") == nil else { return end(code: 1008, reason: "too many pings") }
            return send(.pong, frame.unmaskedData)
        case .pong: return
        case .connectionClose: return end(code: 1000, reason: "")
        default: return end(code: 1002, reason: "unknown frame")
        }
        guard let whole = message, whole.readableBytes <= largest else {
            return end(code: 1009, reason: "frame too large")
        }
        if frame.fin {
            message = nil
            let bytes = Array(whole.readableBytesView)
            guard !isText || String(validating: bytes, as: UTF8.self) != nil else {
                return end(code: 1007, reason: "text is not UTF-8")
            }
            heard(bytes)
        }
    }

    /// Whether the client has signed in.
    var isOpen: Bool { if case .open = state { true } else { false } }

    private var largest: Int {
        if case .open(let session) = state { return GatewayConfiguration.largestFrame(session.version) }
        return GatewayConfiguration.largestFirstFrame
    }

    private func heard(_ bytes: [UInt8]) {
        services.metrics.heard()
        let request: Request
        switch Request.read(bytes) {
        case .success(let read): request = read
        case .failure(let defect):
            send(
                .response(
                    id: defect.id, .failure(GatewayError(.invalidRequest, "invalid request frame: \(defect.reason)"))))
            if case .open = state { return }
            return end(code: 1008, reason: "invalid request frame")
        }
        switch state {
        case .challenged(let nonce):
            guard request.method == "connect" else {
                send(
                    .response(
                        id: request.id,
                        .failure(GatewayError(.invalidRequest, "invalid handshake: first request must be connect"))))
                return end(code: 1008, reason: "invalid handshake")
            }
            connect(request, nonce)
        case .asking:
            send(.response(id: request.id, .failure(GatewayError(.invalidRequest, "connect is still being processed"))))
            end(code: 1008, reason: "invalid handshake")
        case .open(let session):
            rest(tally?.heard(bytes.count) ?? 0)
            ask(request, session, weight: bytes.count)
        case .over: break
        }
    }

    /// Stops reading for a while from a client whose user exceeds the parsing limit.
    private func rest(_ milliseconds: Int64) {
        guard milliseconds > 0, let channel = context?.channel else { return }
        channel.setOption(.autoRead, value: false).whenSuccess {
            channel.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
                channel.setOption(.autoRead, value: true).whenSuccess { channel.read() }
            }
        }
    }

    private func connect(_ request: Request, _ nonce: String) {
        state = .asking
        let params: ConnectParams
        do { params = try ConnectParams(request.params) } catch let error as ConnectRefusal {
            return refuse(request.id, error)
        } catch let error as GatewayError {
            return refuse(request.id, ConnectRefusal(error))
        } catch { return refuse(request.id, ConnectRefusal(GatewayError(.unavailable, "\(error)"))) }
        guard let loop = context?.eventLoop else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        services.admission.admit(
            params, connection: name, nonce: nonce, remote: remote, isLocal: isLocal, isWanted: presence.check
        ) { answer in
            loop.execute { bound.value.didDecide(request.id, answer) }
        }
    }

    private func refuse(_ id: String, _ refusal: ConnectRefusal) {
        send(.response(id: id, .failure(refusal.error)))
        end(code: refusal.close, reason: refusal.error.message)
    }

    private func didDecide(_ id: String, _ answer: Result<ClientSession, ConnectRefusal>) {
        guard case .asking = state, let context else { return }
        switch answer {
        case .failure(let refusal): refuse(id, refusal)
        case .success(let session):
            state = .open(session)
            tally = services.userLimits.tally(session.user.id)
            deadline?.cancel()
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            let client = ClientHandle(session, context.eventLoop) {
                bound.value.tell($0)
            } close: {
                bound.value.end(code: $0, reason: $1)
            }
            services.clients.add(client) { send(.response(id: id, .success(services.hello.json(for: session)))) }
            let pause = TimeAmount.seconds(GatewayConfiguration.tick)
            ticks = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
                bound.value.checkReading()
                bound.value.tell(EventWords("tick", ["ts": .integer(bound.value.services.clock.milliseconds)]))
                bound.value.services.sessions.check(client)
            }
            // The device may have been removed during the handshake.
            services.sessions.check(client)
        }
    }

    /// - Parameter weight: the size of the request in bytes.
    private func ask(_ request: Request, _ session: ClientSession, weight: Int) {
        if request.method == "connect" {
            return answer(
                request.id, .failure(GatewayError(.invalidRequest, "connect is only valid as the first request")))
        }
        if let wait = services.userLimits.wait(session.user.id, request.method) {
            return answer(
                request.id,
                .failure(
                    GatewayError(
                        .rateLimited, "too many requests: \(request.method)", isRetryable: true, retryAfter: wait)))
        }
        guard pending < GatewayConfiguration.mostPending,
            pending == 0 || pendingBytes + weight <= GatewayConfiguration.mostPendingBytes
        else {
            return answer(
                request.id,
                .failure(
                    GatewayError(
                        .unavailable, "too many pending requests", isRetryable: true, retryAfter: 100)))
        }
        guard let loop = context?.eventLoop, let tally else { return }
        guard tally.pending.load(ordering: .relaxed) < UserTally.mostPending,
            pending == 0 || tally.pendingBytes.load(ordering: .relaxed) + weight <= UserTally.mostPendingBytes
        else {
            return answer(
                request.id,
                .failure(
                    GatewayError(
                        .rateLimited, "too many pending requests", isRetryable: true, retryAfter: 500)))
        }
        pending += 1
        pendingBytes += weight
        tally.pending.add(1, ordering: .relaxed)
        tally.pendingBytes.add(weight, ordering: .relaxed)
        let bound = NIOLoopBound(self, eventLoop: loop)
        services.methods.run(
            request.method, request.params, session, isWanted: presence.check
        ) { result in
            tally.pending.subtract(1, ordering: .relaxed)
            tally.pendingBytes.subtract(weight, ordering: .relaxed)
            loop.execute {
                bound.value.pending -= 1
                bound.value.pendingBytes -= weight
                bound.value.answer(request.id, result)
            }
        }
    }

    // Sending

    private func answer(_ id: String, _ result: Result<JSONText, GatewayError>) {
        if case .failure = result { services.metrics.refused() }
        send(.response(id: id, result))
    }

    /// Sends the client an event; each has a number.
    func tell(_ words: EventWords) {
        guard case .open = state else { return }
        sequence += 1
        send(words.bytes(number: sequence))
    }

    private func send(_ frame: GatewayFrame) {
        if case .over = state { return }
        send(frame.bytes)
    }

    private func send(_ bytes: [UInt8]) {
        guard let context else { return }
        var buffer = context.channel.allocator.buffer(capacity: bytes.count)
        buffer.writeBytes(bytes)
        send(.text, buffer)
    }

    private func send(_ opcode: WebSocketOpcode, _ buffer: ByteBuffer) {
        guard let context else { return }
        if case .over = state { return }
        let count = buffer.readableBytes + 64
        // A client that does not read must not exhaust the gateway's memory.
        guard buffered + count <= GatewayConfiguration.mostBuffered else {
            services.metrics.droppedSlow()
            return end(code: 1008, reason: "slow consumer")
        }
        // Nor may many together: a user with much unsent data is disconnected, not the next client.
        let own = tally?.unsent.load(ordering: .relaxed) ?? 0
        let isFull = services.unsent.count.load(ordering: .relaxed) + count > GatewayConfiguration.mostUnsent
        if own + count > UserTally.mostUnsent || isFull && own > GatewayConfiguration.mostUnsent / 64 {
            services.metrics.droppedSlow()
            return end(code: 1008, reason: "slow consumer")
        }
        buffered += count
        services.unsent.count.add(count, ordering: .relaxed)
        tally?.unsent.add(count, ordering: .relaxed)
        let tally = tally
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let unsent = services.unsent
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in
            unsent.count.subtract(count, ordering: .relaxed)
            tally?.unsent.subtract(count, ordering: .relaxed)
            bound.value.buffered -= count
            bound.value.readBytes += count
        }
        write(WebSocketFrame(fin: true, opcode: opcode, data: buffer), promise)
    }

    private func write(_ frame: WebSocketFrame, _ promise: EventLoopPromise<Void>? = nil) {
        guard let context else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }

    /// Disconnects a client that has not read anything for long although data is pending.
    private func checkReading() {
        defer { readBytes = 0 }
        guard buffered > GatewayConfiguration.fewBytes, readBytes < GatewayConfiguration.fewBytes else { return }
        services.metrics.droppedSlow()
        end(code: 1008, reason: "slow consumer")
    }

    /// Closes the connection with a reason.
    func end(code: Int, reason: String) {
        guard let context else { return }
        if case .over = state { return }
        if case .open(let session) = state {
            services.clients.remove(session)
        }
        state = .over
        presence.end()
        deadline?.cancel()
        ticks?.cancel()
        var buffer = context.channel.allocator.buffer(capacity: 128)
        buffer.write(webSocketErrorCode: WebSocketErrorCode(codeNumber: code))
        buffer.writeBytes(reason.utf8.prefix(120))
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .connectionClose, data: buffer)))
            .whenComplete { _ in channel.close(promise: nil) }
        // A client that does not read the close frame either is closed after a timeout.
        context.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    }
}
