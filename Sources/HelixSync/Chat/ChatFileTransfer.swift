import Foundation
import HelixGateway
import HelixModel
import HelixStore

/// Transfers attachments of messages in pieces: an interrupted transfer resumes where it stopped.
public struct ChatFileTransfer {
    private let store: Store
    private let client: GatewayClient
    /// The bytes of a piece; as base64 they fit into the smallest frame that gateways accept.
    private static let piece = 256 << 10

    /// - Parameter client: a helix gateway.
    public init(_ store: Store, _ client: GatewayClient) {
        self.store = store
        self.client = client
    }

    /// Uploads the part of a file that the gateway does not have.
    /// - Throws: ``GatewayError``; ``HelixError`` of code `badInput` if its bytes are gone.
    func give(_ file: ChatAttachment) throws {
        guard let path = store.path(of: file), let handle = FileHandle(forReadingAtPath: path) else {
            throw HelixError(
                .badInput, "the bytes of '\(file.name)' are gone", hint: "Send the file again.")
        }
        defer { try? handle.close() }
        func params(_ more: JSONText) -> JSONText {
            more.setting("sha256", .string(file.sha256)).setting("size", .integer(file.size))
        }
        var offset = Int(try client.ask("chat.attachment.state", params([:]))["received"]?.integer ?? 0)
        var isFirst = true
        while offset < file.size || isFirst && file.size == 0 {
            isFirst = false
            try handle.seek(toOffset: UInt64(offset))
            let piece = try handle.read(upToCount: ChatFileTransfer.piece) ?? Data()
            guard !piece.isEmpty || file.size == 0 else {
                throw HelixError(.badInput, "the bytes of '\(file.name)' are incomplete", hint: "Send the file again.")
            }
            let answer = try client.ask(
                "chat.attachment.put",
                params(["offset": .integer(offset), "data": .string(piece.base64EncodedString())]),
                milliseconds: 120_000)
            let received = Int(answer["received"]?.integer ?? 0)
            guard received > offset || file.size == 0 else {
                throw HelixError(.protocol, "\(client.label) refuses the file '\(file.name)'")
            }
            offset = received
        }
    }

    /// Fetches an attachment of a message, and stores it.
    ///
    /// A partial download is kept beside the store, and is continued.
    /// - Throws: ``HelixError``.
    public func fetch(_ file: ChatAttachment, of message: EntityID) throws {
        let part = try store.chatPart(of: file)
        let handle = try part.open()
        defer { try? handle.close() }
        var offset = Int(try handle.seekToEnd())
        if offset > file.size {
            try handle.truncate(atOffset: 0)
            offset = 0
        }
        while offset < file.size {
            let answer = try client.call(
                "chat.attachment.get",
                [
                    "message": .string(message.text), "sha256": .string(file.sha256), "offset": .integer(offset),
                    "limit": .integer(ChatFileTransfer.piece),
                ], milliseconds: 120_000)
            guard let data = answer["data"]?.text.flatMap({ Data(base64Encoded: $0) }), !data.isEmpty,
                offset + data.count <= file.size
            else { throw HelixError(.protocol, "\(client.label) sent other content for '\(file.name)' than announced") }
            try handle.write(contentsOf: data)
            offset += data.count
        }
        try part.keep()
    }
}
