import FoundationEssentials
import HelixGateway
import HelixModel
import HelixNetwork

/// The mail of one account that a gateway keeps: JMAP in the gateway's frames (docs/gateway.md, "Mail on several devices").
final class GatewayMail: JMAPConnection {
    /// A mail account that a gateway keeps for the user.
    struct Served {
        var id: String
        var name: String
        var address: String?
        var canSend: Bool
        fileprivate var limits: JSONText
    }

    let session: JMAPSession
    let isOutdated = false
    private(set) var roundTrips = 0
    private let client: GatewayClient
    private let account: String
    /// Whether the connection is closed at the end.
    private let ownsClient: Bool

    /// The number of bytes in one upload request.
    private static let piece = 256 << 10
    /// The maximum number of messages in one download request.
    private static let mostIDs = 100

    /// The mail accounts that a gateway keeps; empty at one without these methods.
    /// - Throws: ``HelixError``.
    static func accounts(at client: GatewayClient) throws -> [Served] {
        guard client.hello.methods.contains("mail.accounts") else { return [] }
        let answer = try client.call("mail.accounts")
        return (answer["accounts"]?.elements ?? []).compactMap { json in
            guard let id = json["id"]?.text, let name = json["name"]?.text else { return nil }
            return Served(
                id: id, name: name, address: json["address"]?.text, canSend: json["canSend"]?.bool == true,
                limits: answer["limits"] ?? .null)
        }
    }

    /// - Parameter ownsClient: whether ``end()`` closes the connection.
    init(_ client: GatewayClient, _ served: Served, ownsClient: Bool) {
        (self.client, self.ownsClient) = (client, ownsClient)
        account = served.id
        func limit(_ name: String, _ usual: Int) -> Int {
            max(1, served.limits[name]?.integer.map { Int(clamping: $0) } ?? usual)
        }
        session = JMAPSession(
            account: served.id, user: served.address ?? served.name,
            capabilities: served.canSend ? [JMAPClient.submission] : [],
            mostInGet: limit("maxObjectsInGet", 100), mostInSet: limit("maxObjectsInSet", 100),
            mostUploaded: limit("maxSizeUpload", 25 << 20))
    }

    func end() { if ownsClient { client.close() } }

    func call(_ calls: [(name: String, arguments: JSONText)], using: [String]) throws -> JMAPAnswers {
        let methods = calls.enumerated().map { place, call -> JSONText in
            [.string(call.name), call.arguments, .string("\(place)")]
        }
        return try JMAPAnswers(try ask("mail.call", ["account": .string(account), "calls": .array(methods)]))
    }

    private func ask(_ method: String, _ params: JSONText) throws -> JSONText {
        roundTrips += 1
        return try client.call(method, params, milliseconds: 120_000)
    }

    func upload(_ bytes: [UInt8], type: String) throws -> String {
        guard bytes.count <= session.mostUploaded else {
            throw ServerRefusal(
                command: "an upload", code: "LIMIT",
                text:
                    "its size is \(bytes.count >> 20) MB, and the gateway accepts up to \(session.mostUploaded >> 20) MB"
            )
        }
        var blob: String?
        var sent = 0
        repeat {
            let part = bytes[sent..<min(bytes.count, sent + GatewayMail.piece)]
            let answer = try ask(
                "mail.upload",
                [
                    "account": .string(account), "blobId": blob.map { .string($0) }, "offset": .integer(sent),
                    "data": .string(Data(part).base64EncodedString()),
                ])
            guard let id = answer["blobId"]?.text else {
                throw HelixError(.protocol, "\(client.label) returned no id of an upload")
            }
            blob = id
            sent += part.count
        } while sent < bytes.count
        return blob ?? ""
    }

    func download(_ blobs: [JMAPClient.Blob]) throws -> [[UInt8]?] {
        var found: [[UInt8]?] = Array(repeating: nil, count: blobs.count)
        var place = 0
        while place < blobs.count {
            let part = blobs[place..<min(blobs.count, place + GatewayMail.mostIDs)]
            let begun = found[place]?.count ?? 0
            let answer = try ask(
                "mail.blobs",
                ["account": .string(account), "ids": .strings(part.map(\.id)), "offset": .integer(begun)])
            let list = answer["blobs"]?.elements ?? []
            guard !list.isEmpty, list.count <= part.count else {
                throw HelixError(.protocol, "\(client.label) returned no message")
            }
            for json in list {
                // A removed message has no size.
                if let size = json["size"]?.integer {
                    guard json["id"]?.text == blobs[place].id,
                        let data = json["data"]?.text.flatMap({ Data(base64Encoded: $0) })
                    else { throw HelixError(.protocol, "\(client.label) returned another message than requested") }
                    found[place, default: []] += data
                    if let count = found[place]?.count, count < Int(size) {
                        guard !data.isEmpty else {
                            throw HelixError(.protocol, "\(client.label) returned an empty part of a message")
                        }
                        break
                    }
                }
                place += 1
            }
        }
        return found
    }
}

extension Array where Element == [UInt8]? {
    fileprivate subscript(place: Int, default empty: [UInt8]) -> [UInt8] {
        get { self[place] ?? empty }
        set { self[place] = newValue }
    }
}
