import Foundation
import Glibc
import HelixTerminal
import TestSupport

@testable import HelixCommands

extension HelixHome {
    /// Runs a command of helix in this process: in milliseconds, without a program.
    @discardableResult
    func perform(_ arguments: [String], input: String = "") throws -> Result {
        let streams = try ["in", "out", "err"].map { name in
            let path = folder.appendingPathComponent(".\(name)-\(UUID().uuidString)").path
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            unlink(path)
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
        try streams[0].write(contentsOf: Data(input.utf8))
        try streams[0].seek(toOffset: 0)
        let console = Console(
            input: streams[0].fileDescriptor, output: streams[1].fileDescriptor, errors: streams[2].fileDescriptor)
        let status = HelixProgram.run(
            Invocation(arguments: arguments, environment: environment, console: console, ownsProcess: false))
        let texts = try streams.dropFirst().map { stream in
            try stream.seek(toOffset: 0)
            return String(decoding: try stream.readToEnd() ?? Data(), as: UTF8.self)
        }
        return Result(output: texts[0], errors: texts[1], status: status)
    }

    /// Runs a command of helix in this process.
    @discardableResult
    func perform(_ arguments: String..., input: String = "") throws -> Result {
        try perform(arguments, input: input)
    }
}
