import Foundation
import HelixModel
import HelixNetwork

/// One step of trying an account.
public struct AccountStep: Sendable {
    /// What was tried.
    public var name: String
    /// What was found.
    public var detail = ""
    /// Why it did not work.
    public var failure: HelixError?
}

/// Tries what an account needs, one thing after the other.
public enum AccountSteps {
    /// Each step, up to those that need one which failed.
    public static func check(_ account: MailAccount) -> [AccountStep] {
        var steps: [AccountStep] = []
        func attempt(_ name: String, _ body: () throws -> String) -> Bool {
            var step = AccountStep(name: name)
            do { step.detail = try body() } catch let error as HelixError { step.failure = error } catch {
                step.failure = HelixError(.protocol, "\((error as? IMAPRefusal)?.text ?? "\(error)")")
            }
            steps.append(step)
            return step.failure == nil
        }
        if account.kind == .caldav || account.kind == .webcal {
            _ = attempt(account.kind == .caldav ? "CalDAV" : "calendar") {
                let remote: any CalendarRemote =
                    account.kind == .caldav
                    ? try CalDAVRemote(account)
                    : try PublishedCalendar(account, known: PublishedCalendar.RemoteState(marker: nil))
                let names = try remote.collections().map { "'\($0.name)'\($0.isReadOnly ? " (to read)" : "")" }
                return names.isEmpty ? "there are no calendars yet" : "there are \(names.joined(separator: ", "))"
            }
            return steps
        }
        if account.kind != .imap, !account.settings.canSend {
            _ = attempt("folder") {
                guard FileManager.default.isReadableFile(atPath: account.path) else {
                    throw HelixError(.notFound, "the folder \(account.path) is not there, or cannot be read")
                }
                return account.path
            }
            return steps
        }
        var credential = Endpoint.Credential.none
        guard
            attempt(
                "password",
                {
                    credential = try Secrets.credential(account)
                    return account.settings.tokenCommand != nil ? "a token" : "there is one"
                })
        else { return steps }
        if let server = account.settings.imap {
            _ = attempt("IMAP") {
                let session = try IMAPSession(account.endpoint("imap", server, credential), patience: 20)
                defer { session.end() }
                let known = ["QRESYNC", "CONDSTORE", "MOVE", "UIDPLUS", "IDLE", "SPECIAL-USE"].filter(session.can)
                return "\(server.host):\(server.port) lets \(account.settings.login) in"
                    + (known.isEmpty ? "" : "; it can \(known.joined(separator: ", "))")
            }
        }
        if let server = account.settings.smtp {
            _ = attempt("SMTP") {
                let session = try SMTPSession(account.endpoint("smtp", server, credential), patience: 20)
                defer { session.end() }
                return "\(server.host):\(server.port) lets \(account.settings.login) in"
                    + (session.largest.map { "; it takes messages up to \($0 / 1024 / 1024) MB" } ?? "")
            }
        }
        if let program = account.settings.sendmail {
            _ = attempt("sendmail") {
                guard FileManager.default.isExecutableFile(atPath: program) else {
                    throw HelixError(.notFound, "there is no program \(program)")
                }
                return program
            }
        }
        return steps
    }
}
