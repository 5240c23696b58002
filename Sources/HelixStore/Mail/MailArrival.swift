import Dispatch
import FoundationEssentials
import HelixCrypto
import HelixMail
import HelixModel
import Synchronization

/// A message file that is not indexed yet, with the result of reading it.
struct MailArrival: Sendable {
    var mailbox: Int64
    var entry: MaildirEntry
    /// The content of the message; nil if the file no longer existed.
    var summary: MessageSummary?
    /// The reason why an existing file could not be read.
    var problem: String?
    /// The reason why no message can be read at all.
    var failure: HelixError?

    /// The lookup key of a Message-ID or subject in an account.
    static func key(_ text: String, in account: Int64) -> Int64 {
        Int64(bitPattern: StableHash.of(text.utf8, seed: UInt64(bitPattern: account)))
    }

    /// The ID of a message, derived from its account and its Message-ID, or from its content if it has none.
    static func id(_ summary: MessageSummary, account: EntityID, copy: Int) -> EntityID {
        var hash = SHA256()
        hash.update(Array((account.text + "\n").utf8))
        if let messageID = summary.messageID {
            hash.update(Array(messageID.utf8))
        } else {
            let facts = [
                "\(summary.date?.seconds ?? 0)", "\(summary.size)", summary.subject,
                summary.from.map(\.text).joined(separator: "\n"), summary.text,
            ]
            for fact in facts { hash.update(Array(("\n" + fact).utf8)) }
        }
        if copy > 0 { hash.update(Array("\n#\(copy)".utf8)) }
        return EntityID(digest: hash.digest())
    }
}

/// A reader of message files that works ahead while others are written to the store: batch by batch, in order.
final class MailReading: @unchecked Sendable {
    private let batches: [[MailArrival]]
    private let paths: [Int64: String]
    private let results = Mutex<[Int: [MailArrival]]>([:])
    private var signals: [DispatchSemaphore]
    private var started = 0

    /// - Parameter paths: the folders of the mailboxes, by their numbers.
    init(_ batches: [[MailArrival]], paths: [Int64: String]) {
        self.batches = batches
        self.paths = paths
        signals = batches.map { _ in DispatchSemaphore(value: 0) }
        startNext()
        startNext()
    }

    /// The result of reading the next batch.
    func next(_ place: Int) -> [MailArrival] {
        signals[place].wait()
        let batch = results.withLock { $0.removeValue(forKey: place) } ?? []
        startNext()
        return batch
    }

    private func startNext() {
        guard started < batches.count else { return }
        let place = started
        started += 1
        DispatchQueue.global().async { [self] in
            let read = batches[place].map(read)
            results.withLock { $0[place] = read }
            signals[place].signal()
        }
    }

    private func read(_ arrival: MailArrival) -> MailArrival {
        var arrival = arrival
        let folder = (paths[arrival.mailbox] ?? "") + (arrival.entry.isNew ? "/new/" : "/cur/")
        do {
            arrival.summary = try MessageSummary(path: folder + arrival.entry.name)
        } catch let error as HelixError where error.code == .notFound {
            // Another program moved it since; the next run finds it at its new place.
        } catch let error as HelixError where error.code == .configuration {
            // No message can be read at all: this one is not the cause.
            arrival.failure = error
        } catch {
            arrival.problem = (error as? HelixError)?.message ?? "\(error)"
        }
        return arrival
    }
}
