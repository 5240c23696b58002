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

/// A value that another thread computes, mostly by asking a server, while this one works on.
public final class BackgroundValue<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    /// Starts to compute. Without a free thread, it is done before this returns.
    /// - Parameter body: what it uses must not be used by others until ``wait()`` returns.
    public init(_ body: @escaping () throws -> Value) {
        nonisolated(unsafe) let body = body
        let work: @Sendable () -> Void = { [self] in
            let found = Result { try body() }
            result.withLock { $0 = found }
            done.signal()
        }
        do { try DetachedThread.start(stackSize: 8 << 20, work) } catch { work() }
    }

    /// The value, once it is there. It can be called once.
    /// - Throws: the error of the computation.
    public func wait() throws -> Value? {
        done.wait()
        return try result.withLock { try $0?.get() }
    }
}
