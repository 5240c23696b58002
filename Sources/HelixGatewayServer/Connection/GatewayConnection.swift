import HelixGateway
import HelixGatewayStore
import HelixModel
import Logging
import NIOCore
import NIOWebSocket

/// The gateway's side of one client's WebSocket. Everything in it happens on the connection's own event loop.
final class GatewayConnection: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private enum State {
        /// The client has been given a nonce.
        case challenged(nonce: String)
        /// It is being decided whether it is let in.
        case asking
        case open(ClientSession)
        case over
    }

    private let server: GatewayServer
    private let remote: String
    private let isLocal: Bool
    private let name = EntityID().text
    private var state = State.over
    private var context: ChannelHandlerContext?
    private var message: ByteBuffer?
    private var sequence: Int64 = 0
    private var pending = 0
    private var pendingBytes = 0
    private var buffered = 0
    private var limiter = RateLimiter()
    private var deadline: Scheduled<Void>?
    private var ticks: RepeatedTask?

    init(_ server: GatewayServer, remote: String, isLocal: Bool) {
        self.server = server
        self.remote = remote
        self.isLocal = isLocal
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let nonce = EntityID().text + EntityID().text
        state = .challenged(nonce: nonce)
        server.metrics.connected()
        send(
            .event(
                "connect.challenge", payload: ["nonce": .string(nonce), "ts": .integer(server.milliseconds)],
                sequence: nil))
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        deadline = context.eventLoop.scheduleTask(in: .seconds(GatewayConfiguration.handshakeTime)) {
            if case .open = bound.value.state { return }
            bound.value.end(code: 1008, reason: "handshake timeout")
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if case .open(let session) = state {
            if server.clients.remove(session) { server.presenceChanged(of: session.user.id) }
        }
        state = .over
        deadline?.cancel()
        ticks?.cancel()
        server.metrics.disconnected()
        self.context = nil
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let code = (error as? NIOWebSocketError).map { $0 == .invalidFrameLength ? 1009 : 1002 } ?? 1011
        end(code: code, reason: code == 1009 ? "frame too large" : "protocol error")
    }

    // What comes in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .over = state { return }
        let frame = unwrapInboundIn(data)
        // A client hides its frames (RFC 6455 §5.1).
        guard frame.maskKey != nil else { return end(code: 1002, reason: "frames must be masked") }
        switch frame.opcode {
        case .text, .binary:
            guard message == nil else { return end(code: 1002, reason: "a message within a message") }
            message = frame.unmaskedData
        case .continuation:
            guard message != nil else { return end(code: 1002, reason: "nothing to continue") }
            var more = frame.unmaskedData
            message?.writeBuffer(&more)
        case .ping: return send(.pong, frame.unmaskedData)
        case .pong: return
        case .connectionClose: return end(code: 1000, reason: "")
        default: return end(code: 1002, reason: "unknown frame")
        }
        guard let whole = message, whole.readableBytes <= largest else {
            return end(code: 1009, reason: "frame too large")
        }
        if frame.fin {
            message = nil
            heard(Array(whole.readableBytesView))
        }
    }

    /// Whether the client is let in.
    var isOpen: Bool { if case .open = state { true } else { false } }

    private var largest: Int {
        if case .open(let session) = state { return GatewayConfiguration.largestFrame(session.version) }
        return GatewayConfiguration.largestFirstFrame
    }

    private func heard(_ bytes: [UInt8]) {
        server.metrics.heard()
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
            send(.response(id: request.id, .failure(GatewayError(.invalidRequest, "connect is not answered yet"))))
            end(code: 1008, reason: "invalid handshake")
        case .open(let session): ask(request, session, weight: bytes.count)
        case .over: break
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
        server.admit(params, connection: name, nonce: nonce, remote: remote, isLocal: isLocal) { answer in
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
            deadline?.cancel()
            let client = ClientHandle(session, context.eventLoop, self)
            let isNew = server.clients.add(client)
            send(.response(id: id, .success(server.hello(session))))
            if isNew { server.presenceChanged(of: session.user.id) }
            let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
            let pause = TimeAmount.seconds(GatewayConfiguration.tick)
            ticks = context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
                bound.value.tell(EventWords("tick", ["ts": .integer(bound.value.server.milliseconds)]))
                bound.value.server.check(client)
            }
            // It may have been shut out while it was being let in.
            server.check(client)
        }
    }

    /// - Parameter weight: the bytes that it came in.
    private func ask(_ request: Request, _ session: ClientSession, weight: Int) {
        if request.method == "connect" {
            return answer(
                request.id, .failure(GatewayError(.invalidRequest, "connect is only valid as the first request")))
        }
        if let wait = limiter.wait(request.method) {
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
                        .unavailable, "too many requests wait for an answer", isRetryable: true, retryAfter: 100)))
        }
        guard let loop = context?.eventLoop else { return }
        pending += 1
        pendingBytes += weight
        let bound = NIOLoopBound(self, eventLoop: loop)
        server.methods.run(request.method, request.params, session, on: server) { result in
            loop.execute {
                bound.value.pending -= 1
                bound.value.pendingBytes -= weight
                bound.value.answer(request.id, result)
            }
        }
    }

    // What goes out

    private func answer(_ id: String, _ result: Result<JSONText, GatewayError>) {
        if case .failure = result { server.metrics.refused() }
        send(.response(id: id, result))
    }

    /// Tells the client something; each such event has a number.
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
        // Whoever does not read does not fill the gateway's memory.
        guard buffered + count <= GatewayConfiguration.mostBuffered else {
            server.metrics.droppedSlow()
            return end(code: 1008, reason: "slow consumer")
        }
        buffered += count
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in bound.value.buffered -= count }
        write(WebSocketFrame(fin: true, opcode: opcode, data: buffer), promise)
    }

    private func write(_ frame: WebSocketFrame, _ promise: EventLoopPromise<Void>? = nil) {
        guard let context else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }

    /// Ends the connection, and says why.
    func end(code: Int, reason: String) {
        guard let context else { return }
        if case .over = state { return }
        if case .open(let session) = state {
            if server.clients.remove(session) { server.presenceChanged(of: session.user.id) }
        }
        state = .over
        deadline?.cancel()
        ticks?.cancel()
        var buffer = context.channel.allocator.buffer(capacity: 128)
        buffer.write(webSocketErrorCode: WebSocketErrorCode(codeNumber: code))
        buffer.writeBytes(reason.utf8.prefix(120))
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .connectionClose, data: buffer)))
            .whenComplete { _ in channel.close(promise: nil) }
        // Whoever does not read that either is not waited for.
        context.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    }
}

/// A question as it came.
struct Request: Sendable {
    var id: String
    var method: String
    var params: JSONText?

    /// What is wrong with a frame, and which question it seems to be.
    struct Defect: Error {
        var id: String
        var reason: String
    }

    /// Reads a frame strictly.
    static func read(_ bytes: [UInt8]) -> Result<Request, Defect> {
        guard let json = try? JSONText(bytes), let fields = json.fields else {
            return .failure(Defect(id: "invalid", reason: "no JSON object"))
        }
        let id = json["id"]?.text.flatMap { (1...256).contains($0.utf8.count) ? $0 : nil }
        func defect(_ reason: String) -> Result<Request, Defect> {
            .failure(Defect(id: id ?? "invalid", reason: reason))
        }
        guard Set(fields.map(\.name)).count == fields.count else { return defect("a property is there twice") }
        for field in fields {
            switch field.name {
            case "type", "id", "method", "params": break
            case "traceparent":
                guard field.value.text?.utf8.count ?? 999 <= 128 else { return defect("traceparent is too long") }
            default: return defect("unexpected property '\(field.name.prefix(64))'")
            }
        }
        guard json["type"]?.text == "req" else { return defect("type must be 'req'") }
        guard let id else { return defect("id must be a string") }
        guard let method = json["method"]?.text, (1...128).contains(method.utf8.count) else {
            return defect("method must be a string")
        }
        return .success(Request(id: id, method: method, params: json["params"]))
    }
}
