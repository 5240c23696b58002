import FoundationEssentials
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

extension AccountWizard {
    /// The choices for an account whose test failed.
    private enum Remedy: String {
        case again = "try again"
        case servers = "enter the servers and the user name again"
        case address = "enter the address and the user name again"
        case password = "use another source of the password"
        case authority = "trust the certificates in a file"
        case anyway = "add it anyway"
        case nothing = "add nothing"
    }

    /// Tests the account, and asks what to do if the test fails.
    /// - Returns: whether something was changed, and the test must be repeated.
    /// - Throws: ``HelixError`` if nothing is to be added.
    mutating func needsAnotherTry() throws -> Bool {
        guard let name = plan.name, let kind = plan.kind else { return false }
        if plan.settings.usesKeyring == true, let password = plan.password { try Secrets.keep(password, for: name) }
        var draft = Account(
            number: 0, id: EntityID(), name: name, kind: kind, path: plan.path ?? "", settings: plan.settings)
        draft.tokenFile = try context.store().tokenFile(ofAccount: name)
        if plan.settings.oauth != nil { try context.signIn(draft, byDevice: false, opensBrowser: true) }
        context.note(StyledText("Testing …", .dim))
        let steps = AccountSteps.check(draft)
        for step in steps {
            let isGood = step.failure == nil
            context.note(
                StyledText(isGood ? "  ✓ " : "  ✗ ", TextStyle(isGood ? .green : .red))
                    + StyledText("\(step.name)  \(step.failure?.message ?? step.detail)"))
        }
        guard let failure = steps.lazy.compactMap(\.failure).first else { return false }
        if let hint = failure.hint, failure.code != .notAllowed { context.note(StyledText("    \(hint)", .dim)) }
        let remedies = remedies(for: failure, kind)
        let usual =
            switch failure.code {
            case .authentication: remedies.firstIndex(of: .password)
            case .notAllowed: remedies.firstIndex(of: .authority)
            default: remedies.firstIndex { $0 == .servers || $0 == .address }
            }
        let chosen = try choose(
            "The test failed. What now?", remedies.map(\.rawValue), usual: (usual ?? 0) + 1)
        switch remedies[chosen - 1] {
        case .again: break
        case .servers:
            forgetServers()
            try typeServers()
        case .address:
            plan.path = try ask("Address", usual: plan.path, check: AccountWizard.isAddress)
            if kind == .caldav || kind == .carddav { try askUser() }
            if !plan.settings.login.isEmpty || plan.servers.user != nil { try askPassword() }
        case .password:
            (plan.servers.passwordCommand, plan.servers.tokenCommand, plan.servers.keyring) = (nil, nil, false)
            (plan.settings.passwordCommand, plan.settings.tokenCommand) = (nil, nil)
            (plan.settings.usesKeyring, plan.password) = (nil, nil)
            (plan.oauth, plan.settings.oauth) = (.none, nil)
            try askPassword()
        case .authority: try askAuthority()
        case .anyway: return false
        case .nothing:
            _ = try? OAuthAccess(draft).signOut()
            throw HelixError(failure.code, "nothing was added: \(failure.message)", hint: failure.hint)
        }
        return true
    }

    private func remedies(for failure: HelixError, _ kind: Account.Kind) -> [Remedy] {
        var remedies = [Remedy.again]
        if kind == .imap { remedies.append(.servers) }
        if [.caldav, .carddav, .webcal, .jmap].contains(kind) { remedies.append(.address) }
        let hasPassword = kind.hasMailServer || !plan.settings.login.isEmpty
        if hasPassword { remedies.append(.password) }
        if failure.code == .notAllowed { remedies.append(.authority) }
        return remedies + [.anyway, .nothing]
    }

    /// Discards the servers from options in favour of those that are entered now.
    private mutating func forgetServers() {
        (plan.servers.imapHost, plan.servers.imapPort, plan.servers.imapSecurity) = (nil, nil, nil)
        (plan.servers.smtpHost, plan.servers.smtpPort, plan.servers.smtpSecurity) = (nil, nil, nil)
        plan.servers.user = nil
    }

    private mutating func askUser() throws {
        let user = context.console.line("User name (empty for none)", usual: plan.servers.user)
        guard let user else { throw HelixError(.usage, "nothing was added") }
        plan.servers.user = user.isEmpty ? nil : user
        plan.settings.user = plan.servers.user
    }

    private mutating func askAuthority() throws {
        plan.servers.ca = try ask("File of certificates (PEM)", usual: plan.servers.ca) { text in
            let path = UserPath.expanded(text, context.environment)
            guard let file = try? String(contentsOfFile: path, encoding: .utf8) else { return "No such file." }
            return file.contains("-----BEGIN ") ? nil : "It contains no PEM certificate (-----BEGIN)."
        }
    }
}
