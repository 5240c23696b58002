import Foundation
import TestSupport
import Testing

/// `config set` changes one line of the file, whatever form people gave it, and leaves the rest as it is.
@Suite struct SettingsFileTests {
    private func file(_ home: HelixHome) throws -> String {
        try home.run("config", "path").output.trimmingCharacters(in: .newlines)
    }

    private func change(_ text: String, _ words: String...) throws -> (text: String, status: Int32) {
        let home = try HelixHome()
        let path = try file(home)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let status = try home.run(["config"] + words).status
        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(rights == 0o640)
        return (try String(contentsOfFile: path, encoding: .utf8), status)
    }

    @Test(arguments: [
        ("[calendar] # mine\ndays = \"mon\" # few\n", "[calendar] # mine\ndays = \"mon-fri\"  # few\n"),
        ("[ \"calendar\" ]\n\"days\" = \"mon\"\n", "[ \"calendar\" ]\n\"days\" = \"mon-fri\"\n"),
        ("calendar.days = \"mon\"\n[user]\nname = \"a\"\n", "calendar.days = \"mon-fri\"\n[user]\nname = \"a\"\n"),
        ("[user]\nname = \"a # b\"\n", "[user]\nname = \"a # b\"\n\n[calendar]\ndays = \"mon-fri\"\n"),
        // A value that stops every other command is put right.
        ("[calendar]\ndays = 7\n", "[calendar]\ndays = \"mon-fri\"\n"),
    ])
    func oneLineChanges(_ text: String, _ expected: String) throws {
        let result = try change(text, "set", "calendar.days", "mon-fri")
        #expect(result.status == 0)
        #expect(result.text == expected)
    }

    @Test func aListOfSeveralLinesIsReplacedWhole() throws {
        let result = try change("[user]\nemail = [\n \"a@b.c\", # one\n]\nname = \"x\"\n", "set", "user.email", "q@r.s")
        #expect(result.text == "[user]\nemail = [\"q@r.s\"]\nname = \"x\"\n")
    }

    @Test func aFileThatCannotBeUnderstoodStays() throws {
        for text in ["[calendar\ndays = \"mon\"\n", "calendar = { days = \"mon\" }\n", "[user]\nname = []\n"] {
            let result = try change(text, "set", "calendar.days", "mon-fri")
            #expect(result.status == 78 && result.text == text, "\(result.text)")
        }
    }

    @Test func aLinkToAFileThatIsNotThereYetStaysALink() throws {
        let home = try HelixHome()
        let path = try file(home)
        let folder = (path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "kept.toml")
        try home.run("config", "set", "calendar.days", "mon")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "kept.toml")
        #expect(try String(contentsOfFile: folder + "/kept.toml", encoding: .utf8).contains("days = \"mon\""))
    }

    @Test func aMistypedSettingNamesTheNearest() throws {
        let result = try HelixHome().run("config", "set", "calendar.dayz", "mon")
        #expect(result.status == 64 && result.errors.contains("calendar.days"))
    }

    @Test func aSectionWithoutSettingsGoes() throws {
        let home = try HelixHome()
        let path = try home.run("config", "path").output.trimmingCharacters(in: .whitespacesAndNewlines)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        func file() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
        try "# mine\n[user]\nname = \"Ana\"\n\n[calendar]\ndays = 3\n\n[mail]\n# keep\nsign = true\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(try home.run("config", "unset", "calendar.days").status == 0)
        #expect(try file() == "# mine\n[user]\nname = \"Ana\"\n\n[mail]\n# keep\nsign = true\n")
        // A comment keeps its section.
        #expect(try home.run("config", "unset", "mail.sign").status == 0)
        #expect(try file().contains("[mail]\n# keep"))
        #expect(try home.run("config", "unset", "user.name").status == 0)
        #expect(try file() == "# mine\n\n[mail]\n# keep\n")
    }

    @Test func nounsWithoutAWordListWhatThereIs() throws {
        let home = try HelixHome()
        try home.run("projects", "add", "house")
        #expect(try home.run("projects").output.contains("house"))
        #expect(try home.run("account", "--json").json()["schema"] as? String == "helix.account.list/1")
        #expect(try home.run("config").output.contains("mail.send"))
        #expect(try home.run("projects", "--help").output.contains("SUBCOMMANDS"))
        let edit = try home.run("config", "edit")
        #expect(edit.status == 64 && edit.errors.contains("config set"), "\(edit)")
    }
}
