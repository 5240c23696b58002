import FoundationEssentials
import Glibc
import HelixCalendar
import HelixModel
import HelixSystem
import HelixTasks
import HelixTerminal

/// A file or standard input to import from.
struct ImportSource {
    let path: String
    let isInFolder: Bool
    /// The calendar that the folder of the file stands for.
    var calendar: String?

    /// The name for messages.
    var name: String { path == "-" ? "standard input" : path.lastPathComponent }

    /// The files of an argument: itself, or those in a folder, except hidden ones.
    /// - Throws: ``HelixError``: `notFound`, or `badInput` for a folder without calendars.
    static func sources(_ path: String) throws -> [ImportSource] {
        if path == "-" { return [ImportSource(path: path, isInFolder: false)] }
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw HelixError(.notFound, "no file \(path)")
        }
        guard isFolder else { return [ImportSource(path: path, isInFolder: false)] }
        if FileManager.default.fileExists(atPath: path + "/apts"),
            FileManager.default.fileExists(atPath: path + "/todo")
        {
            return [ImportSource(path: path + "/apts", isInFolder: false)]
        }
        let endings = [".ics", ".ical", ".ifb", ".vcs", ".org"]
        guard let walk = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
            throw HelixError(.io, "the folder \(path) cannot be read")
        }
        var found: [String] = []
        for name in walk
        where endings.contains(where: { name.lowercased().hasSuffix($0) })
            && !name.split(separator: "/").contains(where: { $0.hasPrefix(".") })
        {
            found.append(name)
        }
        guard !found.isEmpty else { throw HelixError(.badInput, "no calendar files in the folder \(path)") }
        return found.sorted().map {
            ImportSource(path: path + "/" + $0, isInFolder: true, calendar: collection($0, below: path))
        }
    }

    /// The name of the collection of a file in a folder: its vdir metadata (`displayname`), or the name of its folder below the
    /// one that is imported.
    private static func collection(_ file: String, below path: String) -> String? {
        let folder = file.deletingLastPathComponent
        if let data = FileManager.default.contents(atPath: path + "/" + folder + "/displayname"), data.count <= 500 {
            let name = String(decoding: data, as: UTF8.self).trimmingBlanks()
            if !name.isEmpty { return name }
        }
        return folder.isEmpty ? nil : folder.lastPathComponent
    }

    /// Opens the source as iCalendar; each call of `read` returns a chunk of bytes, none at the end.
    /// - Throws: ``HelixError``: `io`, or `badInput` for a file that is none.
    func open(_ console: Console) throws -> (read: () throws -> [UInt8], defects: [ICalendarDefect]) {
        let descriptor = path == "-" ? console.input : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HelixError(.io, "\(path) cannot be read", hint: "Check its permissions.") }
        let handle = FileStream(descriptor: descriptor, closes: path != "-")
        let name = name
        func chunk() throws -> [UInt8] {
            do { return Array(try handle.read(upToCount: 1 << 18)) } catch {
                throw HelixError(.io, "\(name) cannot be read")
            }
        }
        var first: [UInt8]? = try chunk()
        let head = first ?? []
        if head.starts(with: [0x50, 0x4B, 3, 4]) {
            throw HelixError(
                .badInput, "\(name) is a ZIP archive, not a calendar", hint: "Unpack it first: unzip \(name)")
        }
        if head.starts(with: [0x1F, 0x8B]) {
            throw HelixError(.badInput, "\(name) is compressed", hint: "Unpack it first: gunzip \(name)")
        }
        let isOrg = path.lowercased().hasSuffix(".org")
        if isOrg || CalcurseFormat.isAppointments(head) {
            var bytes = head
            while case let more = try chunk(), !more.isEmpty { bytes += more }
            return try converted(bytes, isOrg: isOrg)
        }
        return (
            {
                if let bytes = first {
                    first = nil
                    return bytes
                }
                return try chunk()
            }, []
        )
    }

    /// A file of another program, as iCalendar.
    private func converted(
        _ bytes: [UInt8], isOrg: Bool
    ) throws -> (read: () throws -> [UInt8], defects: [ICalendarDefect]) {
        var text: String
        var defects: [ICalendarDefect] = []
        if isOrg {
            text = try OrgFormat.events(bytes)
        } else {
            let found = CalcurseFormat.calendar(bytes, note: CalcurseNotes(besides: path).text)
            text = found.text
            defects = found.defects.map { defect in
                let line = Int(defect.place.drop { !$0.isNumber }) ?? 1
                return ICalendarDefect(
                    line: line, part: defect.isPartial ? "note" : "VEVENT", reason: defect.reason)
            }
        }
        var rest: [UInt8]? = Array(text.utf8)
        return (
            {
                defer { rest = nil }
                return rest ?? []
            }, defects
        )
    }
}
