import HelixModel
import HelixTasks

/// A setting.
enum ConfigurationKey: String, CaseIterable, Sendable {
    case email = "user.email"
    case name = "user.name"
    case signature = "mail.signature"
    case sign = "mail.sign"
    case sendDelay = "mail.undo-send-delay"
    case send = "mail.send"
    case zone = "time.zone"
    case clock = "time.clock"
    case languages = "dates.languages"
    case morning = "dates.morning"
    case afternoon = "dates.afternoon"
    case evening = "dates.evening"
    case night = "dates.night"
    case firstWeekday = "calendar.first-weekday"
    case hours = "calendar.hours"
    case days = "calendar.days"
    case duration = "calendar.default-duration"
    case conflictsAllDay = "conflicts.all-day"
    case conflictsBuffer = "conflicts.buffer"
    case color = "ui.color"
    case ascii = "ui.ascii"
    case pager = "ui.pager"
    case opener = "files.open"
    case defaultHelix = "default.helix"
    case defaultCalendar = "default.cal"
    case defaultMail = "default.mail"
    case defaultTasks = "default.tasks"
    case defaultTime = "default.time"
    case defaultChat = "default.chat"
    case assistantURL = "assistant.url"
    case assistantModel = "assistant.model"
    case assistantKey = "assistant.key-command"
    case assistantPrompt = "assistant.prompt"
    case assistantHistory = "assistant.history"
    case googleClient = "oauth.google-client-id"
    case googleSecret = "oauth.google-client-secret-command"
    case microsoftClient = "oauth.microsoft-client-id"
    case yahooClient = "oauth.yahoo-client-id"
    case yahooSecret = "oauth.yahoo-client-secret-command"
    case fastmailClient = "oauth.fastmail-client-id"
    case urgencyDue = "urgency.due"
    case urgencyPriority = "urgency.priority"
    case urgencyAge = "urgency.age"
    case urgencyBlocking = "urgency.blocking"
    case urgencyBlocked = "urgency.blocked"
    case urgencyStarted = "urgency.started"
    case urgencyScheduled = "urgency.scheduled"
    case urgencyProject = "urgency.project"
    case urgencyTags = "urgency.tags"
    case urgencyWaiting = "urgency.waiting"

    /// The settings of urgency: what each property adds at most.
    static let urgency: [ConfigurationKey] = [
        .urgencyDue, .urgencyPriority, .urgencyAge, .urgencyBlocking, .urgencyBlocked, .urgencyStarted,
        .urgencyScheduled, .urgencyProject, .urgencyTags, .urgencyWaiting,
    ]
    /// The variable of the environment that sets it for one run.
    var variable: String { "HELIX_" + rawValue.uppercased().replacing(".", with: "_").replacing("-", with: "_") }

    /// The part behind the dot.
    var shortName: String { String(rawValue.drop { $0 != "." }.dropFirst()) }

    /// Whether it takes several values.
    var isList: Bool {
        switch kind {
        case .list, .languages: true
        default: false
        }
    }

    /// The sort of a value.
    enum Kind: Sendable {
        case text
        case bool
        case list
        case number
        case choice([String])
        case languages
        /// A command of a noun; of helix itself where that is empty.
        case command(of: String)
        case clock
        case duration
        case hours
        case weekdays
        case zone
    }

    /// The sort of its value.
    var kind: Kind {
        switch self {
        case .email: .list
        case .languages: .languages
        case .morning, .afternoon, .evening, .night: .clock
        case .defaultHelix: .command(of: "")
        case .defaultCalendar, .defaultMail, .defaultTasks, .defaultTime, .defaultChat: .command(of: shortName)
        case .zone: .zone
        case .clock: .choice(["24", "12"])
        case .firstWeekday: .choice(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
        case .hours: .hours
        case .days: .weekdays
        case .duration, .conflictsBuffer, .sendDelay: .duration
        case .send: .choice(["now", "queue"])
        case .conflictsAllDay, .ascii, .sign: .bool
        case .color: .choice(["auto", "always", "never"])
        case .pager, .opener, .name, .signature, .assistantURL, .assistantModel, .assistantKey, .assistantPrompt,
            .googleClient, .googleSecret, .microsoftClient, .yahooClient, .yahooSecret, .fastmailClient:
            .text
        default: .number
        }
    }

    /// The value that holds if it is not set.
    var fallback: String {
        switch self {
        case .email, .name, .zone, .languages, .pager, .assistantURL, .assistantModel, .assistantKey, .assistantPrompt,
            .googleClient, .googleSecret, .microsoftClient, .yahooClient, .yahooSecret, .fastmailClient:
            ""
        case .defaultHelix: "today"
        case .defaultCalendar: "agenda"
        case .defaultMail: "inbox"
        case .defaultTasks: "next"
        case .defaultTime: "status"
        case .defaultChat: "list"
        case .assistantHistory: "40"
        case .signature: "~/.signature"
        case .sendDelay: "0m"
        case .send: "now"
        case .opener: "xdg-open"
        case .clock: "24"
        case .morning: "9:00"
        case .afternoon: "15:00"
        case .evening: "19:00"
        case .night: "20:00"
        case .firstWeekday: "monday"
        case .hours: "9-17"
        case .days: "mon-fri"
        case .duration: "1h"
        case .conflictsAllDay, .ascii, .sign: "false"
        case .conflictsBuffer: "0m"
        case .color: "auto"
        default:
            // A whole number is written as one.
            "\(UrgencyCoefficients()[shortName])".replacing(".0", with: "")
        }
    }

    /// The purpose, for people.
    var summary: String {
        switch self {
        case .email: "Your own mail addresses; what they declined is not busy."
        case .name: "Your name as recipients see it."
        case .signature: "The file with your signature."
        case .sign: "Whether the signature stands under all you write, not only with --signature."
        case .sendDelay: "How long what you send waits in the outbox, so that it can be taken back."
        case .send: "What a yes to 'Send it?' does: send now, or queue until the next sync."
        case .zone: "The time zone, where TZ is not set; empty is the system's."
        case .clock: "24 or 12 hours; those of LC_TIME if it is not set."
        case .languages: "Languages of dates beside English: de, fr, es, it, or none; empty is that of LC_TIME."
        case .morning: "The time that 'tomorrow morning' means."
        case .afternoon: "The time that 'this afternoon' means."
        case .evening: "The time that 'friday evening' means."
        case .night: "The time that 'tonight' means."
        case .firstWeekday: "The day on which weeks start; that of LC_TIME if it is not set."
        case .hours: "Your working hours."
        case .days: "Your working days."
        case .duration: "How long an event lasts if nothing is said."
        case .conflictsAllDay: "Whether busy all-day events conflict."
        case .conflictsBuffer: "Time to keep free between events."
        case .color: "When colours are used: auto, always or never."
        case .ascii: "Whether only ASCII characters are drawn."
        case .pager: "The pager; empty is PAGER, or less."
        case .opener: "The program that opens files."
        case .defaultHelix: "The command that 'helix' alone runs."
        case .defaultCalendar, .defaultMail, .defaultTasks, .defaultTime, .defaultChat:
            "The command that 'helix \(shortName)' alone runs."
        case .assistantURL:
            "Where an assistant answers, by OpenAI's protocol: http://localhost:11434/v1; empty is a local Ollama."
        case .assistantModel: "The assistant's model; empty is the first one that there is."
        case .assistantKey: "A command that prints the key to the assistant."
        case .assistantPrompt: "What the assistant is told before everything else."
        case .assistantHistory: "How many messages of a conversation the assistant is given."
        case .googleClient: "The client id that you have from Google; docs/oauth.md says how."
        case .googleSecret: "A command that prints the client secret that you have from Google."
        case .microsoftClient: "The client id that you have from Microsoft."
        case .yahooClient: "The client id that you have from Yahoo."
        case .yahooSecret: "A command that prints the client secret that you have from Yahoo."
        case .fastmailClient: "The client id that you have from Fastmail."
        case .urgencyDue: "How much a task's urgency grows until a week after it is due."
        case .urgencyPriority: "How much the priority critical adds; lower ones add a part of it."
        case .urgencyAge: "How much a year of age adds."
        case .urgencyBlocking: "How much it adds that other tasks wait for it."
        case .urgencyBlocked: "How much it adds that it waits for other tasks."
        case .urgencyStarted: "How much it adds that work on it has begun."
        case .urgencyScheduled: "How much it adds that it was planned to begin by now."
        case .urgencyProject: "How much a project adds."
        case .urgencyTags: "How much tags add."
        case .urgencyWaiting: "How much it adds that it is hidden until later."
        }
    }
}
