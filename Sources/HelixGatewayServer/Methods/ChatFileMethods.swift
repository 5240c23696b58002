import FoundationEssentials
import HelixGateway
import HelixGatewayStore
import HelixModel

/// `chat.attachment.*`: message attachments, transferred in pieces (docs/gateway.md, "Chat").
enum ChatFileMethods {
    static let all: [GatewayMethod] = [
        .files("chat.attachment.state", .read) { call, store in
            let (hash, size) = try file(&call)
            try call.params.end()
            return ["received": .integer(try store.received(hash, size: size, from: call.session.user.id))]
        },
        .files("chat.attachment.put", .write) { call, store in
            let (hash, size) = try file(&call)
            let offset = try call.params.integer("offset", in: 0...ChatAttachment.largest) ?? 0
            let data = try call.params.text("data", most: 1 << 20) ?? ""
            try call.params.end()
            guard let bytes = Data(base64Encoded: data).map(Array.init) else {
                throw call.params.wrong("data", "is not base64")
            }
            return [
                "received": .integer(
                    try store.take(
                        bytes, at: offset, of: hash, size: size, from: call.session.user.id, now: call.now))
            ]
        },
        .files("chat.attachment.get", .read) { call, store in
            let message = try call.params.neededIdentity("message")
            let hash = try call.params.needed("sha256", most: 64)
            let offset = try call.params.integer("offset", in: 0...ChatAttachment.largest) ?? 0
            let most = try call.params.integer("limit", in: 1...(512 << 10)) ?? 256 << 10
            try call.params.end()
            guard ChatAttachment.isHash(hash) else { throw call.params.wrong("sha256", "is not a SHA-256") }
            let (bytes, size) = try store.piece(
                of: hash, in: message, for: call.session.user.id, at: offset, most: most)
            return ["data": .string(Data(bytes).base64EncodedString()), "size": .integer(size)]
        },
    ]

    private static func file(_ call: inout MethodCall) throws -> (String, Int) {
        let hash = try call.params.needed("sha256", most: 64)
        guard ChatAttachment.isHash(hash) else { throw call.params.wrong("sha256", "is not a SHA-256") }
        guard let size = try call.params.integer("size", in: 0...ChatAttachment.largest) else {
            throw call.params.wrong("size", "is required")
        }
        return (hash, size)
    }
}
