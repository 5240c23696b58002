/// A key, with its modifiers, as configuration and help name it: `a`, `A`, `ctrl-p`, `alt-x`, `enter`, `shift-up`, `f1`.
public struct Key: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let name: String

    /// A key by its name.
    public init(_ name: String) { self.name = name }
    /// A key by its name.
    public init(stringLiteral value: String) { name = value }

    /// The name.
    public var description: String { name }

    /// The character that it types; nil for a key that types none.
    public var character: Character? {
        if name == "space" { return " " }
        return name.count == 1 ? name.first : nil
    }

    /// The names of the keys that type no character.
    public static let names: Set<String> = Set(
        ["enter", "tab", "backspace", "esc", "space", "up", "down", "left", "right", "home", "end", "pageup"]
            + ["pagedown", "insert", "delete"] + (1...12).map { "f\($0)" })

    /// The key that a person named; nil if there is no such key.
    public init?(named text: String) {
        var rest = text[...]
        for modifier in ["ctrl-", "alt-", "shift-"] where rest.count > modifier.count && rest.hasPrefix(modifier) {
            rest = rest.dropFirst(modifier.count)
        }
        guard rest.count == 1 || Key.names.contains(String(rest)) else { return nil }
        name = text
    }
}

/// An event of the mouse.
public struct MouseEvent: Hashable, Sendable {
    /// The kind of the event.
    public enum Kind: Hashable, Sendable {
        case press
        case drag
        case release
        case wheelUp
        case wheelDown
    }
    /// The kind.
    public var kind: Kind
    /// The column, from 0.
    public var x: Int
    /// The line, from 0.
    public var y: Int

    /// Creates an event.
    public init(_ kind: Kind, x: Int, y: Int) { (self.kind, self.x, self.y) = (kind, x, y) }
}

/// An input of the person at the terminal.
public enum InputEvent: Hashable, Sendable {
    /// A key, with the bytes that the terminal sent for it.
    case key(Key, [UInt8])
    case mouse(MouseEvent)
    /// Text that was pasted: no key of it means a command.
    case paste(String)
}
