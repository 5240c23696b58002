import ArgumentParser
import Glibc
import HelixModel
import HelixStore

extension AgentSetting {
    /// Rejects commands that do not exist: a profile with a misspelt one could run less than it seems.
    /// - Throws: ``HelixError`` of code `usage`.
    func checkCommands(_ values: [String], _ environment: [String: String]) throws {
        guard key == .commands else { return }
        for name in Configuration.words(key, values) where name != "all" {
            let words = name.split(separator: " ").map(String.init)
            if let (type, rest) = HelixProgram.leafType(words), rest.isEmpty, type.configuration.subcommands.isEmpty {
                continue
            }
            // A program of one's own.
            let folders = (environment["PATH"] ?? "").split(separator: ":")
            if words.count == 1, folders.contains(where: { access("\($0)/helix-\(name)", X_OK) == 0 }) { continue }
            throw HelixError(
                .usage, "\(self.name): '\(name)' is no command of helix, and no program helix-\(name) is on the PATH",
                hint: "Name whole commands, such as 'cal week' 'tasks list'. 'helix schema --commands' lists them.")
        }
    }

    /// Says which accounts, calendars, boards and mailboxes of a rule do not exist: there may be some later.
    /// - Throws: ``HelixError``.
    func explainUnknown(_ values: [String], in context: CommandContext) throws {
        guard [.accounts, .calendars, .boards, .mailboxes].contains(key) else { return }
        let store = try context.store()
        let known: [String] =
            switch key {
            case .accounts: try store.accounts().map(\.name)
            case .calendars: try store.calendars().map(\.name)
            case .boards: try store.boards().map(\.name)
            default: try store.mailboxes().map(\.mailbox.name)
            }
        let lower = Set(known.map { $0.lowercased() })
        let unknown = Configuration.words(key, values).filter { $0 != "all" && !lower.contains($0.lowercased()) }
        guard !unknown.isEmpty else { return }
        let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
        context.explain("None of the \(key.rawValue) is named \(names) yet.")
    }
}
