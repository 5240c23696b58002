import HelixCalendar
import HelixModel

/// The aliases of mutt (http://www.mutt.org/doc/manual/, "Defining/Using Aliases"): `alias ana Ana Ruiz <ana@example.com>`.
public enum MuttAliases {
    /// Parses a file of aliases; other commands of a configuration file are skipped.
    public static func read(_ bytes: [UInt8]) -> ForeignContacts {
        var found = ForeignContacts()
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
            guard words.first == "alias", words.count > 1 else { continue }
            add(line, start, &found)
        }
        return found
    }

    private static func add(_ line: String, _ number: Int, _ found: inout ForeignContacts) {
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
        let people = addresses(String(rest))
        if people.isEmpty || people.contains(where: { !$0.address.contains("@") }) {
            // An alias of other aliases, or of an address of this machine alone.
            found.defects.append(
                ICalendarDefect(line: number, part: "alias", reason: "'\(nick)' names no e-mail address"))
            return
        }
        var changes = ContactChanges()
        changes.nicknames.additions = [nick]
        changes.categories.additions = groups
        if people.count == 1 {
            changes.name = people[0].name.isEmpty ? nick : people[0].name
            changes.emails.additions = [Contact.Value(people[0].address)]
        } else {
            // Several addresses are a group, whose members are known by their address.
            changes.name = nick
            changes.nicknames.additions = []
            changes.kind = .group
            changes.members.additions = people.map(\.address)
        }
        found.add(changes, line: number, source: "mutt")
    }

    /// The people of a list: `Ana Ruiz <ana@example.com>, "Li, Bo" <bo@example.com>, cy@example.com (Cy)`.
    static func addresses(_ text: String) -> [(name: String, address: String)] {
        var parts: [String] = []
        var current = ""
        var (isQuoted, depth) = (false, 0)
        for character in text {
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

    private static func people(_ parts: [String]) -> [(name: String, address: String)] {
        parts.map { $0.trimmingBlanks() }.filter { !$0.isEmpty }.map { part in
            if let open = part.lastIndex(of: "<"), let close = part.lastIndex(of: ">"), open < close {
                let name = part[..<open].replacing("\"", with: "")
                return (String(name).trimmingBlanks(), String(part[part.index(after: open)..<close]).trimmingBlanks())
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
            let name = contact.name.replacing("\"", with: "'")
            let shown = name.contains(where: { ",;:<>()@.".contains($0) }) ? "\"\(name)\"" : name
            return "alias \(key(contact)) \(shown) <\(email)>\n"
        }.joined()
    }
}
