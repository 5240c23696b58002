import Foundation
import HelixModel

/// The status of a project. Its raw value is written to the store and to JSON.
public enum ProjectStatus: String, Sendable, CaseIterable {
    case planned
    case active
    case onHold = "on_hold"
    case done
}

/// A project: tasks, time, materials and files that belong together, usually for one customer.
public struct ProjectRecord: Hashable, Sendable {
    /// The ID of the project.
    public var id: EntityID
    /// The unique, case-insensitive name; a dot separates a project from its parent.
    public var name: String
    /// The status.
    public var status: ProjectStatus
    /// The customer who pays for it.
    public var customer: String?
    /// The first day.
    public var start: CivilDate?
    /// The day by which it must be done.
    public var due: CivilDate?
    /// The person in charge.
    public var assignee: String?
    /// The time budget, in seconds.
    public var budgetTime: Int?
    /// The money budget.
    public var budgetMoney: Decimal?
    /// The price of one hour of work.
    public var hourlyRate: Decimal?
    /// The currency, such as EUR.
    public var currency: String?
    /// Notes in free text.
    public var notes: String?
    /// The named blocks of its tasks, in order.
    public var blocks: [String]
    /// The time of creation.
    public var createdAt: Instant

    /// Creates a project that has only a name.
    public init(name: String, createdAt: Instant) {
        id = EntityID()
        self.name = name
        self.createdAt = createdAt
        status = .planned
        blocks = []
    }
}

/// A material that was bought for a project.
public struct MaterialRecord: Hashable, Sendable {
    /// The ID of the material.
    public var id: EntityID
    /// The project for which it was bought.
    public var project: EntityID
    /// The name of the material.
    public var name: String
    /// The quantity, in ``unit``.
    public var quantity: Decimal
    /// The unit of the quantity: `m`, `pcs`.
    public var unit: String
    /// The price of one unit.
    public var unitPrice: Decimal
    /// The supplier.
    public var supplier: String?
    /// The file of its receipt.
    public var receipt: EntityID?
    /// The day on which it was bought.
    public var boughtOn: CivilDate?

    /// Quantity times price, to the cent.
    public var cost: Decimal { (quantity * unitPrice).roundedToCents }

    /// Creates a material.
    public init(project: EntityID, name: String, quantity: Decimal, unit: String, unitPrice: Decimal) {
        id = EntityID()
        self.project = project
        self.name = name
        self.quantity = quantity
        self.unit = unit
        self.unitPrice = unitPrice
    }
}

extension Decimal {
    /// Parses an amount from user input or the store, with a decimal point; nil if it is no number or too large for money.
    public init?(money text: String) {
        let isNumber = text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") } && !text.isEmpty
        guard isNumber, text.count <= 20, text.count(where: { $0 == "." }) <= 1,
            let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        self = number
    }

    /// The amount rounded to two decimal places; halves are rounded up, as on invoices.
    public var roundedToCents: Decimal {
        var (number, rounded) = (self, Decimal())
        NSDecimalRound(&rounded, &number, 2, .plain)
        return rounded
    }

    /// A price with at least two decimal places: `4.80`, `0.0125`.
    public var price: String { self == roundedToCents ? money : "\(self)" }

    /// The amount with two decimal places: `12.50`.
    public var money: String {
        let text = "\(roundedToCents)"
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let cents = parts.count > 1 ? String(parts[1]) : ""
        return parts[0] + "." + cents + String(repeating: "0", count: max(0, 2 - cents.count))
    }
}
