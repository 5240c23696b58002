import HelixModel
import HelixStore

/// The filter of `helix projects list`: `assignee:me status:active customer:rossi words`, all of which must match.
struct ProjectFilter {
    private var assignees: Set<String>?
    private var statuses: Set<ProjectStatus>?
    private var customers: [String] = []
    private var words: [String] = []

    /// The fields of the filter.
    private static let fields = ["assignee", "status", "customer"]

    /// Parses the arguments.
    /// - Parameter me: the user's own names, for `assignee:me`.
    /// - Throws: ``HelixError`` of code `usage` for an unknown field or status.
    init(_ arguments: [String], me: [String]) throws {
        for argument in arguments.flatMap({ $0.split(whereSeparator: \.isWhitespace).map(String.init) }) {
            guard let colon = argument.firstIndex(of: ":"), colon > argument.startIndex else {
                words.append(argument.lowercased())
                continue
            }
            let field = argument[..<colon].lowercased()
            let value = argument[argument.index(after: colon)...].lowercased()
            guard !value.isEmpty else {
                throw HelixError(.usage, "'\(argument)' has no value", hint: "Example: \(field):ana.")
            }
            switch field {
            case "assignee":
                let names = value == "me" ? Set(me.map { $0.lowercased() } + ["me"]) : [value]
                assignees = (assignees ?? []).union(names)
            case "status":
                guard let status = ProjectStatus(rawValue: value.replacing("-", with: "_")) else {
                    let known = ProjectStatus.allCases.map(\.rawValue).joined(separator: ", ")
                    throw HelixError(.usage, "unknown status '\(value)'", hint: "Use one of: \(known).")
                }
                statuses = (statuses ?? []).union([status])
            case "customer": customers.append(value)
            default:
                let near = EditDistance.suggestion(for: field, among: ProjectFilter.fields)
                throw HelixError(
                    .usage, "projects have no field '\(field)'",
                    hint: near.map { "Did you mean '\($0):'?" } ?? "Use assignee:, status: or customer:.")
            }
        }
    }

    /// Whether it names a status; completed projects are listed only then.
    var hasStatus: Bool { statuses != nil }

    /// Whether a project matches.
    func matches(_ project: ProjectRecord) -> Bool {
        if let statuses, !statuses.contains(project.status) { return false }
        if let assignees, !assignees.contains((project.assignee ?? "").lowercased()) { return false }
        let customer = (project.customer ?? "").lowercased()
        guard customers.allSatisfy(customer.contains) else { return false }
        let text = "\(project.name) \(customer) \(project.notes ?? "")".lowercased()
        return words.allSatisfy(text.contains)
    }
}
