import HelixMail
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

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
    case uiTheme = "ui.theme"
    case uiKeys = "ui.keys"
    case uiMouse = "ui.mouse"
    case uiTour = "ui.tour"
    case opener = "files.open"
    case defaultHelix = "default.helix"
    case defaultUI = "default.ui"
    case defaultCalendar = "default.cal"
    case defaultMail = "default.mail"
    case defaultTasks = "default.tasks"
    case defaultTime = "default.time"
    case defaultChat = "default.chat"
    case assistantURL = "assistant.url"
    case assistantModel = "assistant.model"
    case assistantKey = "assistant.key-command"
    case assistantPrompt = "assistant.prompt"
    case assistantSees = "assistant.may-see"
    case assistantBudget = "assistant.budget"
    case embeddingURL = "assistant.embedding-url"
    case embeddingModel = "assistant.embedding-model"
    case deviceName = "gateway.device-name"
    case assistantHistory = "assistant.history"
    case gatewayDatabase = "gateway.database"
    case gatewayDatabasePassword = "gateway.database-password-command"
    case googleClient = "oauth.google-client-id"
    case googleSecret = "oauth.google-client-secret-command"
    case microsoftClient = "oauth.microsoft-client-id"
    case yahooClient = "oauth.yahoo-client-id"
    case yahooSecret = "oauth.yahoo-client-secret-command"
    case fastmailClient = "oauth.fastmail-client-id"
    case queryCommand = "mail.query-command"
    case ownServers = "mail.authserv-id"
    case signMessages = "pgp.sign"
    case encrypt = "pgp.encrypt"
    case pgpMethod = "pgp.method"
    case pgpKey = "pgp.key"
    case autocrypt = "pgp.autocrypt"
    case preferEncrypt = "pgp.prefer-encrypt"
    case indexDecrypted = "pgp.index"
    case indexAttachments = "mail.index-attachments"
    case birthdays = "contacts.birthdays"
    case snooze = "reminders.snooze"
    case watchAutostart = "watch.autostart"
    case notifyDesktop = "notify.desktop"
    case notifyTerminal = "notify.terminal"
    case notifyPush = "notify.push"
    case notifyPushToken = "notify.push-token-command"
    case notifyWebhook = "notify.webhook"
    case notifyMail = "notify.mail"
    case notifyQuiet = "notify.quiet"
    case notifyBusy = "notify.hold-while-busy"
    case notifyTimer = "notify.timer-after"
    case hookTimeout = "hooks.timeout"
    case hookReminder = "hooks.reminder"
    case hookEventStart = "hooks.event-start"
    case hookMailNew = "hooks.mail-new"
    case hookInvitation = "hooks.invitation"
    case hookChatMention = "hooks.chat-mention"
    case hookChatDirect = "hooks.chat-direct"
    case hookTimerForgotten = "hooks.timer-forgotten"
    case hookMessageStuck = "hooks.message-stuck"
    case hookTaskDone = "hooks.task-done"
    case hookSyncDone = "hooks.sync-done"
    case hookSyncFailed = "hooks.sync-failed"
    case lockAfter = "security.lock-after"
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

    /// The setting with the hook of a kind of notice.
    static func hook(_ kind: Notice.Kind) -> ConfigurationKey? { ConfigurationKey(rawValue: "hooks.\(kind.rawValue)") }

    /// The kind of notice whose hook it sets; nil for other settings.
    var hookedKind: Notice.Kind? { rawValue.hasPrefix("hooks.") ? Notice.Kind(rawValue: shortName) : nil }

    /// The settings of urgency: the maximum that each property adds.
    static let urgency: [ConfigurationKey] = [
        .urgencyDue, .urgencyPriority, .urgencyAge, .urgencyBlocking, .urgencyBlocked, .urgencyStarted,
        .urgencyScheduled, .urgencyProject, .urgencyTags, .urgencyWaiting,
    ]
    /// The environment variable that sets it for one run.
    var variable: String { "HELIX_" + rawValue.uppercased().replacing(".", with: "_").replacing("-", with: "_") }

    /// The part after the dot.
    var shortName: String { String(rawValue.drop { $0 != "." }.dropFirst()) }

    /// Whether it accepts several values.
    var isList: Bool {
        switch kind {
        case .list, .words, .languages, .sights: true
        default: false
        }
    }

    /// The type of a value.
    enum Kind: Sendable {
        case text
        case bool
        /// Mail addresses.
        case list
        /// Words without blanks.
        case words
        /// The sight of an assistant: `private`, `label:NAME`, `calendar:NAME`.
        case sights
        case number
        /// A whole number of at least this.
        case count(Int)
        case choice([String])
        case languages
        /// A command of a noun; of helix itself if the noun is empty.
        case command(of: String)
        case clock
        case duration
        case hours
        /// Hours that may go over midnight: 22:00-7:00.
        case nightHours
        case weekdays
        /// The address of an API.
        case url
        /// A query for messages.
        case mailQuery
        /// A duration that is not empty.
        case wait
        case zone
    }

    /// The type of its value.
    var kind: Kind {
        switch self {
        case .email: .list
        case .ownServers, .pgpKey: .words
        case .encrypt: .choice(["reply", "auto", "always", "never"])
        case .pgpMethod: .choice(["auto"] + SecurityStandard.allCases.map(\.rawValue))
        case .autocrypt: .choice(["sealed", "always", "never"])
        case .assistantSees: .sights
        case .languages: .languages
        case .morning, .afternoon, .evening, .night: .clock
        case .defaultHelix: .command(of: "")
        case .defaultCalendar, .defaultMail, .defaultTasks, .defaultTime, .defaultChat: .command(of: shortName)
        case .zone: .zone
        case .clock: .choice(["24", "12"])
        case .firstWeekday: .choice(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
        case .hours: .hours
        case .days: .weekdays
        case .duration, .conflictsBuffer, .sendDelay, .lockAfter: .duration
        case .snooze, .notifyTimer, .hookTimeout: .wait
        case .notifyMail: .mailQuery
        case .notifyQuiet: .nightHours
        case .notifyDesktop: .choice(["auto", "always", "never"])
        case .notifyTerminal: .choice(["auto", "bell", "osc9", "osc777", "osc99", "never"])
        case .send: .choice(["now", "queue"])
        case .conflictsAllDay, .ascii, .sign, .watchAutostart, .notifyBusy, .birthdays, .signMessages, .preferEncrypt,
            .indexDecrypted, .indexAttachments, .uiMouse, .uiTour, .defaultUI:
            .bool
        case .color: .choice(["auto", "always", "never"])
        case .uiTheme: .choice(["terminal"] + ScreenTheme.named.map(\.name))
        case .uiKeys: .choice(UIKeyStyle.allCases.map(\.rawValue))
        case .assistantURL, .embeddingURL, .notifyPush, .notifyWebhook: .url
        case .pager, .opener, .name, .signature, .deviceName, .assistantModel, .assistantKey,
            .assistantPrompt, .embeddingModel, .gatewayDatabase, .gatewayDatabasePassword,
            .googleClient, .googleSecret, .microsoftClient, .yahooClient, .yahooSecret, .fastmailClient,
            .notifyPushToken, .queryCommand, .hookReminder, .hookEventStart, .hookMailNew, .hookInvitation,
            .hookChatMention, .hookChatDirect, .hookTimerForgotten, .hookMessageStuck, .hookTaskDone, .hookSyncDone,
            .hookSyncFailed:
            .text
        case .assistantBudget: .count(500)
        case .assistantHistory: .count(1)
        default: .number
        }
    }

    /// The default value.
    var fallback: String {
        switch self {
        case .email, .name, .zone, .languages, .pager, .deviceName, .assistantURL, .assistantModel, .assistantKey,
            .assistantPrompt, .assistantSees, .embeddingURL, .embeddingModel, .gatewayDatabase,
            .gatewayDatabasePassword,
            .googleClient, .googleSecret, .microsoftClient, .yahooClient, .yahooSecret, .fastmailClient,
            .ownServers, .pgpKey, .notifyPush, .notifyPushToken, .notifyWebhook, .notifyQuiet, .queryCommand,
            .hookReminder, .hookEventStart,
            .hookMailNew,
            .hookInvitation, .hookChatMention, .hookChatDirect, .hookTimerForgotten, .hookMessageStuck, .hookTaskDone,
            .hookSyncDone, .hookSyncFailed:
            ""
        case .encrypt: "reply"
        case .pgpMethod: "auto"
        case .autocrypt: "sealed"
        case .snooze: "10m"
        case .birthdays, .indexAttachments, .uiMouse, .uiTour: "true"
        case .uiTheme: "terminal"
        case .uiKeys: "mutt"
        case .notifyDesktop, .notifyTerminal: "auto"
        case .notifyMail: "in:inbox is:unread -is:muted"
        case .notifyTimer: "10h"
        case .hookTimeout: "30s"
        case .defaultHelix: "today"
        case .defaultCalendar: "agenda"
        case .defaultMail: "inbox"
        case .defaultTasks: "next"
        case .defaultTime: "status"
        case .defaultChat: "list"
        case .assistantHistory: "40"
        case .assistantBudget: "60000"
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
        case .conflictsAllDay, .ascii, .sign, .watchAutostart, .notifyBusy, .signMessages, .preferEncrypt,
            .indexDecrypted, .defaultUI:
            "false"
        case .conflictsBuffer, .lockAfter: "0m"
        case .color: "auto"
        default:
            // An integer is written without a fraction.
            "\(UrgencyCoefficients()[shortName])".replacing(".0", with: "")
        }
    }

    /// The purpose, for people.
    var summary: String {
        switch self {
        case .email: "Your own mail addresses; events that they declined are not busy."
        case .name: "Your name as recipients see it."
        case .signature: "The file with your signature; {address} in its name stands for the sender's address."
        case .sign: "Whether the signature is added to every message, not only with --signature."
        case .sendDelay: "How long sent messages stay in the outbox and can be cancelled."
        case .send: "The action after you confirm 'Send it?': send now, or queue until the next sync."
        case .zone: "The time zone if TZ is not set; empty is the system's."
        case .clock: "The clock: 24 or 12 hours. Unset: as LC_TIME says."
        case .languages: "Languages of dates besides English: de, fr, es, it, or none; empty is that of LC_TIME."
        case .morning: "The time of 'tomorrow morning'."
        case .afternoon: "The time of 'this afternoon'."
        case .evening: "The time of 'friday evening'."
        case .night: "The time of 'tonight'."
        case .firstWeekday: "The first day of the week. Unset: as LC_TIME says."
        case .hours: "Your working hours."
        case .days: "Your working days."
        case .duration: "The default duration of an event."
        case .conflictsAllDay: "Whether busy all-day events conflict."
        case .conflictsBuffer: "Time to keep free between events."
        case .color: "When to use colours: auto, always or never."
        case .ascii: "Whether to print ASCII characters only."
        case .pager: "The pager; empty is PAGER, or less."
        case .uiTheme: "The colours of 'helix ui': those of the terminal, or dark, light, contrast, sepia, night."
        case .uiKeys: "The manner of the keys of 'helix ui': mutt or vim; 'config set keys.NAME KEY' sets one key."
        case .uiMouse: "Whether 'helix ui' uses the mouse; with Shift, the terminal selects text."
        case .uiTour: "Whether 'helix ui' begins with a tour, until it was seen once."
        case .opener: "The program that opens files."
        case .defaultHelix: "The default command of 'helix'."
        case .defaultUI: "Whether 'helix' alone opens 'helix ui' at a terminal."
        case .defaultCalendar, .defaultMail, .defaultTasks, .defaultTime, .defaultChat:
            "The default command of 'helix \(shortName)'."
        case .assistantURL:
            "The URL of an assistant with OpenAI's protocol: http://localhost:11434/v1; empty is a local Ollama."
        case .assistantModel: "The assistant's model; empty is the first available one."
        case .assistantKey: "A command that prints the API key of the assistant."
        case .assistantPrompt: "The system prompt of the assistant."
        case .assistantSees:
            "What assistants see of mail and calendars: label:NAME and calendar:NAME are the only ones; private adds what is marked so."
        case .assistantBudget:
            "The maximum number of tokens that one command may send to the assistant and get from it; at least 500."
        case .embeddingURL: "The URL of the server for search by meaning; empty is that of the assistant."
        case .embeddingModel: "The model for search by meaning, such as all-minilm; empty is none."
        case .deviceName: "The name of this device at gateways; the machine's name by default."
        case .assistantHistory: "Number of messages of a conversation to send to the assistant."
        case .gatewayDatabase: "The PostgreSQL database of the gateway on this machine; empty is SQLite."
        case .gatewayDatabasePassword: "A command that prints the password of that database."
        case .googleClient: "Your client id from Google; see docs/oauth.md."
        case .googleSecret: "A command that prints your client secret from Google."
        case .microsoftClient: "Your client id from Microsoft."
        case .yahooClient: "Your client id from Yahoo."
        case .yahooSecret: "A command that prints your client secret from Yahoo."
        case .fastmailClient: "Your client id from Fastmail."
        case .queryCommand:
            "A program that finds addresses by a name, as mutt's query_command: khard email --parsable %s."
        case .ownServers:
            "The names of your own mail servers in Authentication-Results, whose checks of senders count."
        case .signMessages: "Whether messages are signed with your key."
        case .encrypt:
            "The messages to encrypt: reply (replies to encrypted ones), auto (if all recipients have keys), always, never."
        case .pgpMethod: "The standard for signing and encrypting; auto is OpenPGP if there are keys, else S/MIME."
        case .pgpKey:
            "Your keys: a fingerprint, or ADDRESS=FINGERPRINT; empty is the newest key of the sender's address."
        case .autocrypt:
            "The messages that carry your public key (Autocrypt): sealed (signed or encrypted), always, never."
        case .preferEncrypt: "Whether your Autocrypt header asks others to encrypt."
        case .indexAttachments:
            "Whether the text of attached files (PDF, office, HTML, text, names in archives) is searched."
        case .indexDecrypted: "Whether the text of messages that you decrypt can be found by searches."
        case .birthdays: "Whether the birthdays of contacts are events of the calendar 'Birthdays'."
        case .snooze: "The length for which 'helix reminders snooze' puts a reminder off."
        case .lockAfter:
            "The time without use after which helix locks itself, if 'helix lock' or a vault protects it; 0m is never."
        case .watchAutostart:
            "Whether commands at a terminal start 'helix watch' in the background if it does not run and there is a desktop, an address or a hook."
        case .notifyDesktop: "Whether 'helix watch' shows notices on the desktop; auto is if there is one."
        case .notifyTerminal:
            "The sequence for notices at the terminal of 'helix watch': bell, osc9, osc777, osc99; auto is by its kind."
        case .notifyPush: "The address of a topic of ntfy, or of UnifiedPush, to which notices are sent."
        case .notifyPushToken: "A command that prints the access token of that server."
        case .notifyWebhook: "An address to which each notice is sent as JSON."
        case .notifyMail: "The query of the new messages that are notices; 'none' for no message."
        case .notifyQuiet: "Hours in which nothing is announced but what would come too late: 22:00-7:00."
        case .notifyBusy: "Whether notices other than reminders wait for the end of a busy event."
        case .notifyTimer: "The length after which a running timer counts as forgotten."
        case .hookTimeout: "The time limit of a hook."
        case .hookReminder: "A command that gets each reminder as JSON on its standard input, when it goes off."
        case .hookEventStart: "A command that gets each event as JSON, when it begins."
        case .hookMailNew: "A command that gets each new message as JSON."
        case .hookInvitation: "A command that gets each new invitation as JSON."
        case .hookChatMention: "A command that gets each chat message that mentions you as JSON."
        case .hookChatDirect: "A command that gets each new direct chat message as JSON."
        case .hookTimerForgotten: "A command that gets a timer that runs too long as JSON."
        case .hookMessageStuck: "A command that gets each message that could not be sent as JSON."
        case .hookTaskDone: "A command that gets each task that was done as JSON."
        case .hookSyncDone: "A command that gets each sync with changes as JSON."
        case .hookSyncFailed: "A command that gets each sync that begins to fail as JSON."
        case .urgencyDue: "Maximum urgency added by the due date, reached one week after it."
        case .urgencyPriority: "Urgency added by the priority critical; lower ones add a part of it."
        case .urgencyAge: "Urgency added by a year of age."
        case .urgencyBlocking: "Urgency added if other tasks wait for it."
        case .urgencyBlocked: "Urgency added if it waits for other tasks."
        case .urgencyStarted: "Urgency added if work on it has begun."
        case .urgencyScheduled: "Urgency added if its planned start has passed."
        case .urgencyProject: "Urgency added by a project."
        case .urgencyTags: "Urgency added by tags."
        case .urgencyWaiting: "Urgency added while it is hidden until later."
        }
    }
}
