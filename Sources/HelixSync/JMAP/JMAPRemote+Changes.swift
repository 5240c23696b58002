import Dispatch
import FoundationEssentials
import HelixMail
import HelixModel
import HelixNetwork
import HelixStore
import HelixSystem

/// Writes to a JMAP server.
extension JMAPRemote {
    func fetch(
        _ batches: [[UInt32]], isWhole: Bool, piece: ([UInt8]) throws -> Void, _ body: (FetchedMessage) throws -> Void,
        batchEnd: ([UInt32]) throws -> Void
    ) throws {
        if isWhole { return try fetchWhole(batches, body, batchEnd: batchEnd) }
        for batch in batches {
            let found = try known(batch)
            let heads = try heads(whole: found.map(\.1.id))
            for (number, email) in found {
                guard let head = heads[email.id] else { continue }
                var message = email.fetched(number)
                message.head = head
                try body(message)
            }
            try batchEnd(batch)
        }
    }

    /// Fetches complete messages, the next batch while one is stored.
    private func fetchWhole(
        _ batches: [[UInt32]], _ body: (FetchedMessage) throws -> Void, batchEnd: ([UInt32]) throws -> Void
    ) throws {
        func start(_ place: Int) throws -> (found: [(UInt32, JMAPEmail)], download: JMAPDownload)? {
            guard place < batches.count else { return nil }
            let found = try known(batches[place])
            let blobs = found.map { JMAPClient.Blob(id: $1.blob, size: $1.size ?? 0) }
            return (found, JMAPDownload(client, blobs))
        }
        var next = try start(0)
        // The server may get other requests only when the download has finished.
        defer { _ = try? next?.download.wait() }
        for (place, batch) in batches.enumerated() {
            guard let (found, download) = next else { break }
            next = nil
            let bodies = try download.wait()
            next = try start(place + 1)
            for ((number, email), bytes) in zip(found, bodies) {
                guard let bytes else { continue }
                var message = email.fetched(number)
                message.body = bytes
                try body(message)
            }
            try batchEnd(batch)
        }
    }

    /// The headers of messages in their raw form (RFC 8621 §4.1.2.1, raw).
    private func heads(whole ids: [String]) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        let most = client.session.mostInGet
        guard ids.count <= most else {
            for first in stride(from: 0, to: ids.count, by: most) {
                found.merge(try heads(whole: Array(ids[first..<min(first + most, ids.count)]))) { own, _ in own }
            }
            return found
        }
        let answers = try client.call([("Email/get", ["ids": .strings(ids), "properties": ["id", "headers"]])])
        for email in try answers.of(0)["list"]?.elements ?? [] {
            guard let id = email["id"]?.text else { continue }
            var head: [UInt8] = []
            for field in email["headers"]?.elements ?? [] {
                head += Array("\(field["name"]?.text ?? ""):\(field["value"]?.text ?? "")\r\n".utf8)
            }
            found[id] = head + [13, 10]
        }
        return found
    }

    // MARK: Messages

    func store(_ uids: [UInt32], adding: [String], removing: [String]) throws {
        // Keywords that differ only in case are equal.
        let added = Set(adding.map(ServerFlags.keyword))
        let removed = Set(removing.map(ServerFlags.keyword)).subtracting(added)
        func field(_ word: String, _ value: JSONText) -> JSONText.Field {
            JSONText.Field(name: "keywords/" + Self.pointer(word), value: value)
        }
        let patch = added.sorted().map { field($0, true) } + removed.sorted().map { field($0, .null) }
        if !patch.isEmpty { try update(uids) { _ in .object(patch) } }
    }

    func move(_ uids: [UInt32], to target: String) throws -> [UInt32: UInt32] {
        guard let opened, opened != target else { return [:] }
        try update(uids) { _ in
            [("mailboxIds/" + Self.pointer(opened)): .null, ("mailboxIds/" + Self.pointer(target)): true]
        }
        return Dictionary(uids.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func expunge(_ uids: [UInt32]) throws -> Bool {
        guard let opened else { return true }
        // A message that is also in another mailbox stays there. It may have been added there meanwhile.
        for number in uids { emails[number] = nil }
        let names = try store.remoteEmailNames(uids, of: account)
        let most = min(client.session.mostInGet, client.session.mostInSet)
        let ids = uids.compactMap { names[$0] }
        for first in stride(from: 0, to: ids.count, by: most) {
            let part = ids[first..<min(first + most, ids.count)]
            let answers = try client.call([("Email/get", ["ids": .strings(part), "properties": ["id", "mailboxIds"]])])
            var (updates, destroyed): ([JSONText.Field], [String]) = ([], [])
            for email in try answers.of(0)["list"]?.elements ?? [] {
                guard let id = email["id"]?.text else { continue }
                let boxes = (email["mailboxIds"]?.fields ?? []).map(\.name)
                if boxes == [opened] {
                    destroyed.append(id)
                } else if boxes.contains(opened) {
                    let patch: JSONText = [("mailboxIds/" + Self.pointer(opened)): .null]
                    updates.append(JSONText.Field(name: id, value: patch))
                }
            }
            if destroyed.isEmpty, updates.isEmpty { continue }
            try set("Email/set", ["update": .object(updates), "destroy": .strings(destroyed)])
        }
        return true
    }

    func append(
        _ bytes: [UInt8], to mailbox: String, flags: [String], date: Instant
    ) throws -> (uidValidity: UInt32, uid: UInt32)? {
        let blob = try client.upload(bytes)
        var keywords: JSONText = [:]
        // There is no such keyword (RFC 8621 §4.1.1).
        for word in flags where word != "\\Deleted" { keywords = keywords.setting(ServerFlags.keyword(word), true) }
        let email: JSONText = [
            "blobId": .string(blob), "mailboxIds": [mailbox: true], "keywords": keywords,
            "receivedAt": .string(ISO8601.text(date, in: .utc)),
        ]
        let answer = try client.call([("Email/import", ["emails": ["new": email]])]).of(0)
        if let id = answer["created"]?["new"]?["id"]?.text { return try place(of: id) }
        let refusal = answer["notCreated"]?["new"] ?? ["type": "serverFail"]
        // A server may store equal messages only once (RFC 8621 §4.8): then that message is added to this mailbox as well.
        if refusal["type"]?.text == "alreadyExists", let id = refusal["existingId"]?.text {
            try set("Email/set", ["update": [id: [("mailboxIds/" + Self.pointer(mailbox)): true]]])
            return try place(of: id)
        }
        throw JMAPClient.refusal(refusal, "a message")
    }

    private func place(of id: String) throws -> (uidValidity: UInt32, uid: UInt32)? {
        try store.remoteEmailNumbers([id], of: account)[id].map { (JMAPMailbox.validity, $0) }
    }

    private func update(_ uids: [UInt32], _ patch: (UInt32) -> JSONText) throws {
        let names = try store.remoteEmailNames(uids, of: account)
        for first in stride(from: 0, to: uids.count, by: client.session.mostInSet) {
            let part = uids[first..<min(first + client.session.mostInSet, uids.count)]
            let updates = part.compactMap { number in
                names[number].map { JSONText.Field(name: $0, value: patch(number)) }
            }
            try set("Email/set", ["update": .object(updates)])
        }
    }

    /// Changes objects; one that was deleted meanwhile does not count as refused.
    /// - Throws: ``HelixError``, ``ServerRefusal`` if one of them is refused.
    @discardableResult
    private func set(_ method: String, _ arguments: JSONText) throws -> JSONText {
        let answer = try client.call([(method, arguments)]).of(0)
        for part in ["notCreated", "notUpdated", "notDestroyed"] {
            for (_, error) in (answer[part]?.fields ?? []).map({ ($0.name, $0.value) }) {
                let refusal = JMAPClient.refusal(error, method)
                if refusal.code != "NONEXISTENT" || part == "notCreated" { throw refusal }
            }
        }
        return answer
    }

    /// An id as a part of a path (RFC 6901).
    private static func pointer(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    // MARK: Mailboxes

    func name(of label: String, like others: [ServerMailbox]) -> String? { nil }
    func foreignDelimiter(in name: String, like others: [ServerMailbox]) -> String? { nil }

    func create(_ label: String, like others: [ServerMailbox]) throws -> String {
        let (parent, name) = try place(label)
        let answer = try set(
            "Mailbox/set", ["create": ["new": ["name": .string(name), "parentId": parent, "isSubscribed": true]]])
        guard let id = answer["created"]?["new"]?["id"]?.text else {
            throw HelixError(.protocol, "the server did not return the id of the new mailbox")
        }
        boxes = try JMAPMailbox.list(client.call([("Mailbox/get", ["ids": .null])]).of(0))
        return id
    }

    func recreate(_ name: String) throws {
        throw ServerRefusal(command: "create", code: "NONEXISTENT", text: "the mailbox was deleted on the server")
    }

    func rename(_ name: String, to label: String, like others: [ServerMailbox]) throws -> String {
        let (parent, leaf) = try place(label)
        try set("Mailbox/set", ["update": [name: ["name": .string(leaf), "parentId": parent]]])
        boxes = try JMAPMailbox.list(client.call([("Mailbox/get", ["ids": .null])]).of(0))
        return name
    }

    func delete(_ name: String) throws {
        try set("Mailbox/set", ["destroy": .strings([name]), "onDestroyRemoveEmails": false])
    }

    /// The parent mailbox, created if necessary, and the last part of a name.
    private func place(_ label: String) throws -> (parent: JSONText, name: String) {
        var levels = label.split(separator: "/").map(String.init)
        let name = levels.popLast() ?? label
        guard !levels.isEmpty else { return (.null, name) }
        let above = levels.joined(separator: "/")
        if let box = boxes.first(where: { $0.mailbox.label == above }) { return (.string(box.id), name) }
        return (.string(try create(above, like: [])), name)
    }
}

/// A download in the background.
private final class JMAPDownload: @unchecked Sendable {
    private let client: any JMAPConnection
    private let blobs: [JMAPClient.Blob]
    private let end = DispatchSemaphore(value: 0)
    private var result: Result<[[UInt8]?], any Error>?

    /// Starts the download. It owns the client until ``wait()``.
    init(_ client: any JMAPConnection, _ blobs: [JMAPClient.Blob]) {
        (self.client, self.blobs) = (client, blobs)
        let work: @Sendable () -> Void = { [self] in
            result = Result { try self.client.download(self.blobs) }
            end.signal()
        }
        do { try DetachedThread.start(stackSize: 8 << 20, work) } catch { work() }
    }

    /// Waits for the bytes.
    /// - Throws: ``HelixError``.
    func wait() throws -> [[UInt8]?] {
        end.wait()
        return try result?.get() ?? []
    }
}
