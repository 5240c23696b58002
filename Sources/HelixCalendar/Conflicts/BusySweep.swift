import HelixModel

/// A busy time range, in seconds of UTC.
public struct BusyTime: Hashable, Sendable {
    /// The start of the travel time; equal to `start` if there is none.
    public var lead: Int64
    /// The first second.
    public var start: Int64
    /// The end, exclusive.
    public var end: Int64
    /// A number shared by all times of one event.
    public var owner: Int
    /// Whether it is tentative.
    public var isTentative: Bool

    /// Creates a busy time, preceded by `travel` seconds of travel time.
    public init(start: Int64, end: Int64, travel: Int, owner: Int, isTentative: Bool) {
        self.start = start
        self.end = end
        lead = start - Int64(travel)
        self.owner = owner
        self.isTentative = isTentative
    }
}

/// Finds overlapping pairs of busy times in one sweep over their starts: O(n log n) plus the number of pairs.
///
/// It works on numbers only, so that a year of a full calendar takes milliseconds.
public struct BusySweep: Sendable {
    /// A pair of times, by their indices in the input.
    public struct Pair: Hashable, Sendable {
        /// The index of the first.
        public var a: Int
        /// The index of the second.
        public var b: Int
    }

    /// The maximum number of pairs counted for the severity; with more, it is critical anyway.
    private static let countLimit = 2_000_000

    /// The pairs in order of the later start, up to the limit.
    public private(set) var pairs: [Pair] = []
    /// The number of conflicts of each time.
    public private(set) var counts: [Int]
    /// Whether there are more pairs than the limit.
    public private(set) var isTruncated = false

    /// Sweeps over `times`.
    ///
    /// - Parameters:
    ///   - buffer: seconds to keep free between two times.
    ///   - isCopy: whether two equal times are copies of one meeting; called only for equal times.
    public init(_ times: [BusyTime], buffer: Int, limit: Int, isCopy: (Int, Int) -> Bool) {
        counts = Array(repeating: 0, count: times.count)
        let gap = Int64(buffer)
        let order = times.indices.sorted { x, y in
            if times[x].lead != times[y].lead { return times[x].lead < times[y].lead }
            return times[x].start != times[y].start ? times[x].start < times[y].start : x < y
        }
        var active: [Int] = []
        var total = 0
        for next in order {
            let time = times[next]
            active.removeAll { times[$0].end + gap <= time.lead }
            for other in active where times[other].owner != time.owner {
                let earlier = times[other]
                if earlier.start == time.start, earlier.end == time.end, isCopy(other, next) { continue }
                total += 1
                counts[other] += 1
                counts[next] += 1
                if pairs.count < limit { pairs.append(Pair(a: other, b: next)) } else { isTruncated = true }
            }
            if total > BusySweep.countLimit { break }
            active.append(next)
        }
    }

    /// The greater of the two times' severities.
    public func severity(of pair: Pair) -> Conflict.Severity {
        Conflict.Severity(count: max(counts[pair.a], counts[pair.b]))
    }
}
