import HelixModel
import HelixStore
import HelixTerminal

extension CommandContext {
    /// Opens a file in the user's program for its kind.
    ///
    /// - Parameters:
    ///   - name: the file's name for messages.
    ///   - program: the program to use; default: the setting `files.open`.
    ///   - otherwise: a hint at an alternative, if that fails.
    /// - Throws: ``HelixError``: the program cannot be run, or reports a failure. A profile may run none: what it opens would
    ///   reach the network, or the person's screen, past all doors.
    func open(_ path: String, called name: String, with program: String?, otherwise: String) throws {
        if let profile = try store().profile {
            throw HelixError(
                .notAllowed, "the profile '\(profile.name)' may not open '\(name)' in another program",
                hint: "Ask the person for whom you work to open it.")
        }
        let program = program ?? configuration.text(.opener) ?? ConfigurationKey.opener.fallback
        let status = ChildProcess.run(shell: "\(program) \"$1\"", argument: path)
        guard status != 127, status != nil else {
            throw HelixError(
                .configuration, "the program '\(program)' cannot be run",
                hint: "Name one: --with PROGRAM, or 'helix config set files.open PROGRAM'. \(otherwise)")
        }
        guard status == 0 else {
            throw HelixError(
                .unexpected, "'\(program)' could not open '\(name)' (status \(status ?? -1))",
                hint: "Try another one: --with PROGRAM.")
        }
    }

    /// Opens a web address of a text by its number from 1. It leads to where the text says, and to nowhere else: only the address
    /// itself is passed on.
    /// - Parameter shows: the command that shows the text.
    /// - Throws: ``HelixError``: there is no such link, or it cannot be opened.
    func open(link number: Int, of links: [String], with program: String? = nil, shows: String) throws {
        guard links.indices.contains(number - 1) else {
            let count = links.count
            throw HelixError(
                .notFound,
                count == 0
                    ? "the message has no links"
                    : "the message has \(count) link\(count == 1 ? "" : "s"), not \(number)",
                hint: "'\(shows)' shows its text.")
        }
        let link = links[number - 1]
        note(StyledText(link, .dim))
        try open(link, called: link, with: program, otherwise: "Its address is above.")
    }
}
