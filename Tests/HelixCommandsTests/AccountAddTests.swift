import TestSupport
import Testing

@testable import HelixCommands

@Suite struct AccountAddTests {
    /// A name with a port, a path or an address would only fail at the first sync.
    @Test(arguments: ["h h", "imap.example.org:993", "imap.example.org/mail", "ana@imap.example.org", ""])
    func serverNamesThatAreNoneAreRefused(_ name: String) throws {
        let home = try HelixHome()
        let added = try home.perform(
            "account", "add", "work", "imap", "--address", "ana@example.org", "--imap-host", name, "--password-command",
            "pass")
        #expect(added.status == 64)
        #expect(added.errors.contains(name.isEmpty ? "no server name given" : "'\(name)' is not a server name"))
        #expect(try home.perform("account", "list", "--json").items().isEmpty)
    }
}
