import HelixContacts
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// The knowledge of a message's sender: the checks of the user's own server, and names that look like others.
struct SenderCheck: DescribedItem {
    /// Whether the user has written to the address, or has a contact with it.
    var isKnown: Bool
    /// The results of the own server; nil if it made no checks, or if it is not known which server that is.
    var results: AuthenticationResults?
    /// Whether they prove the domain of the sender; nil if they say nothing.
    var passes: Bool?
    /// The server that the message names as the one that checked it, if it is not known to be the user's.
    var unknownServer: String?
    /// Signs of a deceit.
    var warnings: [String] = []

    static let described = list {
        Field("known", .bool, "Whether you have written to the address, or have a contact with it.") { $0.isKnown }
        Field("server", .string, required: false, "The server whose checks count.") { $0.results?.server }
        Field(
            "unknown_server", .string, required: false,
            "The server that the message names as the one that checked it, if it is not known to be yours."
        ) { $0.unknownServer }.foreign
        Field("passes", .bool, required: false, "Whether the checks prove the domain of the sender.") { $0.passes }
        Field("checks", listing: { $0.results?.results ?? [] }, "The checks.") {
            ReportField("method", .string, "dkim, spf, dmarc.") { $0.method }.foreign
            ReportField("result", .string, "pass, fail and so on.") { $0.result }.foreign
            ReportField("domain", .string, "The domain that was checked.") { $0.domain }.foreign
        }
        Field("warnings", .array(.string), "Signs of a deceit.") { $0.warnings }.foreign
    }

    /// The lines at the top of a message; nothing for a known sender without warnings.
    var lines: [SecurityWords.Line] {
        var lines = warnings.map { SecurityWords.Line(text: $0, isWarning: true) }
        if passes == false {
            lines.insert(
                SecurityWords.Line(text: "The sender may be forged: \(checks).", isWarning: true), at: 0)
        } else if !isKnown, results != nil {
            lines.append(SecurityWords.Line(text: "New sender; \(checks).", isWarning: false))
        } else if !isKnown, let unknownServer {
            lines.append(
                SecurityWords.Line(
                    text: "New sender; checked by \(unknownServer), the message says. If that is your server: "
                        + "helix config set mail.authserv-id \(unknownServer)", isWarning: false))
        }
        return lines
    }

    private var checks: String {
        guard let results else { return "" }
        let wanted = results.results.filter { ["dkim", "spf", "dmarc"].contains($0.method) }
        let words = wanted.map { result in
            "\(result.method.uppercased()) \(result.result)" + (result.domain.isEmpty ? "" : " (\(result.domain))")
        }
        return words.isEmpty
            ? "\(results.server) found nothing" : "\(results.server) found \(words.joined(separator: ", "))"
    }
}

/// The facts about known people that the checks of several messages share.
struct SenderKnowledge {
    /// A message that the user has answered.
    struct Answered {
        let id: EntityID
        /// The domain of its sender.
        let domain: String
        /// The server that checked it.
        let server: String?
    }

    /// The domains of known people; nil before they are read.
    var domains: Set<String>?
    /// The latest answered messages by account.
    var answered: [String: [Answered]] = [:]
    /// Whether addresses are known: thousands of messages may name one to whom the user never wrote.
    var known: [String: Bool] = [:]
}

extension CommandContext {
    /// Checks the sender of a message; nil for one's own.
    /// - Throws: ``HelixError``.
    func senderCheck(of readable: ReadableMessage, _ message: EmailMessage) throws -> SenderCheck? {
        guard message.flags.intersection(.draft).isEmpty,
            let from = readable.message.header("From").flatMap({ MailAddress.list($0).first }),
            from.address.contains("@"), !ownAddresses.contains(where: { from.isSame(as: $0) })
        else { return nil }
        let store = try store()
        let isKnown = try senders.known[from.address] ?? store.isKnown(from.address)
        senders.known[from.address] = isKnown
        var check = SenderCheck(isKnown: isKnown)
        let domain = from.address.split(separator: "@").last.map { $0.lowercased() } ?? ""
        let headers = readable.message.headers
        if let top = AuthenticationResults.topmostServer(of: headers) {
            let servers = try ownServers(named: top, for: message)
            check.results = AuthenticationResults(of: headers, servers: servers)
            check.passes = check.results?.passes(domain)
            if check.results == nil { check.unknownServer = top }
        }
        check.warnings = try warnings(of: from, domain: domain, isKnown: check.isKnown)
        return check
    }

    /// The servers whose checks count: those of the setting, otherwise the one that checked the mail of the people whom the
    /// user answers.
    private func ownServers(named top: String, for message: EmailMessage) throws -> Set<String> {
        let named = configuration.list(.ownServers).map { $0.lowercased() }
        if !named.isEmpty { return Set(named) }
        var domains: Set<String> = []
        var (same, all) = (0, 0)
        for other in try answered(of: message.account).filter({ $0.id != message.id }).prefix(20) {
            all += 1
            guard other.server == top else { continue }
            same += 1
            domains.insert(other.domain)
        }
        return same >= 4 && domains.count >= 3 && same * 10 >= all * 9 ? [top] : []
    }

    /// The domains of the people whom the user knows, and the user's own; read once.
    private func knownDomains() throws -> Set<String> {
        if let known = senders.domains { return known }
        var known = try store().knownDomains()
        known.formUnion(ownAddresses.compactMap { $0.address.split(separator: "@").last.map { $0.lowercased() } })
        senders.domains = known
        return known
    }

    /// The answered messages of an account, with the servers that checked them; read once.
    private func answered(of account: String) throws -> [SenderKnowledge.Answered] {
        if let known = senders.answered[account] { return known }
        var found: [SenderKnowledge.Answered] = []
        for other in try store().answeredMessages(of: account, limit: 21) {
            guard let path = try HelixError.ifFound({ try store().messageFile(other.id) }) else { continue }
            let sender = MailAddress(text: other.from[...]).address
            found.append(
                SenderKnowledge.Answered(
                    id: other.id, domain: sender.split(separator: "@").last.map(String.init) ?? "",
                    server: AuthenticationResults.topmostServer(of: try MIMEMessage(path: path).headers)))
        }
        senders.answered[account] = found
        return found
    }

    private func warnings(of from: MailAddress, domain: String, isKnown: Bool) throws -> [String] {
        var found: [String] = []
        // A name that is an address is read as the sender's.
        if let shown = from.name.split(whereSeparator: { $0.isWhitespace || "<>()\"',;".contains($0) })
            .first(where: { $0.contains("@") && $0.contains(".") }), shown.lowercased() != from.address.lowercased()
        {
            found.append("The name of the sender is another address: \(shown), but it came from \(from.address).")
        }
        if isKnown { return found }
        if LookAlike.mixesScripts(domain.unicodeDomain) {
            found.append("The domain mixes letters of several scripts: \(domain.unicodeDomain) (\(domain)).")
        }
        if let other = LookAlike.resembled(domain.unicodeDomain, among: try knownDomains()) {
            found.append("\(domain.unicodeDomain) is not \(other), but looks like it.")
        }
        if let person = try namesake(of: from) {
            found.append("You know a \(person.name) with another address: \(person.address).")
        }
        return found
    }

    /// A contact, or the user, with the same name and other addresses.
    private func namesake(of from: MailAddress) throws -> MailAddress? {
        let name = from.name.trimmingBlanks()
        guard name.contains(" "), !name.contains("@") else { return nil }
        if let own = ownAddresses.first(where: { $0.name.lowercased() == name.lowercased() }) { return own }
        let found = try store().contacts(.called(name), limit: 10).contacts
        return found.lazy.compactMap { contact in
            contact.emails.first.map { MailAddress(name: contact.name, address: $0) }
        }.first
    }
}

extension MailAddress {
    fileprivate func isSame(as other: MailAddress) -> Bool { address.lowercased() == other.address.lowercased() }
}
