import HelixGateway
import HelixModel

/// The forms of one answer that the family's apps for telephones expect: the names of fields, and lists instead of objects.
/// docs/gateway.md shows these tables.
enum AppDialect {
    /// The two names of a field: that of the app for iOS, and that of the app for Android. An answer has both, since each app
    /// passes over names that it does not know.
    static let names: [(ios: String, android: String)] = [
        ("userId", "user_id"), ("boardId", "board_id"), ("taskId", "task_id"), ("accountId", "account_id"),
        ("htmlBody", "html_body"), ("inReplyTo", "in_reply_to"), ("mimeType", "content_type"), ("size", "size_bytes"),
        ("email_address", "account_email"), ("last_sync", "last_synced_at"), ("storage_used_bytes", "total_size_bytes"),
        ("most_active_senders", "sender_stats"), ("message_count", "email_count"), ("display_name", "name"),
        ("last_message_date", "last_email_at"), ("page_number", "current_page"),
    ]

    /// The field of an answer that is the whole answer under the names of the app for Android.
    static let lists: [String: String] = [
        "calendar.events.list": "events", "calendar.events.search": "results",
        "calendar.events.attendees": "attendees", "calendar.conflicts.check": "conflicts",
    ]

    /// Likewise for methods that have the same name in both apps: the client's id and platform tell which one asks.
    static let listsOfAndroid: [String: String] = ["email.list": "emails", "email.search": "results"]

    private static let otherNames: [String: String] = Dictionary(
        names.flatMap { [($0.ios, $0.android), ($0.android, $0.ios)] }, uniquingKeysWith: { first, _ in first })

    /// Whether a method is one of the apps'.
    static func isKnown(_ method: String) -> Bool {
        ["tasks.", "calendar.", "email."].contains { method.hasPrefix($0) }
    }

    /// An answer in the form that a client expects.
    static func shaped(_ answer: JSONText, of method: String, for dialect: ClientDialect) -> JSONText {
        guard isKnown(method) else { return answer }
        let both = named(answer)
        let list = lists[method] ?? (dialect.isAndroid ? listsOfAndroid[method] : nil)
        return list.flatMap { both[$0] } ?? both
    }

    /// Adds the other name of each field.
    private static func named(_ json: JSONText) -> JSONText {
        if let elements = json.elements { return .array(elements.map(named)) }
        guard let fields = json.fields else { return json }
        let known = Set(fields.map(\.name))
        var all: [JSONText.Field] = []
        for field in fields {
            let value = named(field.value)
            all.append(JSONText.Field(name: field.name, value: value))
            if let other = otherNames[field.name], !known.contains(other) {
                all.append(JSONText.Field(name: other, value: value))
            }
        }
        return .object(all)
    }
}
