import HelixGateway
import HelixModel

/// The rights of an agent's token: the domains that it may read, and those that it may change. They are kept among the scopes of
/// its device, in words that are no scopes of the WebSocket protocol.
struct AgentAccess: Sendable {
    /// The domains that it may read.
    let read: Set<AgentProfile.Domain>
    /// The domains that it may change.
    let change: Set<AgentProfile.Domain>

    /// The platform of a device that is an agent.
    static let platform = "mcp"

    /// - Parameter scopes: the scopes of its device.
    init(scopes: [String]) {
        func domains(_ verb: String) -> Set<AgentProfile.Domain> {
            Set(
                scopes.compactMap {
                    $0.hasPrefix(verb) ? AgentProfile.Domain(rawValue: String($0.dropFirst(verb.count))) : nil
                })
        }
        change = domains(Self.changes)
        // A domain that may be changed can be read: otherwise an agent could not see its own changes.
        read = domains(Self.reads).union(change)
    }

    /// The prefixes of its scopes.
    private static let (reads, changes) = ("read.", "change.")

    /// The scopes of a device with these rights.
    static func scopes(read: Set<AgentProfile.Domain>, change: Set<AgentProfile.Domain>) -> [String] {
        AgentProfile.Domain.allCases.flatMap { domain in
            (read.contains(domain) || change.contains(domain) ? [reads + domain.rawValue] : [])
                + (change.contains(domain) ? [changes + domain.rawValue] : [])
        }
    }

    /// The rights of its session: those that the methods behind the tools need.
    var scopes: Set<GatewayProtocol.Scope> { change.isEmpty ? [.read] : [.read, .write] }

    /// Whether it may use a tool.
    func allows(_ tool: AgentTool) -> Bool { (tool.effect == .reads ? read : change).contains(tool.domain) }
}
