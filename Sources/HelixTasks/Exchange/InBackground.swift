import Foundation

/// Something that is worked out on another thread while this one goes on.
final class InBackground<Value: Sendable>: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var result: Value?

    init(_ body: @escaping @Sendable () -> Value?) {
        let thread = Thread { [self] in
            result = body()
            done.signal()
        }
        // What it reads may be nested deeply.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// What came of it, waited for. To be asked for once.
    var value: Value? {
        done.wait()
        return result
    }
}
