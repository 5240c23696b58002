import Foundation
import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// Sends what waits in the outbox of an account, each message once.
///
/// Up to the last line of a message nothing has left, and it is tried again after a while. From then on until the server
/// answers, nobody knows: what was broken off there is looked for among the sent mail, and kept with its reason where it is
/// not found.
final class MailSender {
    private let store: Store
    private let account: MailAccount
    private let progress: (String) -> Void
    /// The server of JMAP that sends, once one has signed in there.
    private var submitter: JMAPClient?
    /// How often a connection is tried before the sync gives up; what waits goes on waiting.
    private static let attempts = 4

    init(_ store: Store, _ account: MailAccount, progress: @escaping (String) -> Void) {
        self.store = store
        self.account = account
        self.progress = progress
    }

    /// Sends what may leave.
    ///
    /// - Parameter lookup: whether the server has a message of that Message-ID among what was sent; nil if nobody can say.
    /// - Throws: ``HelixError`` if the server cannot be reached.
    func run(_ outcome: inout SyncOutcome, isDryRun: Bool, lookup: (String) throws -> Bool?) throws {
        let due = try store.dueOutgoing(account, at: store.now)
        if due.isEmpty { return }
        let waiting = due.filter { $0.state == .queued }
        if isDryRun { return outcome.add(.there, "send", waiting.count, "") }
        for message in due where message.state == .leaving { try settle(message, &outcome, lookup) }
        var session: SMTPSession?
        defer { session?.end() }
        for message in waiting {
            progress("\(account.name): sending '\(message.subject)'")
            try send(message, &session, &outcome, lookup)
        }
    }

    /// Finds out what became of a message that was being sent when that was broken off.
    private func settle(
        _ message: OutgoingMessage, _ outcome: inout SyncOutcome, _ lookup: (String) throws -> Bool?
    ) throws {
        var isThere = try store.message(withID: message.messageID, in: account, role: .sent)
        if !isThere { isThere = try lookup(message.messageID) ?? false }
        if isThere {
            try store.noteDeparture(message, answer: "found among what was sent")
            return outcome.add(.there, "send", 1, "")
        }
        let problem =
            "the connection broke before the server said whether it took it, and no copy was found among what was sent;"
            + " 'helix outbox retry' sends it again"
        try store.noteFailure(message, .parked, problem)
        outcome.problems.append("'\(message.subject)' waits: \(problem)")
    }

    private func send(
        _ message: OutgoingMessage, _ session: inout SMTPSession?, _ outcome: inout SyncOutcome,
        _ lookup: (String) throws -> Bool?
    ) throws {
        let bytes: [UInt8]
        do {
            bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: try store.outgoingFile(message))))
        } catch let error as HelixError {
            try store.noteFailure(message, .parked, error.message)
            return outcome.problems.append("'\(message.subject)' waits: \(error.message)")
        }
        // A draft that several machines have may have left from another one. If nobody can be asked, it leaves all the same.
        if message.tries == 0, let isKnown = try? lookup(message.messageID), isKnown {
            let problem = "it lies among what was sent already; 'helix outbox retry' sends it all the same"
            try store.noteFailure(message, .parked, problem, isTried: true)
            return outcome.problems.append("'\(message.subject)' waits: \(problem)")
        }
        var attempt = 0
        while true {
            var isClaimed = false
            do {
                let result = try deliver(message, bytes, &session) { isClaimed = true }
                guard let result else { return }
                return try take(result, message, bytes, &outcome)
            } catch let error as HelixError where error.code == .offline {
                session = nil
                if isClaimed {
                    // The connection broke at the one moment at which it matters.
                    return try settle(message, &outcome, lookup)
                }
                attempt += 1
                guard attempt < Self.attempts else {
                    try store.noteFailure(message, .queued, error.message)
                    throw error
                }
                Retry.pause(attempt)
            } catch let error as HelixError {
                session = nil
                try store.noteFailure(message, isClaimed ? .parked : .queued, error.message)
                throw error
            }
        }
    }

    /// Hands a message over; nil if somebody took it back meanwhile.
    private func deliver(
        _ message: OutgoingMessage, _ bytes: [UInt8], _ session: inout SMTPSession?, willEnd: () -> Void
    ) throws -> SMTPSession.Outcome? {
        let sender = MailAddress(text: message.sender).address
        let recipients = message.recipients.map { MailAddress(text: $0).address }
        func claim() throws {
            guard try store.claim(message) else { throw TakenBack() }
            willEnd()
        }
        do {
            if let program = account.settings.sendmail {
                try claim()
                return try Sendmail(program: program).send(from: sender, to: recipients, bytes)
            }
            if account.settings.submits == true, account.settings.smtp == nil {
                let client = try submitter ?? JMAPRemote.client(of: account)
                submitter = client
                return try JMAPSubmission(client: client).send(
                    from: sender, to: recipients, bytes, willEnd: claim)
            }
            guard let server = account.settings.smtp else { return nil }
            if session == nil {
                session = try account.opening("smtp", server) { try SMTPSession($0) }
            }
            return try session?.send(from: sender, to: recipients, bytes, willEnd: claim)
        } catch is TakenBack {
            // The message was not ended, so that the server drops it with the connection.
            session = nil
            return nil
        }
    }

    private struct TakenBack: Error {}

    /// Writes down what became of a message.
    private func take(
        _ result: SMTPSession.Outcome, _ message: OutgoingMessage, _ bytes: [UInt8], _ outcome: inout SyncOutcome
    ) throws {
        typealias Refused = (address: String, text: String, isForNow: Bool)
        func names(_ refused: [Refused]) -> String {
            refused.map { "\($0.address): \($0.text)" }.joined(separator: "; ")
        }
        func recipients(_ refused: [Refused]) -> [String] {
            let left = Set(refused.map(\.address))
            return message.recipients.filter { left.contains(MailAddress(text: $0).address) }
        }
        if result.accepted != nil {
            if account.settings.sentCopy != .no {
                let copy = SentCopy.bytes(of: bytes, recipients: message.recipients)
                try store.fileSentCopy(copy, of: message, in: account)
            }
            outcome.add(.there, "send", 1, "")
        }
        if let answer = result.accepted, result.refused.isEmpty {
            return try store.noteDeparture(message, answer: answer)
        }
        let words = names(result.refused)
        if result.accepted == nil, result.refused.count < message.recipients.count {
            // The message itself was refused, for all.
            let refusal = result.refusal ?? ("it was refused", false)
            let problem = words.isEmpty ? refusal.text : "\(refusal.text); \(words)"
            try store.noteFailure(message, refusal.isForNow ? .queued : .parked, problem)
            return outcome.problems.append("'\(message.subject)' did not leave: \(problem)")
        }
        // Who is refused for now is tried again; who is refused for good waits for somebody to look at it.
        let (later, never) = (result.refused.filter(\.isForNow), result.refused.filter { !$0.isForNow })
        if later.isEmpty || never.isEmpty {
            try store.noteFailure(
                message, never.isEmpty ? .queued : .parked, words, recipients: recipients(result.refused), isTried: true
            )
        } else {
            try store.divide(
                message, waiting: recipients(later), names(later), refused: recipients(never), names(never))
        }
        outcome.problems.append(
            "'\(message.subject)' \(result.accepted == nil ? "did not leave" : "left, but not for all"): \(words)")
    }
}

/// How long to wait before something is tried again: 0.8 s, then half as long again each time, up to 30 s, and not all at
/// the same moment.
enum Retry {
    /// Seconds before the attempt of that number, from 1 on.
    static func delay(_ attempt: Int, jitter: Double = Double.random(in: 0.8...1.2)) -> Double {
        var delay = 0.8
        for _ in 1..<max(1, attempt) { delay = min(delay * 1.5, 30) }
        return min(delay, 30) * jitter
    }

    static func pause(_ attempt: Int) { usleep(UInt32(delay(attempt) * 1_000_000)) }
}

/// A program that takes mail on its standard input, as `sendmail` does.
struct Sendmail {
    let program: String

    /// - Throws: ``HelixError`` if it cannot be run.
    func send(from sender: String, to recipients: [String], _ bytes: [UInt8]) throws -> SMTPSession.Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-i", "-f", sender, "--"] + recipients
        let input = Pipe()
        let errors = Pipe()
        (process.standardInput, process.standardError) = (input, errors)
        process.standardOutput = FileHandle.nullDevice
        do { try process.run() } catch {
            throw HelixError(.configuration, "the program \(program) cannot be run")
        }
        // Programs of this kind want lines as this system has them, and those are so.
        try? input.fileHandleForWriting.write(contentsOf: Data(SentCopy.bytes(of: bytes, recipients: [])))
        try? input.fileHandleForWriting.close()
        let said = (try? errors.fileHandleForReading.readToEnd()).flatMap { $0 } ?? Data()
        process.waitUntilExit()
        var outcome = SMTPSession.Outcome()
        if process.terminationStatus == 0 {
            outcome.accepted = "taken by \(program)"
        } else {
            let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
            // EX_TEMPFAIL
            outcome.refusal = (
                words ?? "\(program) ended with status \(process.terminationStatus)", process.terminationStatus == 75
            )
        }
        return outcome
    }
}
