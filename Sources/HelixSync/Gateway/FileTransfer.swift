import FoundationEssentials
import HelixGateway
import HelixModel
import HelixStore
import HelixSystem

/// Transfers files in pieces: an interrupted transfer resumes where it stopped.
public struct FileTransfer {
    /// The methods of the gateway for a kind of file.
    public enum Methods: String, Sendable {
        /// Attachments of chat messages.
        case attachments = "chat.attachment"
        /// Files of projects.
        case files
    }

    private let store: Store
    private let client: GatewayClient
    private let methods: Methods
    /// Receives the number of bytes transferred so far.
    private let progress: (Int) -> Void
    /// The bytes of a piece; as base64 they fit into the smallest frame that gateways accept.
    private static let piece = 256 << 10

    /// - Parameters:
    ///   - client: a helix gateway.
    ///   - progress: receives the number of bytes transferred so far.
    public init(
        _ store: Store, _ client: GatewayClient, _ methods: Methods, progress: @escaping (Int) -> Void = { _ in }
    ) {
        self.store = store
        self.client = client
        self.methods = methods
        self.progress = progress
    }

    /// Uploads the part of a file that the gateway does not have.
    /// - Throws: ``GatewayError``; ``HelixError`` of code `badInput` if its bytes are gone.
    func give(_ file: some HashedFile) throws {
        guard let path = store.path(of: file), let handle = FileStream(reading: path) else {
            throw HelixError(
                .badInput, "the bytes of '\(file.name)' are gone", hint: "Send the file again.")
        }
        defer { try? handle.close() }
        func params(_ more: JSONText) -> JSONText {
            more.setting("sha256", .string(file.sha256)).setting("size", .integer(file.size))
        }
        var offset = Int(try client.ask("\(methods.rawValue).state", params([:]))["received"]?.integer ?? 0)
        var isFirst = true
        while offset < file.size || isFirst && file.size == 0 {
            isFirst = false
            try handle.seek(to: offset)
            let piece = try handle.read(upToCount: FileTransfer.piece)
            guard !piece.isEmpty || file.size == 0 else {
                throw HelixError(.badInput, "the bytes of '\(file.name)' are incomplete", hint: "Send the file again.")
            }
            let answer = try client.ask(
                "\(methods.rawValue).put",
                params(["offset": .integer(offset), "data": .string(piece.base64EncodedString())]),
                milliseconds: 120_000)
            let received = Int(answer["received"]?.integer ?? 0)
            guard received > offset || file.size == 0 else {
                throw HelixError(.protocol, "\(client.label) refuses the file '\(file.name)'")
            }
            offset = received
            progress(offset)
        }
    }

    /// Fetches a file, and stores it.
    ///
    /// - Parameter message: the message of an attachment.
    ///
    /// A partial download is kept beside the store, and is continued.
    /// - Throws: ``HelixError``.
    public func fetch(_ file: some HashedFile, of message: EntityID? = nil) throws {
        let part = try store.part(of: file)
        let handle = try part.open()
        defer { try? handle.close() }
        var offset = Int(try handle.seekToEnd())
        if offset > file.size {
            try handle.truncate(to: 0)
            offset = 0
        }
        while offset < file.size {
            let answer = try client.call(
                "\(methods.rawValue).get",
                [
                    "message": message.map { .string($0.text) }, "sha256": .string(file.sha256),
                    "offset": .integer(offset),
                    "limit": .integer(FileTransfer.piece),
                ], milliseconds: 120_000)
            guard let data = answer["data"]?.text.flatMap({ Data(base64Encoded: $0) }), !data.isEmpty,
                offset + data.count <= file.size
            else { throw HelixError(.protocol, "\(client.label) sent other content for '\(file.name)' than announced") }
            try handle.write(data)
            offset += data.count
            progress(offset)
        }
        try part.keep()
    }
}
