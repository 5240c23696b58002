import Foundation
import HelixSystem
import Testing

/// Other programs get what they are given, and their results come back.
@Suite struct SubprocessTests {
    @Test func inputOutputAndStatusAreConnected() throws {
        let script = "cat; echo failed >&2; exit 3"
        let process = try Subprocess("/bin/sh", ["-c", script], input: .pipe, output: .pipe, errors: .pipe)
        try process.input?.write(Array("text\n".utf8))
        try process.input?.close()
        #expect(process.readOutput(within: 20) == Array("text\n".utf8))
        #expect(try process.errors?.readToEnd() == Data("failed\n".utf8))
        #expect(process.wait() == 3)
        #expect(process.wait() == 3)
    }

    @Test func aSignalIsReportedAsByAShell() throws {
        #expect(try Subprocess("/bin/sh", ["-c", "kill -KILL $$"]).wait() == 137)
    }

    @Test func aProgramThatIsMissingIsAnError() {
        #expect { try Subprocess("no-such-program-of-helix", []) } throws: { error in
            (error as? FileStream.Failure)?.code == ENOENT
        }
    }

    @Test func outputThatDoesNotEndIsGivenUp() throws {
        let process = try Subprocess("/bin/sh", ["-c", "echo begun; exec sleep 60"], output: .pipe)
        #expect(process.readOutput(within: 0.2) == nil)
        process.terminate()
        #expect(process.wait() == 128 + 15)
    }

    /// A child that held the other end of another's pipe would keep it from ending.
    @Test func pipesOfOtherProgramsAreNotInherited() throws {
        let first = try Subprocess("cat", [], input: .pipe, output: .pipe)
        let second = try Subprocess("sleep", ["60"], output: .null)
        try first.input?.close()
        #expect(first.readOutput(within: 20) == [])
        #expect(first.wait() == 0)
        second.terminate()
        second.wait()
    }

    @Test func filesAreReadAndWrittenAsAWhole() throws {
        let path = NSTemporaryDirectory() + "stream-\(UUID().uuidString)"
        #expect(FileManager.default.createFile(atPath: path, contents: Data("0123456789".utf8)))
        defer { unlink(path) }
        let stream = try #require(FileStream(updating: path))
        #expect(try stream.read(upToCount: 4) == Data("0123".utf8))
        #expect(try stream.readToEnd() == Data("456789".utf8))
        #expect(try stream.read(upToCount: 4).isEmpty)
        try stream.truncate(to: 3)
        #expect(try stream.seekToEnd() == 3)
        try stream.write(Data("abc".utf8))
        try stream.seek(to: 0)
        #expect(try stream.readToEnd() == Data("012abc".utf8))
        try stream.close()
        #expect(throws: FileStream.Failure.self) { try stream.read(upToCount: 1) }
        #expect(FileStream(reading: path + "-missing") == nil)
    }
}
