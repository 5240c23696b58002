import Foundation
import TestSupport
import Testing

/// Files, rows, words and journal agree at the end, whoever changed a Maildir at the same time.
@Suite struct MailModelTests {
    /// The places of all files, `mailbox base`, and the subjects in them.
    private func files(_ maildir: TestMaildir) throws -> [(place: String, subject: String)] {
        try [("INBOX", ""), ("Old", ".Old"), ("Work", ".Work"), ("Drafts", ".Drafts"), ("Archive", ".Archive")].flatMap
        {
            name, folder in
            try ["cur", "new"].flatMap { part -> [(String, String)] in
                let path = "\(maildir.path)/\(folder)/\(part)"
                return try ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).map { file in
                    let text = try String(contentsOfFile: path + "/" + file, encoding: .utf8)
                    let subject = text.split(separator: "\n").first { $0.hasPrefix("Subject: ") } ?? ""
                    return (
                        name + " " + (file.components(separatedBy: ":2,").first ?? ""), String(subject.dropFirst(9))
                    )
                }
            }
        }
    }

    private func rows(_ home: HelixHome) throws -> [(place: String, subject: String)] {
        let script = """
            import sqlite3
            c = sqlite3.connect('\(home.store)')
            for row in c.execute('''SELECT b.name, m.file, m.subject FROM message m JOIN mailbox b ON b.n = m.mailbox
                    WHERE b.role IS NOT 'deleted' '''):
                print(row[0] + ' ' + row[1] + '\\t' + row[2])
            """
        let result = try home.run(program: "/usr/bin/python3", ["-c", script])
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1]))
        }
    }

    @Test(arguments: Corpora.isThorough ? [1, 2, 3] : [1]) func threeProcessesAtRandom(_ seed: Int) throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        for box in [".Old", ".Work"] { try maildir.make(box) }
        for number in 0..<30 { try maildir.deliver(mail("model base \(number)", id: "b\(number)@x"), flags: "") }
        try home.run("config", "set", "user.email", "me@example.org")
        try home.run("account", "add", "home", "maildir", maildir.path)
        let steps = Corpora.isThorough ? 1700 : 60
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/mail_model.py").path
        let shell = """
            for k in helix index other; do
                python3 '\(script)' "$0" "$1" $((\(seed) * 10)) \(steps) $k 2>errors-$k || echo failed-$k >>failures &
            done
            python3 '\(script)' "$0" "$1" $((\(seed) * 10 + 1)) \(steps / 2) helix 2>errors-helix2 || echo failed-helix2 >>failures &
            wait; cat errors-*; test ! -e failures
            """
        let run = try home.run(program: "/bin/bash", ["-c", shell, HelixHome.binary.path, maildir.path])
        #expect(run.status == 0, "\(run.output.suffix(2000))")
        // One of many undos may have taken the account away.
        _ = try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(try home.run("mail", "index").status == 0)
        let (files, rows) = (try files(maildir), try rows(home))
        #expect(files.map(\.place).sorted() == rows.map(\.place).sorted())
        #expect(files.map(\.subject).sorted() == rows.map(\.subject).sorted())
        let doctor = try home.run("doctor")
        #expect(doctor.status == 0, "\(doctor.output)")
        // Words find each message once.
        let listed = try home.run("mail", "search", "run", "subject:model", "--ids").output.split(separator: "\n")
        #expect(listed.count == files.count)
        #expect(Set(listed).count == listed.count)
        // The journal's changes can be undone or is refused; nothing breaks.
        for _ in 0..<10 { #expect([0, 66, 80].contains(try home.run("undo").status)) }
        try home.run("mail", "index")
        #expect(try home.run("doctor").status == 0)
    }
}
