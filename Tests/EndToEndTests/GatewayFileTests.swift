import Foundation
import TestSupport
import Testing

/// Files and receipts of projects reach all devices of a user by way of the gateway.
@Suite struct GatewayFileTests {
    private static func bytes(_ count: Int, _ seed: Int = 1) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 2_654_435_761 >> 9) })
    }

    /// A device with a project that has a file of that size.
    private static func site(_ size: Int) throws -> (site: GatewaySite, ana: HelixHome, bytes: Data) {
        let site = try GatewaySite(users: ["ana"])
        let ana = try site.device(of: "ana")
        let content = bytes(size)
        try content.write(to: ana.folder.appendingPathComponent("plan.bin"))
        #expect(try ana.run("projects", "add", "house").status == 0)
        let attached = try ana.run("projects", "attach", "house", ana.folder.path + "/plan.bin")
        #expect(attached.status == 0, "\(attached.errors)")
        return (site, ana, content)
    }

    private static func content(_ home: HelixHome) throws -> Data? {
        guard let id = try home.run("projects", "files", "list", "house", "--json").items().first?["id"] as? String
        else {
            return nil
        }
        let target = home.folder.appendingPathComponent("saved-\(UUID().uuidString)")
        let saved = try home.run("projects", "files", "save", id, target.path)
        return saved.status == 0 ? try Data(contentsOf: target) : nil
    }

    @Test(arguments: [0, 1, 262_144, 700_001]) func aFileReachesTheOtherDeviceByteForByte(size: Int) throws {
        let (site, ana, bytes) = try Self.site(size)
        let two = try site.device(of: "ana")
        try HelixHome.sync(ana, two)
        #expect(try Self.content(two) == bytes)
        let again = try two.run("sync", "--json")
        #expect(again.status == 0 && !again.output.contains("\"fetch\""), "\(again.output)")
        for home in [ana, two] { #expect(try home.run("doctor").status == 0) }
        // A file that is removed on one device is removed on the other.
        let id = try #require(
            try two.run("projects", "files", "list", "house", "--json").items().first?["id"] as? String)
        #expect(try two.run("projects", "files", "remove", id).status == 0)
        try HelixHome.sync(two, ana)
        #expect(try ana.run("projects", "files", "list", "house", "--json").items().isEmpty)
    }

    @Test func aReceiptTravelsWithItsMaterial() throws {
        let site = try GatewaySite(users: ["ana"])
        let (ana, two) = (try site.device(of: "ana"), try site.device(of: "ana"))
        try Data("a receipt".utf8).write(to: ana.folder.appendingPathComponent("receipt.txt"))
        #expect(try ana.run("projects", "add", "house").status == 0)
        let material = try ana.run(
            "projects", "material", "add", "house", "Nails", "2", "kg", "4.50", "--receipt",
            ana.folder.path + "/receipt.txt")
        #expect(material.status == 0, "\(material.errors)")
        try HelixHome.sync(ana, two)
        #expect(try Self.content(two) == Data("a receipt".utf8))
        let listed = try two.run("projects", "material", "list", "house", "--json").items().first
        let receipt = try #require(listed?["receipt"] as? String)
        let file = try #require(try two.run("projects", "files", "list", "house", "--json").items().first)
        #expect(receipt == file["id"] as? String)
    }

    @Test func aBrokenTransferGoesOnWhereItStopped() throws {
        let (site, ana, bytes) = try Self.site(600_000)
        let two = try site.device(of: "ana")
        try HelixHome.sync(ana)
        let hash = try #require(
            try ana.run("projects", "files", "list", "house", "--json").items().first?["sha256"] as? String)
        let coming = two.folder.appendingPathComponent("home/files/coming")
        try FileManager.default.createDirectory(at: coming, withIntermediateDirectories: true)
        try bytes.prefix(300_000).write(to: coming.appendingPathComponent(hash))
        try HelixHome.sync(two)
        #expect(try Self.content(two) == bytes)
    }

    @Test func aDamagedPartIsFetchedAnew() throws {
        let (site, ana, bytes) = try Self.site(300_000)
        let two = try site.device(of: "ana")
        try HelixHome.sync(ana)
        let hash = try #require(
            try ana.run("projects", "files", "list", "house", "--json").items().first?["sha256"] as? String)
        let coming = two.folder.appendingPathComponent("home/files/coming")
        try FileManager.default.createDirectory(at: coming, withIntermediateDirectories: true)
        try Self.bytes(100_000, 7).write(to: coming.appendingPathComponent(hash))
        #expect(try two.run("sync").status != 0)
        try HelixHome.sync(two)
        #expect(try Self.content(two) == bytes)
    }

    @Test func aGatewayThatLostItsDiskGetsTheFilesAgain() throws {
        let (site, ana, bytes) = try Self.site(5000)
        try HelixHome.sync(ana)
        try site.lose()
        try HelixHome.sync(ana)
        let two = try site.device(of: "ana")
        try HelixHome.sync(two)
        #expect(try Self.content(two) == bytes)
    }

    @Test func onlyFilesOfProjectsAreStored() throws {
        let (site, ana, _) = try Self.site(10)
        try HelixHome.sync(ana)
        let hash = String(repeating: "a", count: 64)
        let put = try ana.run(
            "gateway", "call", "files.put", "{\"sha256\": \"\(hash)\", \"size\": 3, \"offset\": 0, \"data\": \"YWJj\"}")
        #expect(put.status != 0 && put.errors.contains("no file"), "\(put)")
        #expect(try ana.run("gateway", "call", "files.get", "{\"sha256\": \"\(hash)\"}").status != 0)
        withExtendedLifetime(site) {}
    }

    @Test func aPhotoIsSentSmallerIfAsked() throws {
        let (site, ana, _) = try Self.site(1)
        try ImagePreviewTests.image(ana, "photo.png", 900, 300)
        let id = try ImagePreviewTests.attach(ana, "photo.png")
        #expect(try ana.run("sync").status == 0)
        let items = try ana.run("projects", "files", "list", "house", "--json").items()
        func ask(_ name: String, _ more: String) throws -> HelixHome.Result {
            let hash = items.first { $0["name"] as? String == name }?["sha256"] as? String ?? ""
            return try ana.run("gateway", "call", "files.get", "{\"sha256\": \"\(hash)\", \(more)}")
        }
        let small = try ask("photo.png", "\"preview\": 90")
        let data = try Data(base64Encoded: small.json()["data"] as? String ?? "").map { [UInt8]($0) } ?? []
        #expect(ImagePreviewTests.shape(data) == "jpeg 90x30" && small.output.contains("image/jpeg"), "\(small)")
        for (name, more) in [("photo.png", "\"preview\": 5000"), ("plan.bin", "\"preview\": 90")] {
            #expect(try ask(name, more).status != 0)
        }
        #expect(try ana.run("projects", "files", "save", id, "back.png").status == 0)
        let files = try ["photo.png", "back.png"].map { try Data(contentsOf: ana.folder.appendingPathComponent($0)) }
        #expect(files[0] == files[1])
        withExtendedLifetime(site) {}
    }
}
