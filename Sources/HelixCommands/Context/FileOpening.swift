import HelixModel
import HelixTerminal

extension CommandContext {
    /// Opens a file in the user's program for its kind.
    ///
    /// - Parameters:
    ///   - name: the file's name for messages.
    ///   - program: the program to use; default: the setting `files.open`.
    ///   - otherwise: a hint at an alternative, if that fails.
    /// - Throws: ``HelixError``: the program cannot be run, or reports a failure.
    func open(_ path: String, called name: String, with program: String?, otherwise: String) throws {
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
}
