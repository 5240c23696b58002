import HelixCalendar
import HelixModel

/// The aliases of mutt (http://www.mutt.org/doc/manual/, "Defining/Using Aliases"): `alias ana Ana Ruiz <ana@example.com>`.
public enum MuttAliases {
    /// An alias of a file.
    private struct Alias {
        var nick: String
        var groups: [String]
        var people: [(name: String, address: String)]
        var line: Int
    }

    /// Parses a file of aliases; other commands of a configuration file are skipped.
    public static func read(_ bytes: [UInt8]) -> ForeignContacts {
        var found = ForeignContacts()
        var aliases: [Alias] = []
        var pending = ""
        var start = 0
        for (index, raw) in String(guessing: bytes).split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            var line = String(raw).trimmingBlanks()
            if pending.isEmpty { start = index + 1 }
            // A line that ends with a backslash continues.
            if line.hasSuffix("\\") {
                line.removeLast()
                pending += line + " "
                continue
            }
            line = pending + line
            pending = ""
            let words = line.split(whereSeparator: \.isWhitespace)
            switch words.first {
            case "alias" where words.count > 1: aliases.append(alias(line, start))
            case "unalias", "source":
                found.defects.append(
                    ICalendarDefect(line: start, part: "line", reason: "'\(line.prefix(40))' is not followed"))
            default: break
            }
        }
        for alias in aliases { add(alias, aliases, &found) }
        return found
    }

    private static func alias(_ line: String, _ number: Int) -> Alias {
        var rest = Substring(line).dropFirst(5).drop { $0.isWhitespace }
        var groups: [String] = []
        func word() -> String {
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest.dropFirst(word.count).drop { $0.isWhitespace }
            return String(word)
        }
        while rest.hasPrefix("-group ") {
            _ = word()
            groups.append(word())
        }
        let nick = word()
        return Alias(nick: nick, groups: groups, people: addresses(unescaped(String(rest))), line: number)
    }

    /// A text without the backslashes that mutt's own parser removes.
    private static func unescaped(_ text: String) -> String {
        var out = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            out.append(character)
            isEscaped = false
        }
        return out
    }

    private static func add(_ alias: Alias, _ all: [Alias], _ found: inout ForeignContacts) {
        // An alias may name other aliases, which may name others.
        func resolved(_ people: [(name: String, address: String)], _ depth: Int) -> [(name: String, address: String)]? {
            var list: [(name: String, address: String)] = []
            for person in people {
                if person.address.contains("@") {
                    list.append(person)
                } else if depth < 10, let other = all.first(where: { $0.nick == person.address }),
                    let more = resolved(other.people, depth + 1)
                {
                    list += more
                } else {
                    return nil
                }
            }
            return list
        }
        guard let people = resolved(alias.people, 0), !people.isEmpty else {
            let name = alias.people.first { !$0.address.contains("@") }?.address ?? ""
            return found.defects.append(
                ICalendarDefect(
                    line: alias.line, part: "alias",
                    reason: "'\(alias.nick)' names '\(name)', which is neither an address nor an alias"))
        }
        var changes = ContactChanges()
        changes.categories.additions = alias.groups
        if people.count == 1 {
            changes.nicknames.additions = [alias.nick]
            changes.name = people[0].name.isEmpty ? alias.nick : people[0].name
            changes.emails.additions = [Contact.Value(people[0].address)]
        } else {
            // Several addresses are a group, whose members are known by their address.
            changes.name = alias.nick
            changes.kind = .group
            changes.members.additions = people.map(\.address)
            let own = Set(all.filter { $0.people.count == 1 }.map { $0.people[0].address.lowercased() })
            for person in people where !person.name.isEmpty && !own.contains(person.address.lowercased()) {
                var member = ContactChanges()
                member.name = person.name
                member.emails.additions = [Contact.Value(person.address)]
                found.add(member, line: alias.line, source: "mutt")
            }
        }
        found.add(changes, line: alias.line, source: "mutt")
    }

    /// The people of a list: `Ana Ruiz <ana@example.com>, "Li, Bo" <bo@example.com>, cy@example.com (Cy)`.
    static func addresses(_ text: String) -> [(name: String, address: String)] {
        var parts: [String] = []
        var current = ""
        var (isQuoted, depth) = (false, 0)
        var isEscaped = false
        for character in text {
            if isEscaped || character == "\\" {
                isEscaped = !isEscaped
                current.append(character)
                continue
            }
            switch character {
            case "\"": isQuoted.toggle()
            case "(" where !isQuoted: depth += 1
            case ")" where !isQuoted: depth -= 1
            // A comment begins after the addresses.
            case "#" where !isQuoted && depth == 0 && (current.isEmpty || current.last?.isWhitespace == true):
                return people(parts + [current])
            case "," where !isQuoted && depth == 0:
                parts.append(current)
                current = ""
                continue
            default: break
            }
            current.append(character)
        }
        return people(parts + [current])
    }

    /// A name without the quotes around it, and the backslashes in it.
    private static func plain(_ name: String) -> String {
        guard name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") else { return name }
        return unescaped(String(name.dropFirst().dropLast()))
    }

    private static func people(_ parts: [String]) -> [(name: String, address: String)] {
        parts.map { $0.trimmingBlanks() }.filter { !$0.isEmpty }.map { part in
            if let open = part.lastIndex(of: "<"), let close = part.lastIndex(of: ">"), open < close {
                let name = plain(String(part[..<open]).trimmingBlanks())
                return (name, String(part[part.index(after: open)..<close]).trimmingBlanks())
            }
            if let open = part.firstIndex(of: "("), part.hasSuffix(")") {
                return (
                    String(part[part.index(after: open)...].dropLast()).trimmingBlanks(),
                    String(part[..<open]).trimmingBlanks()
                )
            }
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            // `alias ana ana@example.com Ana Ruiz` occurs, too.
            if words.count > 1, let place = words.firstIndex(where: { $0.contains("@") }) {
                let others = words[..<place] + words[(place + 1)...]
                return (others.joined(separator: " "), words[place])
            }
            return ("", part)
        }
    }

    /// Contacts in this form: one alias for each person with an address, and one for each group.
    ///
    /// - Parameter addresses: the addresses of a group's members.
    public static func text(_ contacts: [Contact], members addresses: (Contact) -> [String]) -> String {
        var used: Set<String> = []
        func key(_ contact: Contact) -> String {
            let source = contact.nicknames.first { !$0.contains(where: \.isWhitespace) } ?? contact.name
            let plain = source.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
            let base = String(plain).split(separator: "-").joined(separator: "-")
            var key = base.isEmpty ? "contact" : base
            var number = 2
            while !used.insert(key).inserted {
                key = "\(base)-\(number)"
                number += 1
            }
            return key
        }
        return contacts.compactMap { contact -> String? in
            if contact.kind == .group {
                let list = addresses(contact)
                return list.isEmpty ? nil : "alias \(key(contact)) \(list.joined(separator: ", "))\n"
            }
            guard let email = contact.email else { return nil }
            let isPlain = !contact.name.contains { ",;:<>()@.\"\\".contains($0) }
            let quoted = contact.name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let shown = isPlain ? contact.name : "\"\(quoted)\""
            return "alias \(key(contact)) \(escaped(shown)) <\(email)>\n"
        }.joined()
    }

    /// A text whose signs mutt does not take for its own: it runs what stands in backticks.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for character in text.filter({ !$0.isNewline }) {
            if "\\`'\"$".contains(character) { out += "\\" }
            out.append(character)
        }
        return out
    }
}
