import HelixModel

/// A message of a client.
public enum MCPMessage: Sendable {
    /// A request, which is to be answered.
    case request(MCPRequest)
    /// A notification, or an answer to a request that was never made: neither is answered.
    case notification
    /// A message that is none, with the id of the request if it has one.
    case invalid(MCPFailure, id: JSONText)

    /// Reads a message.
    public init(_ bytes: [UInt8]) {
        guard let message = try? JSONText(bytes) else {
            self = .invalid(MCPFailure(code: MCPFailure.notJSON, message: "the message is not JSON"), id: .null)
            return
        }
        func invalid(_ reason: String, _ id: JSONText = .null) -> MCPMessage {
            .invalid(MCPFailure(code: MCPFailure.invalidRequest, message: reason), id: id)
        }
        guard message.fields != nil, message["jsonrpc"]?.text == "2.0" else {
            self = invalid("the message is no JSON-RPC 2.0 request")
            return
        }
        let id = message["id"]
        guard let method = message["method"]?.text else {
            let isAnswer = id == nil || message["result"] != nil || message["error"] != nil
            self = isAnswer ? .notification : invalid("the request has no method", id ?? .null)
            return
        }
        guard let id else {
            self = .notification
            return
        }
        guard id.text != nil || id.integer != nil else {
            self = invalid("the id must be a string or a number")
            return
        }
        self = .request(MCPRequest(id: id, method: method, params: message["params"] ?? [:]))
    }
}

/// A request of a client.
public struct MCPRequest: Sendable {
    /// The id, a string or a number.
    public let id: JSONText
    /// The method.
    public let method: String
    /// The parameters; an empty object for none.
    public let params: JSONText

    /// The revision that the request names; nil for one that relies on a handshake.
    public var version: String? { params["_meta"]?[MCPRevision.key]?.text }

    /// The answer with a result.
    /// - Parameter version: the revision of the request.
    public func answer(_ result: JSONText, version: String?, identity: JSONText) -> JSONText {
        let whole = version == MCPRevision.stateless ? MCPRevision.complete(result, of: method, identity) : result
        return ["jsonrpc": "2.0", "id": id, "result": whole]
    }

    /// Checks that a list is read from its start: all lists have one page.
    /// - Throws: ``MCPFailure``.
    public func requireFirstPage() throws {
        if params["cursor"]?.text != nil { throw MCPFailure.parameters("unknown cursor") }
    }
}
