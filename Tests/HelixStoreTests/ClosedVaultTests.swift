import Foundation
import HelixModel
import Testing

@testable import HelixStore

@Suite struct ClosedVaultTests {
    /// A new store in the place of a closed vault would seem to be an empty helix.
    @Test func noStoreIsCreatedWhereAVaultIsClosed() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helix-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["home", "home.vault/cipher"] {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        let path = folder.path + "/home/helix.db"
        let error = #expect(throws: HelixError.self) { try Store(path: path, now: Instant(0)) }
        #expect(error?.code == .locked)
        #expect(!FileManager.default.fileExists(atPath: path))
        // Without the vault, the store is created.
        try FileManager.default.removeItem(at: folder.appendingPathComponent("home.vault"))
        _ = try Store(path: path, now: Instant(0))
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
