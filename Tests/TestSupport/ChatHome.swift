import Foundation

/// What tests of chat ask again and again.
extension HelixHome {
    /// The words of a conversation, the oldest first.
    public func words(of name: String) throws -> [String] {
        try run("chat", "show", name, "--limit", "1000", "--json").items().map { $0["content"] as? String ?? "?" }
    }

    /// How far the messages of a conversation have come.
    public func states(of name: String) throws -> [String] {
        try run("chat", "show", name, "--limit", "1000", "--json").items().map { $0["state"] as? String ?? "?" }
    }

    /// Syncs homes one after the other; each must be able to.
    public static func sync(_ homes: HelixHome...) throws {
        for home in homes {
            let run = try home.run("sync")
            if run.status != 0 { throw OracleFailure(message: "sync: \(run.output)\(run.errors)") }
        }
    }
}
