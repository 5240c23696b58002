import HelixCrypto
import HelixModel
import Testing

@testable import HelixGatewayStore

@Suite struct FileStoreTests {
    private func hash(_ bytes: [UInt8]) -> String { SHA256.hash(bytes).hexadecimal }

    /// Bytes that a seed determines.
    private func bytes(_ count: Int, seed: UInt8 = 7) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ seed }
    }

    @Test(arguments: StoreImplementation.all)
    func piecesArriveInOrderAndOnce(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let ana = try test.user("ana")
        let file = bytes(10_000)
        let name = hash(file)
        func take(_ range: Range<Int>) throws -> Int {
            try test.store.take(
                Array(file[range]), at: range.lowerBound, of: name, size: file.count, from: ana, now: test.now)
        }
        #expect(try test.store.received(name, size: file.count, from: ana) == 0)
        expect(.busy) { _ = try take(4_000..<8_000) }
        #expect(try take(0..<4_000) == 4_000)
        // A piece again, whose answer was lost, and one that overlaps.
        #expect(try take(0..<4_000) == 4_000)
        #expect(try take(3_000..<8_000) == 8_000)
        #expect(try test.another().received(name, size: file.count, from: ana) == 8_000)
        #expect(try take(8_000..<10_000) == 10_000)
        #expect(try take(8_000..<10_000) == 10_000)
        expect(.usage) {
            _ = try test.store.take(file + [0], at: 0, of: name, size: file.count + 1, from: ana, now: test.now)
        }
    }

    @Test(arguments: StoreImplementation.all)
    func bytesWithAnotherHashAreRefused(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let ana = try test.user("ana")
        let file = bytes(100)
        expect(.badInput) {
            _ = try test.store.take(
                bytes(100, seed: 9), at: 0, of: hash(file), size: 100, from: ana, now: test.now)
        }
        #expect(try test.store.received(hash(file), size: 100, from: ana) == 0)
        #expect(try test.store.take(file, at: 0, of: hash(file), size: 100, from: ana, now: test.now) == 100)
    }

    @Test(arguments: StoreImplementation.all)
    func onlyMembersReadAnAttachmentAndOnlyItsOwnerSendsIt(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let (ana, bo, cy) = (try test.user("ana"), try test.user("bo"), try test.user("cy"))
        let group = try test.group("pipes", of: ana, ["bo"])
        let file = bytes(700)
        let attachment = ChatAttachment(
            id: EntityID(), name: "plan.pdf", type: "application/pdf", size: 700, sha256: hash(file))
        let draft = ChatDraft(id: EntityID(), content: "", files: [attachment])
        // Nobody sends a file that they have not uploaded themselves: a hash alone would reveal it.
        expect(.notFound) {
            _ = try test.store.say(draft, in: group, by: ana, asAssistant: false, now: test.now)
        }
        _ = try test.store.take(file, at: 0, of: attachment.sha256, size: 700, from: ana, now: test.now)
        expect(.notFound) {
            _ = try test.store.say(draft, in: group, by: bo, asAssistant: false, now: test.now)
        }
        let message = try test.store.say(draft, in: group, by: ana, asAssistant: false, now: test.now).message
        #expect(message.files == [attachment])
        func piece(_ user: EntityID, at offset: Int = 0, most: Int = 300) throws -> [UInt8] {
            try test.store.piece(
                of: attachment.sha256, in: message.id, for: user, at: offset, most: most
            ).bytes
        }
        #expect(try piece(bo) + piece(bo, at: 300) + piece(bo, at: 600) == file)
        #expect(try piece(bo, at: 700).isEmpty)
        expect(.notFound) { _ = try piece(cy) }
        _ = try test.store.edit(message.id, content: nil, by: ana, now: test.now)
        expect(.notFound) { _ = try piece(bo) }
        // For a day the message can be restored; then the file is removed.
        test.now = Instant(test.now.seconds + 3_600)
        try test.store.sweepFiles(now: test.now)
        _ = try test.store.edit(message.id, content: "the plan", by: ana, now: test.now)
        #expect(try piece(bo, most: 700) == file)
        _ = try test.store.edit(message.id, content: nil, by: ana, now: test.now)
        test.now = Instant(test.now.seconds + 2 * 86_400)
        try test.store.sweepFiles(now: test.now)
        _ = try test.store.edit(message.id, content: "the plan again", by: ana, now: test.now)
        expect(.notFound) { _ = try piece(bo) }
        #expect(try test.store.received(attachment.sha256, size: 700, from: ana) == 0)
    }

    @Test(arguments: StoreImplementation.all)
    func partialUploadsAreFew(_ kind: StoreImplementation) throws {
        let test = try TestGatewayStore(kind)
        let ana = try test.user("ana")
        for number in 0..<GatewayLimits.partialUploads {
            let file = bytes(10, seed: UInt8(number))
            _ = try test.store.take(Array(file[..<5]), at: 0, of: hash(file), size: 10, from: ana, now: test.now)
        }
        let file = bytes(20)
        expect(.notAllowed) {
            _ = try test.store.take(file, at: 0, of: hash(file), size: 20, from: ana, now: test.now)
        }
        test.now = Instant(test.now.seconds + 86_401)
        try test.store.sweepFiles(now: test.now)
        #expect(try test.store.take(file, at: 0, of: hash(file), size: 20, from: ana, now: test.now) == 20)
    }
}
