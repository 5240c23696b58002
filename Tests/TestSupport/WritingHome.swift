import Foundation

/// What tests of writing share.
extension HelixHome {
    /// A home of somebody with two addresses.
    public static func writing() throws -> HelixHome {
        let home = try HelixHome()
        let folder = home.folder.path + "/home"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let settings = "[user]\nemail = [\"me@example.org\", \"me@work.example\"]\nname = \"Zoë Müller\"\n"
        try Data(settings.utf8).write(to: URL(fileURLWithPath: folder + "/config.toml"))
        return home
    }

    /// Sets an editor that does what a shell script says with the file `$1`.
    public func editor(_ script: String) throws {
        let path = try write("#!/bin/bash\n" + script + "\n", to: "editor.sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        environment["EDITOR"] = path
    }

    /// An account with one message.
    public func account(_ message: String) throws -> (maildir: TestMaildir, id: String) {
        let maildir = try TestMaildir(self)
        try maildir.deliver(message)
        try run("account", "add", "home", "maildir", maildir.path)
        return (maildir, try HelixHome.ids(run("mail", "list", "--json")).first ?? "")
    }

    /// The ids of a report.
    public static func ids(_ result: Result) throws -> [String] {
        try result.items().compactMap { $0["id"] as? String }
    }

    /// What Python's email package and notmuch read in what waits, by Message-ID.
    public func readByOthers() throws -> [String: [String: Any]] {
        let maildir = try TestMaildir(self, name: "Read")
        for id in try HelixHome.ids(run("outbox", "list", "--json")) {
            try maildir.deliver(run("outbox", "show", id, "--raw").output, flags: "S")
        }
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/read_mail.py").path
        let read = try run(program: "/usr/bin/env", ["python3", script, maildir.path])
        guard read.status == 0 else { throw OracleFailure(message: read.errors) }
        var found: [String: [String: Any]] = [:]
        for line in read.output.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            found[object["id"] as? String ?? ""] = object
        }
        return found
    }
}

/// Another program could not read what was to be compared.
public struct OracleFailure: Error {
    /// What it said.
    public let message: String

    /// A failure in its words.
    public init(message: String) { self.message = message }
}
