import HelixModel

/// The tokens that gateways gave to this device, a file for each account.
public struct DeviceTokens: Sendable {
    /// A token, and what it is for.
    public struct Token: Hashable, Sendable {
        /// The token itself.
        public var text: String
        /// The role that it is for: `operator`.
        public var role: String
        /// What it lets the device do.
        public var scopes: [String]

        /// Such a token.
        public init(text: String, role: String, scopes: [String]) {
            self.text = text
            self.role = role
            self.scopes = scopes
        }
    }

    private let folder: String

    /// Those that lie in a folder.
    public init(folder: String) { self.folder = folder }

    private func path(_ account: EntityID) -> String { "\(folder)/token-\(account.text).json" }

    /// The token for an account; nil if there is none, or it is another device's.
    /// - Throws: ``HelixError``.
    public func token(for account: EntityID, device: String) throws -> Token? {
        guard let bytes = try PrivateFile.read(path(account)), let json = try? JSONText(bytes),
            json["device"]?.text == device, let text = json["token"]?.text
        else { return nil }
        return Token(text: text, role: json["role"]?.text ?? "operator", scopes: json["scopes"]?.strings ?? [])
    }

    /// Keeps a token.
    /// - Throws: ``HelixError`` of code `io`.
    public func keep(_ token: Token, for account: EntityID, device: String) throws {
        let json: JSONText = [
            "version": 1, "device": .string(device), "role": .string(token.role), "token": .string(token.text),
            "scopes": .strings(token.scopes),
        ]
        try PrivateFile.replace(path(account), Array((json.compact + "\n").utf8))
    }
}
