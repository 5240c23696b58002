import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// The scripts that sort arriving mail on the server of an account.
///
/// A server runs one script. That of helix is called ``SieveScript/name``; the scripts of others are never changed.
public struct SieveScripts {
    /// The treatment of a script of somebody else that is active.
    public enum Other: Sendable {
        /// It stays active, and nothing is uploaded.
        case keep
        /// The server runs it before the rules of helix.
        case include
        /// The server keeps it, and does not run it any more.
        case replace
    }

    /// The scripts of a server.
    public struct Listing: Sendable {
        /// The scripts.
        public var scripts: [SieveSession.Script]
        /// The extensions of Sieve that the server has.
        public var extensions: Set<String>
        /// Whether the script of helix on the server is the one that was uploaded last from here.
        public var isOurs: Bool
    }

    private let store: Store
    private let account: Account
    private let setting: RuleSetting

    /// The scripts of an account with a server.
    public init(_ store: Store, _ account: Account, _ setting: RuleSetting) {
        (self.store, self.account, self.setting) = (store, account, setting)
    }

    /// The script as it would be now.
    /// - Parameters:
    ///   - extensions: those of the server; nil if they are unknown.
    ///   - vacation: the answer while the user is away.
    ///   - hasRules: whether the rules belong into it.
    /// - Throws: ``HelixError`` for a rule that cannot be read.
    public func script(
        extensions: Set<String>?, vacation: VacationAnswer?, hasRules: Bool, included: String?
    ) throws -> SieveScript {
        var site = SieveScript.Site(account: account.name, own: own)
        (site.extensions, site.vacation, site.included) = (extensions, vacation, included)
        let remote = try store.remoteMailboxes(account)
        for box in try store.mailboxes().map(\.mailbox) where box.account == account.number {
            guard let known = remote.first(where: { $0.path == box.path }) else { continue }
            let name = ModifiedUTF7.decoded(known.name)
            site.mailboxes[box.name.lowercased()] = name
            if let role = box.role { site.mailboxes[role.rawValue] = name }
            // `INBOX.` before all others, as some servers have it.
            let delimiter = known.delimiter ?? site.names.delimiter
            let own = box.name.split(separator: "/").joined(separator: delimiter)
            if box.role != .inbox, name.hasSuffix(own) {
                site.names = (String(name.dropLast(own.count)), delimiter)
            }
        }
        let queries = setting.queries(store)
        let rules = hasRules ? try store.mailRules() : []
        return SieveScript(
            try rules.filter(\.isActive).map { SieveScript.Rule($0, try queries.parse($0.query)) }, at: site)
    }

    /// The addresses for which the server answers while the user is away.
    private var own: [String] {
        ([account.settings.address].compactMap { $0 } + setting.addresses).uniqued
    }

    /// Lists the scripts on the server.
    /// - Throws: ``HelixError``.
    public func list() throws -> Listing {
        let session = try account.openingSieve()
        defer { session.end() }
        return try listing(session)
    }

    private func listing(_ session: SieveSession) throws -> Listing {
        let scripts = try session.scripts()
        var isOurs = false
        if scripts.contains(where: { $0.name == SieveScript.name }), let state = try store.sieveStates()[account.number]
        {
            isOurs = Self.isSame(try session.text(of: SieveScript.name), state.text)
        }
        return Listing(scripts: scripts, extensions: session.extensions, isOurs: isOurs)
    }

    /// Uploads the script, and lets the server run it.
    /// - Returns: the script, and warnings of the server.
    /// - Throws: ``HelixError``: `conflict` if another script is active.
    public func upload(
        vacation: VacationAnswer?, hasRules: Bool, other: Other, isDryRun: Bool
    ) throws -> (script: SieveScript, warning: String?) {
        let session = try account.openingSieve()
        defer { session.end() }
        let scripts = try session.scripts()
        if scripts.contains(where: { $0.name == SieveScript.name }) {
            guard try session.text(of: SieveScript.name).hasPrefix("# Written by helix") else {
                throw HelixError(
                    .conflict,
                    "the server of '\(account.name)' has a script '\(SieveScript.name)' that helix has not written",
                    hint: "Rename it with the program that made it; helix changes no scripts of others.")
            }
        }
        let included = try included(scripts, session.extensions, other)
        let script = try script(
            extensions: session.extensions, vacation: vacation, hasRules: hasRules, included: included)
        if isDryRun { return (script, nil) }
        let warning = try session.put(script.text, as: SieveScript.name)
        try session.activate(SieveScript.name)
        try store.setSieveState(
            SieveState(text: script.text, hasRules: hasRules, rules: script.rules.map(\.id), included: included),
            of: account)
        return (script, warning)
    }

    /// The script of somebody else that is to run first.
    private func included(
        _ scripts: [SieveSession.Script], _ extensions: Set<String>, _ other: Other
    ) throws -> String? {
        let former = try store.sieveStates()[account.number]?.included
        guard let active = scripts.first(where: \.isActive), active.name != SieveScript.name else {
            return former.flatMap { name in scripts.contains { $0.name == name } ? name : nil }
        }
        switch other {
        case .keep:
            throw HelixError(
                .conflict,
                "the server of '\(account.name)' runs the script '\(active.name)', and runs one at a time",
                hint: "--include runs it before the rules of helix; --replace runs those of helix alone, and keeps it.")
        case .replace: return nil
        case .include:
            guard extensions.contains("include") else {
                throw HelixError(
                    .conflict, "the server of '\(account.name)' cannot include the script '\(active.name)'",
                    hint: "--replace runs the rules of helix alone.")
            }
            return active.name
        }
    }

    /// Removes the script of helix from the server, which runs the one that it included again.
    /// - Returns: the script that runs now.
    /// - Throws: ``HelixError`` of code `notFound` if there is none.
    public func remove(isDryRun: Bool) throws -> String? {
        let session = try account.openingSieve()
        defer { session.end() }
        let scripts = try session.scripts()
        guard let own = scripts.first(where: { $0.name == SieveScript.name }) else {
            if !isDryRun { try store.setSieveState(nil, of: account) }
            throw HelixError(.notFound, "the server of '\(account.name)' has no script of helix")
        }
        guard try session.text(of: own.name).hasPrefix("# Written by helix") else {
            throw HelixError(
                .conflict, "the script '\(own.name)' on the server of '\(account.name)' was not written by helix")
        }
        let former = try store.sieveStates()[account.number]?.included
        let next = former.flatMap { name in scripts.contains { $0.name == name } ? name : nil }
        let active = own.isActive ? next : scripts.first(where: \.isActive)?.name
        if isDryRun { return active }
        if own.isActive { try session.activate(next ?? "") }
        try session.delete(own.name)
        try store.setSieveState(nil, of: account)
        return active
    }

    /// Whether two texts differ in nothing but the ends of lines.
    static func isSame(_ one: String, _ other: String) -> Bool {
        one.split(whereSeparator: \.isNewline) == other.split(whereSeparator: \.isNewline)
    }
}
