import Foundation
import TestSupport
import Testing

/// What is said to servers can be recorded for a report of a bug, without passwords and without the text of messages.
@Suite struct TraceTests {
    @Test func theConversationWithAMailServerIsRecordedWithoutSecrets() throws {
        let site = try ServerHabitTests.Site("")
        site.home.environment["HELIX_TRACE"] = "imap"
        let result = try site.home.run("sync")
        #expect(result.status == 0)
        #expect(result.errors.contains("imap ") && result.errors.contains("> h1 "), "\(result.errors.prefix(500))")
        #expect(result.errors.contains("< ") && result.errors.contains("SELECT"))
        #expect(!result.errors.contains("secret") && !result.errors.contains("Text of M0"), "\(result.errors)")
        // What comes out is the same.
        #expect(result.output.contains("fetched 5 in INBOX"))
    }

    @Test func theConversationWithACalendarServerGoesToAFile() throws {
        let site = try CalendarServerHabitTests.Site("")
        let file = site.home.folder.path + "/trace.txt"
        site.home.environment["HELIX_TRACE"] = "dav,sql"
        site.home.environment["HELIX_TRACE_FILE"] = file
        let result = try site.home.run("sync")
        #expect(result.status == 0 && !result.errors.contains("dav"))
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("> PROPFIND ") && text.contains("< 207 ") && text.contains("sql "))
        #expect(text.contains("SELECT "))
        for word in ["secret", Data("ana:secret".utf8).base64EncodedString(), "Authorization"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(
            try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test func verboseAndQuietAreOpposites() throws {
        let site = try CalendarServerHabitTests.Site("")
        let home = site.home
        let loud = try home.run("sync", "--verbose")
        #expect(loud.errors.contains("dav ") && loud.output.contains("fetched"))
        let still = try home.run("sync", "--quiet")
        #expect(still.status == 0 && still.output.isEmpty && still.errors.isEmpty)
        #expect(try home.run("tasks", "add", "Milk", "--quiet").output.isEmpty)
        #expect(try home.run("tasks", "list", "--quiet").output.contains("Milk"))
        // What is asked for as JSON comes all the same, and so do errors.
        #expect(try home.run("tasks", "add", "Bread", "--quiet", "--json").output.contains("Bread"))
        let failed = try home.run("tasks", "done", "nosuch", "--quiet")
        #expect(failed.status != 0 && !failed.errors.isEmpty)
        #expect(try home.run("tasks", "list", "--quiet", "-v").status == 64)
    }

    @Test func anUnknownKindIsRefused() throws {
        let home = try HelixHome()
        home.environment["HELIX_TRACE"] = "imap,smpt"
        let result = try home.run("tasks", "list")
        #expect(result.status == 78 && result.errors.contains("smpt"))
    }

    @Test func theVersionNamesTheLibraries() throws {
        let home = try HelixHome()
        let text = try home.run("version").output
        for name in [
            "helix 0.", "SQLite 3.", "libcurl 7", "GMime 3.", "libxml2", "cmark", "libidn2", "zlib 1.", "libsodium",
        ] {
            #expect(text.contains(name), "\(text)")
        }
        #expect(text.hasPrefix(try home.run("--version").output))
        #expect(try home.run("doctor").output.contains("libraries"))
    }
}
