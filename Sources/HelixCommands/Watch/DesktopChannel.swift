import Glibc
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal
import Synchronization

/// Notifications of the desktop (freedesktop.org's Desktop Notifications), through `notify-send` of libnotify, with buttons that
/// run commands of helix.
struct DesktopChannel: NoticeChannel {
    /// A button of a notification.
    struct Action: Equatable {
        /// Its label.
        var label: String
        /// The words of the command that it runs; a link to open if there is only one.
        var words: [String]
    }

    let name = "the desktop"
    /// The program that opens links.
    let opener: String
    /// The path of helix, which the buttons run.
    let helix: String
    /// Whether notifications have buttons, for which this process must wait.
    let hasButtons: Bool

    /// Notifications with buttons that wait for people; each takes a thread.
    private static let waiting = Atomic(0)
    private static let waitingLimit = 20

    /// Whether there is a desktop's bus, and the program that reaches it.
    static func isThere(_ environment: [String: String]) -> Bool {
        let hasBus =
            environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false
            || environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
        return hasBus && program(environment) != nil
    }

    /// The path of `notify-send`; nil if it is not installed.
    static func program(_ environment: [String: String]) -> String? {
        (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { $0 + "/notify-send" }
            .first { access(String($0), X_OK) == 0 }.map(String.init)
    }

    /// The buttons of an announcement; none for a summary.
    static func actions(_ announcement: Announcement) -> [Action] {
        guard announcement.notices.count == 1, let notice = announcement.notices.first, let id = notice.entity?.text
        else { return [] }
        switch notice.kind {
        case .reminder:
            return [
                Action(label: "Snooze", words: ["reminders", "snooze", id]),
                Action(label: "Dismiss", words: ["reminders", "dismiss", id]),
            ]
        case .mailNew:
            return [
                Action(label: "Open", words: ["helix://mail/\(id)"]),
                Action(label: "Archive", words: ["mail", "archive", id]),
                Action(label: "Mark as read", words: ["mail", "mark", "read", id]),
            ]
        case .invitation:
            return [
                Action(label: "Accept", words: ["cal", "rsvp", id, "accept"]),
                Action(label: "Decline", words: ["cal", "rsvp", id, "decline"]),
                Action(label: "Open", words: ["helix://mail/\(id)"]),
            ]
        case .chatMention, .chatDirect: return [Action(label: "Open", words: ["helix://message/\(id)"])]
        case .timerForgotten: return [Action(label: "Stop the clock", words: ["time", "stop"])]
        case .messageStuck: return [Action(label: "Try again", words: ["outbox", "retry", id])]
        case .eventStart, .taskDone, .syncDone, .syncFailed: return []
        }
    }

    func show(_ announcement: Announcement) throws {
        let isPressing = announcement.notices.contains { $0.kind == .reminder || $0.kind == .messageStuck }
        // The body may hold markup.
        let body = SafeText.lines(announcement.body).joined(separator: "\n").replacing("&", with: "&amp;").replacing(
            "<", with: "&lt;"
        )
        .replacing(">", with: "&gt;")
        let words =
            ["--app-name=helix", "--urgency=\(isPressing ? "critical" : "normal")"]
        let texts = ["--", SafeText.line(announcement.title), body]
        let actions = hasButtons ? DesktopChannel.actions(announcement) : []
        if !actions.isEmpty,
            DesktopChannel.waiting.add(1, ordering: .relaxed).oldValue < DesktopChannel.waitingLimit
        {
            // A notification with buttons lasts as long as its program.
            let buttons = actions.enumerated().map { "--action=\($0.offset)=\($0.element.label)" }
            let process = try start(words + buttons + texts, output: .pipe)
            // An old version of the program knows no buttons, and a bus without a server of notifications fails at once.
            usleep(150_000)
            if process.isOver {
                DesktopChannel.waiting.subtract(1, ordering: .relaxed)
                if process.wait() == 0 { return }
            } else {
                let channel = self
                // From here on only the thread uses it.
                nonisolated(unsafe) let shown = process
                let isStarted: Void? = try? DetachedThread.start {
                    channel.follow(shown, actions)
                    DesktopChannel.waiting.subtract(1, ordering: .relaxed)
                }
                // Without a thread it is shown, and its buttons do nothing.
                if isStarted == nil { DesktopChannel.waiting.subtract(1, ordering: .relaxed) }
                return
            }
        } else if !actions.isEmpty {
            DesktopChannel.waiting.subtract(1, ordering: .relaxed)
        }
        let status = try start(words + texts, output: .null).wait()
        guard status == 0 else {
            throw HelixError(
                .configuration, "notify-send cannot show notifications (status \(status))",
                hint: "Is a notification server running? 'helix config set notify.desktop never' goes without.")
        }
    }

    private func start(_ words: [String], output: Subprocess.Stream) throws -> Subprocess {
        do {
            return try Subprocess("notify-send", words, input: .null, output: output, errors: .null)
        } catch {
            throw HelixError(
                .configuration, "notify-send cannot be run (\(error.systemReason))",
                hint: "Install it: apt-get install libnotify-bin.")
        }
    }

    /// Waits for the button that is pressed, and runs its command.
    private func follow(_ process: Subprocess, _ actions: [Action]) {
        let output = process.readOutput(within: 86_400)
        if output == nil { process.terminate() }
        process.wait()
        let text = String(decoding: output ?? [], as: UTF8.self).trimmingBlanks()
        guard let index = Int(text), actions.indices.contains(index) else { return }
        let words = actions[index].words
        let isLink = words.count == 1
        let started =
            isLink
            ? try? Subprocess("/bin/sh", ["-c", "\(opener) \"$1\"", "helix", words[0]], input: .null, output: .null)
            : try? Subprocess(helix, words + ["--quiet"], input: .null, output: .null)
        started?.wait()
    }
}
