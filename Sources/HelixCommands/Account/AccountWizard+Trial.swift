import Foundation
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

extension AccountWizard {
    /// What somebody wants to do about an account that does not work yet.
    private enum Remedy: String {
        case again = "try it again"
        case servers = "type the servers and the user name again"
        case address = "type the address and the user name again"
        case password = "the password comes from somewhere else"
        case authority = "trust the certificates in a file"
        case anyway = "add it all the same"
        case nothing = "add nothing"
    }

    /// Tries what was said, and asks what to do if it does not work.
    /// - Returns: whether something was changed, and is to be tried anew.
    /// - Throws: ``HelixError``: nothing shall be added.
    mutating func needsAnotherTry() throws -> Bool {
        guard let name = plan.name, let kind = plan.kind else { return false }
        if plan.settings.usesKeyring == true, let password = plan.password { try Secrets.keep(password, for: name) }
        var draft = MailAccount(
            number: 0, id: EntityID(), name: name, kind: kind, path: plan.path ?? "", settings: plan.settings)
        draft.tokenFile = try context.store().tokenFile(ofAccount: name)
        if plan.settings.oauth != nil { try context.signIn(draft, byDevice: false, opensBrowser: true) }
        context.note(StyledText("Trying it …", .dim))
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
            "It does not work yet. What now?", remedies.map(\.rawValue), usual: (usual ?? 0) + 1)
        switch remedies[chosen - 1] {
        case .again: break
        case .servers:
            forgetServers()
            try typeServers()
        case .address:
            plan.path = try ask("Address", usual: plan.path, check: AccountWizard.isAddress)
            if kind == .caldav { try askUser() }
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

    private func remedies(for failure: HelixError, _ kind: MailAccount.Kind) -> [Remedy] {
        var remedies = [Remedy.again]
        if kind == .imap { remedies.append(.servers) }
        if [.caldav, .webcal, .jmap].contains(kind) { remedies.append(.address) }
        let hasPassword = kind.hasMailServer || !plan.settings.login.isEmpty
        if hasPassword { remedies.append(.password) }
        if failure.code == .notAllowed { remedies.append(.authority) }
        return remedies + [.anyway, .nothing]
    }

    /// What flags said of the servers gives way to what is typed now.
    private mutating func forgetServers() {
        (plan.servers.imapHost, plan.servers.imapPort, plan.servers.imapSecurity) = (nil, nil, nil)
        (plan.servers.smtpHost, plan.servers.smtpPort, plan.servers.smtpSecurity) = (nil, nil, nil)
        plan.servers.user = nil
    }

    private mutating func askUser() throws {
        let user = Terminal.line("Sign in as (nothing if nobody has to)", usual: plan.servers.user)
        guard let user else { throw HelixError(.usage, "nothing was added") }
        plan.servers.user = user.isEmpty ? nil : user
        plan.settings.user = plan.servers.user
    }

    private mutating func askAuthority() throws {
        plan.servers.ca = try ask("File of certificates (PEM)", usual: plan.servers.ca) { text in
            let path = UserPath.expanded(text, context.environment)
            guard let file = try? String(contentsOfFile: path, encoding: .utf8) else { return "There is no such file." }
            return file.contains("-----BEGIN ") ? nil : "There is no certificate in it; it begins with -----BEGIN."
        }
    }
}
