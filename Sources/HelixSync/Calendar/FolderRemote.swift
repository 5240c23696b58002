import FoundationEssentials
import Glibc
import HelixModel
import HelixStore

/// A folder of calendars and address books as used by khal, todoman, khard and vdirsyncer
/// (https://vdirsyncer.pimutils.org/en/stable/vdir.html): each calendar is a folder, each event a file.
final class FolderRemote: CalendarRemote {
    let root: String
    let roundTrips = 0
    private(set) var ungiven: Set<String> = []

    init(root: String) { self.root = root }

    func collections() throws -> [RemoteCollection] {
        let manager = FileManager.default
        guard let names = try? manager.contentsOfDirectory(atPath: root) else {
            throw HelixError(
                .offline, "the folder \(root) does not exist, or cannot be read",
                hint: "Is its disk connected? Nothing was changed.")
        }
        var folders = names.filter { !$0.hasPrefix(".") }.sorted().filter { name in
            var isFolder = false
            return manager.fileExists(atPath: root + "/" + name, isDirectory: &isFolder) && isFolder
        }
        // The folder may be a calendar itself, and contain others.
        if folders.isEmpty
            || names.contains(where: { ($0.hasSuffix(".ics") || $0.hasSuffix(".vcf")) && !$0.hasPrefix(".") })
        {
            folders.insert("", at: 0)
        }
        return folders.map { folder in
            let path = folder.isEmpty ? root : root + "/" + folder
            func line(_ file: String) -> String? {
                (try? String(contentsOfFile: path + "/" + file, encoding: .utf8))?.trimmingBlanks()
            }
            let own = folder.isEmpty ? root.lastPathComponent : folder
            let name = line("displayname").flatMap { $0.isEmpty ? nil : $0 } ?? own
            let files = (try? manager.contentsOfDirectory(atPath: path))?.filter { !$0.hasPrefix(".") } ?? []
            // A folder with vCards alone is an address book, as khard keeps them.
            let isBook =
                files.contains { $0.hasSuffix(".vcf") } && !files.contains { $0.hasSuffix(".ics") }
                || line("addressbook") != nil
            return RemoteCollection(
                href: path, name: name, color: line("color"), isReadOnly: access(path, W_OK) != 0,
                takesEvents: !isBook, takesTasks: !isBook, takesContacts: isBook, marker: nil, token: nil)
        }
    }

    func create(_ name: String, color: CalendarColor?, events: Bool, tasks: Bool) throws -> String {
        var path = root + "/" + NewCollections.slug(name)
        if access(path, F_OK) == 0 { path += "-" + EntityID().text.prefix(6) }
        guard mkdir(path, 0o777) == 0 else {
            throw HelixError(.notAllowed, "cannot create the folder \(path): \(String(cString: strerror(errno)))")
        }
        try? Data((name + "\n").utf8).write(to: URL(fileURLWithPath: path + "/displayname"))
        // An empty folder does not show what it is for.
        if !events, !tasks { try? Data().write(to: URL(fileURLWithPath: path + "/addressbook")) }
        if let color { try? Data((color.hex + "\n").utf8).write(to: URL(fileURLWithPath: path + "/color")) }
        return path
    }

    func setAppearance(_ appearance: RemoteAppearance, of collection: RemoteCollection) throws -> RemoteWrite {
        for (file, text) in [("displayname", appearance.name), ("color", appearance.color?.hex)] {
            guard let text else { continue }
            do {
                try Data((text + "\n").utf8).write(
                    to: URL(fileURLWithPath: collection.href + "/" + file), options: .atomic)
            } catch {
                return .refused("cannot write the file \(file)")
            }
        }
        return .done(etag: "")
    }

    func changes(
        in collection: RemoteCollection, since token: String?, isFirst: Bool
    ) throws -> RemoteCalendarChanges {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: collection.href) else {
            throw HelixError(.offline, "cannot read the folder \(collection.href)")
        }
        var changes = RemoteCalendarChanges()
        let ending = collection.takesContacts ? ".vcf" : ".ics"
        for name in names where name.hasSuffix(ending) && !name.hasPrefix(".") {
            let path = collection.href + "/" + name
            // A file whose state is unknown is not gone: nothing can be said about the folder.
            if let etag = try Self.presentEtag(path) { changes.changed[path] = etag }
        }
        return changes
    }

    /// The state of a file: its identity and modification time.
    private static func etag(_ path: String) -> String? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        return "\(info.st_ino)-\(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec)-\(info.st_size)"
    }

    /// The state of a file; nil if there is none.
    /// - Throws: ``HelixError`` of code `io` if that cannot be found out.
    private static func presentEtag(_ path: String) throws -> String? {
        if let etag = etag(path) { return etag }
        let code = errno
        var info = stat()
        // A link to a missing file is there, and so is a file whose folder may be listed, and not entered.
        if lstat(path, &info) != 0, errno == ENOENT { return nil }
        if stat(path, &info) == 0 { return nil }
        throw HelixError(
            .io, "cannot read \(path): \(String(cString: strerror(code)))",
            hint: "Nothing of this folder was changed, here or there.")
    }

    func fetch(_ hrefs: [String], in collection: RemoteCollection) throws -> [RemoteObject] {
        try hrefs.compactMap { path in
            // The state is read before the bytes: the next sync finds a change in between.
            guard let etag = try Self.presentEtag(path) else { return nil }
            guard let data = FileManager.default.contents(atPath: path) else {
                if access(path, F_OK) == 0 { ungiven.insert(path) }
                return nil
            }
            return RemoteObject(href: path, etag: etag, bytes: [UInt8](data))
        }
    }

    func href(forUID uid: String, in collection: RemoteCollection) -> String {
        collection.href + "/" + fileName(forUID: uid, in: collection)
    }

    func put(_ bytes: [UInt8], to href: String, replacing etag: String?) throws -> RemoteWrite {
        let present = Self.etag(href)
        guard present == etag else { return .changedMeanwhile }
        // A symbolic link is kept: its target is written.
        let target = URL(fileURLWithPath: href).resolvingSymlinksInPath().path
        let folder = target.deletingLastPathComponent
        let part = folder + "/." + target.lastPathComponent + ".part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return .refused(String(cString: strerror(errno))) }
        // The file keeps its permissions.
        var former = stat()
        if stat(target, &former) == 0 { fchmod(descriptor, former.st_mode & 0o777) }
        var code = bytes.withUnsafeBytes { WholeWrite.write($0, to: descriptor) }
        if code == 0, fsync(descriptor) != 0 { code = errno }
        close(descriptor)
        guard code == 0, Self.etag(href) == etag else {
            unlink(part)
            return code == 0 ? .changedMeanwhile : .refused(String(cString: strerror(code)))
        }
        guard rename(part, target) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(part)
            return .refused(reason)
        }
        return .done(etag: Self.etag(href) ?? "")
    }

    func delete(_ href: String, _ etag: String) throws -> RemoteWrite {
        guard let present = Self.etag(href) else { return .done(etag: "") }
        guard present == etag else { return .changedMeanwhile }
        return unlink(href) == 0 ? .done(etag: "") : .refused(String(cString: strerror(errno)))
    }
}
