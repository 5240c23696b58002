import FoundationEssentials
import Glibc
import HelixModel
import HelixStore

/// The time of a project under one title: a row of an invoice.
struct ProjectHours: Sendable {
    let name: String
    /// Seconds.
    let seconds: Int
    let billable: Int

    /// The cost of its billable part, to the cent, so that an invoice's rows add up to its sum.
    func cost(rate: Decimal?) -> Decimal? { rate.map { ($0 * Decimal(billable) / 3600).roundedToCents } }

    /// Hours as a decimal number, exact enough to give the cost when multiplied by the rate: `1.5`, `0.3333`.
    static func decimal(_ seconds: Int) -> String {
        "\((Decimal(seconds) / 3600).rounded(to: 4))"
    }

    /// The rows of entries, the longest first, limited to `span`.
    static func rows(_ entries: [TimeEntryDetails], in span: TimeRange, now: Instant) -> [ProjectHours] {
        var sums: [String: (seconds: Int, billable: Int)] = [:]
        for entry in entries {
            // Planned time is not spent yet.
            let range = entry.entry.range(at: max(now, entry.entry.start))
            let spent = TimeRange(start: span.start, end: max(span.start, min(span.end, now)))
            let part = range.intersection(spent)?.duration ?? 0
            if part == 0, entry.entry.start > now { continue }
            let name = entry.title.isEmpty ? "(no title)" : entry.title
            sums[name, default: (0, 0)].seconds += part
            if entry.entry.isBillable { sums[name, default: (0, 0)].billable += part }
        }
        return sums.map { ProjectHours(name: $0, seconds: $1.seconds, billable: $1.billable) }
            .sorted { $0.seconds != $1.seconds ? $0.seconds > $1.seconds : $0.name < $1.name }
    }
}

extension TimeRange {
    /// All time.
    static let always = TimeRange(start: Instant(-100_000_000_000), end: .distantFuture)
}
