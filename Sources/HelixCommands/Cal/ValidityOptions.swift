import ArgumentParser
import HelixCalendar
import HelixModel
import HelixTerminal

/// The options of an import for files that may not be valid.
struct ValidityOptions: ParsableArguments {
    @Flag(name: .long, help: "Check the files with libical, too.")
    var check = false

    @Flag(name: .long, help: "Import nothing if any part is not valid; implies --check.")
    var strict = false

    /// The check of the import; nil without one.
    /// - Throws: ``HelixError`` of code `configuration` if the user asks for a check, and libical is not installed.
    func check(isDryRun: Bool, _ context: CommandContext) throws -> CalendarCheck? {
        guard check || strict || isDryRun else { return nil }
        if check || strict {
            try CalendarCheck.requireLibrary()
        } else if !CalendarCheck.isAvailable {
            context.note("Not checked by libical, which is not installed: apt-get install libical3")
            return nil
        }
        return CalendarCheck(comparesReadings: true)
    }
}
