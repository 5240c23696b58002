import ArgumentParser
import HelixGraphics
import HelixModel
import HelixTerminal

/// The options of reports that are drawn as pictures, too.
struct ChartOptions: ParsableArguments {
    @Flag(name: .long, help: "Show the charts as a picture, in terminals with images.")
    var chart = false

    @OptionGroup var file: PictureOptions

    /// No options set.
    static var unset: ChartOptions {
        var options = ChartOptions()
        (options.chart, options.file) = (false, .unset)
        return options
    }
}

/// The file that a picture is written to.
struct PictureOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write a picture to this file: .svg, .png or .pdf.", valueName: "file"),
        completion: .file())
    var path: String?

    @Flag(name: .long, help: "Overwrite an existing file.")
    var force = false

    /// No options set.
    static var unset: PictureOptions {
        var options = PictureOptions()
        (options.path, options.force) = (nil, false)
        return options
    }

    /// The form of the file; nil without one.
    var form: PictureForm? { path.flatMap { PictureForm(path: $0) } }

    func validate() throws {
        if let path, form == nil {
            throw ValidationError("--output takes a file that ends with .svg, .png or .pdf, not '\(path)'.")
        }
    }

    /// Writes pages to the file, if one is named.
    /// - Returns: whether a file is named.
    /// - Throws: ``HelixError``: `cannotCreate`, or `configuration` without the libraries.
    func write(_ pages: @autoclosure () -> [Picture], _ context: CommandContext) throws -> Bool {
        guard let path, let form else { return false }
        try context.output.refuseMachine("a picture")
        // Before it is painted, which takes longer.
        try OutputFile.check(path, force: force)
        let pages = pages()
        let painted = try PicturePainter.file(form, pages, time: context.now)
        try OutputFile.write(painted.bytes, to: path, force: force)
        context.note("Wrote \(path)\(pages.count > 1 ? ", \(pages.count) pages" : "").")
        context.tellMissingFonts(painted)
        context.tellBesides()
        return true
    }
}

extension CommandContext {
    /// Tells that a picture has boxes in place of characters.
    func tellMissingFonts(_ painted: PaintedFile) {
        let count = painted.unknownCharacters
        if count == 0 { return }
        explain(
            "\(count == 1 ? "1 character is a box" : "\(count) characters are boxes"), since no installed font has it; "
                + "'sudo apt-get install fonts-noto-core fonts-noto-cjk' brings most scripts.")
    }
}

/// A report whose values can be drawn as charts.
protocol ChartedReport: Report {
    /// The charts.
    func charts(for viewer: Viewer) -> ChartPage
}

extension CommandContext {
    /// Prints a report, or draws its charts to a file or on the terminal.
    /// - Throws: ``HelixError``.
    func present<R: ChartedReport>(
        _ report: R, charts: ChartOptions, ids: some Collection<EntityID> = [EntityID]()
    ) throws {
        if try charts.file.write([report.charts(for: viewer).picture()], self) { return }
        if charts.chart {
            try output.refuseMachine("a picture")
            if let images = TerminalImages.detect(console, environment: environment) {
                let picture = report.charts(for: viewer).picture(images.isDark ? .dark : .light)
                let columns = min(terminal.width, 120)
                guard console.write(try InlinePicture.sequence(picture, for: images, columns: columns)) else {
                    throw HelixError(.io, "the output cannot be written")
                }
                return tellBesides()
            }
            note("This terminal shows no images; --output charts.svg writes them to a file.")
        }
        try present(report, ids: ids)
    }
}
