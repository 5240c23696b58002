import Foundation

/// A record of what is said to servers and to the database, for reports of bugs: `HELIX_TRACE=imap,http`.
///
/// Passwords, tokens and the text of messages are not in it. Nothing is recorded before ``begin(_:longest:write:)``; whoever records
/// asks first whether anybody listens, so that a program that is not traced does no work for it.
public enum Trace {
    /// What is recorded.
    public enum Kind: String, CaseIterable, Sendable {
        case imap, smtp, dav, jmap, http, gateway, sql

        fileprivate var bit: UInt8 { 1 << UInt8(Kind.allCases.firstIndex(of: self) ?? 0) }
    }

    // Written once, by the command's own thread before it starts any other.
    private nonisolated(unsafe) static var kinds: UInt8 = 0
    private nonisolated(unsafe) static var writer: (@Sendable (String) -> Void)?
    private nonisolated(unsafe) static var longest = 0
    private nonisolated(unsafe) static var start = DispatchTime(uptimeNanoseconds: 0)

    /// Records from now on.
    ///
    /// - Parameters:
    ///   - longest: longer texts are cut to so many characters.
    ///   - write: takes a line, without its end; from any thread.
    public static func begin(_ wanted: Set<Kind>, longest most: Int, write: @escaping @Sendable (String) -> Void) {
        (writer, longest, start) = (write, most, .now())
        kinds = wanted.reduce(0) { $0 | $1.bit }
    }

    /// Whether anybody listens.
    public static func isOn(_ kind: Kind) -> Bool { kinds & kind.bit != 0 }

    /// Records a line.
    /// - Parameter text: made only if somebody listens; control characters are written as escapes.
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
        writer(String(format: "%@ %.3f ", kind.rawValue, seconds) + line + (rest > 0 ? " … (\(rest) more)" : ""))
    }

    /// Values of JSON that nobody else may see, replaced by stars.
    public static func withoutSecrets(_ json: String) -> String {
        guard
            let pattern = try? NSRegularExpression(
                pattern:
                    #""([A-Za-z_]*(?:[Pp]assword|[Tt]oken|[Ss]ecret|[Ss]ignature|[Nn]once|[Vv]erifier|private_?[Kk]ey|code))"\s*:\s*"[^"]*""#
            )
        else { return "(not shown)" }
        let plain = json.replacing(/"data:as(Text|Base64)"\s*:\s*"[^"]*"/, with: "\"data\":\"(not shown)\"")
        return pattern.stringByReplacingMatches(
            in: plain, range: NSRange(plain.startIndex..., in: plain), withTemplate: "\"$1\":\"***\"")
    }
}

/// Records the lines of a conversation with a server. What is sent as a whole, such as a message, is counted and not shown.
public struct LineTrace {
    private let kind: Trace.Kind
    private let sign: String
    private var pending: [UInt8] = []
    /// How much of a literal is still to come (RFC 9051 §4.3).
    private var literal = 0
    /// The bytes of a message that is being sent (RFC 5321 §4.1.1.4); nil outside of one.
    private var message: Int?

    /// - Parameter isOut: whether these are our own lines.
    public init(_ kind: Trace.Kind, isOut: Bool) {
        self.kind = kind
        sign = isOut ? "> " : "< "
    }

    /// Takes bytes that were said.
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
