import FoundationEssentials
import Glibc
import HelixSystem
import Synchronization

/// The progress of long work: amount, share, rate and remaining time.
public struct ProgressMeter: Sendable {
    /// The unit of the amounts.
    public enum Unit: Sendable {
        /// Counted items, named in the plural: `messages`.
        case items(String)
        /// Bytes, shown as megabytes.
        case bytes
    }

    private let unit: Unit
    private let start: Double

    /// - Parameter start: the time at which the work began, in seconds of any clock that does not jump.
    public init(_ unit: Unit, start: Double) {
        (self.unit, self.start) = (unit, start)
    }

    /// `1200 of 8000 messages, 15 %, 2400/s, 3 s left`; before the first second only the amount.
    ///
    /// - Parameters:
    ///   - total: the total amount, if it is known.
    ///   - share: the completed share of the work from 0 to 1, if it is known otherwise than from `total`.
    public func text(_ done: Int, of total: Int?, share: Double? = nil, now: Double) -> String {
        let share = share ?? total.flatMap { $0 > 0 ? Double(done) / Double($0) : nil }
        let elapsed = now - start
        var parts: [String]
        switch unit {
        case .items(let name): parts = ["\(done)" + (total.map { " of \($0)" } ?? "") + " " + name]
        case .bytes:
            parts = [(total.map { Self.megabytes(done) + " of " + Self.megabytes($0) } ?? Self.megabytes(done)) + " MB"]
        }
        if let share { parts.append("\(Int((min(1, max(0, share)) * 100).rounded(.down))) %") }
        if elapsed >= 1 {
            let rate = Double(done) / elapsed
            switch unit {
            case .items: parts.append("\(Int(rate.rounded()))/s")
            case .bytes: parts.append(Self.megabytes(Int(rate)) + " MB/s")
            }
            if let share, share > 0, share <= 1 {
                parts.append(Self.time(elapsed * (1 - share) / share) + " left")
            }
        }
        return parts.joined(separator: ", ")
    }

    private static func megabytes(_ bytes: Int) -> String {
        let tenths = Int((Double(bytes) / 100_000).rounded())
        return tenths < 1000 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        if whole < 60 { return "\(whole) s" }
        return whole < 3600 ? "\((whole + 59) / 60) min" : "\(whole / 3600) h \(whole % 3600 / 60) min"
    }
}

/// A line of progress on standard error. It appears after a second, only on a terminal, and is erased at the end.
public final class ProgressLine: Sendable {
    private let label: String
    private let meter: ProgressMeter
    private let isEnabled: Bool
    private let console: Console
    private let start = ProgressLine.now
    private let shownAt = Mutex(0.0)

    /// - Parameters:
    ///   - label: the work, as in `Copying mail`.
    ///   - isQuiet: True to show nothing.
    public init(_ label: String, _ unit: ProgressMeter.Unit, on console: Console, isQuiet: Bool = false) {
        (self.label, self.console) = (label, console)
        meter = ProgressMeter(unit, start: start)
        isEnabled = !isQuiet && console.isErrorTerminal
    }

    /// Whether anything may be shown, so that totals are worth counting.
    public var isShown: Bool { isEnabled }

    /// Shows an amount, at most ten times a second.
    public func update(_ done: Int, of total: Int? = nil, share: Double? = nil) {
        guard isEnabled else { return }
        let now = Self.now
        shownAt.withLock { shownAt in
            guard now - start >= 1, now - shownAt >= 0.1 else { return }
            shownAt = now
            console.progress("\(label): \(meter.text(done, of: total, share: share, now: now))")
        }
    }

    /// Erases the line.
    public func end() {
        shownAt.withLock { shownAt in
            if shownAt > 0 { console.progress("") }
            shownAt = 0
        }
    }

    /// Runs work that writes files, and shows how far they have grown.
    ///
    /// - Parameters:
    ///   - files: the files that grow; those that do not exist yet count as empty.
    ///   - total: the number of bytes that all of them will have together.
    /// - Throws: what `body` throws.
    public static func following<Value>(
        _ label: String, files: [String], total: Int, on console: Console, isQuiet: Bool = false,
        _ body: () throws -> Value
    ) throws -> Value {
        let line = ProgressLine(label, .bytes, on: console, isQuiet: isQuiet)
        guard line.isShown else { return try body() }
        let watch = Watch()
        // Without a free thread the work has no progress.
        try? DetachedThread.start {
            while !watch.isOver {
                usleep(200_000)
                let sizes = files.map { path -> Int in
                    var info = stat()
                    return stat(path, &info) == 0 ? Int(info.st_size) : 0
                }
                let sum = sizes.reduce(0, +)
                if !watch.isOver { line.update(min(sum, total), of: total) }
            }
        }
        defer {
            watch.end()
            line.end()
        }
        return try body()
    }

    /// Tells a thread that the work is over.
    private final class Watch: Sendable {
        private let over = Mutex(false)
        var isOver: Bool { over.withLock { $0 } }
        func end() { over.withLock { $0 = true } }
    }

    deinit { end() }

    /// Seconds of a clock that does not jump.
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
