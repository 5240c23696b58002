import Foundation

extension Array where Element: Sendable {
    /// Calls a function for each element in parallel, in separate threads: most wait for a server, some for hours, and there may
    /// be more of them than cores.
    public func concurrently<Value: Sendable>(_ body: @escaping @Sendable (Element) -> Value) -> [Value] {
        if count <= 1 { return map(body) }
        let results = ResultBox<Value>(count)
        let group = DispatchGroup()
        for (place, element) in enumerated() {
            group.enter()
            let thread = Thread {
                results.set(place, body(element))
                group.leave()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        group.wait()
        return results.values
    }
}

/// Results that arrive in any order.
private final class ResultBox<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var found: [Value?]

    init(_ count: Int) { found = Array(repeating: nil, count: count) }

    func set(_ place: Int, _ value: Value) { lock.withLock { found[place] = value } }

    var values: [Value] { lock.withLock { found.compactMap { $0 } } }
}
