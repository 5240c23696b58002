import Foundation
import HelixModel

/// Fetches messages.
extension JMAPClient {
    /// Bytes that the server keeps.
    public struct Blob: Sendable {
        /// The name that the server has for them.
        public var id: String
        /// How many they are, as far as that is known.
        public var size: Int

        /// Such bytes.
        public init(id: String, size: Int) { (self.id, self.size) = (id, size) }
    }

    /// The number of lines for messages that take a request each: a server waits for its disk with each of them. The server's limit of
    /// requests at the same time counts only calls (RFC 8620 §2).
    private static let lineCount = 12
    /// The number of lines for requests of several messages.
    private static let callLineCount = 3
    /// The number of attempts with a server that has too much to do, each after a longer while.
    private static let patience = 5
    /// The most bytes that a request of several messages asks for.
    private static let mostBytes = 4 << 20
    /// The names of the capability to give bytes within an answer (RFC 9404), and of what Cyrus had before.
    private static let blobCapabilities = ["urn:ietf:params:jmap:blob", "https://cyrusimap.org/ns/jmap/blob"]

    /// The bytes of several blobs; nil for what is gone.
    /// - Throws: ``HelixError``.
    public func download(_ blobs: [Blob]) throws -> [[UInt8]?] {
        var bytes = [[UInt8]?](repeating: nil, count: blobs.count)
        var rest = Array(blobs.indices)
        if let capability = Self.blobCapabilities.first(where: session.capabilities.contains) {
            let small = rest.filter { blobs[$0].size <= Self.mostBytes / 4 }
            // A refusal is one of this way of asking: then each comes by itself.
            let found = (try? get(small.map { ($0, blobs[$0]) }, capability)) ?? []
            for (place, body) in found { bytes[place] = body }
            rest.removeAll { bytes[$0] != nil }
        }
        for (place, body) in try load(rest.map { ($0, try address(of: blobs[$0].id)) }) { bytes[place] = body }
        return bytes
    }

    /// Gets several blobs by each request (RFC 9404 §4.2).
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

    /// Loads blobs one by one, on several lines at once.
    private func load(_ places: [(Int, URL)]) throws -> [(Int, [UInt8]?)] {
        if places.isEmpty { return [] }
        // Each line takes the next place as soon as it is free.
        let queue = JMAPQueue(places)
        let status = LastStatus()
        let results = try lines(min(Self.lineCount, places.count)).concurrently {
            line -> Result<[(Int, [UInt8]?)], any Error> in
            Result {
                var found: [(Int, [UInt8]?)] = []
                while let (place, url) = queue.next() {
                    var (answer, _) = try line.http.request("GET", url)
                    for attempt in 1...JMAPClient.patience where [429, 503].contains(answer.status) {
                        Thread.sleep(forTimeInterval: Double(attempt) * 0.5)
                        (answer, _) = try line.http.request("GET", url)
                    }
                    // One that cannot be had does not keep the others from coming; it is asked for again the next time.
                    found.append((place, answer.isGood ? answer.body : nil))
                    if !answer.isGood { status.set(answer.status) }
                }
                return found
            }
        }
        let found = try results.flatMap { try $0.get() }
        if let code = status.value, code >= 500 || code == 429, found.allSatisfy({ $0.1 == nil }) {
            throw HelixError(.offline, "the server gives no message: HTTP \(code)")
        }
        return found
    }
}

/// A line of its own to a server of JMAP, used by one thread at a time.
final class JMAPLine: @unchecked Sendable {
    let http: HTTPClient
    init(_ http: HTTPClient) { self.http = http }
}

/// Things of a list, each given out once.
private final class JMAPQueue<Item: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private let items: [Item]
    private var place = 0

    init(_ items: [Item]) { self.items = items }

    func next() -> Item? {
        lock.withLock {
            guard place < items.count else { return nil }
            place += 1
            return items[place - 1]
        }
    }
}

/// The status of the last answer that was not good.
private final class LastStatus: @unchecked Sendable {
    private let lock = NSLock()
    private var last: Int?

    func set(_ status: Int) { lock.withLock { last = status } }
    var value: Int? { lock.withLock { last } }
}
