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

    /// The fields of its items.
    var fields: [SchemaField] {
        func fields<R: Report>(_: R.Type) -> [SchemaField] { R.Item.fields }
        return fields(report)
    }
}

extension OutputOptions {
    /// Refuses fields that no report of a command has.
    /// - Throws: ``HelixError`` of code `usage`.
    func checkFields(of reports: [PrintedReport]) throws {
        guard let names = fieldList ?? columnList, let first = reports.first else { return }
        let known = reports.map(\.fields)
        for name in names where !known.contains(where: { $0.contains { $0.name == name } }) {
            throw SchemaField.unknown(name, among: first.fields)
        }
    }
}
