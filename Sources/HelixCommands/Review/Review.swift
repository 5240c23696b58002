import ArgumentParser

/// `helix review`
struct Review: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review", abstract: "Accept or reject what agents propose.",
        discussion: """
            With 'helix config set agent.NAME.changes propose' the changes of an agent are proposals: it sees them as done, \
            and nobody else does until you accept them. Messages that it writes wait in the outbox ('helix outbox release').

            Without a command it lists the proposals.

              helix review
              helix review show p7f2
              helix review accept p7f2
              helix review accept p7f2 1 3
              helix review reject p7f2 2
              helix review reopen p7f2 2
            """,
        subcommands: [
            ReviewList.self, ReviewShow.self, ReviewAccept.self, ReviewReject.self, ReviewReopen.self,
            ReviewComment.self,
        ], defaultSubcommand: ReviewList.self)
}
