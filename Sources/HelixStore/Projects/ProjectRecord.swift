import FoundationEssentials
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

    private typealias Column = RecordColumn<ProjectRecord>

    /// The columns of a project.
    static let layout = RecordLayout<ProjectRecord> {
        Column.text("name") {
            $0.name
        } read: {
            $0.name = $1 ?? ""
        }
        Column.text("status") {
            $0.status.rawValue
        } read: {
            $0.status = $1.flatMap { ProjectStatus(rawValue: $0) } ?? .active
        }
        Column.text("customer") {
            $0.customer
        } read: {
            $0.customer = $1
        }
        Column.day("start") {
            $0.start
        } read: {
            $0.start = $1
        }
        Column.day("due") {
            $0.due
        } read: {
            $0.due = $1
        }
        Column.text("assignee") {
            $0.assignee
        } read: {
            $0.assignee = $1
        }
        Column.integer("budget_time") {
            $0.budgetTime
        } read: {
            $0.budgetTime = $1
        }
        Column.amount("budget_money") {
            $0.budgetMoney
        } read: {
            $0.budgetMoney = $1
        }
        Column.amount("hourly_rate") {
            $0.hourlyRate
        } read: {
            $0.hourlyRate = $1
        }
        Column.text("currency") {
            $0.currency
        } read: {
            $0.currency = $1
        }
        Column.text("notes") {
            $0.notes
        } read: {
            $0.notes = $1
        }
        Column.text("blocks") {
            names($0.blocks)
        } read: {
            $0.blocks = $1.map(names) ?? []
        }
        Column.instant("created_at") {
            $0.createdAt
        } read: {
            $0.createdAt = $1 ?? Instant(0)
        }
    }

    /// Names as a JSON array; nil for none.
    private static func names(_ list: [String]) -> String? {
        if list.isEmpty { return nil }
        return (try? JSONEncoder().encode(list)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names of a JSON array.
    private static func names(_ json: String) -> [String] {
        // A damaged list is shown as it is: an edit of the project keeps it.
        (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? [json]
    }

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
    /// The time at which it was added.
    public internal(set) var createdAt = Instant(0)

    private typealias Column = RecordColumn<MaterialRecord>

    /// The columns of a material.
    static let layout = RecordLayout<MaterialRecord> {
        Column.id("project") {
            $0.project
        } read: {
            $0.project = $1 ?? $0.project
        }
        Column.text("name") {
            $0.name
        } read: {
            $0.name = $1 ?? ""
        }
        Column.amount("quantity") {
            $0.quantity
        } read: {
            $0.quantity = $1 ?? 0
        }
        Column.text("unit") {
            $0.unit
        } read: {
            $0.unit = $1 ?? ""
        }
        Column.amount("unit_price") {
            $0.unitPrice
        } read: {
            $0.unitPrice = $1 ?? 0
        }
        Column.text("supplier") {
            $0.supplier
        } read: {
            $0.supplier = $1
        }
        Column.id("receipt") {
            $0.receipt
        } read: {
            $0.receipt = $1
        }
        Column.day("bought_on") {
            $0.boughtOn
        } read: {
            $0.boughtOn = $1
        }
        Column.instant("created_at") {
            $0.createdAt
        } read: {
            $0.createdAt = $1 ?? Instant(0)
        }
    }

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
