import Foundation

extension HelixHome {
    /// Runs statements on the store as a damage or an error would leave it, past helix.
    public func sql(_ statements: String...) throws {
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            for statement in sys.argv[2:]: c.execute(statement)
            c.commit()
            """
        let result = try run(program: "/usr/bin/python3", ["-c", script, store] + statements)
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
    }
}
