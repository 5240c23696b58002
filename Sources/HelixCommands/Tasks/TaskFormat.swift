import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixSystem
import HelixTasks

/// An exchange format of tasks.
enum TaskFormat: String, ExpressibleByArgument, CaseIterable {
    case taskwarrior
    case todotxt
    case ics
    case markdown
    case csv

    /// The format with a name, also with the names that other programs give them.
    init?(argument: String) {
        switch argument.lowercased() {
        case "todo.txt", "todo": self = .todotxt
        case "vtodo", "icalendar", "ical": self = .ics
        case "md": self = .markdown
        case "task", "json": self = .taskwarrior
        case let name: self.init(rawValue: name)
        }
    }

    /// Derives the format from a file name.
    init?(path: String) {
        switch path.pathExtension.lowercased() {
        case "json": self = .taskwarrior
        case "txt": self = .todotxt
        case "ics", "ical", "ifb": self = .ics
        case "md", "markdown": self = .markdown
        case "csv": self = .csv
        default: return nil
        }
    }
}

/// A format of tasks that can be imported. Formats of other programs are read only.
enum TaskImportFormat: String, ExpressibleByArgument, CaseIterable {
    case taskwarrior
    case todotxt
    case ics
    case markdown
    case csv
    case todoist
    case google
    case org
    case calcurse

    /// The format with a name, also with the names that other programs give them.
    init?(argument: String) {
        if let format = TaskFormat(argument: argument) {
            self.init(rawValue: format.rawValue)
        } else {
            self.init(rawValue: argument.lowercased())
        }
    }

    /// The format in which helix exports, too.
    var exchange: TaskFormat? { TaskFormat(rawValue: rawValue) }

    /// The names, for messages.
    static var names: String {
        let all = allCases.map(\.rawValue)
        return all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
    }

    /// Derives the format from the name and the content of a file.
    init?(path: String, bytes: [UInt8]) {
        if path.lowercased().hasSuffix(".org") {
            self = .org
            return
        }
        if let format = TaskFormat(path: path), format != .taskwarrior, format != .csv {
            self.init(rawValue: format.rawValue)
            return
        }
        let head = bytes.prefix(4096)
        switch head.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
        case UInt8(ascii: "{"):
            if let value = try? JSONText(bytes), GoogleTasksFormat.isFormat(value) {
                self = .google
                return
            }
            self = .taskwarrior
        case UInt8(ascii: "["):
            // calcurse's tasks begin with a priority, JSON objects with a brace.
            let text = String(decoding: head.prefix(80), as: UTF8.self)
            let priority = text.drop { $0 == "[" || $0 == "-" }.prefix { $0.isNumber }
            self = !priority.isEmpty && text.drop { $0 != "]" }.hasPrefix("]") ? .calcurse : .taskwarrior
        case UInt8(ascii: "*") where OrgDocument.isFormat(bytes), UInt8(ascii: "#") where OrgDocument.isFormat(bytes):
            self = .org
        default:
            if String(decoding: head.prefix(40), as: UTF8.self).uppercased().hasPrefix("BEGIN:VCALENDAR") {
                self = .ics
            } else if let table = try? CSVTable(bytes), TodoistFormat.isFormat(table) {
                self = .todoist
            } else if let table = try? CSVTable(bytes), TaskCSVFormat.isFormat(table) {
                self = .csv
            } else if let format = TaskFormat(path: path) {
                self.init(rawValue: format.rawValue)
            } else {
                return nil
            }
        }
    }
}
