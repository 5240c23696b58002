import Dispatch
import HelixCalendar
import HelixSystem
import Synchronization

/// Reads iCalendar data and its events in a thread of its own, ahead of the one that stores them: a quarter of the work of a large
/// import.
struct CalendarReadAhead: ICalendarPieces {
    private struct Batch: Sendable {
        var pieces: [ICalendarPiece] = []
        var failure: (any Error)?
        var hasContent = false
        var isLast = false
    }

    /// The batches that wait. Their number is bounded, and with it the memory.
    private final class Queue: Sendable {
        private struct State {
            var batches: [Batch] = []
            var isStopped = false
        }

        private static let most = 4

        private let state = Mutex(State())
        private let ready = DispatchSemaphore(value: 0)
        private let room = DispatchSemaphore(value: 0)

        init() { for _ in 0..<Queue.most { room.signal() } }

        /// Adds a batch, once there is room for it.
        /// - Returns: whether more are wanted.
        func add(_ batch: Batch) -> Bool {
            room.wait()
            let isStopped = state.withLock { state in
                state.batches.append(batch)
                return state.isStopped
            }
            ready.signal()
            return !isStopped
        }

        /// The next batch, once it is there.
        func next() -> Batch {
            ready.wait()
            let batch = state.withLock { $0.batches.removeFirst() }
            room.signal()
            return batch
        }

        /// Wants no more batches.
        func stop() {
            state.withLock { $0.isStopped = true }
            room.signal()
        }
    }

    /// The number of pieces that are handed over at once.
    private static let size = 128

    private let queue = Queue()
    private var current = Batch()
    private var place = 0

    /// Starts to read.
    /// - Parameters:
    ///   - keepsLineNumbers: as ``ICalendarReader/keepsLineNumbers``.
    ///   - chunk: returns bytes, none at the end; it is called in the other thread.
    /// - Throws: an error of the system that has no thread left.
    init(keepsLineNumbers: Bool, _ chunk: @escaping () throws -> [UInt8]) throws {
        // Only the other thread calls it.
        nonisolated(unsafe) let chunk = chunk
        let queue = queue
        try DetachedThread.start(stackSize: 8 << 20) {
            var reader = ICalendarReader(chunk)
            reader.keepsLineNumbers = keepsLineNumbers
            // The zones of the calendar so far; those of the other thread are its own.
            var zones = ZoneResolver()
            var batch = Batch()
            repeat {
                batch = Batch()
                do {
                    while batch.pieces.count < CalendarReadAhead.size, !batch.isLast {
                        guard let piece = try reader.next() else {
                            batch.isLast = true
                            break
                        }
                        batch.pieces.append(CalendarReadAhead.read(piece, &zones))
                    }
                } catch { (batch.failure, batch.isLast) = (error, true) }
                batch.hasContent = reader.hasContent
            } while queue.add(batch) && !batch.isLast
        }
    }

    /// A piece with its event, if it is one.
    private static func read(_ piece: ICalendarPiece, _ zones: inout ZoneResolver) -> ICalendarPiece {
        switch piece {
        case .calendarBegin, .calendarEnd: zones = ZoneResolver()
        case .calendarProperty, .defect: break
        case .component(var raw):
            if raw.name == "VTIMEZONE" {
                ICalendarComponent.list(String(decoding: raw.text, as: UTF8.self)).first.map(zones.define)
            }
            raw.readAhead(zones)
            return .component(raw)
        }
        return piece
    }

    var hasContent: Bool { current.hasContent }

    mutating func next() throws -> ICalendarPiece? {
        while place >= current.pieces.count {
            if let failure = current.failure { throw failure }
            if current.isLast { return nil }
            (current, place) = (queue.next(), 0)
        }
        defer { place += 1 }
        return current.pieces[place]
    }

    /// Lets the thread end, even if not all was read.
    func stop() { queue.stop() }
}
