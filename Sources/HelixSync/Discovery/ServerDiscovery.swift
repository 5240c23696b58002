import FoundationEssentials
import HelixModel
import HelixNetwork

/// Finds the servers of a mail address: by the domain's published settings (Thunderbird's autoconfig), Thunderbird's list,
/// DNS (RFC 6186, RFC 8314, RFC 6764), and common host names.
public struct ServerDiscovery: Sendable {
    private let names: NameServer
    private let places: [String]
    private let authorities: String?
    /// The timeout of each step in seconds.
    private static let patience = 6

    /// - Parameters:
    ///   - nameServer: a name server instead of the system's: `127.0.0.1:5353`.
    ///   - autoconfig: an address instead of the usual ones, with the placeholders `{domain}` and `{address}`.
    ///   - authorities: a file of certificates to trust instead of the system's.
    /// - Throws: ``HelixError`` of code `configuration`.
    public init(nameServer: String?, autoconfig: String?, authorities: String?) throws {
        names = try NameServer(nameServer)
        places =
            autoconfig.map { [$0] } ?? [
                "https://autoconfig.{domain}/mail/config-v1.1.xml?emailaddress={address}",
                "https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml",
                "https://autoconfig.thunderbird.net/v1.1/{domain}",
            ]
        self.authorities = authorities
    }

    /// The servers of an address; empty if none was found.
    public func find(_ address: String) -> FoundServers {
        let domain = address.split(separator: "@").last.map { $0.lowercased() } ?? ""
        guard !domain.isEmpty else { return FoundServers() }
        // All steps run in parallel: most servers do not exist, and time out.
        enum Step: Sendable {
            case place(String)
            case exchanger, services, calendars
        }
        let steps = places.map(Step.place) + [.exchanger, .services, .calendars]
        let found = steps.concurrently { step -> FoundServers? in
            switch step {
            case .place(let place): fetch(place, domain: domain, address: address)
            case .exchanger: byExchanger(domain, address)
            case .services: byServices(domain)
            case .calendars: calendars(domain)
            }
        }.compactMap { $0 }
        var best = found.first { $0.imap != nil } ?? guess(domain) ?? FoundServers()
        if best.calendars == nil { best.calendars = found.compactMap(\.calendars).first }
        return best
    }

    // MARK: Autoconfig

    private func fetch(_ place: String, domain: String, address: String) -> FoundServers? {
        let filled = place.replacing("{domain}", with: domain).replacing(
            "{address}", with: address.percentEncoded(keeping: ""))
        guard let url = URL(address: filled),
            let client = try? HTTPClient(
                url, user: "", credential: .none, authorities: authorities, patience: Self.patience),
            let (answer, last) = try? client.request("GET", url), answer.isGood, answer.body.count < 1 << 20,
            var found = Autoconfig.read(answer.body, address: address)
        else { return nil }
        found.source = last.host ?? domain
        return found
    }

    /// Searches the provider of the domain's mail servers, as many domains use one.
    private func byExchanger(_ domain: String, _ address: String) -> FoundServers? {
        guard let place = places.last, place.contains("thunderbird.net") else { return nil }
        let hosts = names.mailExchangers(domain)
        let provider = hosts.first.map { $0.split(separator: ".").suffix(2).joined(separator: ".").lowercased() }
        guard let provider, provider != domain,
            var found = fetch(place.replacing("{domain}", with: provider), domain: provider, address: address)
        else { return nil }
        // The mail servers are known from DNS only.
        found.isCertain = false
        found.source += " (the mail of \(domain) is at \(provider))"
        return found
    }

    // MARK: DNS

    private func byServices(_ domain: String) -> FoundServers? {
        func first(_ candidates: [(service: String, security: Endpoint.Security)]) -> AccountSettings.Server? {
            for (service, security) in candidates {
                if let found = names.services("\(service)._tcp.\(domain)").first {
                    return AccountSettings.Server(
                        host: found.host, port: found.port, security: security.rawValue)
                }
            }
            return nil
        }
        var found = FoundServers()
        found.imap = first([("_imaps", .tls), ("_imap", .starttls)])
        found.smtp = first([("_submissions", .tls), ("_submission", .starttls)])
        guard let imap = found.imap else { return nil }
        found.source = "DNS"
        found.isCertain = [imap, found.smtp].compactMap { $0?.host.lowercased() }.allSatisfy {
            $0 == domain || $0.hasSuffix("." + domain)
        }
        return found
    }

    /// The JMAP server of a mail address (RFC 8620 §2.2); nil if its domain names none.
    /// - Returns: the address to start from, and whether the domain's own servers confirm it.
    public func jmap(_ address: String) -> (url: String, isCertain: Bool)? {
        let domain = address.split(separator: "@").last.map { $0.lowercased() } ?? ""
        guard !domain.isEmpty else { return nil }
        if let server = names.services("_jmap._tcp.\(domain)").first {
            let host = server.host.lowercased()
            // Unencrypted connections are for this machine only.
            let scheme = Endpoint.isLoopback(host) && server.port != 443 ? "http" : "https"
            let url = "\(scheme)://\(host)\(server.port == 443 ? "" : ":\(server.port)")/.well-known/jmap"
            return (url, host == domain || host.hasSuffix("." + domain))
        }
        guard let url = URL(address: "https://\(domain)/.well-known/jmap"), isThere(url) else { return nil }
        return (url.absoluteString, true)
    }

    /// Whether a server exists at an address: it asks unknown users to sign in.
    private func isThere(_ url: URL) -> Bool {
        guard
            let client = try? HTTPClient(
                url, user: "", credential: .none, authorities: authorities, patience: Self.patience)
        else { return false }
        do {
            let (answer, _) = try client.request("GET", url)
            return answer.isGood && answer.fields["content-type"]?.contains("json") == true
        } catch { return (error as? HelixError)?.code == .authentication }
    }

    private func calendars(_ domain: String) -> FoundServers? {
        var found = FoundServers()
        found.source = "DNS"
        for (service, scheme) in [("_caldavs", "https"), ("_caldav", "http")] {
            let name = "\(service)._tcp.\(domain)"
            guard let server = names.services(name).first else { continue }
            // Unencrypted connections are for this machine only.
            if scheme == "http", !Endpoint.isLoopback(server.host) { continue }
            let text = names.text(name) ?? ""
            let path = text.hasPrefix("path=/") ? String(text.dropFirst(5)) : "/"
            let isUsual = server.port == (scheme == "https" ? 443 : 80)
            found.calendars = "\(scheme)://\(server.host)\(isUsual ? "" : ":\(server.port)")\(path)"
            return found
        }
        guard let url = URL(address: "https://\(domain)/.well-known/caldav"), isCalendarServer(url) else { return nil }
        found.calendars = "https://\(domain)/"
        return found
    }

    /// Whether a calendar server exists at an address: it asks unknown users to sign in.
    private func isCalendarServer(_ url: URL) -> Bool {
        guard
            let client = try? HTTPClient(
                url, user: "", credential: .none, authorities: authorities, patience: Self.patience)
        else { return false }
        do {
            let (answer, _) = try client.request("PROPFIND", url, headers: ["Depth: 0"])
            return answer.status == 207
        } catch { return (error as? HelixError)?.code == .authentication }
    }

    // MARK: Common host names

    /// Servers of the domain that answer under common host names.
    private func guess(_ domain: String) -> FoundServers? {
        struct Candidate: Sendable {
            var scheme: String
            var server: AccountSettings.Server
        }
        func candidates(_ scheme: String, _ hosts: [String], _ ports: [(Int, Endpoint.Security)]) -> [Candidate] {
            hosts.flatMap { host in
                ports.map { port, security in
                    Candidate(
                        scheme: scheme,
                        server: AccountSettings.Server(host: host, port: port, security: security.rawValue))
                }
            }
        }
        let all =
            candidates("imap", ["imap." + domain, "mail." + domain, domain], [(993, .tls), (143, .starttls)])
            + candidates("smtp", ["smtp." + domain, "mail." + domain, domain], [(465, .tls), (587, .starttls)])
        let authorities = authorities
        let answers = all.concurrently { candidate -> Bool in
            let server = candidate.server
            let endpoint = Endpoint(
                scheme: candidate.scheme, host: server.host, port: server.port,
                security: Endpoint.Security(rawValue: server.security) ?? .tls, user: "", credential: .none,
                authorities: authorities)
            return (try? NetworkStream(endpoint, patience: Self.patience)) != nil
        }
        var found = FoundServers()
        for (candidate, isThere) in zip(all, answers) where isThere {
            if candidate.scheme == "imap", found.imap == nil { found.imap = candidate.server }
            if candidate.scheme == "smtp", found.smtp == nil { found.smtp = candidate.server }
        }
        found.source = "common host names"
        return found.imap == nil ? nil : found
    }
}
