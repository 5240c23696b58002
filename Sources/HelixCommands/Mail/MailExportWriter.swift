import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixSystem
import HelixTerminal

/// Writes exported messages to a file or a folder.
struct MailExportWriter {
    private let form: MailForm
    private let path: String
    private let isSingle: Bool
    /// Whether the messages are from several mailboxes, which they keep.
    private let hasMailboxes: Bool
    private var handle: FileStream?
    private var count = 0
    /// The folders that were created, with the labels of their messages in the order of their letters.
    private var folders: [String: [String]] = [:]

    /// - Parameters:
    ///   - path: the file or the folder; `-` for standard output.
    ///   - isSingle: whether `path` is the file of the only message.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    init(_ form: MailForm, to path: String, on console: Console, isSingle: Bool, hasMailboxes: Bool) throws {
        (self.form, self.path, self.isSingle, self.hasMailboxes) = (form, path, isSingle, hasMailboxes)
        if path == "-" {
            handle = FileStream(descriptor: console.output, closes: false)
        } else if form == .mbox || isSingle {
            // An interrupted export leaves no file that looks whole.
            guard FileManager.default.createFile(atPath: part, contents: nil, attributes: [.posixPermissions: 0o600]),
                let opened = FileStream(writing: part)
            else { throw problem(path) }
            handle = opened
        } else {
            try makeFolder(path)
        }
    }

    /// Creates the folder of a mailbox.
    private mutating func makeFolder(_ folder: String) throws {
        guard folders[folder] == nil else { return }
        folders[folder] = []
        for part in form == .maildir ? ["cur", "new", "tmp"] : [""] {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder + "/" + part, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            } catch { throw problem(folder) }
        }
    }

    /// The folder of a message's mailbox: Maildir++ for a Maildir, folders in folders for single files.
    private func folder(of message: EmailMessage) -> String {
        guard hasMailboxes, message.mailbox != "INBOX" else { return path }
        let levels = message.mailbox.split(separator: "/").map(String.init)
        return form == .maildir
            ? path + "/." + levels.map { ModifiedUTF7.encoded($0).replacing(".", with: "&AC4-") }.joined(separator: ".")
            : path + "/" + levels.map { FileName.safe($0, fallback: "mailbox") }.joined(separator: "/")
    }

    /// The letters of a message's labels in a folder, which Dovecot's list explains.
    private mutating func letters(_ labels: [String], in folder: String) -> String {
        var known = folders[folder] ?? []
        var letters: [UInt8] = []
        for label in labels {
            let place = known.firstIndex(of: label) ?? known.count
            guard place < DovecotKeywords.most else { continue }
            if place == known.count { known.append(label) }
            letters.append(0x61 + UInt8(place))
        }
        folders[folder] = known
        return String(decoding: letters.sorted(), as: UTF8.self)
    }

    private var part: String { path + ".part" }

    /// Writes a message.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    mutating func write(_ bytes: [UInt8], _ message: EmailMessage) throws {
        count += 1
        if let handle {
            let whole =
                form == .mbox
                ? MboxWriter.message(
                    bytes, sender: MailAddress(text: message.from).address, date: message.date, flags: message.flags,
                    labels: message.labels, mailbox: hasMailboxes && message.mailbox != "INBOX" ? message.mailbox : nil)
                : bytes
            do { try handle.write(whole) } catch { throw problem(path) }
            return
        }
        let folder = folder(of: message)
        try makeFolder(folder)
        let target: String
        if form == .maildir {
            let flags = message.flags.maildir() + letters(message.labels, in: folder)
            target = "\(folder)/cur/\(message.date.seconds).\(message.id.text)_\(count).helix:2,\(flags)"
        } else {
            let day = ISO8601.text(Zone.utc.date(message.date))
            let title = FileName.safe(String(message.subject.prefix(60)), fallback: "message")
            target = "\(folder)/\(day) \(title) \(message.id.text.prefix(6)).eml"
        }
        do { try Data(bytes).write(to: URL(fileURLWithPath: target), options: .withoutOverwriting) } catch {
            // With --force a file of an earlier export is replaced.
            do { try Data(bytes).write(to: URL(fileURLWithPath: target), options: .atomic) } catch {
                throw problem(target)
            }
        }
    }

    /// Puts a file in its place.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    func finish() throws {
        for (folder, labels) in folders where form == .maildir && !labels.isEmpty {
            let file = folder + "/dovecot-keywords"
            do { try DovecotKeywords.text(labels).write(toFile: file, atomically: true, encoding: .utf8) } catch {
                throw problem(file)
            }
        }
        guard path != "-", let handle else { return }
        do {
            try handle.synchronize()
            try handle.close()
        } catch { throw problem(path) }
        guard rename(part, path) == 0 else { throw problem(path) }
    }

    private func problem(_ path: String) -> HelixError {
        HelixError(
            .cannotCreate, "cannot write \(path): \(String(cString: strerror(errno)))",
            hint: "Check the permissions of its folder, and the free disk space.")
    }
}
