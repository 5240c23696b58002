import Foundation
import TestSupport
import Testing

/// Mail from people who mean no good.
@Suite struct HostileMailTests {
    private func indexed(_ messages: [Data]) throws -> (HelixHome, TestMaildir) {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        for message in messages { try maildir.deliver(bytes: message) }
        let result = try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(result.status == 0, "\(result.errors)")
        return (home, maildir)
    }

    @Test func nothingReachesTheTerminalThatSteersIt() throws {
        let evil = "\u{1B}[2J\u{1B}]0;owned\u{07} \u{202E}gnp.exe\u{2066} \u{9B}31m"
        let (home, _) = try indexed([
            Data(
                mail(
                    "=?utf-8?Q?=1B[31mred=1B[0m_=E2=80=AEevil?=", id: "a@x", from: "\"\(evil)\" <a@x.org>",
                    headers: [
                        "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b", "X-Evil: \(evil)",
                    ],
                    body: "--b\nContent-Type: text/plain; charset=utf-8\n\n\(evil)\n--b\n"
                        + "Content-Disposition: attachment; filename=\"\(evil).txt\"\n\nx\n--b--\n"
                ).utf8)
        ])
        let id = try #require(try home.run("mail", "list", "--json").items().first?["id"] as? String)
        for words in [
            ["list"], ["list", "--threads"], ["search", "evil"], ["read", id, "--headers"], ["read", id],
            ["thread", id],
            ["attachments", "list", id], ["mark", "starred", id],
        ] {
            let result = try home.run(["mail"] + words + ["--color", "never"])
            for text in [result.output, result.errors] {
                #expect(
                    !text.unicodeScalars.contains { scalar in
                        (scalar.value < 0x20 && scalar != "\n") || (0x7F...0x9F).contains(scalar.value)
                            || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
                    }, "\(words)")
            }
        }
    }

    @Test func attachmentsAreSavedInTheFolderAndNowhereElse() throws {
        func part(_ name: String) -> String {
            "--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename=\"\(name)\"\n\nsaved\n"
        }
        let names = [
            "../../evil.txt", "/etc/passwd", "..\\\\..\\\\win.ini", ".bashrc", "-rf", "a/b/c.txt", "", "c.txt",
        ]
        let (home, _) = try indexed([
            Data(
                mail(
                    "Files", id: "a@x", headers: ["MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b"],
                    body: names.map(part).joined() + "--b--\n"
                ).utf8)
        ])
        let id = try #require(try home.run("mail", "list", "--json").items().first?["id"] as? String)
        let folder = home.folder.appendingPathComponent("out")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let before = Set(try FileManager.default.contentsOfDirectory(atPath: home.folder.path))
        let saved = try home.run("mail", "attachments", "save", id, "--to", folder.path)
        #expect(saved.status == 0, "\(saved.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.count == names.count, "\(files)")
        #expect(files.allSatisfy { !$0.hasPrefix(".") && !$0.hasPrefix("-") })
        let opened = try home.run("mail", "attachments", "open", id, "2", "--with", "cat")
        #expect(opened.status == 0 && opened.output.contains("saved"))
        #expect(try home.run("mail", "attachments", "open", id).status == 64, "which?")
        let after = Set(try FileManager.default.contentsOfDirectory(atPath: home.folder.path))
        #expect(after.subtracting(before).allSatisfy { $0.hasPrefix("out-") || $0.hasPrefix("err-") })
        #expect(
            try home.run("mail", "attachments", "save", id, "--to", folder.path).status == 73, "nothing is overwritten")
        // Nor is a link followed.
        let target = home.folder.appendingPathComponent("precious")
        try Data("keep".utf8).write(to: target)
        let link = folder.appendingPathComponent("c.txt")
        try? FileManager.default.removeItem(at: link)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let number = "\(names.count + 1)"
        #expect(try home.run("mail", "attachments", "save", id, number, "--to", folder.path, "--force").status != 0)
        #expect(try String(contentsOf: target, encoding: .utf8) == "keep")
    }

    @Test func monstersAreReadAsFarAsTheyGo() throws {
        let nested = (0..<10_000).map { "Content-Type: multipart/mixed; boundary=\"b\($0)\"\n\n--b\($0)\n" }.joined()
        let manyHeaders = (0..<200_000).map { "X-H\($0): v\n" }.joined()
        let noBreak = String(repeating: "x", count: 10_000_000)
        let messages: [Data] = [
            Data("Subject: nested\nMIME-Version: 1.0\n\(nested)\nhello\n".utf8),
            Data("Subject: heads\n\(manyHeaders)\nhello\n".utf8),
            Data("Subject: line\n\n\(noBreak)\n".utf8),
            Data("Subject: nul\n\na\0b\0c\n".utf8) + Data([0xFF, 0xFE, 0x00, 0x80]),
            Data("Subject: html\nContent-Type: text/html\n\n".utf8)
                + Data(String(repeating: "<div><table><tr><td>", count: 20_000).utf8),
            Data((0..<5000).map { _ in UInt8.random(in: 0...255) }),
            Data("From nobody Thu Jan  1 00:00:00 1970\nSubject: from line\n\nx\n".utf8),
            Data("Subject: endless\nContent-Type: multipart/mixed; boundary=\"\"\n\n--\n--\n--\n".utf8),
        ]
        let (home, _) = try indexed(messages)
        let items = try home.run("mail", "list", "--json").items()
        #expect(items.count == messages.count)
        for item in items {
            let id = try #require(item["id"] as? String)
            let read = try home.run("mail", "read", id)
            #expect(read.status == 0, "\(item["subject"] ?? ""): \(read.errors)")
        }
        #expect(try home.run("mail", "search", "from", "line", "--count").output == "1\n")
    }

    @Test func aLargeMessageTakesNoMemory() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        let file = try maildir.deliver(
            "Subject: big\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n"
                + "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n\n")
        let handle = try #require(FileHandle(forWritingAtPath: file))
        try handle.seekToEnd()
        let line = Data((String(repeating: "QUJD", count: 19) + "\n").utf8)
        let block = Data((0..<10_000).flatMap { _ in line })
        for _ in 0..<260 { try handle.write(contentsOf: block) }
        try handle.write(contentsOf: Data("--b--\n".utf8))
        try handle.close()
        // Room for the program and its libraries, which take less than 150 MB, and not for 200 MB of message.
        let limited = try home.run(
            program: "/bin/sh",
            ["-c", "ulimit -v 300000; \"$0\" account add home maildir \"$1\"", HelixHome.binary.path, maildir.path])
        #expect(limited.status == 0, "\(limited.errors)")
        #expect(try home.run("mail", "list", "has:attachment", "--json").items().count == 1)
    }

    @Test func filesThatCannotBeReadStandInTheWayOfNothing() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Fine", id: "a@x"))
        try FileManager.default.createSymbolicLink(
            atPath: maildir.path + "/cur/1700000000.M9.x:2,", withDestinationPath: "/nonexistent")
        try FileManager.default.createDirectory(
            atPath: maildir.path + "/cur/1700000001.M9.x:2,", withIntermediateDirectories: false)
        let added = try home.run("account", "add", "home", "maildir", maildir.path)
        #expect(added.status == 0 && added.output.contains("1 new"))
        #expect(try home.run("mail", "list", "--json").items().count == 1)
        // Another account is looked at all the same.
        let other = try TestMaildir(home, name: "Other")
        try home.run("account", "add", "other", "maildir", other.path)
        // The folder goes away for a while: what is known stays, and is said to be old.
        try FileManager.default.moveItem(atPath: maildir.path, toPath: maildir.path + "-away")
        let away = try home.run("mail", "list")
        #expect(away.status == 0 && away.output.contains("Fine") && away.errors.contains("Not up to date"))
        try other.deliver(mail("Elsewhere", id: "e@x"))
        #expect(try home.run("mail", "list").output.contains("Elsewhere"))
        try FileManager.default.moveItem(atPath: maildir.path + "-away", toPath: maildir.path)
        #expect(try home.run("mail", "list", "--json").items().count == 2)
    }

    @Test func killedWhileIndexingItGoesOnWhereItStopped() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        for number in 0..<6000 { try maildir.deliver(mail("Number \(number)", id: "\(number)@x"), flags: "S") }
        var counts: [Int] = []
        for (delay, words) in [
            ("0.4", ["account", "add", "home", "maildir", maildir.path]), ("0.8", ["mail", "index"]),
            ("1.2", ["mail", "index"]),
        ] {
            _ = try home.run(
                program: "/usr/bin/timeout", ["-s", "KILL", delay, HelixHome.binary.path] + words)
            let known = try home.run("mail", "search", "number", "--count", "--no-index").output
            counts.append(Int(known.trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1)
            #expect(try home.run("doctor").status == 0)
        }
        #expect(counts.first ?? 6000 < 6000, "it was killed in the middle: \(counts)")
        #expect(counts == counts.sorted(), "nothing is lost: \(counts)")
        // On a busy machine, the first command may have been killed before it added the account.
        if try home.run("account", "list", "--json").items().isEmpty {
            #expect(try home.run("account", "add", "home", "maildir", maildir.path).status == 0)
        }
        #expect(try home.run("mail", "index").status == 0)
        let found = try home.run("mail", "search", "number", "--count")
        #expect(found.output == "6000\n", "\(found.errors)")
    }

    @Test func aPipeInAMailboxHoldsNobodyUp() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Fine", id: "f@x"))
        mkfifo(maildir.path + "/cur/pipe:2,S", 0o600)
        let added = try home.run(
            program: "/usr/bin/timeout",
            ["20", HelixHome.binary.path, "account", "add", "home", "maildir", maildir.path])
        #expect(added.status == 0 && added.output.contains("1 new") && added.output.contains("pipe"))
    }

    @Test func importStaysInItsFolderAndEndsOnWhatHasNoEnd() throws {
        let home = try HelixHome()
        let file = try home.write(mail("One", id: "1@x"), to: "one.eml")
        for name in ["../../esc", "..", "a/b", ".hidden", "x y"] {
            #expect(try home.run("mail", "import", file, "--account", name).status == 64, "\(name)")
        }
        #expect(!FileManager.default.fileExists(atPath: home.folder.path + "/esc"))
        #expect(try home.run("mail", "import", "/dev/zero").output.contains("not a regular file"))
        let endless = try home.run(
            program: "/bin/sh", ["-c", "head -c 400000000 /dev/zero | \"$0\" mail import -", HelixHome.binary.path])
        #expect(endless.status == 65)
    }

    @Test func aMailboxThatMayNotBeWrittenCanBeRead() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("One", id: "1@x", body: "Text of it\n"))
        try home.run("account", "add", "home", "maildir", maildir.path)
        let id = try #require(try home.run("mail", "list", "--json").items().first?["id"] as? String)
        // Nobody is let in there, not even root: a folder stands where the file would go.
        try FileManager.default.removeItem(atPath: maildir.path + "/cur")
        try Data().write(to: URL(fileURLWithPath: maildir.path + "/cur"))
        let read = try home.run("mail", "read", id, "--no-index")
        #expect(read.status == 0 && read.output.contains("Text of it"), "\(read.errors)")
    }
}
