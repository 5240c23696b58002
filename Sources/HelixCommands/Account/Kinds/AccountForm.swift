import HelixModel

/// The settings of a kind of account: what the wizard asks for, and what is checked before an account is added. A new kind is a
/// form of its own, and a line in ``HelixModel/Account/Kind/form``.
protocol AccountForm {
    /// The choice in the wizard; nil for a kind that users cannot add.
    var choice: String? { get }
    /// Whether the wizard asks for the source of a password.
    func needsPassword(_ plan: AccountPlan) -> Bool
    /// Whether everything is given that an account of the kind needs.
    func isComplete(_ plan: AccountPlan) -> Bool
    /// Checks the plan, and fills in missing settings.
    /// - Throws: ``HelixError``.
    func prepare(_ plan: inout AccountPlan, _ name: String, _ context: CommandContext) throws
    /// Prompts for the settings.
    /// - Throws: ``HelixError``.
    func ask(_ wizard: inout AccountWizard) throws
}

extension AccountForm {
    func needsPassword(_ plan: AccountPlan) -> Bool { false }
    func isComplete(_ plan: AccountPlan) -> Bool { plan.path != nil }
}

extension Account.Kind {
    /// The form of the kind.
    var form: any AccountForm {
        switch self {
        case .maildir: MaildirForm()
        case .local: LocalForm()
        case .imap: IMAPForm()
        case .jmap: JMAPForm()
        case .caldav: CalendarForm(kind: .caldav)
        case .carddav: CalendarForm(kind: .carddav)
        case .webcal: CalendarForm(kind: .webcal)
        case .vdir: FolderForm()
        case .gateway: GatewayForm()
        }
    }

    /// The kinds that the wizard offers, the most common first.
    static let offered: [Account.Kind] = [.imap, .caldav, .maildir, .vdir, .webcal, .gateway, .jmap, .carddav]
}

/// helix's own mailboxes.
private struct LocalForm: AccountForm {
    var choice: String? { nil }

    func isComplete(_ plan: AccountPlan) -> Bool { false }

    func prepare(_ plan: inout AccountPlan, _ name: String, _ context: CommandContext) throws {
        throw HelixError(.usage, "the local mailboxes are created by helix itself")
    }

    func ask(_ wizard: inout AccountWizard) throws {}
}
