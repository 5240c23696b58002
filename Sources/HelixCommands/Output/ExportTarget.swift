import ArgumentParser
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
        try OutputFile.write(text.utf8, to: out, force: force)
        context.note("Exported \(count) \(count == 1 ? one : many) to \(out).")
    }
}
