import FoundationEssentials
import Glibc
import HelixModel
import HelixTerminal

/// The target of an export: a file that appears only when it is complete, or the output.
final class ExportSink {
    private let path: String?
    private let part: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []

    /// - Throws: ``HelixError`` of code `cannotCreate`.
    init(_ path: String?, on console: Console, force: Bool) throws {
        self.path = path.flatMap { $0 == "-" ? nil : $0 }
        part = (path ?? "") + ".part"
        guard let path = self.path else {
            descriptor = console.output
            return
        }
        var info = stat()
        let exists = stat(path, &info) == 0
        // A device, such as /dev/null, is written to directly.
        let isPlain = !exists || info.st_mode & S_IFMT == S_IFREG
        if exists, isPlain, !force {
            throw HelixError(.cannotCreate, "\(path) exists already", hint: "Name another file, or pass --force.")
        }
        descriptor = Glibc.open(isPlain ? part : path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        isDevice = !isPlain
        guard descriptor >= 0 else {
            throw HelixError(
                .cannotCreate, "\(path) cannot be written", hint: "Check that the folder exists and is writable.")
        }
    }

    private var isDevice = false
    private lazy var isTerminal = isatty(descriptor) == 1

    deinit {
        if path != nil, descriptor >= 0 {
            close(descriptor)
            if !isDevice { unlink(part) }
        }
    }

    /// Adds whole lines. On a terminal, control characters are escaped: the text of events comes from strangers.
    func write(_ bytes: [UInt8]) throws {
        if isTerminal {
            buffer += Array(SafeText.lines(String(decoding: bytes, as: UTF8.self)).joined(separator: "\n").utf8)
        } else {
            buffer += bytes
        }
        if buffer.count > 1 << 18 { try flush() }
    }

    func finish() throws {
        try flush()
        guard let path else { return }
        let isWritten = (isDevice || fsync(descriptor) == 0) && close(descriptor) == 0
        descriptor = -1
        guard isWritten, isDevice || rename(part, path) == 0 else {
            unlink(part)
            throw HelixError(.io, "\(path) cannot be written", hint: "Is the disk full?")
        }
    }

    private func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard Terminal.write(buffer, to: descriptor) else {
            throw HelixError(.io, "the export cannot be written", hint: "Is the disk full?")
        }
    }
}
