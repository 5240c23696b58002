import NIOCore

/// Counts the bytes received until a client has signed in: a frame that is too large is rejected before it is complete.
final class FirstBytes: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The maximum size of a frame, plus its overhead.
    private static let most = GatewayConfiguration.largestFirstFrame + (16 << 10)

    private let connection: GatewayConnection
    private var count = 0

    init(_ connection: GatewayConnection) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if connection.isOpen {
            context.fireChannelRead(data)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
            return
        }
        count += unwrapInboundIn(data).readableBytes
        guard count <= FirstBytes.most else { return connection.end(code: 1009, reason: "frame too large") }
        context.fireChannelRead(data)
    }
}
