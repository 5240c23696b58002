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
        /// The server keeps it, and does not run it any more. The script of another device of the user is overwritten.
        case replace
    }

    /// The scripts of a server.
    public struct Listing: Sendable {
        /// The scripts.
        public var scripts: [SieveSession.Script]
        /// The extensions of Sieve that the server has.
        public var extensions: Set<String>
        /// The text of the script of helix; nil if there is none.
        public var text: String?
        /// Whether that script is the one that was uploaded last from here.
        public var isOurs: Bool

        /// The script that the server runs.
        public var active: String? { scripts.first(where: \.isActive)?.name }
        /// Whether the script of helix answers while the user is away.
        public var answers: Bool { text?.contains(SieveScript.vacationMark) ?? false }
    }

    private let store: Store
    private let account: Account
    private let setting: RuleSetting

    /// The scripts of an account with a server.
    public init(_ store: Store, _ account: Account, _ setting: RuleSetting) {
        (self.store, self.account, self.setting) = (store, account, setting)
    }

    /// The script that was uploaded last.
    /// - Throws: ``HelixError``.
    public func state() throws -> SieveState? { try store.sieveStates()[account.number] }

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

    /// Whether the rules were changed since they were uploaded.
    /// - Throws: ``HelixError`` for a rule that cannot be read.
    public func isOutdated() throws -> Bool {
        guard let state = try state(), state.hasRules else { return false }
        return try script(
            extensions: state.extensions, vacation: state.vacation, hasRules: true, included: state.included
        ).text != state.text
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
        var listing = Listing(scripts: scripts, extensions: session.extensions, text: nil, isOurs: false)
        guard scripts.contains(where: { $0.name == SieveScript.name }) else { return listing }
        let text = try session.text(of: SieveScript.name)
        listing.text = text
        listing.isOurs = try state().map { Self.isSame(text, $0.text) } ?? false
        return listing
    }

    /// Uploads the script, and lets the server run it.
    /// - Returns: the script, and warnings of the server.
    /// - Throws: ``HelixError``: `conflict` if another script is active, or another device has uploaded one.
    public func upload(
        vacation: VacationAnswer?, hasRules: Bool, other: Other, isDryRun: Bool
    ) throws -> (script: SieveScript, warning: String?) {
        let session = try account.openingSieve()
        defer { session.end() }
        let found = try listing(session)
        try requireOwn(found, other)
        var state = SieveState(text: "", hasRules: hasRules)
        (state.former, state.includesFormer) = try former(found, other)
        (state.extensions, state.vacation) = (found.extensions, vacation)
        let script = try script(
            extensions: found.extensions, vacation: vacation, hasRules: hasRules, included: state.included)
        if isDryRun { return (script, nil) }
        let warning = try session.put(script.text, as: SieveScript.name)
        try session.activate(SieveScript.name)
        (state.text, state.rules) = (script.text, script.rules.map(\.id))
        try store.setSieveState(state, of: account)
        return (script, warning)
    }

    /// Checks that the script of helix on the server, if there is one, was uploaded from here.
    private func requireOwn(_ found: Listing, _ other: Other) throws {
        guard let text = found.text, !found.isOurs else { return }
        guard SieveScript.isWritten(text) else {
            throw HelixError(
                .conflict,
                "the server of '\(account.name)' has a script '\(SieveScript.name)' that helix has not written",
                hint: "Rename it with the program that made it; helix changes no scripts of others.")
        }
        if other == .replace { return }
        let count = SieveScript.ruleCount(text)
        throw HelixError(
            .conflict,
            "the script on the server of '\(account.name)' was uploaded by another device, with "
                + (count == 1 ? "1 rule" : "\(count) rules")
                + (found.answers ? " and an answer while you are away" : ""),
            hint: "--replace puts that of this device in its place.")
    }

    /// The script of somebody else that was active before, and whether it is to run first.
    private func former(_ found: Listing, _ other: Other) throws -> (name: String?, isIncluded: Bool) {
        let known = try state()
        guard let active = found.active, active != SieveScript.name else {
            let name = known?.former.flatMap { name in found.scripts.contains { $0.name == name } ? name : nil }
            return (name, name != nil && known?.includesFormer == true)
        }
        switch other {
        case .keep:
            throw HelixError(
                .conflict,
                "the server of '\(account.name)' runs the script '\(active)', and runs one at a time",
                hint: "--include runs it before the rules of helix; --replace runs those of helix alone, and keeps it.")
        case .replace: return (active, false)
        case .include:
            guard found.extensions.contains("include") else {
                throw HelixError(
                    .conflict, "the server of '\(account.name)' cannot include the script '\(active)'",
                    hint: "--replace runs the rules of helix alone.")
            }
            return (active, true)
        }
    }

    /// Removes the script of helix from the server, which runs the one that was active before again.
    /// - Returns: the script that runs now, and whether the removed one answered while the user was away.
    /// - Throws: ``HelixError`` of code `notFound` if there is none.
    public func remove(isDryRun: Bool) throws -> (active: String?, answered: Bool) {
        let session = try account.openingSieve()
        defer { session.end() }
        let found = try listing(session)
        guard let text = found.text else {
            if !isDryRun { try store.setSieveState(nil, of: account) }
            throw HelixError(.notFound, "the server of '\(account.name)' has no script of helix")
        }
        guard SieveScript.isWritten(text) else {
            throw HelixError(
                .conflict,
                "the script '\(SieveScript.name)' on the server of '\(account.name)' was not written by helix")
        }
        let isActive = found.active == SieveScript.name
        let former = try state()?.former ?? SieveScript.included(text)
        let next = former.flatMap { name in found.scripts.contains { $0.name == name } ? name : nil }
        if !isDryRun {
            if isActive { try session.activate(next ?? "") }
            try session.delete(SieveScript.name)
            try store.setSieveState(nil, of: account)
        }
        return (isActive ? next : found.active, found.answers)
    }

    /// Whether two texts differ in nothing but the ends of lines.
    static func isSame(_ one: String, _ other: String) -> Bool {
        one.split(whereSeparator: \.isNewline) == other.split(whereSeparator: \.isNewline)
    }
}
