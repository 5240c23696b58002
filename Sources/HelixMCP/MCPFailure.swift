import HelixModel

/// An error of JSON-RPC, as the Model Context Protocol uses it.
public struct MCPFailure: Error, Sendable {
    /// The code: one of JSON-RPC 2.0, or of the protocol.
    public let code: Int
    /// The reason, for a person.
    public let message: String
    /// The details, for a program.
    public let data: JSONText?

    /// Creates an error.
    public init(code: Int, message: String, data: JSONText? = nil) {
        (self.code, self.message, self.data) = (code, message, data)
    }

    /// The error for parameters that a method does not take.
    public static func parameters(_ message: String) -> MCPFailure {
        MCPFailure(code: invalidParameters, message: message)
    }

    /// The error for a method that does not exist.
    public static func unknown(method: String) -> MCPFailure {
        MCPFailure(code: unknownMethod, message: "unknown method '\(method)'")
    }

    /// The codes of JSON-RPC 2.0, section 5.1.
    public static let (notJSON, invalidRequest, unknownMethod, invalidParameters, internalError) = (
        -32700, -32600, -32601, -32602, -32603
    )
    /// The code for headers that differ from the message (revision 2026-07-28, "Streamable HTTP").
    public static let headerMismatch = -32020
    /// The code for a revision that is not spoken.
    public static let unsupportedVersion = -32022

    /// The error as the answer to a request.
    public func answer(to id: JSONText) -> JSONText {
        [
            "jsonrpc": "2.0", "id": id,
            "error": ["code": .integer(code), "message": .string(message), "data": data],
        ]
    }
}
