import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

extension IMAPRemote {
    /// The headers of the messages from a UID on, in the open mailbox.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func heads(from uid: UInt32) throws -> [FetchedMessage] {
        // `*` is the last message, even if its UID is lower than the first one requested.
        try heads("\(uid):*").filter { $0.uid >= uid }
    }

    /// The headers of messages of the open mailbox.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func heads(of uids: [UInt32]) throws -> [FetchedMessage] {
        try stride(from: 0, to: uids.count, by: 5_000).flatMap { first in
            try heads(IMAPSet(uids[first..<min(first + 5_000, uids.count)]).text)
        }
    }

    private func heads(_ set: String) throws -> [FetchedMessage] {
        var found: [FetchedMessage] = []
        // A server may return a message twice.
        var places: [UInt32: Int] = [:]
        let items = "(UID FLAGS INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER.FIELDS (MESSAGE-ID)])"
        try session.run(IMAPCommand("UID FETCH \(set) \(items)")) { response in
            guard case .data(_, "FETCH", let values) = response, let message = FetchedMessage(values) else { return }
            // Flags that change meanwhile arrive in a separate response, without the rest.
            let isWhole = message.size != nil || message.date != nil
            if let place = places[message.uid] {
                if isWhole { found[place] = message } else { found[place].flags = message.flags ?? found[place].flags }
            } else if isWhole {
                places[message.uid] = found.count
                found.append(message)
            }
        }
        return found
    }

    /// The UIDs of all messages in the open mailbox.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func numbers() throws -> [UInt32] {
        var found: [UInt32] = []
        try session.run(IMAPCommand(session.can("ESEARCH") ? "UID SEARCH RETURN (ALL) ALL" : "UID SEARCH ALL")) {
            found += Self.numbers($0)
        }
        return found
    }

    /// Fetches messages of the open mailbox; the next batch is requested while one arrives.
    ///
    /// - Parameters:
    ///   - isWhole: false for the headers only.
    ///   - piece: receives the bytes of a message that is too large for memory, before the message itself.
    ///   - body: receives each message; messages that were removed meanwhile are skipped.
    ///   - batchEnd: called after each batch.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func fetch(
        _ batches: [[UInt32]], isWhole: Bool, piece: ([UInt8]) throws -> Void,
        _ body: (FetchedMessage) throws -> Void,
        batchEnd: ([UInt32]) throws -> Void
    ) throws {
        try expect(batches.reduce(0) { $0 + $1.count })
        func ask(_ batch: [UInt32]) throws -> String {
            let items = isWhole ? "BODY.PEEK[]" : "RFC822.SIZE BODY.PEEK[HEADER]"
            return try session.start(IMAPCommand("UID FETCH \(IMAPSet(batch).text) (UID FLAGS INTERNALDATE \(items))"))
        }
        var pending = try batches.first.map(ask)
        for (place, batch) in batches.enumerated() {
            guard let tag = pending else { break }
            pending = place + 1 < batches.count ? try ask(batches[place + 1]) : nil
            try session.finish(tag, piece: piece) { response in
                guard case .data(_, "FETCH", let values) = response, let message = FetchedMessage(values),
                    message.body != nil || message.head != nil || message.isSpilled
                else { return }
                try body(message)
            }
            try batchEnd(batch)
        }
    }

    /// Sets or clears flags of messages in the open mailbox.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func store(_ uids: [UInt32], adding: [String], removing: [String]) throws {
        let set = IMAPSet(uids).text
        var tags: [String] = []
        for (sign, words) in [("+", adding), ("-", removing)] where !words.isEmpty {
            tags.append(
                try session.start(
                    IMAPCommand("UID STORE \(set) \(sign)FLAGS.SILENT (\(words.joined(separator: " ")))")))
        }
        for tag in tags { try session.finish(tag) }
    }

    /// Removes messages from the open mailbox permanently.
    /// - Returns: true if they are removed; false if they are only marked, because the server cannot remove single messages.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    @discardableResult
    func expunge(_ uids: [UInt32]) throws -> Bool {
        let set = IMAPSet(uids).text
        try session.run(IMAPCommand("UID STORE \(set) +FLAGS.SILENT (\\Deleted)"))
        if session.can("UIDPLUS") || session.can("IMAP4REV2") {
            try session.run(IMAPCommand("UID EXPUNGE \(set)"))
            return true
        }
        // Messages that other clients have marked must stay.
        var marked: Set<UInt32> = []
        try session.run(IMAPCommand("UID SEARCH DELETED")) { marked.formUnion(Self.numbers($0)) }
        guard marked.subtracting(uids).isEmpty else { return false }
        try session.run(IMAPCommand("EXPUNGE"))
        return true
    }

    /// Moves messages of the open mailbox on the server.
    /// - Returns: the new UIDs by the former ones; empty if the server does not return them.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func move(_ uids: [UInt32], to target: String) throws -> [UInt32: UInt32] {
        let set = IMAPSet(uids).text
        var numbers: [UInt32: UInt32] = [:]
        func take(_ code: [IMAPValue]) {
            guard code.count >= 4, code[0].text?.uppercased() == "COPYUID",
                let from = code[2].text.flatMap(Self.listed), let to = code[3].text.flatMap(Self.listed),
                from.count == to.count
            else { return }
            for (old, new) in zip(from, to) { numbers[old] = new }
        }
        let hasMove = session.can("MOVE") || session.can("IMAP4REV2")
        let command = IMAPCommand("UID \(hasMove ? "MOVE" : "COPY") \(set)").string(target)
        let code = try session.run(command) { response in
            if case .status(nil, .ok, let code, _) = response { take(code) }
        }
        take(code)
        if !hasMove { try expunge(uids) }
        return numbers
    }

    /// The numbers of a set in their original order.
    private static func listed(_ text: String) -> [UInt32]? {
        var numbers: [UInt32] = []
        for part in text.split(separator: ",") {
            let ends = part.split(separator: ":").compactMap { UInt32($0) }
            guard let first = ends.first, let last = ends.last, ends.count <= 2, last >= first,
                last - first < 10_000_000
            else { return nil }
            numbers += Array(first...last)
        }
        return numbers
    }

    /// Adds a message to a mailbox.
    /// - Returns: its UID, and the UIDVALIDITY; nil if the server does not return them.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func append(
        _ bytes: [UInt8], to mailbox: String, flags: [String], date: Instant
    ) throws -> (uidValidity: UInt32, uid: UInt32)? {
        let start = IMAPCommand("APPEND").string(mailbox).word("(\(flags.joined(separator: " ")))")
            .word("\"\(FetchedMessage.text(date))\"")
        // Headers with UTF-8 text must be declared as such, or a server may change or refuse them.
        let isWide = session.enabled.contains("UTF8=ACCEPT") && Self.hasWideHead(bytes)
        let code = try session.run(isWide ? start.message8(bytes) : start.literal(bytes))
        guard code.count >= 3, code[0].text?.uppercased() == "APPENDUID", let validity = code[1].number,
            let uid = code[2].number
        else { return nil }
        return (UInt32(clamping: validity), UInt32(clamping: uid))
    }

    /// Whether the headers of a message contain non-ASCII characters.
    private static func hasWideHead(_ bytes: [UInt8]) -> Bool {
        var isAtEnd = false
        for byte in bytes {
            if byte >= 0x80 { return true }
            if byte == 10 {
                if isAtEnd { return false }
                isAtEnd = true
            } else if byte != 13 {
                isAtEnd = false
            }
        }
        return false
    }

    /// Creates a mailbox, and subscribes to it; an existing one is accepted.
    func create(_ label: String, like others: [ServerMailbox]) throws -> String {
        let name = encoded(label, like: others)
        do { try recreate(name) } catch let refusal as ServerRefusal where refusal.code == "ALREADYEXISTS" {}
        return name
    }

    func recreate(_ name: String) throws {
        try session.run(IMAPCommand("CREATE").string(name))
        _ = try? session.run(IMAPCommand("SUBSCRIBE").string(name))
    }

    /// Renames a mailbox and those below it (RFC 9051 §6.3.6).
    func rename(_ name: String, to label: String, like others: [ServerMailbox]) throws -> String {
        let new = encoded(label, like: others)
        try session.run(IMAPCommand("RENAME").string(name).string(new))
        // Subscriptions are a separate list of names, which RENAME does not change.
        _ = try? session.run(IMAPCommand("UNSUBSCRIBE").string(name))
        _ = try? session.run(IMAPCommand("SUBSCRIBE").string(new))
        return new
    }

    func name(of label: String, like others: [ServerMailbox]) -> String? { encoded(label, like: others) }

    /// The server's hierarchy delimiter, if the name contains it as a plain character; nil otherwise.
    func foreignDelimiter(in name: String, like others: [ServerMailbox]) -> String? {
        let delimiter = others.compactMap(\.delimiter).first ?? "/"
        return delimiter != "/" && !delimiter.isEmpty && name.contains(delimiter) ? delimiter : nil
    }

    /// The server's name for a mailbox.
    private func encoded(_ name: String, like others: [ServerMailbox]) -> String {
        let delimiter = others.compactMap(\.delimiter).first ?? "/"
        let parts = name.split(separator: "/").map {
            session.enabled.contains("UTF8=ACCEPT") ? String($0) : ModifiedUTF7.encoded(String($0))
        }
        return prefix + parts.joined(separator: delimiter)
    }

    /// Deletes a mailbox.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func delete(_ name: String) throws {
        try leave(name)
        try session.run(IMAPCommand("DELETE").string(name))
        _ = try? session.run(IMAPCommand("UNSUBSCRIBE").string(name))
    }

    /// Whether a message with that Message-ID is in the sent mailbox, or in the inbox if it was sent to oneself.
    /// - Throws: ``HelixError``.
    func hasSent(_ messageID: String) throws -> Bool {
        let boxes = try mailboxes(asksSubscriptions: false)
        for box in boxes where box.role == .sent || box.role == .inbox || Mailbox.Role(name: box.label) == .sent {
            try open(box.name)
            if try !find(messageID).isEmpty { return true }
        }
        return false
    }

    /// The messages with that Message-ID in the open mailbox.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func find(_ messageID: String) throws -> [UInt32] {
        var found: [UInt32] = []
        try session.run(IMAPCommand("UID SEARCH HEADER Message-ID").string("<\(messageID)>")) {
            found += Self.numbers($0)
        }
        return found
    }
}
