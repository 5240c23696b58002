import HelixMail
import HelixModel
import HelixNetwork

/// A message as a JMAP server returns it (RFC 8621 §4.1).
struct JMAPEmail {
    var id: String
    var blob: String
    /// The ids of its mailboxes.
    var mailboxes: Set<String>
    var flags: ServerFlags
    var receivedAt: Instant?
    /// The size in bytes, lines with CRLF.
    var size: Int?
    /// The Message-ID, without brackets.
    var messageID: String?

    /// The properties to request.
    static let properties: JSONText = .strings([
        "id", "blobId", "mailboxIds", "keywords", "receivedAt", "size", "messageId",
    ])

    init?(_ json: JSONText) {
        guard let id = json["id"]?.text, let blob = json["blobId"]?.text else { return nil }
        (self.id, self.blob) = (id, blob)
        mailboxes = Set((json["mailboxIds"]?.fields ?? []).filter { $0.value.bool == true }.map(\.name))
        flags = ServerFlags(keywords: (json["keywords"]?.fields ?? []).filter { $0.value.bool == true }.map(\.name))
        receivedAt = json["receivedAt"]?.text.flatMap { ISO8601Reader.instant($0) }
        size = json["size"]?.integer.map { Int(clamping: $0) }
        messageID = json["messageId"]?.strings?.first
    }

    /// The message for a sync, with its local UID.
    func fetched(_ number: UInt32) -> FetchedMessage {
        FetchedMessage(uid: number, flags: flags, date: receivedAt, size: size, messageID: messageID)
    }
}

extension ServerFlags {
    /// Creates flags from keywords (RFC 8621 §4.1.1): those that begin with a dollar sign are reserved.
    init(keywords: [String]) {
        self.init(flags: [], labels: [])
        for keyword in keywords {
            if let flag = Self.names.first(where: { Self.keyword($0.name) == keyword.lowercased() })?.flag {
                flags.insert(flag)
            } else if !keyword.hasPrefix("$"), !MessageKeyword.foreign.contains(keyword.lowercased()) {
                labels.append(keyword)
            }
        }
    }

    /// The JMAP keyword for an IMAP flag: `$seen` for `\Seen`.
    static func keyword(_ word: String) -> String {
        word.hasPrefix("\\") ? "$" + word.dropFirst().lowercased() : word.lowercased()
    }
}
