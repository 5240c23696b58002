import CPAM
import Glibc
import HelixModel

/// The system's own login by PAM: the password of the user, a fingerprint, a token, as the system is set up.
public struct SystemLogin {
    /// Shows a message of the system's login, and reads the answer to a question.
    public enum Prompt: Equatable, Sendable {
        /// A question whose answer is not shown.
        case secret(String)
        /// A question.
        case question(String)
        /// A note or an error: "Place your finger on the reader".
        case note(String)
    }

    private let folder: String?

    /// - Parameter folder: the folder of PAM's configuration, for tests; nil is the system's.
    public init(folder: String? = nil) { self.folder = folder }

    /// The services in the order of preference: helix's own, which an administrator may write, and that of the console.
    private var service: String {
        let folders = folder.map { [$0] } ?? ["/etc/pam.d", "/usr/lib/pam.d"]
        return folders.contains { access($0 + "/helix", F_OK) == 0 } ? "helix" : "login"
    }

    /// Asks the user of this process to log in.
    /// - Parameter ask: shows a prompt; nil if the person gives no answer.
    /// - Throws: ``HelixError``: `authentication` if the system refuses, `configuration` if it cannot ask.
    public func confirm(_ ask: (Prompt) -> String?) throws {
        guard let user = getpwuid(getuid()).map({ String(cString: $0.pointee.pw_name) }) else {
            throw HelixError(.configuration, "the system does not know the user with the number \(getuid())")
        }
        var reason = [CChar](repeating: 0, count: 200)
        let status = withoutActuallyEscaping(ask) { ask in
            withUnsafePointer(to: Asker(ask: ask)) { asker in
                helix_pam_authenticate(
                    service, user, folder, converse, UnsafeMutableRawPointer(mutating: asker), &reason, reason.count)
            }
        }
        let words = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        switch Int(status) {
        case HELIX_PAM_CONFIRMED: return
        case HELIX_PAM_REFUSED:
            throw HelixError(.authentication, "the system's login refused '\(user)' (\(words.lowercased()))")
        case HELIX_PAM_MISSING:
            throw HelixError(
                .configuration, "libpam, the system's login, is not installed", hint: "apt-get install libpam0g")
        default:
            throw HelixError(
                .configuration, "the system's login cannot be used (\(words))",
                hint: "Its service is '\(service)', in /etc/pam.d.")
        }
    }
}

/// The closure that PAM's conversation calls.
private struct Asker {
    let ask: (SystemLogin.Prompt) -> String?
}

/// PAM's conversation. A function without captures: C calls it.
private let converse: helix_pam_ask = { context, style, message, answer, size in
    guard let asker = context?.assumingMemoryBound(to: Asker.self), let message, let answer else { return 0 }
    let text = String(cString: message)
    let prompt: SystemLogin.Prompt =
        switch Int(style) {
        case HELIX_PAM_SECRET: .secret(text)
        case HELIX_PAM_QUESTION: .question(text)
        default: .note(text)
        }
    guard let typed = asker.pointee.ask(prompt) else { return 0 }
    let bytes = Array(typed.utf8)
    guard bytes.count < size, !bytes.contains(0) else { return 0 }
    for (place, byte) in bytes.enumerated() { answer[place] = CChar(bitPattern: byte) }
    answer[bytes.count] = 0
    return 1
}
