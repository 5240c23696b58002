import FoundationEssentials
import Glibc
import HelixGateway
import HelixMail
import HelixModel
import HelixStore
import HelixSystem

/// `mail.*`: the mail of the accounts that the gateway keeps for a user, for helix on the user's devices: the calls of JMAP
/// (RFC 8620, RFC 8621) in frames of the gateway (docs/gateway.md, "Mail on several devices").
enum MailMethods {
    /// The maximum number of bytes of messages in one response.
    private static let mostBytes = 512 << 10

    static let all: [GatewayMethod] = [
        .user("mail.accounts", .read) { call, store in
            try call.params.end()
            let boxes = try store.mailboxes()
            // helix's own local folders count as soon as there is mail in them.
            let accounts = try store.mailAccounts().filter { account in
                account.kind.hasMailServer || boxes.contains { $0.account == account.name && $0.count > 0 }
            }
            return [
                "accounts": .array(
                    accounts.map { account in
                        [
                            "id": .string(account.id.text), "name": .string(account.name),
                            "address": account.settings.address.map { .string($0) },
                            "canSend": .bool(account.settings.canSend), "isReadOnly": .bool(!call.session.can(.write)),
                        ]
                    }),
                "limits": [
                    "maxObjectsInGet": .integer(MailCalls.mostInGet), "maxObjectsInSet": .integer(MailCalls.mostInSet),
                    "maxSizeUpload": .integer(MailUploads.largest),
                ],
            ]
        },
        .user("mail.call", .read) { call, store in
            let account = try account(&call, store)
            guard let calls = call.params.take("calls")?.elements, calls.count <= 16 else {
                throw call.params.wrong("calls", "must be an array of at most 16 calls")
            }
            try call.params.end()
            var run = MailCalls(call: call, store: store, account: account)
            let responses = try run.run(calls)
            call = run.call
            return ["methodResponses": .array(responses)]
        },
        .user("mail.blobs", .read) { call, store in
            let account = try account(&call, store)
            let ids = try call.params.texts("ids", most: 500, each: 64) ?? []
            let offset = try call.params.integer("offset", in: 0...Int(Int32.max)) ?? 0
            try call.params.end()
            return ["blobs": .array(try blobs(ids, from: offset, account, store))]
        },
        .user("mail.upload", .write) { call, store in
            _ = try account(&call, store)
            let blob = try call.params.text("blobId", most: 64)
            let offset = try call.params.integer("offset", in: 0...MailUploads.largest) ?? 0
            let data = try call.params.needed("data", most: 1 << 20)
            try call.params.end()
            guard let bytes = Data(base64Encoded: data).map(Array.init) else {
                throw call.params.wrong("data", "is not base64")
            }
            let (id, size) = try MailUploads(store).append(bytes, to: blob, at: offset)
            return ["blobId": .string(id), "received": .integer(size)]
        },
    ]

    /// The account that a request is about.
    private static func account(_ call: inout MethodCall, _ store: Store) throws -> Account {
        let id = try call.params.needed("account", most: 64)
        guard let found = try store.mailAccounts().first(where: { $0.id.text == id }) else {
            throw HelixError(.notFound, "unknown mail account \(id)")
        }
        return found
    }

    /// The bytes of messages, as many as fit in one response; the last one may be incomplete.
    /// - Parameter offset: the number of bytes of the first message to skip.
    private static func blobs(
        _ ids: [String], from offset: Int, _ account: Account, _ store: Store
    ) throws -> [JSONText] {
        var room = mostBytes
        var found: [JSONText] = []
        for (place, id) in ids.enumerated() {
            if room <= 0 { break }
            guard let message = try store.servedMessages([id], of: account).first else {
                found.append(["id": .string(id), "size": .null])
                continue
            }
            if message.isPartial { try EmailWire.complete(message.message, store) }
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: try store.messageFile(message.message))) else {
                throw HelixError(.notFound, "the file of message \(id) cannot be read")
            }
            let start = min(place == 0 ? offset : 0, bytes.count)
            let piece = bytes[start..<min(bytes.count, start + room)]
            room -= piece.count
            found.append([
                "id": .string(id), "size": .integer(bytes.count), "data": .string(piece.base64EncodedString()),
            ])
        }
        return found
    }
}

/// Messages that a device uploads, until it files or sends them.
struct MailUploads {
    /// The maximum size of an upload in bytes.
    static let largest = 50 << 20
    /// The maximum number of uploads of a user.
    private static let most = 20
    private let folder: String

    init(_ store: Store) { folder = store.path.deletingLastPathComponent + "/uploads" }

    /// The path of an upload; nil for a text that is no id of one.
    private func path(_ id: String) -> String? {
        id.count == 20 && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? folder + "/" + id : nil
    }

    /// Appends a piece to an upload; without an id, a new one begins.
    /// - Throws: ``HelixError``: `notFound`, `busy` for a gap, `usage` for one that is too large.
    func append(_ bytes: [UInt8], to id: String?, at offset: Int) throws -> (id: String, size: Int) {
        let id = try id ?? begin()
        guard let path = path(id), let handle = FileStream(updating: path) else {
            throw HelixError(.notFound, "unknown upload \(id)")
        }
        defer { try? handle.close() }
        do {
            let size = Int(try handle.seekToEnd())
            guard offset <= size else {
                throw HelixError(.busy, "bytes are missing before \(offset): there are \(size)")
            }
            guard offset + bytes.count <= Self.largest else {
                throw HelixError(.usage, "a message is larger than \(Self.largest >> 20) MB")
            }
            try handle.truncate(to: offset)
            try handle.write(bytes)
            return (id, offset + bytes.count)
        } catch let error as HelixError { throw error } catch { throw HelixError(.io, "cannot write \(path)") }
    }

    /// Begins an upload. The oldest are deleted, beyond the maximum.
    private func begin() throws -> String {
        let files = FileManager.default
        do {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let known = try files.contentsOfDirectory(atPath: folder).map { folder + "/" + $0 }
            func date(_ path: String) -> Date {
                (try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date) ?? .distantPast
            }
            for old in known.sorted(by: { date($0) > date($1) }).dropFirst(Self.most - 1) { unlink(old) }
        } catch { throw HelixError(.io, "cannot write in \(folder)") }
        let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let id = String((0..<20).map { _ in letters[Int.random(in: 0..<letters.count)] })
        guard files.createFile(atPath: folder + "/" + id, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw HelixError(.io, "cannot write in \(folder)")
        }
        return id
    }

    /// The bytes of an upload.
    /// - Throws: ``HelixError`` of code `notFound`.
    func bytes(_ id: String) throws -> [UInt8] {
        guard let path = path(id), let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw HelixError(.notFound, "unknown upload \(id)")
        }
        return [UInt8](data)
    }

    /// Deletes an upload that was filed.
    func remove(_ id: String) { if let path = path(id) { unlink(path) } }
}
