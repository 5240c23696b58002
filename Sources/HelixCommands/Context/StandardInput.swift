import FoundationEssentials
import HelixModel
import HelixSystem

/// The standard input of the program.
enum StandardInput {
    /// All bytes of it.
    /// - Throws: ``HelixError`` of code `io` if it cannot be read to its end: a part of it would be taken for all.
    static func data() throws -> Data {
        do { return try FileStream.standardInput.readToEnd() } catch {
            throw HelixError(.io, "standard input cannot be read (\(error.systemReason))")
        }
    }
}
