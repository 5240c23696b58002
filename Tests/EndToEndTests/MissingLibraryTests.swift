import Foundation
import TestSupport
import Testing

/// A library that is not there is a matter of the set-up: status 78, with the way to install it.
@Suite struct MissingLibraryTests {
    /// A folder whose library of that name is no library, before those of the system.
    private static func home(without libraries: String...) throws -> HelixHome {
        let home = try HelixHome()
        let folder = home.folder.path + "/lib"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for library in libraries {
            try Data("no library".utf8).write(to: URL(fileURLWithPath: folder + "/" + library))
        }
        home.environment["LD_LIBRARY_PATH"] = folder
        return home
    }

    @Test func mailWithoutItsLibraryEndsWithTheStatusOfTheSetUp() throws {
        let home = try Self.home(without: "libgmime-3.0.so.0")
        let path = try home.write("From: a@example.org\nSubject: One\n\nText\n", to: "one.eml")
        let result = try home.run("mail", "import", path)
        #expect(result.status == 78 && result.errors.contains("libgmime"), "\(result)")
        #expect(try home.run("doctor").output.contains("GMime"))
        #expect(try home.run("tasks", "add", "Paint").status == 0)
    }

    @Test func aServerWithoutLibcurlEndsWithTheStatusOfTheSetUp() throws {
        let home = try Self.home(without: "libcurl.so.4", "libcurl-gnutls.so.4")
        #expect(
            try home.run(
                "account", "add", "work", "caldav", "http://localhost:9/dav", "--user", "ana", "--password-command",
                "echo x"
            ).status == 0)
        let result = try home.run("sync")
        #expect(result.status == 78 || (result.output + result.errors).contains("libcurl"), "\(result)")
    }
}
