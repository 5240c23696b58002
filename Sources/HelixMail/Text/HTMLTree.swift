import CLibXML
import HelixModel

/// HTML as a tree of elements and texts, as far as readers need it.
final class HTMLTree {
    /// A node: an element with a name, or a text without one.
    struct Node {
        var name: String
        var attributes: [(name: String, value: String)]
        var text: String
        var children: [Int]

        subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }
    }

    /// The maximum number of nodes; the rest is dropped.
    private static let limit = 200_000
    private static let depthLimit = 200

    /// All nodes; the first is the root.
    private(set) var nodes: [Node] = [Node(name: "html", attributes: [], text: "", children: [])]
    /// Whether the tree was truncated.
    private(set) var isCut = false
    private var open = [0]
    /// Elements whose content is skipped, and the parser's depth within one.
    private static let unread: Set<String> = [
        "script", "style", "head", "title", "template", "noscript", "object", "svg", "math", "audio", "video", "iframe",
    ]
    private var unreadDepth = 0
    /// The number of open elements beyond the depth limit.
    private var ignoredDepth = 0

    /// Parses HTML; external resources are not loaded.
    /// - Throws: ``HelixError`` if libxml2 is not installed.
    init(_ html: String) throws {
        var handler = helix_html_handler(
            start: { context, name, attributes in
                guard let name else { return 1 }
                return HTMLTree.from(context)?.start(String(cString: name), attributes) == true ? 1 : 0
            },
            end: { context, name in
                guard let name else { return 1 }
                HTMLTree.from(context)?.end(String(cString: name))
                return 1
            },
            text: { context, text, count in
                guard let text else { return 1 }
                let bytes = UnsafeRawBufferPointer(start: text, count: count)
                HTMLTree.from(context)?.add(String(decoding: bytes, as: UTF8.self))
                return 1
            })
        var html = html
        // The library takes a NUL for the end of the text.
        if html.utf8.contains(0) { html.unicodeScalars.removeAll { $0.value == 0 } }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let done = html.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { chars in
                helix_html_parse(chars.baseAddress, chars.count, context, &handler)
            }
        }
        if done == 0 {
            throw HelixError(
                .configuration, "libxml2, needed to read HTML, is not installed",
                hint: "On Debian: apt-get install libxml2.")
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> HTMLTree? {
        context.map { Unmanaged<HTMLTree>.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(_ name: String, _ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Bool {
        if unreadDepth > 0 || Self.unread.contains(name) {
            unreadDepth += 1
            return true
        }
        if open.count > Self.depthLimit {
            ignoredDepth += 1
            isCut = true
            return true
        }
        guard nodes.count < Self.limit else {
            isCut = true
            return false
        }
        var attributes: [(name: String, value: String)] = []
        var place = 0
        while let list, let attribute = list[place], place < 64 {
            let key = String(cString: attribute)
            if [
                "href", "src", "alt", "style", "hidden", "start", "type", "cite", "class", "value", "color", "bgcolor",
                "id",
            ]
            .contains(key) {
                attributes.append((key, list[place + 1].map { String(cString: $0) } ?? ""))
            }
            place += 2
        }
        let node = Node(name: name, attributes: attributes, text: "", children: [])
        nodes.append(node)
        nodes[open.last ?? 0].children.append(nodes.count - 1)
        open.append(nodes.count - 1)
        return true
    }

    private func end(_ name: String) {
        if unreadDepth > 0 {
            unreadDepth -= 1
        } else if ignoredDepth > 0 {
            ignoredDepth -= 1
        } else if open.count > 1 {
            open.removeLast()
        }
    }

    private func add(_ text: String) {
        if unreadDepth > 0 || text.isEmpty { return }
        let parent = open.last ?? 0
        // The parser passes a text in pieces.
        if let last = nodes[parent].children.last, nodes[last].name.isEmpty {
            nodes[last].text += text
        } else if nodes.count < Self.limit {
            nodes.append(Node(name: "", attributes: [], text: text, children: []))
            nodes[parent].children.append(nodes.count - 1)
        } else {
            isCut = true
        }
    }
}
