import NIOCore
import NIOHTTP1
import NIOWebSocket

/// The part of its life that a gateway is in. It listens a moment before it serves, since it must hear of what other gateways
/// of its database change before a client asks for it.
enum GatewayPhase: String, Sendable {
    case starting, serving, stopping
}

/// The services that the HTTP endpoints use.
struct EndpointServices: Sendable {
    let metrics: GatewayMetrics
    /// Whether the addresses in a proxy's headers are trusted.
    let trustsProxy: Bool
    /// The part of its life that the gateway is in; it accepts clients only while it serves.
    let phase: @Sendable () -> GatewayPhase
    /// Whether its database answers.
    let isReachable: @Sendable () -> Bool
    /// The token that grants other machines access to the metrics; nil if none is set.
    let metricsToken: @Sendable () -> String?
    /// The Model Context Protocol, at `/mcp`.
    let agents: AgentEndpoint
}

/// The gateway's plain HTTP endpoints: health, metrics, and `/mcp` for agents.
final class HTTPEndpoints: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let services: EndpointServices
    private var deadline: Scheduled<Void>?
    private var head: HTTPRequestHead?
    /// The body of a request of an agent.
    private var body = ByteBuffer()
    /// Whether the client still waits.
    private let presence = Presence()
    /// Whether a request was read whole. One connection has one request: those behind it are ignored.
    private var isRead = false
    /// Whether that request was received to its end.
    private var isWhole = false
    /// The time for a tool, for a client to read its answer, and to send the rest of a refused request, in seconds.
    private static let (toolTime, readingTime, drainingTime): (Int64, Int64, Int64) = (60, 20, 2)

    init(_ services: EndpointServices) { self.services = services }

    func handlerAdded(context: ChannelHandlerContext) {
        // An idle client is disconnected.
        close(context, after: GatewayConfiguration.handshakeTime)
    }

    /// Closes the connection after a time, and not after the time that was set before.
    private func close(_ context: ChannelHandlerContext, after seconds: Int64) {
        let channel = context.channel
        deadline?.cancel()
        deadline = context.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        presence.end()
        deadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isRead { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            guard HTTPEndpoints.isOfAgent(head) else { return }
            // A client without a token, or with too much, is turned away before anything is kept.
            let size = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            if head.headers.contains(name: "authorization"), size <= AgentEndpoint.largest { return }
            isRead = true
            if size > AgentEndpoint.largest { return refuseSize(context) }
            answerAgent(context, head)
        case .body(var part):
            guard let head, HTTPEndpoints.isOfAgent(head) else { return }
            body.writeBuffer(&part)
            if body.readableBytes > AgentEndpoint.largest {
                isRead = true
                body = ByteBuffer()
                refuseSize(context)
            }
        case .end:
            guard let head else { return }
            (isRead, isWhole) = (true, true)
            if HTTPEndpoints.isOfAgent(head) { answerAgent(context, head) } else { answer(context, head) }
        }
    }

    private func refuseSize(_ context: ChannelHandlerContext) {
        answer(context, .payloadTooLarge, "the request is larger than \(AgentEndpoint.largest >> 10) KB\n")
    }

    /// Whether a path is that of agents; a proxy may serve the gateway below another one.
    private static func isOfAgents(_ path: Substring) -> Bool { path.hasSuffix("/mcp") }

    private static func isOfAgent(_ head: HTTPRequestHead) -> Bool {
        head.method == .POST && isOfAgents(head.uri.prefix { $0 != "?" })
    }

    /// Answers a request of an agent, when its tool has run.
    private func answerAgent(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        let phase = services.phase()
        guard phase == .serving else { return answer(context, .serviceUnavailable, phase.rawValue + "\n") }
        close(context, after: Self.toolTime)
        func header(_ name: String) -> String? {
            let all = head.headers[name]
            return all.isEmpty ? nil : all.joined(separator: ", ")
        }
        let request = AgentEndpoint.Request(
            remote: ClientOrigin(context.channel, head, trustsProxy: services.trustsProxy).address,
            origin: header("origin"), authorization: header("authorization"), version: header("mcp-protocol-version"),
            method: header("mcp-method"), name: header("mcp-name"), body: Array(body.readableBytesView))
        body = ByteBuffer()
        let (loop, bound) = (context.eventLoop, NIOLoopBound((self, context), eventLoop: context.eventLoop))
        services.agents.answer(request, isWanted: presence.check) { answer in
            loop.execute {
                let (handler, context) = bound.value
                guard handler.presence.isThere else { return }
                let text = answer.body.map { $0.compact } ?? ""
                handler.answer(
                    context, HTTPResponseStatus(statusCode: answer.status), text, type: "application/json",
                    headers: answer.headers)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A failed WebSocket upgrade is answered as plain HTTP.
        if error is NIOWebSocketUpgradeError { return }
        context.close(promise: nil)
    }

    /// Metrics are for the administrator: on this machine, without a proxy in between, or with the token in `metrics-token`
    /// beside the store.
    private func mayReadMetrics(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) -> Bool {
        if ClientOrigin(context.channel, head, trustsProxy: services.trustsProxy).isLocal { return true }
        guard let token = services.metricsToken(), let given = head.headers.first(name: "authorization") else {
            return false
        }
        let (a, b) = (Array("Bearer \(token)".utf8), Array(given.utf8))
        return a.count == b.count && zip(a, b).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        var (status, body, type) = (HTTPResponseStatus.ok, "", "text/plain; charset=utf-8")
        let path = head.uri.prefix { $0 != "?" }
        let phase = services.phase()
        switch (head.method, path) {
        case (.GET, "/healthz"), (.HEAD, "/healthz"): body = "ok\n"
        case (.GET, "/readyz"), (.HEAD, "/readyz"):
            if phase != .serving {
                (status, body) = (.serviceUnavailable, phase.rawValue + "\n")
            } else if !services.isReachable() {
                // A balancer sends clients to another gateway, which may have a line to it.
                (status, body) = (.serviceUnavailable, "the database does not answer\n")
            } else {
                body = "ok\n"
            }
        case (.GET, "/metrics"), (.HEAD, "/metrics"):
            guard mayReadMetrics(context, head) else {
                (status, body) = (.forbidden, "only from this machine, or with a token\n")
                break
            }
            body = services.metrics.text
            type = "text/plain; version=0.0.4; charset=utf-8"
        case (.GET, _) where head.headers.contains(name: "upgrade") && phase != .serving:
            (status, body) = (.serviceUnavailable, phase.rawValue + "\n")
        case (.GET, _) where head.headers.contains(name: "upgrade"):
            (status, body) = (.forbidden, "WebSocket not allowed\n")
        case (_, let path) where HTTPEndpoints.isOfAgents(path):
            return answer(
                context, .methodNotAllowed, "agents send POST\n", headers: [("allow", "POST")],
                isBare: head.method == .HEAD)
        case (.GET, "/"): (status, body) = (.upgradeRequired, "this is a helix gateway: use WebSocket\n")
        case (.GET, _), (.HEAD, _): (status, body) = (.notFound, "not found\n")
        default: (status, body) = (.methodNotAllowed, "method not allowed\n")
        }
        answer(context, status, body, type: type, isBare: head.method == .HEAD)
    }

    /// - Parameter isBare: whether the body is left out.
    private func answer(
        _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ body: String,
        type: String = "text/plain; charset=utf-8", headers more: [(name: String, value: String)] = [],
        isBare: Bool = false
    ) {
        var headers = HTTPHeaders()
        headers.add(name: "content-type", value: type)
        headers.add(name: "content-length", value: String(body.utf8.count))
        headers.add(name: "connection", value: "close")
        headers.add(name: "x-content-type-options", value: "nosniff")
        for header in more { headers.add(name: header.name, value: header.value) }
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        if !isBare {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        }
        guard isWhole else {
            // The rest of its request is read and ignored for a moment: a closed connection would hide the answer.
            close(context, after: Self.drainingTime)
            return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
        // A client that does not read its answer is disconnected.
        close(context, after: Self.readingTime)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}
