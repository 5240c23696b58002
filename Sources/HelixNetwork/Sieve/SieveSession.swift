import FoundationEssentials
import HelixModel

/// An authenticated session with a ManageSieve server (RFC 5804), which keeps the scripts that sort arriving mail.
public final class SieveSession {
    /// A script on the server.
    public struct Script: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Whether the server runs it.
        public var isActive: Bool
    }

    private let stream: NetworkStream
    private let label: String
    private var input: LineBuffer
    /// The capabilities, by their names in upper case.
    private var capabilities: [String: String] = [:]

    /// The extensions of Sieve that the server has.
    public var extensions: Set<String> { Set(words("SIEVE")) }

    /// Connects, encrypts and signs in.
    /// - Throws: ``HelixError``.
    public init(_ endpoint: Endpoint, patience: Int = 60) throws {
        stream = try NetworkStream(endpoint, patience: patience)
        label = endpoint.label
        input = LineBuffer(stream, label: label)
        try greet()
        if endpoint.security == .starttls {
            guard capabilities["STARTTLS"] != nil else {
                throw HelixError(
                    .notAllowed, "\(label) does not encrypt, and the password was not sent",
                    hint: "Another port may: helix account edit NAME --sieve-port PORT --sieve-security tls")
            }
            try run("STARTTLS")
            // Bytes that are here already came in the clear, possibly from somebody else.
            guard input.isEmpty else { throw HelixError(.protocol, "\(label) sent text before the encryption") }
            try stream.encrypt(endpoint)
            try greet()
        }
        try signIn(endpoint)
        stream.record(as: .sieve, endpoint)
    }

    private func greet() throws {
        capabilities = [:]
        for line in try reply().lines {
            guard let name = line.first else { continue }
            capabilities[name.uppercased()] = line.count > 1 ? line[1] : ""
        }
    }

    private func words(_ capability: String) -> [String] {
        (capabilities[capability] ?? "").split(separator: " ").map(String.init)
    }

    private func signIn(_ endpoint: Endpoint) throws {
        let offered = Set(words("SASL").map { $0.uppercased() })
        let text: String
        let way: String
        switch endpoint.credential {
        case .none: return
        case .password(let password):
            (way, text) = ("PLAIN", "\0\(endpoint.user)\0\(password)")
        case .token(let token) where offered.contains("OAUTHBEARER"):
            way = "OAUTHBEARER"
            text =
                "n,a=\(endpoint.user),\u{1}host=\(endpoint.host)\u{1}port=\(endpoint.port)\u{1}auth=Bearer \(token)\u{1}\u{1}"
        case .token(let token):
            (way, text) = ("XOAUTH2", "user=\(endpoint.user)\u{1}auth=Bearer \(token)\u{1}\u{1}")
        }
        guard offered.contains(way) else {
            throw HelixError(
                .authentication, "\(label) does not offer the sign-in \(way)",
                hint: "It offers: \(offered.sorted().joined(separator: ", ")).")
        }
        let encoded = Data(text.utf8).base64EncodedString()
        let answer = try send("AUTHENTICATE \"\(way)\" \"\(encoded)\"")
        guard answer.isGood else {
            throw HelixError(
                .authentication, "\(label) refuses the sign-in of '\(endpoint.user)': \(answer.text)",
                hint: "'helix account check' tells more.")
        }
    }

    /// The scripts.
    /// - Throws: ``HelixError``.
    public func scripts() throws -> [Script] {
        try run("LISTSCRIPTS").lines.compactMap { line in
            line.first.map { Script(name: $0, isActive: line.count > 1 && line[1].uppercased() == "ACTIVE") }
        }
    }

    /// The text of a script.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func text(of script: String) throws -> String {
        try run("GETSCRIPT \(Self.string(script))").lines.first?.first ?? ""
    }

    /// Stores a script, if the server accepts its text.
    /// - Returns: warnings of the server.
    /// - Throws: ``HelixError`` of code `badInput` with the server's reason.
    @discardableResult
    public func put(_ text: String, as script: String) throws -> String? {
        let answer = try run("PUTSCRIPT \(Self.string(script)) \(Self.literal(text))")
        return answer.code.uppercased().hasPrefix("WARNINGS") ? answer.text : nil
    }

    /// Lets the server run a script, in place of the one before; none if it is empty.
    /// - Throws: ``HelixError``.
    public func activate(_ script: String) throws { try run("SETACTIVE \(Self.string(script))") }

    /// Deletes a script that is not active.
    /// - Throws: ``HelixError``.
    public func delete(_ script: String) throws { try run("DELETESCRIPT \(Self.string(script))") }

    /// Signs out.
    public func end() { _ = try? send("LOGOUT") }

    // MARK: Lines

    /// An answer: lines of data, and the result.
    private struct Answer {
        var lines: [[String]] = []
        var isGood = false
        /// The response code, without its brackets.
        var code = ""
        var text = ""
    }

    /// A string that may stand in a line.
    private static func string(_ text: String) -> String {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return literal(text) }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func literal(_ text: String) -> String { "{\(text.utf8.count)+}\r\n\(text)" }

    @discardableResult
    private func run(_ line: String) throws -> Answer {
        let answer = try send(line)
        guard answer.isGood else {
            let verb = String(line.prefix { $0 != " " })
            let code: HelixError.Code =
                switch answer.code.uppercased().prefix(while: { $0 != " " && $0 != "/" }) {
                case "NONEXISTENT": .notFound
                case "ACTIVE", "ALREADYEXISTS": .conflict
                case "QUOTA": .notAllowed
                case "TRYLATER": .offline
                default: verb == "PUTSCRIPT" ? .badInput : .notAllowed
                }
            throw HelixError(code, "\(label) refuses \(verb): \(answer.text)")
        }
        return answer
    }

    private func send(_ line: String) throws -> Answer {
        try stream.send(Array((line + "\r\n").utf8))
        return try reply()
    }

    /// Reads lines until one tells the result.
    private func reply() throws -> Answer {
        var answer = Answer()
        while true {
            var line = try SieveLine(next: { try input.line() }, bytes: { try input.bytes($0) }, label: label)
            guard let word = line.word, ["OK", "NO", "BYE"].contains(word.uppercased()) else {
                answer.lines.append(line.words)
                guard answer.lines.count < 10_000 else {
                    throw HelixError(.protocol, "\(label) sent an endless answer")
                }
                continue
            }
            (answer.isGood, answer.code) = (word.uppercased() == "OK", line.code)
            line.words.removeFirst()
            answer.text = line.words.joined(separator: " ").split(whereSeparator: \.isNewline).joined(separator: " ")
            if answer.text.isEmpty { answer.text = answer.code.isEmpty ? word : answer.code }
            if word.uppercased() == "BYE", !answer.isGood {
                throw HelixError(.offline, "\(label) ends the session: \(answer.text)")
            }
            return answer
        }
    }
}

/// A line of a ManageSieve server: words, quoted strings and literals (RFC 5804 §4).
struct SieveLine {
    /// The words and strings.
    var words: [String] = []
    /// The first word, if it is an atom.
    private(set) var word: String?
    /// The response code: the text in parentheses.
    private(set) var code = ""

    /// - Parameters:
    ///   - next: returns the next line, without its end.
    ///   - bytes: returns that many bytes, which follow a line.
    /// - Throws: ``HelixError`` of code `protocol`; what the parameters throw.
    init(next: () throws -> [UInt8], bytes: (Int) throws -> [UInt8], label: String) throws {
        var line = try next()[...]
        func broken() -> HelixError { HelixError(.protocol, "\(label) sent invalid ManageSieve") }
        while let byte = line.first {
            switch byte {
            case UInt8(ascii: " "): line.removeFirst()
            case UInt8(ascii: "\""):
                line.removeFirst()
                words.append(try Self.quoted(&line) ?? { throw broken() }())
            case UInt8(ascii: "{"):
                let digits = line.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 }
                let rest = line.dropFirst(1 + digits.count)
                guard let count = Int(String(decoding: digits, as: UTF8.self)),
                    rest.elementsEqual([UInt8(ascii: "}")]) || rest.elementsEqual(Array("+}".utf8))
                else { throw broken() }
                words.append(String(decoding: try bytes(count), as: UTF8.self))
                line = try next()[...]
            case UInt8(ascii: "("):
                line.removeFirst()
                var depth = 1
                var text: [UInt8] = []
                while depth > 0 {
                    guard let byte = line.popFirst() else { throw broken() }
                    if byte == UInt8(ascii: "\"") {
                        text += Array((try Self.quoted(&line) ?? { throw broken() }()).utf8)
                        continue
                    }
                    depth += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
                    if depth > 0 { text.append(byte) }
                }
                code = String(decoding: text, as: UTF8.self)
            default:
                let atom = line.prefix { $0 != 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "(") }
                line = line.dropFirst(atom.count)
                let text = String(decoding: atom, as: UTF8.self)
                if words.isEmpty { word = text }
                words.append(text)
            }
        }
    }

    /// The string up to its closing quote, which is removed; nil if there is none.
    private static func quoted(_ line: inout ArraySlice<UInt8>) throws -> String? {
        var bytes: [UInt8] = []
        while let byte = line.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let next = line.popFirst() else { return nil }
                bytes.append(next)
            } else {
                bytes.append(byte)
            }
        }
        return nil
    }
}
