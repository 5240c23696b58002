import HelixModel

/// A stretch of busy time, in seconds of UTC.
public struct BusyTime: Hashable, Sendable {
    /// When the way there begins; the start where there is none.
    public var lead: Int64
    /// The first second.
    public var start: Int64
    /// The first second after it.
    public var end: Int64
    /// A number that all times of one event share.
    public var owner: Int
    /// Whether it is not firm.
    public var isTentative: Bool

    /// A busy time; `travel` seconds before it are taken too.
    public init(start: Int64, end: Int64, travel: Int, owner: Int, isTentative: Bool) {
        self.start = start
        self.end = end
        lead = start - Int64(travel)
        self.owner = owner
        self.isTentative = isTentative
    }
}

/// Finds the pairs of busy times that overlap, sweeping once over their starts: O(n log n) and the number of pairs.
///
/// It works on numbers alone, so that a year of a full calendar takes milliseconds.
public struct BusySweep: Sendable {
    /// Two times by their places in the input.
    public struct Pair: Hashable, Sendable {
        /// The place of one.
        public var a: Int
        /// The place of the other.
        public var b: Int
    }

    /// Pairs are counted up to so many, for the severity; whatever lies beyond is critical anyway.
    private static let countLimit = 2_000_000

    /// In order of the later start; no more than the limit.
    public private(set) var pairs: [Pair] = []
    /// How many conflicts each time has.
    public private(set) var counts: [Int]
    /// Whether there are more pairs than the limit.
    public private(set) var isTruncated = false

    /// Sweeps over `times`.
    ///
    /// - Parameters:
    ///   - buffer: seconds to be kept free between two.
    ///   - isCopy: whether two equal times are the same meeting; asked only of those.
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
