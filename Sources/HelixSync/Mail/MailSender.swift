import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixNetwork
import HelixStore
import HelixSystem

/// Sends the queued messages in an account's outbox, each once.
///
/// A failure before the last line of a message is retried after a while. From then on until the server's reply its fate is
/// unknown: after an interruption it is searched in the sent mail, and is parked with the reason if it is not found.
final class MailSender {
    private let store: Store
    private let account: Account
    private let progress: (String) -> Void
    private let submitter: () throws -> any JMAPConnection
    /// The number of connection attempts before the sync gives up; messages stay queued.
    private static let attempts = 4

    /// - Parameter submitter: returns the JMAP server for sending, once signed in.
    init(
        _ store: Store, _ account: Account, submitter: @escaping () throws -> any JMAPConnection,
        progress: @escaping (String) -> Void
    ) {
        self.store = store
        self.account = account
        self.submitter = submitter
        self.progress = progress
    }

    /// Sends the messages that are due.
    ///
    /// - Parameter lookup: whether the server has a message with that Message-ID in the sent mail; nil if unknown.
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

    /// Settles a message whose sending was interrupted.
    private func settle(
        _ message: OutgoingMessage, _ outcome: inout SyncOutcome, _ lookup: (String) throws -> Bool?
    ) throws {
        var isThere = try store.message(withID: message.messageID, in: account, role: .sent)
        if !isThere { isThere = try lookup(message.messageID) ?? false }
        if isThere {
            try store.noteDeparture(message, answer: "found in the sent mail")
            return outcome.add(.there, "send", 1, "")
        }
        let problem =
            "the connection broke before the server confirmed it, and no copy was found in the sent mail;"
            + " to send it again: helix outbox retry"
        try store.noteFailure(message, .parked, problem)
        outcome.problems.append("'\(message.subject)' stays in the outbox: \(problem)")
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
            return outcome.problems.append("'\(message.subject)' stays in the outbox: \(error.message)")
        }
        // A draft shared by several machines may have been sent by another one. If the lookup fails, it is sent anyway.
        if message.tries == 0, let isKnown = try? lookup(message.messageID), isKnown {
            let problem = "it is already in the sent mail; to send it anyway: helix outbox retry"
            try store.noteFailure(message, .parked, problem, isTried: true)
            return outcome.problems.append("'\(message.subject)' stays in the outbox: \(problem)")
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
                    // The connection broke at the critical moment.
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

    /// Submits a message; nil if it was cancelled meanwhile.
    private func deliver(
        _ message: OutgoingMessage, _ bytes: [UInt8], _ session: inout SMTPSession?, willEnd: () -> Void
    ) throws -> SMTPSession.Outcome? {
        let sender = MailAddress(text: message.sender).address
        let recipients = message.recipients.map { MailAddress(text: $0).address }
        func claim() throws {
            guard try store.claim(message) else { throw SendCancelled() }
            willEnd()
        }
        do {
            if let program = account.settings.sendmail {
                try claim()
                return try Sendmail(program: program).send(from: sender, to: recipients, bytes)
            }
            if account.settings.submits == true, account.settings.smtp == nil {
                return try JMAPSubmission(client: try submitter()).send(
                    from: sender, to: recipients, bytes, willEnd: claim)
            }
            guard let server = account.settings.smtp else { return nil }
            if session == nil {
                session = try account.opening("smtp", server) { try SMTPSession($0) }
            }
            return try session?.send(from: sender, to: recipients, bytes, willEnd: claim)
        } catch is SendCancelled {
            // The message was not terminated, so that the server drops it with the connection.
            session = nil
            return nil
        }
    }

    private struct SendCancelled: Error {}

    /// Records the result of sending a message.
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
            return outcome.problems.append("'\(message.subject)' was not sent: \(problem)")
        }
        // Recipients refused temporarily are retried; those refused permanently wait for the user.
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
            "'\(message.subject)' \(result.accepted == nil ? "was not sent" : "was not sent to all"): \(words)")
    }
}

/// The delay before a retry: 0.8 s, then half as long again each time, up to 30 s, with a random factor so that clients do not
/// retry at the same moment.
enum Retry {
    /// The seconds before the attempt of that number, counted from 1.
    static func delay(_ attempt: Int, jitter: Double = Double.random(in: 0.8...1.2)) -> Double {
        var delay = 0.8
        for _ in 1..<max(1, attempt) { delay = min(delay * 1.5, 30) }
        return min(delay, 30) * jitter
    }

    static func pause(_ attempt: Int) { usleep(UInt32(delay(attempt) * 1_000_000)) }
}

/// A program that reads mail from standard input, like `sendmail`.
struct Sendmail {
    let program: String
    private let options: [String]

    /// - Parameter command: the path of the program, or the path and options: `/usr/bin/msmtp -a work`.
    init(program command: String) {
        let words = command.split(separator: " ").map(String.init)
        // A path may contain blanks.
        let isPath = FileManager.default.isExecutableFile(atPath: command)
        program = isPath ? command : words.first ?? command
        options = isPath ? [] : Array(words.dropFirst())
    }

    /// Whether the program can be run.
    var isThere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// - Throws: ``HelixError`` if it cannot be run.
    func send(from sender: String, to recipients: [String], _ bytes: [UInt8]) throws -> SMTPSession.Outcome {
        let words = options + ["-i", "-f", sender, "--"] + recipients
        guard let process = try? Subprocess(program, words, input: .pipe, output: .null, errors: .pipe) else {
            throw HelixError(.configuration, "cannot run the program \(program)")
        }
        // Such programs expect lines in the system's format, which these have.
        try? process.input?.write(SentCopy.bytes(of: bytes, recipients: []))
        try? process.input?.close()
        let said = (try? process.errors?.readToEnd()) ?? Data()
        let status = process.wait()
        var outcome = SMTPSession.Outcome()
        if status == 0 {
            outcome.accepted = "accepted by \(program)"
        } else {
            let words = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
            // EX_TEMPFAIL
            outcome.refusal = (
                words ?? "\(program) ended with status \(status)", status == 75
            )
        }
        return outcome
    }
}
