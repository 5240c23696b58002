import FoundationEssentials
import Glibc
import HelixModel
import HelixStore

/// The time of a project under one title: a row of an invoice.
struct ProjectHours: Sendable {
    let name: String
    /// The hourly rate; nil if there is none, and for work that another customer or another currency pays.
    let rate: Decimal?
    /// Seconds.
    let seconds: Int
    let billable: Int

    /// The cost of its billable part, to the cent, so that an invoice's rows add up to its sum.
    var cost: Decimal? { rate.map { ($0 * Decimal(billable) / 3600).roundedToCents } }

    /// Hours as a decimal number, exact enough to give the cost when multiplied by the rate: `1.5`, `0.3333`.
    static func decimal(_ seconds: Int) -> String {
        "\((Decimal(seconds) / 3600).rounded(to: 4))"
    }

    /// The rows of entries, the longest first, limited to `span`: a title has one for each rate.
    static func rows(
        _ entries: [TimeEntryDetails], in span: TimeRange, family: ProjectFamily, now: Instant
    ) -> [ProjectHours] {
        struct Key: Hashable {
            let name: String
            let rate: Decimal?
        }
        var sums: [Key: (seconds: Int, billable: Int)] = [:]
        for entry in entries {
            // Planned time is not spent yet.
            let range = entry.entry.range(at: max(now, entry.entry.start))
            let spent = TimeRange(start: span.start, end: max(span.start, min(span.end, now)))
            let part = range.intersection(spent)?.duration ?? 0
            if part == 0, entry.entry.start > now { continue }
            let key = Key(
                name: entry.title.isEmpty ? "(no title)" : entry.title,
                rate: family.contains(entry.project) ? family.rate(of: entry.project) : nil)
            sums[key, default: (0, 0)].seconds += part
            if entry.entry.isBillable { sums[key, default: (0, 0)].billable += part }
        }
        return sums.map { ProjectHours(name: $0.name, rate: $0.rate, seconds: $1.seconds, billable: $1.billable) }
            .sorted { ($1.seconds, $0.name, $1.rate ?? 0) < ($0.seconds, $1.name, $0.rate ?? 0) }
    }
}

extension TimeRange {
    /// All time.
    static let always = TimeRange(start: Instant(-100_000_000_000), end: .distantFuture)
}
