import FoundationEssentials
import HelixGateway
import HelixGatewayStore
import HelixModel
import HelixStore

/// `files.*`: the bytes of files of projects, transferred in pieces (docs/gateway.md, "Several devices").
enum FileMethods {
    static let all: [GatewayMethod] = [
        .user("files.state", .read) { call, store in
            let part = try part(&call, store)
            try call.params.end()
            return ["received": .integer(part.received)]
        },
        .user("files.put", .write) { call, store in
            let part = try part(&call, store)
            let offset = try call.params.integer("offset", in: 0...ChatAttachment.largest) ?? 0
            let data = try call.params.text("data", most: 1 << 20) ?? ""
            try call.params.end()
            guard let bytes = Data(base64Encoded: data).map(Array.init) else {
                throw call.params.wrong("data", "is not base64")
            }
            return ["received": .integer(try part.append(bytes, at: offset))]
        },
        .user("files.get", .read) { call, store in
            let hash = try hash(&call)
            let offset = try call.params.integer("offset", in: 0...ChatAttachment.largest) ?? 0
            let most = try call.params.integer("limit", in: 1...(512 << 10)) ?? 256 << 10
            let pixels = try call.params.integer("preview", in: 16...1024)
            try call.params.end()
            if let pixels { return try preview(hash, pixels, store) }
            let (bytes, size) = try store.piece(of: hash, at: offset, most: most)
            return ["data": .string(Data(bytes).base64EncodedString()), "size": .integer(size)]
        },
    ]

    private static func hash(_ call: inout MethodCall) throws -> String {
        let hash = try call.params.needed("sha256", most: 64)
        guard ChatAttachment.isHash(hash) else { throw call.params.wrong("sha256", "is not a SHA-256") }
        return hash
    }

    /// A smaller copy of an image, whole.
    private static func preview(_ hash: String, _ pixels: Int, _ store: Store) throws -> JSONText {
        guard let file = try store.projectFile(hash) else {
            throw HelixError(.notFound, "no file with the SHA-256 \(hash)")
        }
        let small = try store.preview(of: file, most: pixels)
        return [
            "data": .string(Data(small.bytes).base64EncodedString()), "type": .string(small.type),
            "size": .integer(small.bytes.count),
        ]
    }

    /// The partial upload of a file that a project of the user has: nothing else may be stored.
    private static func part(_ call: inout MethodCall, _ store: Store) throws -> FilePart {
        let hash = try hash(&call)
        guard let size = try call.params.integer("size", in: 0...ChatAttachment.largest) else {
            throw call.params.wrong("size", "is required")
        }
        guard let file = try store.projectFile(hash), file.size == size else {
            throw HelixError(.notFound, "no file with the SHA-256 \(hash) and that size")
        }
        return try store.part(of: file)
    }
}
