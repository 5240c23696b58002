import Foundation
import TestSupport
import Testing

/// The flows of the family's apps through each dialect, with a client of its own (`Tests/Servers/app_flows.py`).
@Suite struct AppFlowTests {
    @Test(arguments: ["ios", "android", "sdk", "newest", "helix"])
    func anAppsFlowsWorkFromSigningUpToMail(_ dialect: String) throws {
        let site = try GatewaySite(users: ["ana"], ["--sign-up"])
        let maildir = try TestMaildir(site.host)
        _ = try maildir.deliver(
            mail(
                "Tickets for Oslo", id: "t@example.org", from: "bo@example.org",
                date: "Mon, 16 Nov 2026 10:00:00 +0000", body: "The tickets.\n"))
        let added = try site.host.run("gateway", "as", "ana", "account", "add", "mail", "maildir", maildir.path)
        #expect(added.status == 0, "\(added.errors)")
        _ = try site.host.run("gateway", "as", "ana", "sync")
        try site.flows(dialect, "ana:ana's password", "Tickets for Oslo")
    }
}
