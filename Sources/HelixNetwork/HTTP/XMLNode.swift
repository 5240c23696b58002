import CLibXML
import HelixModel

/// An element of an XML document, with its content.
public struct XMLNode: Sendable {
    /// Its name without a prefix.
    public var name: String
    /// The namespace of its name.
    public var space: String
    /// The value of its attribute `name`, or of `type` if that is missing.
    public var label: String?
    /// The child elements.
    public var children: [XMLNode] = []
    /// The text directly in it.
    public var text = ""

    /// Parses a document, and returns its root element.
    /// - Throws: ``HelixError`` of code `protocol` for invalid XML.
    public init(_ bytes: [UInt8]) throws {
        if let node = try XMLNode.read(bytes) {
            self = node
            return
        }
        // Calendars may contain characters that XML forbids (XML 1.0 §2.2), and servers send them all the same: one such event
        // must not prevent the others from being read.
        let legal = XMLNode.legal(bytes)
        guard legal != bytes, let node = try XMLNode.read(legal) else {
            throw HelixError(.protocol, "the server's answer is invalid XML")
        }
        self = node
    }

    /// The bytes without control characters, and without references to them.
    static func legal(_ bytes: [UInt8]) -> [UInt8] {
        func isLegal(_ code: Int) -> Bool { code >= 32 || code == 9 || code == 10 || code == 13 }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&"), index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "#"),
                let end = bytes[(index + 2)...].prefix(8).firstIndex(of: UInt8(ascii: ";"))
            {
                let text = String(decoding: bytes[(index + 2)..<end], as: UTF8.self)
                let code = text.lowercased().hasPrefix("x") ? Int(text.dropFirst(), radix: 16) : Int(text)
                if let code, !isLegal(code) {
                    index = end + 1
                    continue
                }
            }
            if isLegal(Int(byte)) { out.append(byte) }
            index += 1
        }
        return out
    }

    /// The root element; nil for invalid XML.
    private static func read(_ bytes: [UInt8]) throws -> XMLNode? {
        let builder = Builder()
        var handler = helix_xml_handler()
        handler.start = { context, name, space, label in
            let node = XMLNode(
                name: name.map { String(cString: $0) } ?? "", space: space.map { String(cString: $0) } ?? "",
                label: label.map { String(cString: $0) })
            Builder.of(context)?.start(node)
        }
        handler.end = { Builder.of($0)?.end() }
        handler.text = { context, text in if let text { Builder.of(context)?.text(String(cString: text)) } }
        let code = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { chars in
                withExtendedLifetime(builder) {
                    helix_xml_parse(
                        chars.baseAddress, chars.count, Unmanaged.passUnretained(builder).toOpaque(), &handler)
                }
            }
        }
        if code < 0 {
            throw HelixError(
                .configuration, "libxml2 cannot be opened, and helix reads answers with it",
                hint: "Install it: apt-get install libxml2.")
        }
        return code == 1 ? builder.root : nil
    }

    private init(name: String, space: String, label: String?) {
        self.label = label
        self.name = name
        self.space = space
    }

    private final class Builder {
        private var stack: [XMLNode] = []
        private(set) var root: XMLNode?

        static func of(_ context: UnsafeMutableRawPointer?) -> Builder? {
            context.map { Unmanaged<Builder>.fromOpaque($0).takeUnretainedValue() }
        }

        func start(_ node: XMLNode) { stack.append(node) }

        func text(_ text: String) { if !stack.isEmpty { stack[stack.count - 1].text += text } }

        func end() {
            guard let node = stack.popLast() else { return }
            if stack.isEmpty { root = node } else { stack[stack.count - 1].children.append(node) }
        }
    }

    /// The first child of that name.
    public func first(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// All children of that name.
    public func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }
}
