import Dispatch
import HelixSystem
import Synchronization

extension Array where Element: Sendable {
    /// Calls a function for each element in parallel, in separate threads: most wait for a server, some for hours, and there may
    /// be more of them than cores. Without a free thread, the call is made in this one.
    public func concurrently<Value: Sendable>(_ body: @escaping @Sendable (Element) -> Value) -> [Value] {
        if count <= 1 { return map(body) }
        let results = ResultBox<Value>(count)
        let group = DispatchGroup()
        for (place, element) in enumerated() {
            group.enter()
            let work: @Sendable () -> Void = {
                results.set(place, body(element))
                group.leave()
            }
            do { try DetachedThread.start(stackSize: 8 << 20, work) } catch { work() }
        }
        group.wait()
        return results.values
    }
}

/// Results that arrive in any order.
private final class ResultBox<Value: Sendable>: Sendable {
    private let found: Mutex<[Value?]>

    init(_ count: Int) { found = Mutex(Array(repeating: nil, count: count)) }

    func set(_ place: Int, _ value: Value) { found.withLock { $0[place] = value } }

    var values: [Value] { found.withLock { $0.compactMap { $0 } } }
}
