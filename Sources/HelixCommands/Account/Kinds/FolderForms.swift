import FoundationEssentials
import HelixModel
import HelixStore
import HelixSystem

/// A mail folder of this machine.
struct MaildirForm: AccountForm {
    var choice: String? { "a mail folder on this machine (Maildir)" }

    func prepare(_ plan: inout AccountPlan, _ name: String, _ context: CommandContext) throws {
        try plan.prepareMaildir(name, context)
    }

    func ask(_ wizard: inout AccountWizard) throws {
        try wizard.askFolder("Folder of your mail", usual: ["~/Maildir", "~/Mail", "~/.mail"])
    }
}

/// A folder of calendars on this machine.
struct FolderForm: AccountForm {
    var choice: String? {
        "a folder of calendars or contacts on this machine, as khal, khard and vdirsyncer use (vdir)"
    }

    func prepare(_ plan: inout AccountPlan, _ name: String, _ context: CommandContext) throws {
        try plan.prepareFolder(name, context)
    }

    func ask(_ wizard: inout AccountWizard) throws {
        try wizard.askFolder(
            "Folder of your calendars", usual: ["~/.calendars", "~/.local/share/calendars", "~/.calendar"])
    }
}

extension AccountPlan {
    fileprivate mutating func prepareMaildir(_ name: String, _ context: CommandContext) throws {
        guard let given = path else {
            throw HelixError(.usage, "no Maildir folder given", hint: "Use helix account add \(name) maildir ~/Mail")
        }
        guard servers.isForSending, syncing.isEmpty else {
            throw HelixError(
                .usage, "a Maildir has no server for reading mail", hint: "Use helix account add \(name) imap …")
        }
        try servers.apply(to: &settings, in: context)
        let folder = try AccountPlan.folder(given, context, "Give the folder of your Maildir.")
        guard try Store.hasMailbox(below: folder) else {
            throw HelixError(
                .notFound, "no Maildir in \(folder)",
                hint: "Give a folder with a mailbox in it or below it: a folder with cur, new and tmp.")
        }
        path = folder
    }

    fileprivate mutating func prepareFolder(_ name: String, _ context: CommandContext) throws {
        guard let given = path, servers.isEmpty else {
            throw HelixError(
                .usage, "a vdir needs a folder, and no servers",
                hint: "Use helix account add \(name) vdir ~/.calendars")
        }
        path = try AccountPlan.folder(given, context, "Give the folder of your calendars.")
        try syncing.apply(to: &settings, of: .vdir)
    }
}

extension AccountWizard {
    fileprivate mutating func askFolder(_ question: String, usual: [String]) throws {
        if plan.path != nil { return }
        let there = usual.first { FileManager.default.fileExists(atPath: UserPath.expanded($0, context.environment)) }
        plan.path = try ask(question, usual: there) { text in
            var isFolder = false
            let path = UserPath.expanded(text, context.environment)
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
                ? nil : "No such folder."
        }
    }
}
