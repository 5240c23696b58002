import HelixInvoices
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
    case uiImages = "ui.images"
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
    case invoiceName = "invoice.name"
    case invoiceStreet = "invoice.street"
    case invoicePostalCode = "invoice.postal-code"
    case invoiceCity = "invoice.city"
    case invoiceCountry = "invoice.country"
    case invoiceVATID = "invoice.vat-id"
    case invoiceTaxNumber = "invoice.tax-number"
    case invoiceLegalID = "invoice.legal-id"
    case invoiceEmail = "invoice.email"
    case invoicePhone = "invoice.phone"
    case invoiceIBAN = "invoice.iban"
    case invoiceBIC = "invoice.bic"
    case invoiceTax = "invoice.tax"
    case invoiceDue = "invoice.due"
    case invoiceNumber = "invoice.number"
    case invoiceRound = "invoice.round"
    case invoiceNote = "invoice.note"
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
    var variable: String { "HELIX_" + String(rawValue.uppercased().map { ".-".contains($0) ? "_" : $0 }) }

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
        /// A term of an invoice.
        case invoice(InvoiceTerm)
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
        case .invoiceNumber: .invoice(.number)
        case .invoiceCountry: .invoice(.country)
        case .invoiceTax: .invoice(.tax)
        case .invoiceIBAN: .invoice(.iban)
        case .invoiceVATID: .invoice(.vatID)
        case .invoiceDue: .invoice(.due)
        case .clock: .choice(["24", "12"])
        case .firstWeekday: .choice(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
        case .hours: .hours
        case .days: .weekdays
        case .duration, .conflictsBuffer, .sendDelay, .lockAfter, .invoiceRound: .duration
        case .snooze, .notifyTimer, .hookTimeout: .wait
        case .notifyMail: .mailQuery
        case .notifyQuiet: .nightHours
        case .notifyDesktop: .choice(["auto", "always", "never"])
        case .notifyTerminal: .choice(["auto", "bell", "osc9", "osc777", "osc99", "never"])
        case .send: .choice(["now", "queue"])
        case .conflictsAllDay, .ascii, .sign, .watchAutostart, .notifyBusy, .birthdays, .signMessages, .preferEncrypt,
            .indexDecrypted, .indexAttachments, .uiMouse, .uiTour, .uiImages, .defaultUI:
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
            .hookSyncFailed, .invoiceName, .invoiceStreet, .invoicePostalCode, .invoiceCity, .invoiceTaxNumber,
            .invoiceLegalID, .invoiceEmail, .invoicePhone, .invoiceBIC, .invoiceNote:
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
            .hookSyncDone, .hookSyncFailed, .invoiceName, .invoiceStreet, .invoicePostalCode, .invoiceCity,
            .invoiceCountry, .invoiceVATID, .invoiceTaxNumber, .invoiceLegalID, .invoiceEmail, .invoicePhone,
            .invoiceIBAN, .invoiceBIC, .invoiceTax, .invoiceNote:
            ""
        case .encrypt: "reply"
        case .pgpMethod: "auto"
        case .autocrypt: "sealed"
        case .snooze: "10m"
        case .birthdays, .indexAttachments, .uiMouse, .uiTour, .uiImages: "true"
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
        case .invoiceDue: "14d"
        case .invoiceNumber: InvoiceNumber.usual
        case .conflictsBuffer, .lockAfter, .invoiceRound: "0m"
        case .color: "auto"
        default:
            // An integer is written without a fraction.
            "\(UrgencyCoefficients()[shortName])".replacing(".0", with: "")
        }
    }
}
