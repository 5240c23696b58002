import ArgumentParser
import HelixModel
import HelixTerminal

/// `helix schema`
struct Schema: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "schema", abstract: "Print the JSON Schema of a command's JSON.",
        discussion: """
            Without a command, lists the commands that have a schema.

              helix schema
              helix schema cal week
            """)

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("The command.", valueName: "noun verb"),
        completion: .custom(CompletionLists.schemas))
    var command: [String] = []

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let name = command.joined(separator: " ")
        if name.isEmpty {
            let items = Schema.all.map { SchemaItem(command: $0.command, schema: $0.schema) }
            return try context.present(SchemaList(items: items))
        }
        guard let found = Schema.all.first(where: { $0.command == name }) else {
            throw HelixError(.notFound, "no schema for '\(name)'", hint: "'helix schema' lists them.")
        }
        try context.write(JSONValue.object(found.document).text(indent: 0) + "\n")
    }

    struct Entry: Sendable {
        let command: String
        let schema: String
        /// The fields of an item.
        let fieldNames: [String]
        var document: JSONObject

        init<R: Report>(_ command: String, _ report: R.Type) {
            self.command = command
            schema = R.schema
            fieldNames = R.Item.fields.map(\.name)
            let item = SchemaField.schema(of: R.Item.fields)
            var properties = JSONObject()
            var name = JSONObject()
            name.set("const", R.schema)
            properties.set("schema", .object(name))
            var required = ["schema"]
            if R.isList {
                var list = JSONObject()
                list.set("type", "array")
                list.set("items", .object(item))
                properties.set("items", .object(list))
                var truncated = JSONObject()
                truncated.set("const", true)
                properties.set("truncated", .object(truncated))
                var next = JSONObject()
                next.set("type", "string")
                next.set("description", "The cursor for --after, if --limit truncated the list.")
                properties.set("next", .object(next))
                var remarks = JSONObject()
                remarks.set("type", "array")
                remarks.set("description", "Additional remarks.")
                properties.set("remarks", .object(remarks))
                required.append("items")
            } else {
                for field in SchemaField.schema(of: R.Item.fields).fields where field.name == "properties" {
                    if case .object(let inner) = field.value {
                        for one in inner.fields { properties.set(one.name, one.value) }
                    }
                }
                required += R.Item.fields.filter(\.isRequired).map(\.name)
            }
            var document = JSONObject()
            document.set("$schema", "https://json-schema.org/draft/2020-12/schema")
            document.set("title", R.schema)
            document.set("type", "object")
            document.set("properties", .object(properties))
            document.set("required", required)
            self.document = document
        }
    }

    /// The entry of a command with several schemas.
    private static func either(_ command: String, _ entries: Entry...) -> Entry {
        var entry = entries[0]
        var document = JSONObject()
        document.set("$schema", "https://json-schema.org/draft/2020-12/schema")
        document.set("title", entries.map(\.schema).joined(separator: " or "))
        document.set("anyOf", .array(entries.map { .object($0.document) }))
        entry.document = document
        return entry
    }

    /// The entry of a command that saves a draft or queues a message.
    private static func written(_ command: String) -> Entry {
        either(command, Entry(command, OutboxReport.self), Entry(command, MailChangeReport.self))
    }

    static let all: [Entry] = [
        Entry("cal week", WeekReport.self), Entry("cal day", WeekReport.self), Entry("cal month", MonthReport.self),
        Entry("cal agenda", AgendaReport.self), Entry("cal year", YearReport.self), Entry("cal add", SavedReport.self),
        Entry("cal edit", SavedReport.self), Entry("cal move", SavedReport.self), Entry("cal copy", SavedReport.self),
        Entry("cal rsvp", SavedReport.self), Entry("cal invite", SavedReport.self),
        Entry("cal delete", SavedReport.self), Entry("cal show", EventReport.self),
        Entry("cal search", SearchReport.self),
        Entry("cal conflicts", ConflictReport.self), Entry("cal free", FreeReport.self),
        Entry("cal import", ImportReport.self), Entry("cal stats", StatsReport.self),
        Entry("cal calendars", CalendarsReport.self), Entry("cal calendars list", CalendarsReport.self),
        Entry("cal calendars add", CalendarsReport.self), Entry("cal calendars rename", CalendarsReport.self),
        Entry("cal calendars color", CalendarsReport.self), Entry("cal calendars hide", CalendarsReport.self),
        Entry("cal calendars show", CalendarsReport.self), Entry("cal calendars delete", CalendarsReport.self),
        Entry("cal calendars default", CalendarsReport.self), Entry("config", ConfigReport.self),
        Entry("config get", ConfigReport.self), Entry("config set", ConfigReport.self),
        Entry("config unset", ConfigReport.self), Entry("undo", HistoryReport.self),
        Entry("redo", HistoryReport.self),
        Entry("history", HistoryReport.self), Entry("config list", ConfigReport.self),
        Entry("dates", DatesReport.self), Entry("fields", FieldsReport.self),
        Entry("doctor", DoctorReport.self),
        Entry("mail list", MailListReport.self), Entry("mail inbox", MailListReport.self),
        Entry("mail unread", MailListReport.self), Entry("mail search", MailListReport.self),
        Entry("mail search run", MailListReport.self), Entry("mail search save", SavedSearchReport.self),
        Entry("mail search saved", SavedSearchReport.self), Entry("mail search delete", SavedSearchReport.self),
        Entry("mail read", MessageReport.self), Entry("mail thread", ThreadReport.self),
        Entry("mail mailboxes", MailboxReport.self), Entry("mail attachments list", AttachmentReport.self),
        Entry("mail attachments save", AttachmentReport.self),
        Entry("mail attachments open", AttachmentReport.self), Entry("mail mark", MailChangeReport.self),
        Entry("mail label", MailChangeReport.self), Entry("mail move", MailChangeReport.self),
        Entry("mail archive", MailChangeReport.self), Entry("mail trash", MailChangeReport.self),
        Entry("mail delete", MailChangeReport.self), Entry("mail import", MailImportReport.self),
        Entry("mail index", MailIndexReport.self), Entry("mail people", PeopleReport.self),
        written("mail new"), written("mail reply"),
        written("mail reply-all"), written("mail forward"),
        Entry("mail drafts", MailListReport.self), written("mail edit"),
        Entry("mail send", OutboxReport.self), Entry("mail discard", MailChangeReport.self),
        Entry("outbox list", OutboxReport.self), Entry("outbox show", OutboxReport.self),
        Entry("outbox hold", OutboxReport.self), Entry("outbox edit", OutboxReport.self),
        Entry("outbox cancel", MailChangeReport.self), Entry("outbox retry", OutboxReport.self),
        Entry("mail stats", MailStatsReport.self),
        Entry("chat list", ConversationReport.self), Entry("chat new", ConversationReport.self),
        Entry("chat rename", ConversationReport.self), Entry("chat archive", ConversationReport.self),
        Entry("chat mute", ConversationReport.self), Entry("chat delete", ConversationReport.self),
        Entry("chat leave", ConversationReport.self), Entry("chat show", ChatReport.self),
        Entry("chat send", ChatReport.self), Entry("chat read", ChatReport.self),
        Entry("chat search", ChatReport.self), Entry("chat share", ChatReport.self),
        either(
            "chat message", Entry("chat message", ChatReport.self), Entry("chat message", TaskChangeReport.self),
            Entry("chat message", SavedReport.self), Entry("chat message", AttachmentReport.self)),
        Entry("chat members", ChatMemberReport.self), Entry("chat people", ChatPeopleReport.self),
        Entry("chat invite", ChatMemberReport.self),
        Entry("account list", AccountReport.self),
        either("account add", Entry("account add", MailIndexReport.self), Entry("account add", AccountReport.self)),
        Entry("account remove", AccountReport.self), Entry("account edit", AccountReport.self),
        Entry("account check", AccountCheckReport.self), Entry("sync", SyncReport.self),
        Entry("sync conflicts", SyncConflictReport.self), Entry("sync resolve", SyncConflictReport.self),
        Entry("tasks list", TaskListReport.self),
        Entry("tasks search", TaskListReport.self),
        Entry("tasks next", TaskListReport.self),
        Entry("tasks next --why", UrgencyReport.self),
        Entry("tasks depend --graph", DependencyReport.self),
        Entry("cal agenda --tasks", AgendaTasksReport.self),
        Entry("show", EntityReport.self),
        Entry("tasks show", TaskReport.self),
        Entry("tasks add", TaskChangeReport.self),
        Entry("tasks edit", TaskChangeReport.self),
        Entry("tasks done", TaskChangeReport.self),
        Entry("tasks reopen", TaskChangeReport.self),
        Entry("tasks drop", TaskChangeReport.self),
        Entry("tasks delete", TaskChangeReport.self),
        Entry("tasks undepend", TaskChangeReport.self),
        Entry("tasks depend", TaskChangeReport.self),
        Entry("tasks move", TasksMoved.self),
        Entry("tasks board", BoardReport.self), Entry("tasks stats", TaskStatsReport.self),
        Entry("tasks start", TimeChangeReport.self),
        Entry("tasks stop", TimeChangeReport.self),
        Entry("tasks schedule", SavedReport.self),
        Entry("tasks import", TaskImportReport.self),
        Entry("tasks columns", ColumnsReport.self),
        Entry("tasks columns list", ColumnsReport.self),
        Entry("tasks columns add", ColumnsReport.self),
        Entry("tasks columns edit", ColumnsReport.self),
        Entry("tasks columns delete", ColumnsReport.self),
        Entry("tasks boards", BoardsReport.self),
        Entry("tasks boards list", BoardsReport.self),
        Entry("tasks boards add", BoardsReport.self),
        Entry("tasks boards rename", BoardsReport.self),
        Entry("tasks boards delete", BoardsReport.self),
        Entry("tasks boards default", BoardsReport.self),
        Entry("tasks view", ViewsReport.self),
        Entry("tasks view list", ViewsReport.self),
        Entry("tasks view save", ViewsReport.self),
        Entry("tasks view delete", ViewsReport.self),
        Entry("time start", TimeChangeReport.self),
        Entry("time stop", TimeChangeReport.self),
        Entry("time switch", TimeChangeReport.self),
        Entry("time resume", TimeChangeReport.self),
        Entry("time cancel", TimeChangeReport.self),
        Entry("time break", TimeChangeReport.self),
        Entry("time add", TimeChangeReport.self),
        Entry("time edit", TimeChangeReport.self),
        Entry("time split", TimeChangeReport.self),
        Entry("time join", TimeChangeReport.self),
        Entry("time move", TimeChangeReport.self),
        Entry("time delete", TimeChangeReport.self),
        Entry("time status", TimeStatusReport.self),
        Entry("time log", TimeLogReport.self), Entry("time import", TaskImportReport.self),
        Entry("time gaps", GapsReport.self),
        Entry("time report", TimeSumReport.self),
        Entry("time propose", TimeProposalReport.self),
        Entry("projects list", ProjectListReport.self),
        Entry("projects add", ProjectReport.self),
        Entry("projects show", ProjectReport.self),
        Entry("projects edit", ProjectReport.self),
        Entry("projects start", ProjectReport.self),
        Entry("projects complete", ProjectReport.self),
        Entry("projects report", ProjectSumReport.self),
        Entry("projects material add", MaterialReport.self),
        Entry("projects material list", MaterialReport.self),
        Entry("projects delete", EntityReport.self),
        Entry("projects blocks list", BlocksReport.self),
        Entry("projects blocks add", BlocksReport.self),
        Entry("projects blocks rename", BlocksReport.self),
        Entry("projects blocks move", BlocksReport.self),
        Entry("projects blocks remove", BlocksReport.self),
        Entry("projects attach", FileReport.self),
        Entry("projects files list", FileReport.self),
        Entry("projects files check", FileReport.self),
        Entry("projects files open", FileReport.self),
        Entry("projects files save", FileReport.self),
        Entry("projects files remove", EntityReport.self),
        Entry("today", TodayReport.self),
        Entry("status", StatusReport.self),
        Entry("search", EntityReport.self),
        Entry("projects material delete", EntityReport.self),
        Entry("link", LinkReport.self),
        Entry("unlink", LinkReport.self),
        Entry("gateway status", GatewayReport.self), Entry("gateway pair", GatewayReport.self),
        Entry("gateway devices", DeviceReport.self), Entry("gateway approve", DeviceReport.self),
        Entry("gateway reject", DeviceReport.self), Entry("gateway revoke", DeviceReport.self),
        Entry("gateway user add", GatewayUserReport.self), Entry("gateway user list", GatewayUserReport.self),
        Entry("gateway user password", GatewayUserReport.self),
        Entry("gateway user disable", GatewayUserReport.self),
        Entry("gateway user enable", GatewayUserReport.self),
        Entry("backup", BackupReport.self), Entry("restore", BackupReport.self), Entry("schema", SchemaList.self),
    ]
}

/// A command that has a schema.
struct SchemaItem: ReportItem {
    let command: String
    let schema: String

    static let fields = [
        SchemaField("command", .string, "The command."),
        SchemaField("schema", .string, "The schema's name and version."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("command", command)
        json.set("schema", schema)
        return json
    }
}

/// The list of schemas.
struct SchemaList: Report {
    static let schema = "helix.schema/1"
    let items: [SchemaItem]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(), .init()])
        for item in items { table.row([StyledText(item.command), StyledText(item.schema, .dim)]) }
        table.draw(on: &canvas)
    }
}
