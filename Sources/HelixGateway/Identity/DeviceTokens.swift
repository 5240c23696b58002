import FoundationEssentials
import Glibc
import HelixModel

/// The tokens that gateways issued to this device, a file for each account.
public struct DeviceTokens: Sendable {
    /// A token with its permissions.
    public struct Token: Hashable, Sendable {
        /// The text of the token.
        public var text: String
        /// The role: `operator`.
        public var role: String
        /// The permissions of the device.
        public var scopes: [String]

        /// Creates a token.
        public init(text: String, role: String, scopes: [String]) {
            self.text = text
            self.role = role
            self.scopes = scopes
        }
    }

    private let folder: String

    /// The tokens stored in a folder.
    public init(folder: String) { self.folder = folder }

    private func path(_ account: EntityID) -> String { "\(folder)/token-\(account.text).json" }

    /// The token for an account; nil if there is none, or if it belongs to another device.
    /// - Throws: ``HelixError``.
    public func token(for account: EntityID, device: String) throws -> Token? {
        guard let bytes = try PrivateFile.read(path(account)), let json = try? JSONText(bytes),
            json["device"]?.text == device, let text = json["token"]?.text
        else { return nil }
        return Token(text: text, role: json["role"]?.text ?? "operator", scopes: json["scopes"]?.strings ?? [])
    }

    /// Stores a token.
    /// - Throws: ``HelixError`` of code `io`.
    public func keep(_ token: Token, for account: EntityID, device: String) throws {
        let json: JSONText = [
            "version": 1, "device": .string(device), "role": .string(token.role), "token": .string(token.text),
            "scopes": .strings(token.scopes),
        ]
        try PrivateFile.replace(path(account), Array((json.compact + "\n").utf8))
    }

    /// Removes the token for an account, if there is one.
    public func remove(for account: EntityID) { unlink(path(account)) }
}
