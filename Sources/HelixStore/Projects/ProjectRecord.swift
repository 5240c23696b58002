import Foundation
import HelixModel

/// Where a project stands. The raw value stands in the store and in JSON.
public enum ProjectStatus: String, Sendable, CaseIterable {
    case planned
    case active
    case onHold = "on_hold"
    case done
}

/// A project: tasks, time, materials and files that belong together, mostly for somebody.
public struct ProjectRecord: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// Unique, whatever the case of its letters; a dot puts one project below another.
    public var name: String
    /// Where it stands.
    public var status: ProjectStatus
    /// Who pays for it.
    public var customer: String?
    /// The day on which it begins.
    public var start: CivilDate?
    /// The day on which it must be done.
    public var due: CivilDate?
    /// Who is in charge.
    public var assignee: String?
    /// How much time it may take, in seconds.
    public var budgetTime: Int?
    /// How much it may cost.
    public var budgetMoney: Decimal?
    /// What an hour of work costs.
    public var hourlyRate: Decimal?
    /// The currency, such as EUR.
    public var currency: String?
    /// Further text.
    public var notes: String?
    /// The named blocks of its tasks, in order.
    public var blocks: [String]
    /// When it was made.
    public var createdAt: Instant

    /// A project of which only the name is known.
    public init(name: String, createdAt: Instant) {
        id = EntityID()
        self.name = name
        self.createdAt = createdAt
        status = .active
        blocks = []
    }
}

/// Something that was bought for a project.
public struct MaterialRecord: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// The project it was bought for.
    public var project: EntityID
    /// What it is.
    public var name: String
    /// How much of it.
    public var quantity: Decimal
    /// What the quantity counts: `m`, `pcs`.
    public var unit: String
    /// What one of it costs.
    public var unitPrice: Decimal
    /// Where it was bought.
    public var supplier: String?
    /// The file of its receipt.
    public var receipt: EntityID?
    /// The day on which it was bought.
    public var boughtOn: CivilDate?

    /// Quantity times price, to the cent.
    public var cost: Decimal { (quantity * unitPrice).roundedToCents }

    /// A material.
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
    /// The number that a person or the store wrote, with a point; nil if it is none, or too large to be money.
    public init?(money text: String) {
        let isNumber = text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") } && !text.isEmpty
        guard isNumber, text.count <= 20, text.count(where: { $0 == "." }) <= 1,
            let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        self = number
    }

    /// To two places; halves go up, as on invoices.
    public var roundedToCents: Decimal {
        var (number, rounded) = (self, Decimal())
        NSDecimalRound(&rounded, &number, 2, .plain)
        return rounded
    }

    /// A price, with at least two places: `4.80`, `0.0125`.
    public var price: String { self == roundedToCents ? money : "\(self)" }

    /// With two places: `12.50`.
    public var money: String {
        let text = "\(roundedToCents)"
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let cents = parts.count > 1 ? String(parts[1]) : ""
        return parts[0] + "." + cents + String(repeating: "0", count: max(0, 2 - cents.count))
    }
}
