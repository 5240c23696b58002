import ArgumentParser

/// A command that changes or sends something, with a dry run.
protocol ChangingCommand: HelixCommand {
    /// The options common to all changing commands.
    var changes: ChangeOptions { get }
}

extension ChangingCommand {
    static var changesSomething: Bool { true }
    var changeOptions: ChangeOptions? { changes }
}

/// A command that changes something, with a dry run of its own instead of ``ChangeOptions``.
protocol DryRunCommand: HelixCommand {
    /// Whether to change nothing.
    var dryRun: Bool { get }
}

extension DryRunCommand {
    static var changesSomething: Bool { true }
    var isDryRun: Bool { dryRun }
}

/// The options of commands that change or send something.
struct ChangeOptions: ParsableArguments {
    @Flag(name: .long, help: "Show what would be done, without writing or sending anything.")
    var dryRun = false

    /// No options set.
    static var unset: ChangeOptions {
        var options = ChangeOptions()
        options.dryRun = false
        return options
    }
}
