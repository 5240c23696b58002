import ArgumentParser
import FoundationEssentials
import HelixModel

/// The file that an export is written to; standard output by default.
struct ExportTarget: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output"), .customLong("out")],
        help: ArgumentHelp("Write to this file; '-' is standard output.", valueName: "file"),
        completion: .file())
    var out: String?

    @Flag(name: .long, help: "Overwrite an existing file.")
    var force = false

    /// Writes an export, atomically.
    /// - Parameters:
    ///   - count: the number of items.
    ///   - one: the name of one item.
    ///   - many: that of several.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    func write(_ text: String, of count: Int, _ one: String, _ many: String, _ context: CommandContext) throws {
        guard let out, out != "-" else { return try context.write(text) }
        let isDevice = out.hasPrefix("/dev/")
        if !force, !isDevice, FileManager.default.fileExists(atPath: out) {
            throw HelixError(.cannotCreate, "\(out) exists already", hint: "Name another file, or pass --force.")
        }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: out), options: isDevice ? [] : .atomic)
        } catch {
            throw HelixError(
                .cannotCreate, "cannot write \(out)",
                hint: "Check the permissions of its folder, and the free disk space.")
        }
        context.note("Exported \(count) \(count == 1 ? one : many) to \(out).")
    }
}
