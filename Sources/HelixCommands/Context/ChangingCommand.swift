import ArgumentParser

/// A command that changes or sends something, and can be tried before.
protocol ChangingCommand: HelixCommand {
    /// The options that all such commands have.
    var changes: ChangeOptions { get }
}

/// The options of commands that change or send something.
struct ChangeOptions: ParsableArguments {
    @Flag(name: .long, help: "Show what would be done; nothing is written or sent.")
    var dryRun = false

    /// None given.
    static var unset: ChangeOptions {
        var options = ChangeOptions()
        options.dryRun = false
        return options
    }
}
