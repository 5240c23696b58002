import HelixCalendar
import HelixContacts
import HelixMail
import HelixModel
import HelixStore
import HelixTasks

/// Completions of filters and searches, by the fields of their noun.
extension CompletionLists {
    @Sendable static func taskQuery(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        query(.tasks, prefix)
    }

    /// Ids, which people type first, and filters.
    @Sendable static func tasksOrQuery(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        taskIDs(arguments, index, prefix) + (prefix.isEmpty ? [] : query(.tasks, prefix))
    }

    @Sendable static func boardOrQuery(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        boards(arguments, index, prefix) + query(.tasks, prefix)
    }

    @Sendable static func timeQuery(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        query(.timeEntries, prefix)
    }

    /// Days, followed by a filter.
    @Sendable static func timeRange(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        let days = ["today", "yesterday", "week", "month"].filter { !prefix.isEmpty && $0.hasPrefix(prefix) }
        return days + query(.timeEntries, prefix)
    }

    @Sendable static func eventQuery(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        query(.events, prefix)
    }

    @Sendable static func mailQuery(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        query(.mail, prefix)
    }

    @Sendable static func chatQuery(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        query(.chat, prefix)
    }

    @Sendable static func contactQuery(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        query(.contacts, prefix)
    }

    @Sendable static func everythingQuery(_ arguments: [String], _ index: Int, _ prefix: String) -> [String] {
        query(.everything, prefix)
    }

    /// Common recurrences.
    static let repetitions = [
        "daily", "weekdays", "weekly", "every 2 weeks", "monthly", "last fri of the month", "yearly", "never",
    ]

    /// The fields that begin with the text, or the values of the field typed.
    private static func query(_ noun: QueryNoun, _ typed: String) -> [String] {
        if let sign = typed.first, "+-".contains(sign), noun.tags != .none, typed.dropFirst().first != "-" {
            guard sign == "+" || noun.tags == .both else { return [] }
            let tags = noun.tagsAreLabels ? [] : (try? open()?.taskTags()) ?? []
            return matching(tags.map { "\(sign)\($0)" }, typed)
        }
        if typed.hasPrefix("@"), noun.hasSavedQueries {
            let views = (try? open()?.savedViews())?.map(\.name) ?? []
            let searches = (try? open()?.savedSearches())?.map(\.name) ?? []
            return matching((noun.name == QueryNoun.mail.name ? searches : views).map { "@" + $0 }, typed)
        }
        guard let colon = typed.firstIndex(of: ":") else {
            let fields = noun.fields.filter { $0.name.hasPrefix(typed.lowercased()) }
            return CompletionChoice.texts(fields.map { CompletionChoice(value: $0.name + ":", description: $0.doc) })
        }
        let name = String(typed[..<colon])
        guard let field = noun.fields.first(where: { $0.name == name || $0.aliases.contains(name) }) else { return [] }
        let offered = values(of: field).map { value in
            name + ":" + (value.contains(" ") ? "\"\(value)\"" : value)
        }
        return matching(offered, typed)
    }

    private static func values(of field: QueryField) -> [String] {
        switch field.kind {
        case .choice, .level: return field.choiceNames + (field.canBeNone ? ["none", "any"] : [])
        case .time(let direction):
            let sides = direction == .back ? ["yesterday", "last_week"] : ["tomorrow", "next_week"]
            return ["today"] + sides + ["this_week", "this_month"] + (field.canBeNone ? ["none", "any"] : [])
        case .name: return (try? stored(field.name)) ?? []
        case .words, .person, .length, .decimal, .size, .id: return field.canBeNone ? ["none", "any"] : []
        }
    }

    /// The stored names that a field matches.
    private static func stored(_ field: String) throws -> [String] {
        guard let store = try open() else { return [] }
        return switch field {
        case "project": try store.projectNames()
        case "tag": try store.taskTags()
        case "board": try store.boards().map(\.name)
        case "column": try store.boards().flatMap { $0.columns.map(\.name) }
        case "calendar": try store.calendars().map(\.name)
        case "account": try store.mailAccounts().map(\.name)
        default: []
        }
    }
}

extension QueryNoun {
    /// Whether `+x` matches a label of mail or a category of events instead of a tag of tasks.
    fileprivate var tagsAreLabels: Bool { fields.contains { $0.name == "label" || $0.name == "category" } }
}
