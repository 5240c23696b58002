import FoundationEssentials
import HelixModel
import HelixStore

/// A project with those of its subprojects that are paid by the same customer in the same currency.
struct ProjectFamily {
    /// The projects whose work is counted, and is on an invoice.
    let members: [ProjectRecord]
    /// The subprojects whose work is not, each with the difference.
    let others: [(project: ProjectRecord, difference: String)]
    private let byName: [String: ProjectRecord]

    /// Divides the subprojects of a project.
    init(_ root: ProjectRecord, _ all: [ProjectRecord]) {
        let below = all.filter { $0.name.lowercased().hasPrefix(root.name.lowercased() + ".") }
        var (members, others): ([ProjectRecord], [(ProjectRecord, String)]) = ([root], [])
        for project in below {
            if let customer = project.customer, customer.lowercased() != root.customer?.lowercased() {
                others.append((project, "customer (\(customer))"))
            } else if let currency = project.currency, currency != root.currency {
                others.append((project, "currency (\(currency))"))
            } else {
                members.append(project)
            }
        }
        (self.members, self.others) = (members, others.map { (project: $0.0, difference: $0.1) })
        byName = Dictionary(members.map { ($0.name.lowercased(), $0) }) { first, _ in first }
    }

    /// Whether work of a project of that name is counted.
    func contains(_ name: String?) -> Bool { name.map { byName[$0.lowercased()] != nil } ?? false }

    /// The hourly rate of a project: its own, else that of the nearest one above it.
    func rate(of name: String?) -> Decimal? {
        var name = name?.lowercased() ?? ""
        while true {
            if let rate = byName[name]?.hourlyRate { return rate }
            guard let dot = name.lastIndex(of: ".") else { return members.first?.hourlyRate }
            name = String(name[..<dot])
        }
    }
}

extension Store {
    /// The materials of a project and of those subprojects that the same customer pays.
    /// - Throws: ``HelixError``.
    func materials(of family: ProjectFamily) throws -> [MaterialRecord] {
        try family.members.flatMap { try materials(of: $0.id) }
    }
}
