import HelixModel

/// A resource of the MCP server: something of the store with an address.
struct MCPResource: Sendable {
    /// The address, or its template with `{id}`.
    let uri: String
    /// The name.
    let name: String
    /// The purpose.
    let summary: String
    /// The command that prints it.
    let command: [String]
    /// The command that lists what a template has; empty without one.
    var list: [String] = []
    /// The domain that a profile must read.
    let domain: AgentProfile.Domain?

    /// The resources with fixed addresses.
    static let fixed = [
        MCPResource(
            uri: "helix://today", name: "today", summary: "The day at a glance.", command: ["today"], domain: nil),
        MCPResource(
            uri: "helix://inbox", name: "inbox", summary: "The newest messages.", command: ["mail", "inbox"],
            domain: .mail),
        MCPResource(
            uri: "helix://week", name: "week", summary: "The events of this week.", command: ["cal", "week"],
            domain: .calendar),
        MCPResource(
            uri: "helix://tasks/next", name: "next tasks", summary: "The most urgent tasks.",
            command: ["tasks", "next"],
            domain: .tasks),
    ]

    /// The resources of single items.
    static let templates = [
        MCPResource(
            uri: "helix://event/{id}", name: "event", summary: "An event.", command: ["show"],
            list: ["cal", "agenda", "--days", "60"], domain: .calendar),
        MCPResource(
            uri: "helix://task/{id}", name: "task", summary: "A task.", command: ["show"], list: ["tasks", "list"],
            domain: .tasks),
        MCPResource(
            uri: "helix://mail/{id}", name: "mail", summary: "A message with its text.", command: ["mail", "read"],
            list: ["mail", "list"], domain: .mail),
    ]

    /// All resources.
    static var all: [MCPResource] { fixed + templates }

    /// Whether a profile may read it.
    func isOffered(to profile: AgentProfile) -> Bool {
        if let commands = profile.commands, !commands.contains(command.joined(separator: " ")) { return false }
        return domain.map(profile.read.contains) ?? true
    }

    /// Its description.
    var described: JSONText {
        [
            uri.hasSuffix("{id}") ? "uriTemplate" : "uri": .string(uri), "name": .string(name),
            "description": .string(summary), "mimeType": "application/json",
        ]
    }

    /// The id in an address of this resource: empty for one without an id, nil for another address.
    func id(in address: String) -> String? {
        guard uri.hasSuffix("{id}") else { return address == uri ? "" : nil }
        let head = uri.dropLast("{id}".count)
        guard address.hasPrefix(head) else { return nil }
        let id = String(address.dropFirst(head.count))
        return !id.isEmpty && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } ? id : nil
    }
}
