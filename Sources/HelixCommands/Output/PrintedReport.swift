/// A report that a command prints as JSON, for `helix schema` and the tests.
struct PrintedReport: Sendable {
    /// The report.
    let report: any Report.Type
    /// The option with which the command prints it; nil for its usual report.
    let option: String?

    /// - Parameter option: the option with which the command prints it.
    static func json(_ report: any Report.Type, with option: String? = nil) -> PrintedReport {
        PrintedReport(report: report, option: option)
    }
}
