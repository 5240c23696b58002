import Foundation
import TestSupport
import Testing

/// Programs of the family that were not written for helix's gateway.
@Suite struct FamilyClientTests {
    /// Python with the family's SDK, which `make test-packages` sets up.
    private static let python = Corpora.packageDirectory.appendingPathComponent(".build/oracles/bin/python").path

    @Test func theSDKSignsInWithADeviceFileAndItsCallsWork() throws {
        try #require(FileManager.default.isExecutableFile(atPath: Self.python), "run: make test-packages")
        let assistant = try TestServer("fake_completions.py", ports: 1, ["echo"])
        let site = try GatewaySite(["--assistant-url", "http://127.0.0.1:\(assistant.ports[0])/v1"])
        let home = try site.device(of: "ana")
        let made = try home.run("gateway", "device-file", "SDK", "--scopes", "read,write,pairing")
        #expect(made.status == 0 && made.output.contains("rights: pairing, read, write"), "\(made.errors)")
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/family_sdk.py").path
        let run = try home.run(program: Self.python, [script, site.url])
        #expect(run.status == 0, "\(run.errors.suffix(3000)) \(run.output.suffix(2000))")
        // The documentation lists these calls.
        for word in ["works", "unknown"] {
            let lines = run.output.split(separator: "\n").filter { $0.hasPrefix(word + " ") }
            let called = Set(lines.map { String($0.dropFirst(word.count + 1)) })
            #expect(try !called.isEmpty && called == ClientTable.methods(of: "SDK", word), "\(called.sorted())")
        }
    }

    @Test func aDeviceFileIsPrivateKeepsItsKeyAndIsRevoked() throws {
        let site = try GatewaySite()
        let home = try site.device(of: "ana")
        let folder = home.folder.appendingPathComponent(".openclaw/identity")
        #expect(try home.run("gateway", "device-file", "tool", "--dry-run").status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        #expect(try home.run("gateway", "device-file", "tool", "--scopes", "everything").status == 64)
        for name in ["", " ", "a\u{1B}[31mb"] { #expect(try home.run("gateway", "device-file", name).status == 64) }
        #expect(try home.run("gateway", "device-file", "tool", "--scopes", "").status == 64)
        for _ in 1...2 { #expect(try home.run("gateway", "device-file", "tool", "--scopes", "read").status == 0) }
        var ids: Set<String> = []
        for name in ["device.json", "device-auth.json"] {
            let path = folder.appendingPathComponent(name).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
            let fields = try #require(json as? [String: Any])
            ids.insert(try #require(fields["deviceId"] as? String))
            if let tokens = fields["tokens"] as? [String: [String: Any]] {
                #expect(tokens["operator"]?["scopes"] as? [String] == ["operator.read"])
            }
        }
        #expect(ids.count == 1)
        let devices = try home.run("gateway", "devices", "--json").items()
        #expect(devices.count { $0["name"] as? String == "tool" } == 1, "\(devices)")
        #expect(try home.run("gateway", "revoke", #require(ids.first), "--yes").status == 0)
        #expect(try !home.run("gateway", "devices").output.contains("tool"))
    }
}
