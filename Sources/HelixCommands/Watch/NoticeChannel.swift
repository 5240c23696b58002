import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixSystem
import HelixTerminal

/// A way to tell people of notices.
protocol NoticeChannel {
    /// Its name in messages.
    var name: String { get }
    /// Tells people.
    /// - Throws: ``HelixError``.
    func show(_ announcement: Announcement) throws
}

/// The sequences that terminals show as notifications.
enum TerminalSequence: String {
    case bell
    case osc9
    case osc777
    case osc99

    /// The sequence for a kind of terminal. Multiplexers pass on the bell alone.
    init(_ environment: [String: String]) {
        func has(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        let (term, program) = (environment["TERM"] ?? "", environment["TERM_PROGRAM"] ?? "")
        if has("TMUX") || has("STY") {
            self = .bell
        } else if has("KITTY_WINDOW_ID") || term == "xterm-kitty" {
            self = .osc99
        } else if ["iTerm.app", "WezTerm"].contains(program) || has("WT_SESSION") || has("ConEmuPID") {
            self = .osc9
        } else if program == "ghostty" || ["foot", "rxvt", "xterm-ghostty"].contains(where: term.hasPrefix) {
            self = .osc777
        } else {
            self = .bell
        }
    }

    /// The bytes that show a title and a text.
    func text(_ title: String, _ body: String) -> String {
        let (title, body) = (SafeText.line(title), SafeText.line(body))
        let both = body.isEmpty ? title : "\(title): \(body)"
        return switch self {
        case .bell: "\u{7}"
        case .osc9: "\u{1B}]9;\(both)\u{7}"
        case .osc777: "\u{1B}]777;notify;\(title.replacing(";", with: ","));\(body)\u{7}"
        case .osc99: "\u{1B}]99;i=helix:d=0;\(title)\u{1B}\\\u{1B}]99;i=helix:p=body;\(body)\u{1B}\\"
        }
    }
}

/// The terminal of the watch: a line for each notice, and the sequence that its terminal shows as a notification.
struct TerminalChannel: NoticeChannel {
    let context: CommandContext
    /// Nil for output that is no terminal, which gets lines or JSON alone.
    let sequence: TerminalSequence?
    var name: String { sequence == nil ? "standard output" : "this terminal" }

    func show(_ announcement: Announcement) throws {
        if let sequence { _ = context.console.write(sequence.text(announcement.title, announcement.body)) }
        try context.present(
            NoticeReport(
                items: announcement.notices.map { notice in
                    var told = notice
                    told.toldAt = context.now
                    return NoticeItem(notice: told)
                }))
    }
}

/// A topic of ntfy, or an endpoint of UnifiedPush.
struct PushChannel: NoticeChannel {
    let url: URL
    let tokenCommand: String?
    var name: String { url.host ?? "the push server" }

    func show(_ announcement: Announcement) throws {
        let token = try tokenCommand.map { try Secrets.output(of: $0, for: "notify.push-token-command") }
        let http = try HTTPClient(
            url, user: "", credential: token.map { .token($0) } ?? .none, authorities: nil, patience: 20)
        let title = SafeText.line(announcement.title)
        let body = SafeText.lines(announcement.body).joined(separator: "\n")
        var headers = ["Content-Type: text/plain; charset=utf-8", "Title: \(title)", "Tags: \(announcement.tag)"]
        if announcement.notices.contains(where: { $0.kind == .reminder }) { headers.append("Priority: high") }
        let answer = try http.request(
            "POST", url, headers: headers, body: Array((body.isEmpty ? title : body).utf8)
        ).answer
        guard answer.isGood else {
            throw HelixError(
                .protocol, "\(name) refused a notice (HTTP \(answer.status))", hint: "Check notify.push and its token.")
        }
    }
}

extension Announcement {
    /// The emoji tag of ntfy.
    fileprivate var tag: String {
        switch notices.first?.kind {
        case .reminder, .eventStart: "alarm_clock"
        case .mailNew, .invitation, .messageStuck: "envelope"
        case .chatMention, .chatDirect: "speech_balloon"
        default: "bell"
        }
    }
}
