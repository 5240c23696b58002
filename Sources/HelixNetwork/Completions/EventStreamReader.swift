/// Parses a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html, 9.2.5).
struct EventStreamReader {
    /// The bytes of the incomplete last line; all bytes, if no line was an event.
    private(set) var rest: [UInt8] = []
    private var data: [String] = []
    private var hasEvents = false
    /// Whether the end was received.
    private(set) var isDone = false

    /// Adds received bytes.
    /// - Returns: the data of the events that are complete now.
    mutating func take(_ bytes: [UInt8]) -> [String] {
        rest += bytes
        var whole: [String] = []
        var start = rest.startIndex
        while let end = rest[start...].firstIndex(of: 0x0A) {
            var line = rest[start..<end]
            if line.last == 0x0D { line = line.dropLast() }
            if line.isEmpty {
                if !data.isEmpty { whole.append(data.joined(separator: "\n")) }
                data = []
            } else if line.starts(with: "data:".utf8) {
                hasEvents = true
                var value = line.dropFirst(5)
                if value.first == 0x20 { value = value.dropFirst() }
                data.append(String(decoding: value, as: UTF8.self))
            } else if !hasEvents, line.first == UInt8(ascii: "{") {
                break
            }
            start = rest.index(after: end)
        }
        if hasEvents || start > rest.startIndex { rest = Array(rest[start...]) }
        // Even the last event may lack the empty line after it.
        isDone = isDone || whole.contains("[DONE]") || data == ["[DONE]"]
        return whole.filter { $0 != "[DONE]" }
    }
}
