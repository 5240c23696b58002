import Glibc
import HelixCrypto
import HelixModel
import HelixSystem

/// The agent for which a run of helix works, and its run: from `--as NAME`, `HELIX_AS`, or a process above this one that was
/// started with it.
struct AgentEntry: Hashable, Sendable {
    /// The name of the profile.
    let profile: String
    /// The run: `HELIX_RUN`, or a word for the agent's process.
    let run: String

    /// The variable with the name of a profile.
    static let variable = "HELIX_AS"
    /// The variable with the name of a run.
    static let runVariable = "HELIX_RUN"
    private static let option = "--as"

    /// An invocation without `--as NAME`, with the agent that it works for.
    ///
    /// - Throws: ``HelixError`` of code `notAllowed` if that would leave the profile of a process above, `usage` for an
    ///   invalid name.
    static func entered(_ given: Invocation) throws -> Invocation {
        var invocation = given
        var asked: String?
        if let first = invocation.arguments.first, first == option || first.hasPrefix(option + "=") {
            if first == option {
                guard invocation.arguments.count > 1 else {
                    throw HelixError(
                        .usage, "--as needs the name of a profile", hint: "Example: helix --as read-only today")
                }
                asked = invocation.arguments[1]
                invocation.arguments.removeFirst(2)
            } else {
                asked = String(first.dropFirst(option.count + 1))
                invocation.arguments.removeFirst()
            }
        }
        let inherited = invocation.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        // Only a process of its own has ancestors that started it.
        let above = invocation.ownsProcess ? ProcessAncestry.ancestors(with: variable) : []
        // The outermost decides: nobody below it can leave its profile.
        guard let name = above.last?.value ?? inherited ?? asked else { return invocation }
        for other in [inherited, asked] + above.map({ Optional($0.value) }) {
            if let other, other != name {
                throw HelixError(
                    .notAllowed, "this process works under the profile '\(name)' and cannot take '\(other)'",
                    hint: "A profile cannot be left or changed from within.")
            }
        }
        guard AgentProfile.isName(name) else {
            throw HelixError(
                .usage, "'\(name)' cannot be the name of a profile",
                hint: "Use small letters, digits, '-' and '_'. 'helix config list' shows the profiles.")
        }
        invocation.agent = AgentEntry(profile: name, run: try run(invocation, above.last))
        return invocation
    }

    /// Passes the profile and the run to the programs that this process starts.
    func pass() {
        setenv(AgentEntry.variable, profile, 1)
        setenv(AgentEntry.runVariable, run, 1)
    }

    /// The run of an agent.
    private static func run(_ invocation: Invocation, _ process: AncestorProcess?) throws -> String {
        if let named = invocation.environment[runVariable], !named.isEmpty {
            guard named.utf8.count <= 64, named.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw HelixError(
                    .usage, "\(runVariable) must have at most 64 printable ASCII characters without blanks")
            }
            return named
        }
        guard let (id, start) = process.map({ ($0.id, $0.start) }) ?? ProcessAncestry.parent else { return "unknown" }
        // All commands of one process belong to one run.
        return String(EntityID(digest: SHA256.hash(Array("\(id) \(start)".utf8))).text.prefix(8))
    }
}
