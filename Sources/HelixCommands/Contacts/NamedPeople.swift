import HelixContacts
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// Names in place of addresses: `--to ana`, `from:ana`.
extension CommandContext {
    /// The addresses that a typed list names, which may contain names of contacts and groups.
    /// - Throws: ``HelixError``: `usage` for what is neither an address nor a known name, `ambiguous` for several people.
    func addresses(_ text: String) throws -> [MailAddress] {
        try MailAddress.typed(text) { try self.people(named: $0) }
    }

    /// The attendees that a typed text names, each with the sign before it: an address as it is, the members of a group one by one.
    /// - Throws: ``HelixError`` as of ``addresses(_:)``.
    func attendees(_ text: String) throws -> [String] {
        let plain = text.trimmingBlanks()
        let sign = plain.first.flatMap { "+-".contains($0) ? String($0) : nil } ?? ""
        let name = String(plain.dropFirst(sign.count)).trimmingBlanks()
        if name.contains("@") || name.isEmpty || name.lowercased() == "none" { return [text] }
        guard let named = try people(named: name) else { return [text] }
        return named.map { sign + $0.text }
    }

    /// The addresses of the contact or group with a name; nil if there is none.
    ///
    /// A whole name, nickname or group comes first, then the beginnings of its words, then the people to whom one wrote, and at
    /// last the program of `mail.query-command`. Several people are never guessed from.
    /// - Throws: ``HelixError`` of code `ambiguous` with the candidates.
    func people(named name: String) throws -> [MailAddress]? {
        let plain = name.trimmingBlanks()
        guard plain.hasIndexedWord else { return nil }
        let store = try store()
        let words = plain.split(whereSeparator: \.isWhitespace).map(String.init).filter(\.hasIndexedWord)
        if store.profile?.read.contains(.contacts) ?? true {
            let groups = try store.contactGroups().filter { $0.lowercased() == plain.lowercased() }
            if !groups.isEmpty { return try members(of: plain) }
            var named = try store.contacts(.called(plain)).contacts
            if named.isEmpty {
                named = try store.contacts(.all(words.map { .words($0, inName: true, isPrefix: true) })).contacts
                    .filter { Self.isName(words, of: $0.name) }
            }
            if named.count == 1, named[0].kind == .group { return try members(of: named[0].name) }
            let reachable = named.filter { !$0.emails.isEmpty && $0.kind != .group }
            if let only = reachable.first {
                // Entries of one person in several address books.
                guard Set(reachable.map { $0.emails[0].lowercased() }).count == 1 else {
                    throw Self.ambiguous(plain, reachable.map { "\($0.name) <\($0.emails[0])>" })
                }
                return [MailAddress(name: only.name, address: only.emails[0])]
            }
            if let silent = named.first {
                throw HelixError(
                    .usage, "the contact '\(silent.name)' has no e-mail address",
                    hint:
                        "Add it: helix contacts edit \(try store.shortIDs([silent.id])[silent.id] ?? "") --email +x@example.com"
                )
            }
        }
        return try correspondent(plain, words, store) ?? asked(plain)
    }

    /// The addresses of all members of a group.
    private func members(of group: String) throws -> [MailAddress] {
        let found = try store().contacts(.group(group)).contacts.filter { $0.kind != .group }
        // A member that is named by one of its addresses gets its mail there.
        let members = try store().groupMembers(group).filter { $0.contains("@") }
        let named = Set(members.map { $0.lowercased() })
        var all = found.filter { !$0.emails.isEmpty }.map { contact in
            let chosen = contact.emails.first { named.contains($0.lowercased()) } ?? contact.emails[0]
            return MailAddress(name: contact.name, address: chosen)
        }
        let known = Set(found.flatMap(\.emails).map { $0.lowercased() })
        // Members that are no contacts.
        all += members.filter { !known.contains($0.lowercased()) }.map { MailAddress(name: "", address: $0) }
        let silent = found.filter(\.emails.isEmpty).map(\.name)
        guard !all.isEmpty else {
            throw HelixError(.usage, "nobody in the group '\(group)' has an e-mail address")
        }
        if !silent.isEmpty {
            note(
                StyledText(
                    "Without an e-mail address, and left out: \(silent.joined(separator: ", ")).", TextStyle(.yellow)))
        }
        return all
    }

    /// The one person of the mail to whom one wrote, and whose name has these words.
    private func correspondent(_ name: String, _ words: [String], _ store: Store) throws -> [MailAddress]? {
        guard store.profile?.read.contains(.mail) ?? true else { return nil }
        let own = Set(configuration.list(.email).map { $0.lowercased() })
        let found = try MailPeople.ranked(words, own: own, in: store, now: now).filter {
            $0.written > 0
                && Self.isName(words, of: $0.name.isEmpty ? String($0.address.prefix { $0 != "@" }) : $0.name)
        }
        guard let only = found.first else { return nil }
        guard Set(found.map { $0.address.lowercased() }).count == 1 else {
            throw Self.ambiguous(name, found.map { "\($0.name) <\($0.address)>" })
        }
        return [MailAddress(name: only.name, address: only.address)]
    }

    /// The one person that the program of `mail.query-command` finds, in the form of mutt's `query_command`: an address, a tab
    /// and a name on each line, after a line with a message.
    private func asked(_ name: String) throws -> [MailAddress]? {
        let lines = try queriedPeople(name)
        guard let only = lines.first else { return nil }
        guard Set(lines.map { $0.address.lowercased() }).count == 1 else {
            throw Self.ambiguous(name, lines.map(\.text))
        }
        return [only]
    }

    /// The people that the program of `mail.query-command` finds; none without a program.
    /// - Throws: ``HelixError`` if it cannot be run.
    func queriedPeople(_ name: String) throws -> [MailAddress] {
        guard let command = configuration.text(.queryCommand), !command.isEmpty else { return [] }
        // The name is an argument, never a part of the command.
        let placed = command.contains("%s") ? command.replacing("%s", with: "\"$1\"") : command + " \"$1\""
        let failure = HelixError(
            .configuration, "the program of mail.query-command could not be run: \(command)",
            hint: "Try it: \(command.replacing("%s", with: name))")
        guard
            let process = try? Subprocess(
                "/bin/sh", ["-c", placed, "helix", name], input: .null, output: .pipe, errors: .null)
        else { throw failure }
        guard let bytes = process.readOutput(within: 10) else {
            process.terminate()
            _ = process.wait()
            throw failure
        }
        // Other programs end with 1 if they find nobody; the shell with these if there is no such program.
        if [126, 127].contains(process.wait()) { throw failure }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map {
                String($0).trimmingBlanks()
            }
            guard parts.count > 1, parts[0].contains("@"), !parts[0].contains(where: \.isWhitespace) else { return nil }
            return try? MailAddress(name: parts[1], address: parts[0]).deliverable()
        }
    }

    /// Whether each word begins a word of a name.
    private static func isName(_ words: [String], of name: String) -> Bool {
        let parts = PersonItem.folded(name).split { !($0.isLetter || $0.isNumber) }
        return words.allSatisfy { word in
            PersonItem.folded(word).split { !($0.isLetter || $0.isNumber) }.allSatisfy { piece in
                parts.contains { $0.hasPrefix(piece) }
            }
        }
    }

    private static func ambiguous(_ name: String, _ people: [String]) -> HelixError {
        let shown = people.uniqued.prefix(5).joined(separator: "; ")
        return HelixError(
            .ambiguous, "'\(name)' names several people",
            hint: "Write more of the name, or the address: \(shown)\(people.uniqued.count > 5 ? "; …" : ".")")
    }

    /// All addresses of the contacts whose name has the words of a text, for queries such as `from:ana`.
    /// - Throws: ``HelixError``.
    func contactAddresses(_ name: String) throws -> [String] {
        try store().contactAddresses(named: name)
    }
}
