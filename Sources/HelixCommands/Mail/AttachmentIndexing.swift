import ArgumentParser
import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// `helix mail attachments extract`, which the index runs: it prints the text of the files that are attached to a message.
///
/// The files are of strangers. So it is a process of its own, with limits on time and memory, and opens no store.
struct MailAttachmentsExtract: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "extract", abstract: "Print the text of the files attached to a message file.",
        discussion: "  helix mail attachments extract message.eml", shouldDisplay: false)
    static let reports: [PrintedReport] = []

    @Argument(help: "The file of the message.", completion: .file())
    var file: String

    @OptionGroup var output: OutputOptions

    /// The most seconds of computing, and bytes of memory and of a file.
    private static let limits: [(Int32, rlim_t)] = [
        (Int32(RLIMIT_CPU.rawValue), 20), (Int32(RLIMIT_AS.rawValue), 2 << 30),
        (Int32(RLIMIT_FSIZE.rawValue), 128 << 20),
        (Int32(RLIMIT_CORE.rawValue), 0),
    ]

    func run(in context: CommandContext) throws {
        for (kind, most) in Self.limits {
            var limit = rlimit(rlim_cur: most, rlim_max: most)
            _ = setrlimit(__rlimit_resource_t(UInt32(kind)), &limit)
        }
        let message = try MIMEMessage(path: file)
        for part in MessageBody(message).attachments {
            guard let form = AttachmentText.form(of: part) else {
                if let form = AttachmentText.unreadForm(of: part) {
                    context.console.report("\(SafeText.line(part.label)): the text of .\(form) files is not read\n")
                }
                continue
            }
            do {
                guard message.size(of: part) <= AttachmentText.sizeLimit else {
                    throw HelixError(.badInput, "it has more than \(ByteCount.text(AttachmentText.sizeLimit))")
                }
                let text =
                    form == .pdf
                    ? try pdf(message, part)
                    : try AttachmentText.text(form, message.content(of: part), of: part, in: message)
                // Control characters would steer a terminal, and no search asks for them.
                try context.write(SafeText.lines(text).joined(separator: "\n") + "\n")
                if text.utf8.count >= AttachmentText.limit {
                    throw HelixError(
                        .badInput, "only the first \(ByteCount.text(AttachmentText.limit)) of its text are searched")
                }
            } catch let error as HelixError {
                context.console.report("\(SafeText.line(part.label)): \(SafeText.line(error.message))\n")
            }
        }
    }

    /// The text of a PDF, by pdftotext.
    private func pdf(_ message: MIMEMessage, _ part: MIMEPart) throws -> String {
        var path = Array("\(TemporaryFolder.path)/helix-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw HelixError(.cannotCreate, "no temporary file") }
        defer { close(descriptor) }
        // Only the descriptor leads to it.
        unlink(path)
        var isWritten = true
        message.read(part) { piece in
            isWritten = Terminal.write(Array(piece), to: descriptor)
            return isWritten
        }
        guard isWritten else { throw HelixError(.io, "the temporary file cannot be written") }
        let reader: Subprocess
        do {
            reader = try Subprocess(
                "pdftotext", ["-q", "-enc", "UTF-8", "-nopgbrk", "/proc/self/fd/\(descriptor)", "-"], input: .null,
                output: .pipe, errors: .null)
        } catch {
            throw HelixError(.configuration, "pdftotext is not installed (apt-get install poppler-utils)")
        }
        guard let bytes = reader.readOutput(within: 20) else {
            reader.terminate()
            reader.wait()
            throw HelixError(.badInput, "it takes too long")
        }
        switch reader.wait() {
        case 0: return String(decoding: bytes.prefix(AttachmentText.limit), as: UTF8.self)
        case 3: throw HelixError(.badInput, "it does not allow copying its text, or needs a password")
        case 127: throw HelixError(.configuration, "pdftotext is not installed (apt-get install poppler-utils)")
        default: throw HelixError(.badInput, "it is no PDF, or damaged")
        }
    }
}

extension CommandContext {
    /// Reads the files attached to messages for the index.
    ///
    /// - Parameters:
    ///   - retries: whether those that could not be read are tried again.
    ///   - progress: receives the number of messages that were read, and of all.
    /// - Returns: the number of messages that were read, and what could not be read.
    /// - Throws: ``HelixError``.
    func indexAttachments(
        retries: Bool, progress: (Int, Int) -> Void
    ) throws -> (count: Int, problems: [String]) {
        let store = try store()
        guard let program = ProcessArguments.program else { return (0, []) }
        let all = try store.pendingAttachments(limit: 1_000_000, retries: retries)
        var problems: [String] = []
        for (place, item) in all.enumerated() {
            let found: (text: String, problem: String?)
            var body = ""
            do {
                let path = try store.messageFile(item.message)
                body = try MessageSummary(path: path).text
                found = try Self.extract(path, by: program)
            } catch let error as HelixError where error.code != .busy { found = ("", error.message) }
            if let problem = found.problem { problems.append("\(item.message.text.prefix(6)): \(problem)") }
            try store.indexAttachments(found.text, below: body, of: item.number, problem: found.problem)
            progress(place + 1, all.count)
        }
        return (all.count - problems.count, problems)
    }

    /// The text of the files attached to a message file, and why some could not be read.
    private static func extract(_ path: String, by program: String) throws -> (text: String, problem: String?) {
        let child: Subprocess
        do {
            // It needs no settings and no store, and gets no way to them.
            child = try Subprocess(
                program, ["mail", "attachments", "extract", path], input: .null, output: .pipe, errors: .pipe,
                variables: [
                    "PATH": ProcessEnvironment.current["PATH"] ?? "/usr/bin:/bin", "HELIX_HOME": "/nonexistent",
                    "LC_ALL": "C.UTF-8", "HELIX_BACKGROUND": "off",
                ])
        } catch { throw HelixError(.unexpected, "no process is left for reading attachments (\(error.systemReason))") }
        guard let bytes = child.readOutput(within: 60) else {
            child.terminate()
            child.wait()
            return ("", "its attachments take too long to read")
        }
        let errors = child.readOutput(within: 1, errors: true) ?? []
        let status = child.wait()
        let text = String(decoding: bytes.prefix(8 << 20), as: UTF8.self).trimming { $0.isWhitespace }
        var problem: String? = String(decoding: errors.prefix(2000), as: UTF8.self)
            .split(whereSeparator: \.isNewline).joined(separator: "; ")
        if problem?.isEmpty ?? true { problem = nil }
        if status != 0, problem == nil { problem = "the reader of its attachments ended with status \(status)" }
        return (text, problem)
    }

    /// Reads attachments in the background, if some wait.
    func startAttachmentIndex() {
        guard configuration.bool(.indexAttachments), invocation.ownsProcess, invocation.agent == nil, !isDryRun,
            !tellsDryRun, environment["HELIX_BACKGROUND"] != "off",
            (try? store().pendingAttachments(limit: 1, retries: false).isEmpty) == false
        else { return }
        ChildProcess.detach(["mail", "index", "--attachments", "--quiet"])
    }

    /// Notes that the files attached to some messages are not searched yet.
    func noteUnreadAttachments() throws {
        guard configuration.bool(.indexAttachments), try store().profile == nil else { return }
        let count = try store().pendingAttachmentCount(isUnreadable: false)
        if count == 0 { return }
        note(
            StyledText(
                "The attachments of \(count == 1 ? "1 message" : "\(count) messages") are not searched yet: "
                    + "helix mail index --attachments", .dim))
    }
}

/// The lock of the one process that reads attachments for a store; the system releases it if the process dies.
final class AttachmentLock {
    private let descriptor: Int32

    /// Nil if another process reads them.
    init?(beside store: String) {
        descriptor = open(store + ".attachments", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
    }

    deinit { close(descriptor) }
}
