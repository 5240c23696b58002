import Foundation
import TestSupport
import Testing

/// A Maildir that is gone, such as on a disk that is not connected.
@Suite struct MissingFolderTests {
    @Test func aSyncSaysThatTheFolderIsGone() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(mail("Plans", id: "plans@x"))
        try home.perform("account", "add", "home", "maildir", maildir.path, "--sendmail", "/bin/cat")
        #expect(try home.perform("sync").status == 0)
        try FileManager.default.moveItem(atPath: maildir.path, toPath: maildir.path + ".gone")
        let gone = try home.perform("sync")
        #expect(gone.status != 0)
        #expect((gone.output + gone.errors).contains("does not exist") && !gone.output.contains("nothing new"))
        let json = try home.perform("sync", "--json").items()
        #expect(json.first?["ok"] as? Bool == false)
        // It is there again.
        try FileManager.default.moveItem(atPath: maildir.path + ".gone", toPath: maildir.path)
        #expect(try home.perform("sync").status == 0)
    }
}
