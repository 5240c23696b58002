import HelixInvoices
import HelixModel
import HelixSQLite

/// The times and materials that are on invoices which are not cancelled, with the numbers of those invoices.
public struct BilledWork: Sendable {
    private let numbers: [EntityID: [String]]
    private let listed: Set<EntityID>

    /// - Throws: ``HelixError`` of code `badInput` for a damaged document.
    public init(_ records: [InvoiceRecord]) throws {
        let invoices = try records.map { try $0.invoice() }
        let cancelled = Set(invoices.compactMap(\.cancels))
        var numbers: [EntityID: [String]] = [:]
        var listed: Set<EntityID> = []
        for invoice in invoices.reversed() where invoice.kind == .invoice && !cancelled.contains(invoice.number) {
            for id in invoice.lines.flatMap(\.entities) { numbers[id, default: []].append(invoice.number) }
            listed.formUnion(invoice.uncharged.flatMap(\.entities))
        }
        (self.numbers, self.listed) = (numbers, listed)
    }

    /// Whether something is on an invoice.
    public func contains(_ id: EntityID) -> Bool { numbers[id] != nil }

    /// Whether something was listed on an invoice without a price.
    public func wasListed(_ id: EntityID) -> Bool { listed.contains(id) }

    /// The invoice that has something; nil for none.
    public func number(of id: EntityID) -> String? { numbers[id]?.first }

    /// The other invoices with some work of an invoice.
    public func others(than number: String, of ids: [EntityID]) -> [String] {
        ids.flatMap { numbers[$0] ?? [] }.filter { $0 != number }.uniqued
    }

    /// The pairs of invoices that have the same work, as undone cancellations make them.
    public var doubles: [String] {
        numbers.values.filter { $0.count > 1 }.map { $0.joined(separator: " and ") }.uniqued.sorted()
    }
}

/// The billed work while a change set is made, read once.
final class BilledWorkState: ChangeState {
    fileprivate var work: BilledWork?
    init() {}
}

extension Change {
    /// Tells that a time or a material is changed that is on an invoice: the invoice stays as it is.
    func tellIfBilled(_ id: EntityID, isGone: Bool) throws {
        guard origin == .command else { return }
        let state = state(BilledWorkState.self)
        if state.work == nil {
            // An invoice that cannot be read, such as one of a newer helix, stops no change of time.
            do { state.work = try BilledWork(Store.invoices(db)) } catch let error as HelixError {
                store.warnings.append(error.message)
                state.work = try BilledWork([])
            }
        }
        guard let number = state.work?.number(of: id) else { return }
        let note =
            isGone
            ? "It is on invoice \(number), which keeps it."
            : "It is on invoice \(number), which stays as it is: add what was left out there as an entry of its own."
        if !store.warnings.contains(note) { store.warnings.append(note) }
    }
}
