import Foundation
import TestSupport
import Testing

/// helix 0.1 kept its data and settings in folders that the Helix editor uses as well.
@Suite struct FormerFolderTests {
    /// A home of a user, without HELIX_HOME.
    private func home() throws -> HelixHome {
        let home = try HelixHome()
        home.environment["HELIX_HOME"] = nil
        home.environment["XDG_DATA_HOME"] = nil
        home.environment["XDG_CONFIG_HOME"] = nil
        return home
    }

    private func write(_ text: String, _ home: HelixHome, _ path: String) throws {
        let file = home.folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func exists(_ home: HelixHome, _ path: String) -> Bool {
        FileManager.default.fileExists(atPath: home.folder.path + "/" + path)
    }

    private static let editor =
        "theme = \"onedark\"\n[editor]\nline-number = \"relative\"\ncursor-shape.insert = \"bar\"\n"

    @Test func theEditorsFileIsNeverReadNorTouched() throws {
        let home = try home()
        try write(Self.editor, home, ".config/helix/config.toml")
        for words in [["tasks", "add", "One"], ["cal", "week"], ["config", "set", "time.clock", "12"], ["doctor"]] {
            let result = try home.run(words)
            #expect(result.status == 0, "\(words): \(result.errors)")
            #expect(!result.errors.contains("editor"), "\(result.errors)")
        }
        let text = try String(contentsOfFile: home.folder.path + "/.config/helix/config.toml", encoding: .utf8)
        #expect(text == Self.editor)
        #expect(exists(home, ".config/helix-suite/config.toml") && exists(home, ".local/share/helix-suite/helix.db"))
    }

    @Test func dataOfTheFirstVersionIsMovedOnceWithAllThatBelongsToIt() throws {
        let home = try home()
        // A home as helix 0.1 had it, made by a run that is told where its data is.
        let former = home.folder.path + "/.local/share/helix"
        home.environment["HELIX_HOME"] = former
        try home.run("tasks", "add", "Kept")
        try home.run("account", "add", "home", "maildir", former + "/mail/home", "--create")
        try write("From: a@example.org\nSubject: Mine\nMessage-ID: <1@x>\n\nText\n", home, "one.eml")
        try home.run("mail", "import", home.folder.path + "/one.eml")
        let before = try home.run("mail", "list", "--json").items().count
        home.environment["HELIX_HOME"] = nil
        try? FileManager.default.removeItem(atPath: former + "/config.toml")
        try write("[time]\nclock = \"12\"\n", home, ".config/helix/config.toml")
        let first = try home.run("tasks", "list")
        #expect(first.status == 0 && first.output.contains("Kept"), "\(first.output)\(first.errors)")
        #expect(first.errors.contains("helix-suite now") && first.errors.contains("are copied to"), "\(first.errors)")
        #expect(!exists(home, ".local/share/helix/helix.db") && exists(home, ".config/helix/config.toml"))
        let second = try home.run("mail", "list", "--json")
        let after = try second.items().count
        #expect(second.errors.isEmpty && after == before && before == 1, "\(second.errors)")
        #expect(try home.run("account", "list", "--json").output.contains("helix-suite"))
        #expect(try home.run("config", "get", "time.clock").output == "12\n")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func anUnknownSettingIsAWarningWithTheNearestName() throws {
        let home = try HelixHome()
        try write("[calendar]\nhuors = \"9-17\"\n[time]\nclock = \"12\"\n", home, "home/config.toml")
        let result = try home.run("tasks", "list")
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.errors.contains("line 2: unknown setting 'calendar.huors'; did you mean 'calendar.hours'?"),
            "\(result.errors)")
        #expect(try home.run("config", "set", "time.clock", "24").status == 0)
        #expect(try home.run("config", "get", "time.clock").output == "24\n")
    }

    @Test func aSettingOfTheEnvironmentHoldsForOneRun() throws {
        let home = try HelixHome()
        home.environment["HELIX_CALENDAR_HOURS"] = "7-12"
        #expect(try home.run("config", "get", "calendar.hours").output == "7-12\n")
        home.environment["HELIX_CALENDAR_HOURS"] = "nonsense"
        let bad = try home.run("tasks", "list")
        #expect(bad.status == 78 && bad.errors.contains("HELIX_CALENDAR_HOURS takes hours"), "\(bad.errors)")
        home.environment["HELIX_CALENDAR_HOURS"] = nil
        #expect(try home.run("config", "get", "calendar.hours").output == "9-17\n")
    }

    @Test func aSettingIsChangedWithItsCommentAndItsLink() throws {
        let home = try HelixHome()
        try write("# mine\n[time]\nclock = \"24\" # as at work\n", home, "dotfiles/config.toml")
        try FileManager.default.createDirectory(
            atPath: home.folder.path + "/home", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: home.folder.path + "/home/config.toml",
            withDestinationPath: home.folder.path + "/dotfiles/config.toml")
        #expect(try home.run("config", "set", "time.clock", "12").status == 0)
        let text = try String(contentsOfFile: home.folder.path + "/dotfiles/config.toml", encoding: .utf8)
        #expect(text == "# mine\n[time]\nclock = \"12\"  # as at work\n", "\(text)")
    }

    @Test func coloursFollowTheVariablesOfOtherPrograms() throws {
        let home = try HelixHome()
        try home.run("tasks", "add", "Late due:yesterday")
        func hasColor(_ variables: [String: String]) throws -> Bool {
            for (name, value) in variables { home.environment[name] = value }
            defer { for name in variables.keys { home.environment[name] = nil } }
            return try home.run("tasks", "list").output.contains("\u{1b}[")
        }
        #expect(try !hasColor([:]))
        #expect(try hasColor(["CLICOLOR_FORCE": "1"]))
        #expect(try hasColor(["FORCE_COLOR": "1"]))
        #expect(try !hasColor(["FORCE_COLOR": "1", "NO_COLOR": "1"]))
        #expect(try !hasColor(["CLICOLOR_FORCE": "0"]))
    }
}
