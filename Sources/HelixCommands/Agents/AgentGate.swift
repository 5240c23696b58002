import ArgumentParser
import HelixModel
import HelixNetwork
import HelixStore

/// The commands that an agent may run. What they may read, change and send is checked in the store and at the network's door.
enum AgentGate {
    /// The commands that are for people: they change settings and accounts, replace or copy the whole store, reach servers
    /// for all accounts, or decide on what an agent left for review.
    private static let forPeople: [[String]] = [
        ["config", "set"], ["config", "unset"], ["config", "edit"], ["account", "add"], ["account", "edit"],
        ["account", "remove"], ["account", "sign-in"], ["account", "password"], ["account", "check"],
        ["account", "discover"], ["backup"], ["restore"], ["sync"], ["gateway"], ["doctor"], ["outbox", "retry"],
        ["outbox", "release"],
    ]

    /// Checks that a command may run.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    static func check(_ type: any ParsableCommand.Type, for profile: AgentProfile) throws {
        let path = path(of: type) ?? []
        let name = path.joined(separator: " ")
        // The server checks each command that it runs.
        if path.first == "mcp" { return }
        if let allowed = profile.commands, !allowed.contains(name) {
            throw profile.refusal("run 'helix \(name)'", rule: .commands)
        }
        if forPeople.contains(where: { path.starts(with: $0) }) {
            throw HelixError(
                .notAllowed, "'helix \(name)' is for people, and the profile '\(profile.name)' may not run it",
                hint: "Ask the person for whom you work to run it.")
        }
    }

    /// The words of a command, found by its type, since they may be typed in several ways.
    private static func path(
        of wanted: any ParsableCommand.Type, below type: any ParsableCommand.Type = Helix.self
    ) -> [String]? {
        for next in type.configuration.subcommands {
            guard let word = next.configuration.commandName else { continue }
            if ObjectIdentifier(next) == ObjectIdentifier(wanted) { return [word] }
            if let rest = path(of: wanted, below: next) { return [word] + rest }
        }
        return nil
    }

    /// The error of a connection under a profile that lets nothing leave by itself.
    static func offline(_ profile: AgentProfile) -> HelixError {
        profile.refusal(
            "use the network", rule: .send,
            hint: "The person's own 'helix sync' fetches and sends; drafts and changes wait for it.")
    }
}

extension HelixProgram {
    /// Runs a command, within the profile of the agent that it works for.
    /// - Throws: the errors of the command; ``HelixError`` of code `notAllowed` for what the profile forbids.
    static func perform(_ command: any HelixCommand, _ invocation: Invocation) throws {
        guard let agent = invocation.agent else { return try command.run(invocation) }
        let configuration = try Configuration(file: Paths(environment: invocation.environment).configuration)
        let profile = try configuration.profile(agent.profile)
        try AgentGate.check(type(of: command), for: profile)
        if profile.hourly != nil, invocation.environment["HELIX_NOW"]?.isEmpty == false {
            throw profile.refusal("set HELIX_NOW, by which its changes are counted", rule: .hourly)
        }
        if profile.send == .allowed { return try command.run(invocation) }
        // Threads that a command starts must not find the door open.
        if invocation.ownsProcess { NetworkDoor.close(AgentGate.offline(profile)) }
        try NetworkDoor.closed(AgentGate.offline(profile)) { try command.run(invocation) }
    }
}

extension Configuration {
    /// The profile with a name: one of the settings, or one that comes with helix.
    /// - Throws: ``HelixError`` of code `configuration` if there is none.
    func profile(_ name: String) throws -> AgentProfile {
        if let known = (AgentProfile.builtIn + profiles).first(where: { $0.name == name }) { return known }
        throw HelixError(
            .configuration, "no profile '\(name)'",
            hint: "Set what it may do: helix config set agent.\(name).read calendar,tasks. "
                + "The profiles read-only and no-send come with helix.")
    }
}
