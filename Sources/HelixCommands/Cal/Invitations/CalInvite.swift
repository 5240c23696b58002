import ArgumentParser
import HelixCalendar
import HelixMail
import HelixModel
import HelixStore

/// `helix cal invite`
struct CalInvite: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "invite", abstract: "Invite people to an event.",
        discussion: """
            Queues the invitation; 'helix sync' sends it. From then on attendees are notified of changes ('helix cal \
            edit', 'move') and deletions unless --silent is given, and their replies are recorded. Without people, \
            invites all attendees again.

              helix cal invite k3f7 bo@example.org 'Ana Rossi <ana@example.org>'
              helix cal invite k3f7 bo@example.org --remove \\
                  --comment 'Not needed after all'
              helix cal invite k3f7
            """)
    static let reports: [PrintedReport] = [.json(SavedReport.self)]

    @Argument(help: "The event's id.", completion: .custom(CompletionLists.eventIDs))
    var id: String

    @Argument(
        help: ArgumentHelp("Attendees: addresses, contacts, groups.", valueName: "person"),
        completion: .custom(CompletionLists.people))
    var people: [String] = []

    @Flag(name: .long, help: "Invite as optional attendees.")
    var optional = false

    @Flag(name: .long, help: "Remove them instead, and notify them.")
    var remove = false

    @Flag(name: .long, help: "Notify by mail even if the calendar server would notify.")
    var byMail = false

    @Option(name: .long, help: ArgumentHelp("Comment to include in the invitation.", valueName: "text"))
    var comment: String?

    @Option(name: .customLong("as"), help: ArgumentHelp("Your address to invite from.", valueName: "address"))
    var address: String?

    @OptionGroup var notice: NoticeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if remove, people.isEmpty { throw ValidationError("--remove needs the people to remove.") }
    }

    func run(in context: CommandContext) throws {
        let stored = try context.event(id)
        let invited = try people.flatMap { try context.attendees($0) }.map(EventOptions.person)
        var invitation = EventInvitation(stored.components)
        let own = try organizer(invitation, context)
        if invited.contains(where: { $0.address == own.address }) {
            throw HelixError(
                .usage, "\(own.address) is your own address", hint: "Name the people to invite.")
        }
        let all = Set(invitation.components.flatMap { $0.all("ATTENDEE") }.map(\.calendarAddress))
        if remove, let missing = invited.first(where: { !all.contains($0.address) }) {
            throw HelixError(.notFound, "\(missing.address) is not invited to '\(invitation.title)'")
        }
        if invited.isEmpty, all.subtracting([own.address]).isEmpty {
            throw HelixError(
                .usage, "'\(invitation.title)' has no attendees yet", hint: "helix cal invite \(id) bo@example.org")
        }
        let post = InvitationPost(context, silent: notice.silent)
        let server =
            byMail || notice.silent ? nil : try context.store().schedulingAccount(of: stored.id, mustBeThere: false)
        if server == nil { try post.prepare(from: own.address) }
        let saved = try context.store().change("invite to '\(invitation.title)'", command: "cal invite") { change in
            let former = invitation
            if remove {
                let gone = Set(invited.map(\.address))
                invitation.remove(gone)
                try post.send(
                    .cancel,
                    EventInvitation(SchedulingText.cancelled(former.components, for: gone, now: context.clock)),
                    to: gone, zones: stored.zones, "Cancelled", comment: comment, from: own.address, change)
            } else {
                invitation.setOrganizer(own.address, name: own.name.isEmpty ? nil : own.name)
                let again = invitation.components.flatMap { $0.all("ATTENDEE") }.map(\.calendarAddress)
                    .filter { $0 != own.address }
                let asked = invited.isEmpty ? Set(again) : Set(invited.map(\.address))
                let guests = invited.isEmpty ? asked.sorted().map { Attendee(address: $0) } : invited
                invitation.invite(guests, isOptional: optional, isByServer: server != nil)
                try post.send(
                    .request, invitation, to: asked.subtracting([own.address]), zones: stored.zones, "Invitation",
                    comment: comment, change)
            }
            try change.setEventText(stored.id, invitation.components.map(\.text).joined(), zones: stored.zones)
            return try SavedEvent(stored.id, change, context, .allow)
        }
        try context.presentSaved(remove ? "Changed" : "Invited", [saved])
        post.say()
        if let server {
            context.note(
                "The server of '\(server)' notifies the attendees after the next 'helix sync'; --by-mail notifies by mail."
            )
        }
    }

    /// The organizer: the user's own address. Rejects events of other organizers.
    private func organizer(_ invitation: EventInvitation, _ context: CommandContext) throws -> MailAddress {
        let known = try address.map { try MailAddress.typed($0) } ?? context.ownAddresses
        guard let first = known.first else {
            throw HelixError(
                .configuration, "no address to invite from",
                hint: "helix config set user.email you@example.org, or --as.")
        }
        guard let organizer = invitation.organizer else {
            return MailAddress(name: first.name, address: first.address.lowercased())
        }
        guard let own = known.first(where: { $0.address.lowercased() == organizer }) else {
            throw HelixError(
                .conflict, "'\(invitation.title)' is the event of \(organizer): only the organizer can invite to it",
                hint: "Answer it with 'helix cal rsvp', or copy it with 'helix cal copy'.")
        }
        return MailAddress(name: own.name, address: organizer)
    }
}
