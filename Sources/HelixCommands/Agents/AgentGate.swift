import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixNetwork
import HelixStore
import HelixSystem

/// The commands that an agent may run. What they may read, change and send is checked in the store and at the network's door.
enum AgentGate {
    /// The commands that are for people: they show or change settings and accounts, replace or copy the whole store, reach
    /// servers for all accounts, read mail from elsewhere, or decide on what an agent left for review.
    static let forPeople: [[String]] = [
        ["config"], ["account", "add"], ["account", "edit"], ["account", "remove"], ["account", "sign-in"],
        ["account", "check"], ["account", "show"], ["backup"], ["restore"], ["sync"],
        ["gateway"], ["doctor"], ["watch"], ["mail", "import"], ["outbox", "retry"], ["outbox", "release"],
        ["review", "accept"], ["review", "reject"], ["review", "reopen"], ["ask"], ["plan"], ["extract"],
        ["mail", "triage"], ["mail", "keys"], ["mail", "verify"], ["mail", "attachments", "extract"],
        // They change what a server does.
        ["mail", "rules", "upload"], ["mail", "rules", "remove"], ["mail", "rules", "server"], ["mail", "vacation"],
        // A person locks and unlocks.
        ["lock"], ["unlock"], ["vault"], ["ui"],
        ["mail", "summarize"], ["mail", "draft"], ["chat", "summarize"], ["chat", "suggest"], ["chat", "improve"],
    ]

    /// The domain of a noun: under a profile that may not read it, its commands are refused, since an empty answer would be
    /// taken for the truth.
    private static let domains: [String: AgentProfile.Domain] = [
        "cal": .calendar, "reminders": .calendar, "remind": .tasks, "mail": .mail, "outbox": .mail, "tasks": .tasks,
        "projects": .tasks,
        "time": .time,
        "chat": .chat, "contacts": .contacts,
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
        if let domain = path.first.flatMap({ domains[$0] }), !profile.read.contains(domain) {
            throw profile.refusal("read \(domain.noun)", rule: .read)
        }
        if forPeople.contains(where: { path.starts(with: $0) }) {
            throw HelixError(
                .notAllowed, "'helix \(name)' is for people, and the profile '\(profile.name)' may not run it",
                hint: "Ask the person for whom you work to run it.")
        }
    }

    /// Checks that no word of a command names a file in helix's own folders: a profile reads and changes them by entities
    /// alone.
    /// - Parameter folders: the folders of the store, the settings and the mail.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    static func checkPaths(_ invocation: Invocation, outside folders: [String], for profile: AgentProfile) throws {
        let own = Set(folders.compactMap(realPath))
        func isInside(_ path: String) -> Bool {
            own.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        func refuse(_ word: String) -> HelixError {
            HelixError(
                .notAllowed,
                "'\(word)' is in a folder of helix itself, which the profile '\(profile.name)' may not use",
                hint: "Name a file elsewhere.")
        }
        if let here = realPath("."), isInside(here) { throw refuse(here) }
        // A profile that may change nothing does not replace the files of a person, either.
        if profile.change.isEmpty, invocation.arguments.contains("--force") {
            throw profile.refusal("replace files (--force)", rule: .change)
        }
        // Settings of the environment name files, too, such as the signature.
        let settings = invocation.environment.filter { $0.key.hasPrefix("HELIX_") && $0.key != "HELIX_HOME" }.map(
            \.value)
        // A list takes words to search for, and no files.
        let isListing = HelixProgram.leafType(invocation.arguments)?.0 is any ListingCommand.Type
        let named = invocation.arguments.filter { !isListing || $0.hasPrefix("-") || $0.contains("/") }
        let words = named.flatMap { [$0] + $0.split(separator: "=").dropFirst().map(String.init) }
        for word in words + settings {
            var path = UserPath.expanded(word, invocation.environment)
            // A file that does not exist yet is where its folder is.
            while !path.isEmpty, path != "/", path != "." {
                if let real = realPath(path) {
                    if isInside(real) { throw refuse(word) }
                    break
                }
                path = path.contains("/") ? path.deletingLastPathComponent : "."
            }
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    /// Prepares for replacing the process with a program `helix-NAME`: what it calls works under the same profile.
    /// - Throws: ``HelixError`` of code `notAllowed` if the profile names its commands, and not this one.
    static func enter(plugin name: String, _ invocation: Invocation) throws {
        guard let agent = invocation.agent else { return }
        let configuration = try Configuration(file: Paths(environment: invocation.environment).configuration)
        let profile = try configuration.profile(agent.profile)
        if let commands = profile.commands, !commands.contains(name) {
            throw profile.refusal("run the program helix-\(name)", rule: .commands)
        }
        agent.pass()
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

    /// The run of a command; one whose changes become a proposal does not wait while it holds the store.
    /// - Throws: ``HelixError``: `notAllowed` for one that never ends, `io` if standard input cannot be read.
    fileprivate static func run(
        of command: any HelixCommand, _ invocation: Invocation, _ profile: AgentProfile
    ) throws -> () throws -> Void {
        // The server runs each command for itself, with streams in memory.
        guard profile.changes == .propose, invocation.ownsProcess, !(command is MCPServe) else {
            return { try command.run(invocation) }
        }
        if command is ChatFollow || command is ChatOpen {
            throw profile.refusal("follow a conversation, which would keep the store from others", rule: .changes)
        }
        let spool = try AgentSpool(invocation)
        return { try spool.run { try command.run($0) } }
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
    static func perform(_ command: any HelixCommand, _ given: Invocation) throws {
        var invocation = given
        invocation.lock = try given.admit(command.admission)
        guard let agent = invocation.agent else { return try command.run(invocation) }
        let configuration = try Configuration(file: Paths(environment: invocation.environment).configuration)
        let profile = try configuration.profile(agent.profile)
        try AgentGate.check(type(of: command), for: profile)
        if profile.hourly != nil, invocation.environment["HELIX_NOW"]?.isEmpty == false {
            throw profile.refusal("set HELIX_NOW, by which its changes are counted", rule: .hourly)
        }
        // Programs that it starts work under the same profile.
        if invocation.ownsProcess { agent.pass() }
        let run = try AgentGate.run(of: command, invocation, profile)
        if profile.send == .allowed { return try run() }
        // Threads that a command starts must not find the door open.
        if invocation.ownsProcess { NetworkDoor.close(AgentGate.offline(profile)) }
        try NetworkDoor.closed(AgentGate.offline(profile)) { try run() }
    }
}

extension Configuration {
    /// The profile with a name: one of the settings, or one that comes with helix.
    /// - Throws: ``HelixError`` of code `configuration` if there is none.
    func profile(_ name: String) throws -> AgentProfile {
        if let known = (profiles + AgentProfile.builtIn).first(where: { $0.name == name }) { return known }
        throw HelixError(
            .configuration, "no profile '\(name)'",
            hint: "Set what it may do: helix config set agent.\(name).read calendar,tasks. "
                + "The profiles read-only and no-send come with helix.")
    }
}
