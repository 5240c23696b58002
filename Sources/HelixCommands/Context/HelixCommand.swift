import ArgumentParser
import FoundationEssentials
import Glibc
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal
import Synchronization

/// A command: parses its arguments, calls the libraries, and presents the result.
protocol HelixCommand: ParsableCommand {
    /// Its name and help.
    static var about: CommandConfiguration { get }
    /// The reports that it prints as JSON; empty for a command that prints none.
    static var reports: [PrintedReport] { get }
    /// Whether it uses the store in several threads; else SQLite is told that there is one, which makes it faster.
    static var usesThreads: Bool { get }
    /// Whether it may change or send something.
    static var changesSomething: Bool { get }
    /// The output options.
    var output: OutputOptions { get set }
    /// The list options, of a command that prints a list. A requirement, since a dynamic cast walks all types.
    var listOptions: ListOptions? { get }
    /// The options of a command that changes something.
    var changeOptions: ChangeOptions? { get }
    /// Whether it changes nothing and only tells what it would change.
    var isDryRun: Bool { get }
    /// The command with only these words and no option, created without the argument parser, which takes 2 ms
    /// of a program that takes 8: the most frequent form. Nil if a command has no such form.
    static func plain(_ words: [String]) -> Self?
    /// Sets an option of the plain form: the few that scripts use most. False if it has no such option, or if the value
    /// is invalid: the argument parser words that error better.
    mutating func take(_ option: String, _ value: String) -> Bool
    /// The flags that the plain form accepts.
    static var plainFlags: Set<String> { get }
    /// Sets one of the plain flags.
    mutating func take(flag: String)
    /// Sets a list option of the plain form; without a value it is a flag. False for a command without them.
    mutating func take(list option: String, _ value: String?) -> Bool
    /// The treatment of the command while helix is locked.
    var admission: LockAdmission { get }
    /// Creates the context, and runs the command in it.
    func run(_ invocation: Invocation) throws
    /// Runs the command.
    func run(in context: CommandContext) throws
}

extension HelixCommand {
    static var usesThreads: Bool { false }
    static var changesSomething: Bool { false }
    var listOptions: ListOptions? { nil }
    var changeOptions: ChangeOptions? { nil }
    var isDryRun: Bool { changeOptions?.dryRun ?? false }
    var admission: LockAdmission { .asks }
    static func plain(_ words: [String]) -> Self? { nil }
    mutating func take(_ option: String, _ value: String) -> Bool { false }
    static var plainFlags: Set<String> { [] }
    mutating func take(flag: String) {}
    mutating func take(list option: String, _ value: String?) -> Bool { false }

    /// The context of the command.
    private func context(_ invocation: Invocation) throws -> CommandContext {
        do { return try CommandContext(invocation, output: output) } catch let error as HelixError
            where error.code == .configuration && self is any SettingsCommand
        {
            return try CommandContext(invocation, output: output, ignoresSettings: true)
        }
    }

    func run(_ invocation: Invocation) throws {
        if invocation.ownsProcess, !Self.usesThreads { Store.useOneThread() }
        // Before anything is changed: the output is made when it is too late.
        try output.checkFields(of: Self.reports)
        let context = try context(invocation)
        invocation.lock?.follow(context.configuration)
        context.isSilent = output.quiet && changeOptions != nil
        if let list = listOptions {
            (context.list, context.hasList) = (list, true)
            if list.printsLines, output.isMachine {
                let lines = list.ids ? "--ids" : "--format"
                throw HelixError(.usage, "\(lines) and \(output.isJSON ? "JSON" : "--columns") exclude each other")
            }
        }
        // A process that ends now is never deallocated: the system releases the store's file faster than closing it would.
        if invocation.ownsProcess { _ = Unmanaged.passRetained(context) }
        context.tellsDryRun = isDryRun
        context.isChanging = changeOptions != nil
        guard changeOptions?.dryRun == true else {
            // The branch of an agent is rolled back if the command fails.
            defer { context.endDryRun() }
            try run(in: context)
            // A changed time without use counts at once.
            if self is any SettingsCommand, let lock = invocation.lock {
                lock.follow(try Configuration(file: context.paths.configuration).overlaid(by: context.environment))
            }
            try context.keepProposal()
            return context.startWatch()
        }
        context.isDryRun = true
        // A dry run is always rolled back.
        defer { context.endDryRun() }
        try run(in: context)
        context.noteDryRun()
    }

    static var configuration: CommandConfiguration {
        var configuration = about
        if HelixProgram.isDirect {
            // Without a command above it the parser would look for its own flags first, at a cost of 2 ms.
            configuration._superCommandName = "helix"
            configuration.helpNames = []
        }
        return configuration
    }
}
