import Dispatch
import FoundationEssentials
import Glibc

/// A trace of the traffic with servers and the database, for bug reports: `HELIX_TRACE=imap,http`.
///
/// Passwords, tokens and the text of messages are omitted. Nothing is recorded before ``begin(_:longest:write:)``; callers
/// check ``isOn(_:)`` first, so that a program that is not traced does no work for it.
public enum Trace {
    /// The traffic to record.
    public enum Kind: String, CaseIterable, Sendable {
        case imap, smtp, dav, jmap, http, gateway, sql, sieve

        fileprivate var bit: UInt8 { 1 << UInt8(Kind.allCases.firstIndex(of: self) ?? 0) }
    }

    // Written once, by the command's own thread before it starts any other.
    private nonisolated(unsafe) static var kinds: UInt8 = 0
    private nonisolated(unsafe) static var writer: (@Sendable (String) -> Void)?
    private nonisolated(unsafe) static var longest = 0
    private nonisolated(unsafe) static var start = DispatchTime(uptimeNanoseconds: 0)

    /// Starts recording.
    ///
    /// - Parameters:
    ///   - longest: longer texts are cut to that number of characters.
    ///   - write: receives a line, without its end; from any thread.
    public static func begin(_ wanted: Set<Kind>, longest most: Int, write: @escaping @Sendable (String) -> Void) {
        (writer, longest, start) = (write, most, .now())
        kinds = wanted.reduce(0) { $0 | $1.bit }
    }

    /// Whether traffic of that kind is recorded.
    public static func isOn(_ kind: Kind) -> Bool { kinds & kind.bit != 0 }

    /// Records a line.
    /// - Parameter text: evaluated only if the kind is recorded; control characters are escaped.
    public static func note(_ kind: Kind, _ text: @autoclosure () -> String) {
        guard isOn(kind), let writer else { return }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
        let all = text()
        var line = ""
        for scalar in all.unicodeScalars.prefix(longest) {
            if scalar.value < 32 || (127...159).contains(scalar.value) {
                line += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        let rest = all.unicodeScalars.count - longest
        writer(
            "\(kind.rawValue) \(DigitWriter.decimal(seconds, places: 3)) " + line
                + (rest > 0 ? " … (\(rest) more)" : ""))
    }

    /// Replaces secret values in JSON by stars.
    public static func withoutSecrets(_ json: String) -> String {
        let plain = json.replacing(/"data:as(Text|Base64)"\s*:\s*"[^"]*"/, with: "\"data\":\"(not shown)\"")
        let secret =
            /"([A-Za-z_]*(?:[Pp]assword|[Tt]oken|[Ss]ecret|[Ss]ignature|[Nn]once|[Vv]erifier|private_?[Kk]ey|code))"\s*:\s*"[^"]*"/
        return plain.replacing(secret) { "\"\($0.output.1)\":\"***\"" }
    }
}

/// Records the lines exchanged with a server. Data sent as a whole, such as a message, is counted and not shown.
public struct LineTrace {
    private let kind: Trace.Kind
    private let sign: String
    private var pending: [UInt8] = []
    /// The number of bytes left of a literal (RFC 9051 §4.3).
    private var literal = 0
    /// The number of bytes of a message being sent (RFC 5321 §4.1.1.4); nil outside of one.
    private var message: Int?

    /// - Parameter isOut: whether these are the lines of helix.
    public init(_ kind: Trace.Kind, isOut: Bool) {
        self.kind = kind
        sign = isOut ? "> " : "< "
    }

    /// Records bytes.
    public mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes {
            if literal > 0 {
                literal -= 1
                continue
            }
            guard byte == 10 else {
                if pending.count < 1 << 16 { pending.append(byte) }
                continue
            }
            if pending.last == 13 { pending.removeLast() }
            end(String(decoding: pending, as: UTF8.self), size: pending.count + 2)
            pending.removeAll(keepingCapacity: true)
        }
    }

    private mutating func end(_ line: String, size: Int) {
        if kind == .smtp, sign == "> " {
            if let sum = message {
                if line != "." {
                    message = sum + size
                    return
                }
                Trace.note(kind, sign + "(a message of \(sum) bytes)")
                message = nil
            } else if line.uppercased() == "DATA" {
                message = 0
            }
        }
        if kind == .imap, line.hasSuffix("}"), let open = line.lastIndex(of: "{") {
            literal = Int(line[line.index(after: open)...].prefix(while: \.isNumber)) ?? 0
            Trace.note(kind, sign + line + " (\(literal) bytes)")
        } else {
            Trace.note(kind, sign + line)
        }
    }
}
