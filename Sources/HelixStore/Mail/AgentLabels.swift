import HelixModel
import HelixSQLite

/// A label of a message that an agent set, or an assistant.
public struct AgentLabel: Hashable, Sendable {
    /// The label.
    public var label: String
    /// The name of the agent.
    public var agent: String
}

extension Store {
    /// The labels of a message that agents set, as the history tells; one that a person set since is the person's.
    /// - Throws: ``HelixError``.
    public func agentLabels(of message: EmailMessage) throws -> [AgentLabel] {
        if message.labels.isEmpty { return [] }
        let rows = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT s.actor, s.actor_name, c.before, c.after FROM change c JOIN change_set s ON s.n = c.change_set
                    WHERE c.entity = ? AND c.operation = 'update' ORDER BY c.change_set, c.ordinal
                    """, arguments: [message.id.text])
        }
        var agents: [String: String] = [:]
        for row in rows {
            let (before, after) = (try Store.labels(row["before"]), try Store.labels(row["after"]))
            let (actor, name): (String?, String?) = (try row["actor"], try row["actor_name"])
            let isAgents = actor == ChangeActor.Kind.agent.rawValue
            for label in after.subtracting(before) { agents[label] = isAgents ? name ?? "agent" : nil }
        }
        return message.labels.compactMap { label in agents[label].map { AgentLabel(label: label, agent: $0) } }
    }

    private static func labels(_ json: String?) throws -> Set<String> {
        guard let json, case .string(let text)? = try JournalFields(json: json).values["labels"] else { return [] }
        return Set(text.split(separator: " ").map(String.init))
    }
}
