import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem
import Synchronization

/// Downloads of messages.
extension JMAPClient {
    /// A blob on the server.
    public struct Blob: Sendable {
        /// Its id on the server.
        public var id: String
        /// Its size in bytes, as far as known.
        public var size: Int

        /// Creates a blob.
        public init(id: String, size: Int) { (self.id, self.size) = (id, size) }
    }

    /// The number of connections for requests of single messages: a server waits for its disk in each of them. The server's limit
    /// of concurrent requests applies only to calls (RFC 8620 §2).
    private static let lineCount = 12
    /// The number of connections for requests of several messages.
    private static let callLineCount = 3
    /// The number of attempts with a busy server, each after a longer pause.
    private static let patience = 5
    /// The maximum number of bytes that one request asks for.
    private static let mostBytes = 4 << 20
    /// The capabilities for blobs inside a response (RFC 9404), and Cyrus' former name.
    private static let blobCapabilities = ["urn:ietf:params:jmap:blob", "https://cyrusimap.org/ns/jmap/blob"]

    /// The bytes of several blobs; nil for those that were deleted.
    /// - Throws: ``HelixError``.
    public func download(_ blobs: [Blob]) throws -> [[UInt8]?] {
        var bytes = [[UInt8]?](repeating: nil, count: blobs.count)
        var rest = Array(blobs.indices)
        if let capability = Self.blobCapabilities.first(where: session.capabilities.contains) {
            let small = rest.filter { blobs[$0].size <= Self.mostBytes / 4 }
            // If the server refuses this method, each blob is fetched by itself.
            let found = (try? get(small.map { ($0, blobs[$0]) }, capability)) ?? []
            for (place, body) in found { bytes[place] = body }
            rest.removeAll { bytes[$0] != nil }
        }
        for (place, body) in try load(rest.map { ($0, try address(of: blobs[$0].id)) }) { bytes[place] = body }
        return bytes
    }

    /// Fetches several blobs by each request (RFC 9404 §4.2).
    private func get(_ blobs: [(Int, Blob)], _ capability: String) throws -> [(Int, [UInt8])] {
        let session = session
        var groups: [[(Int, Blob)]] = []
        var size = Self.mostBytes
        for (place, blob) in blobs {
            size += blob.size
            if size > Self.mostBytes || groups.last.map({ $0.count >= min(40, session.mostInGet) }) ?? true {
                groups.append([])
                size = blob.size
            }
            groups[groups.count - 1].append((place, blob))
        }
        let queue = JMAPQueue(groups)
        let results = try lines(min(Self.callLineCount, groups.count)).concurrently {
            line -> Result<[(Int, [UInt8])], any Error> in
            Result {
                var found: [(Int, [UInt8])] = []
                while let group = queue.next() {
                    let arguments: JSONText = ["ids": .strings(group.map(\.1.id)), "properties": ["data:asBase64"]]
                    let answer = try JMAPClient.call(
                        [("Blob/get", arguments)], using: [JMAPClient.mail, capability], in: session, by: line.http
                    ).of(0)
                    var data: [String: [UInt8]] = [:]
                    for blob in answer["list"]?.elements ?? [] where blob["isTruncated"]?.bool != true {
                        guard let id = blob["id"]?.text, let text = blob["data:asBase64"]?.text else { continue }
                        data[id] = Data(base64Encoded: text).map { [UInt8]($0) }
                    }
                    for (place, blob) in group { if let body = data[blob.id] { found.append((place, body)) } }
                }
                return found
            }
        }
        return try results.flatMap { try $0.get() }
    }

    /// Fetches blobs one by one, over several connections at once.
    private func load(_ places: [(Int, URL)]) throws -> [(Int, [UInt8]?)] {
        if places.isEmpty { return [] }
        // Each connection takes the next blob as soon as it is free.
        let queue = JMAPQueue(places)
        let status = LastStatus()
        let results = try lines(min(Self.lineCount, places.count)).concurrently {
            line -> Result<[(Int, [UInt8]?)], any Error> in
            Result {
                var found: [(Int, [UInt8]?)] = []
                while let (place, url) = queue.next() {
                    var (answer, _) = try line.http.request("GET", url)
                    for attempt in 1...JMAPClient.patience where [429, 503].contains(answer.status) {
                        sleep(seconds: Double(attempt) * 0.5)
                        (answer, _) = try line.http.request("GET", url)
                    }
                    // A failed download does not stop the rest; the next sync tries it again.
                    found.append((place, answer.isGood ? answer.body : nil))
                    if !answer.isGood { status.set(answer.status) }
                }
                return found
            }
        }
        let found = try results.flatMap { try $0.get() }
        if let code = status.value, code >= 500 || code == 429, found.allSatisfy({ $0.1 == nil }) {
            throw HelixError(.offline, "the server returned no message: HTTP \(code)")
        }
        return found
    }
}

/// A separate connection to a JMAP server, used by one thread at a time.
final class JMAPLine: @unchecked Sendable {
    let http: HTTPClient
    init(_ http: HTTPClient) { self.http = http }
}

/// A queue that hands out each item once.
private final class JMAPQueue<Item: Sendable>: Sendable {
    private let items: [Item]
    private let place = Mutex(0)

    init(_ items: [Item]) { self.items = items }

    func next() -> Item? {
        place.withLock { place in
            guard place < items.count else { return nil }
            place += 1
            return items[place - 1]
        }
    }
}

/// The status of the last failed response.
private final class LastStatus: Sendable {
    private let last = Mutex<Int?>(nil)

    func set(_ status: Int) { last.withLock { $0 = status } }
    var value: Int? { last.withLock { $0 } }
}
