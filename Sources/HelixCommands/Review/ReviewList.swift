import ArgumentParser
import HelixModel
import HelixStore

/// `helix review list`
struct ReviewList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List proposals, newest first.",
        discussion: """
            By default those without a decision.

              helix review
              helix review list --all --json
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self)]

    @Flag(name: .long, help: "Include those that are decided.")
    var all = false

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let found = try context.store().proposals(isPending: !all)
        let limit = context.listLimit(30)
        try context.present(
            ProposalReport(
                items: found.prefix(limit).map { ProposalItem(proposal: $0) }, isTruncated: found.count > limit,
                empty: all ? "No proposals." : "No proposals to review."))
    }
}

/// `helix review show`
struct ReviewShow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show a proposal with the differences that it would make.",
        discussion: """
              helix review show p7f2
              helix review show p7f2 --json
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self)]

    @Argument(help: "The proposal, by a prefix of its id.", completion: .custom(CompletionLists.proposals))
    var id: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let proposal = try store.proposal(EntityPrefix(id))
        let conflict = try store.conflict(of: proposal, merging: ReviewAccept.merge)
        try context.present(
            ProposalReport(items: [ProposalItem(proposal: proposal, conflict: conflict)], isWhole: true))
    }
}
