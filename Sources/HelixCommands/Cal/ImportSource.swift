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
    /// Whether it is in a folder of calcurse, beside its tasks.
    var isOfCalcurse = false
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
            return [ImportSource(path: path + "/apts", isInFolder: false, isOfCalcurse: true)]
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

    /// An open source, as iCalendar.
    struct Opened {
        /// Returns a chunk of bytes, none at the end.
        var read: () throws -> [UInt8]
        /// Whether there is more than one chunk.
        var isLarge = false
        /// The lines that were not understood.
        var defects: [ICalendarDefect] = []
        /// The numbers of items that are no events, by kind.
        var others: [String: Int] = [:]
        /// The line of the file for a line of the iCalendar text.
        var sourceLine: (Int) -> Int = { $0 }
    }

    /// Opens the source as iCalendar.
    /// - Throws: ``HelixError``: `io`, or `badInput` for a file that is none.
    func open(_ console: Console) throws -> Opened {
        let descriptor = path == "-" ? console.input : Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HelixError(.io, "\(path) cannot be read", hint: "Check its permissions.") }
        let handle = FileStream(descriptor: descriptor, closes: path != "-")
        let (name, chunkSize) = (name, 1 << 18)
        func chunk() throws -> [UInt8] {
            do { return Array(try handle.read(upToCount: chunkSize)) } catch {
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
        return Opened(
            read: {
                if let bytes = first {
                    first = nil
                    return bytes
                }
                return try chunk()
            }, isLarge: head.count == chunkSize)
    }

    /// A file of another program, as iCalendar.
    private func converted(_ bytes: [UInt8], isOrg: Bool) throws -> Opened {
        let found =
            isOrg
            ? try OrgFormat.events(bytes)
            : CalcurseFormat.calendar(bytes, note: CalcurseNotes(besides: path).text)
        let defects = found.defects.map { defect in
            let line = Int(defect.place.drop { !$0.isNumber }) ?? 1
            let isNote = isOrg || defect.isPartial
            return ICalendarDefect(line: line, part: isNote ? "note" : "VEVENT", reason: defect.reason)
        }
        var rest: [UInt8]? = Array(found.text.utf8)
        func read() -> [UInt8] {
            defer { rest = nil }
            return rest ?? []
        }
        var others = found.omitted.filter { $0.value > 0 }
        // calcurse keeps tasks in a file of their own.
        if isOfCalcurse, let todo = FileManager.default.contents(atPath: path.deletingLastPathComponent + "/todo") {
            let count = todo.split(separator: 0x0A).count { !$0.isEmpty }
            if count > 0 { others["tasks"] = count }
        }
        return Opened(read: read, defects: defects, others: others, sourceLine: found.sourceLine)
    }
}
