import FoundationEssentials
import Glibc
import HelixModel

/// A server of the Model Context Protocol over lines of JSON-RPC: of revision 2026-07-28, in which every request stands for
/// itself, and of 2025-11-25, which begins with a handshake (https://modelcontextprotocol.io/specification).
struct MCPServer {
    let caller: MCPCaller
    /// The revision that a handshake agreed on; nil before it.
    private var session: String?

    /// The revisions that it speaks, the newest first.
    static let versions = [modern, "2025-11-25", "2025-06-18"]
    /// The revision without a handshake.
    private static let modern = "2026-07-28"
    /// The key of a request's revision.
    private static let versionKey = "io.modelcontextprotocol/protocolVersion"

    init(_ caller: MCPCaller) { self.caller = caller }

    /// A JSON-RPC error.
    struct Failure: Error {
        let code: Int
        let message: String
        var data: JSONText?

        static func parameters(_ message: String) -> Failure { Failure(code: -32602, message: message) }
    }

    /// Answers a message.
    ///
    /// - Parameters:
    ///   - isCancelled: whether a request was cancelled; such a one gets no answer.
    ///   - notify: sends a notification, about the progress of a call.
    /// - Returns: the answer; nil for a notification, and for a cancelled request.
    mutating func answer(
        _ line: [UInt8], isCancelled: (JSONText) -> Bool = { _ in false }, notify: (JSONText) -> Void = { _ in }
    ) -> JSONText? {
        let message: JSONText
        do { message = try JSONText(line) } catch {
            return MCPServer.error(.null, Failure(code: -32700, message: "the message is not JSON"))
        }
        guard message.fields != nil, message["jsonrpc"]?.text == "2.0" else {
            return MCPServer.error(.null, Failure(code: -32600, message: "the message is no JSON-RPC 2.0 request"))
        }
        let id = message["id"]
        guard let method = message["method"]?.text else {
            // An answer to a request that was never made.
            return id == nil || message["result"] != nil || message["error"] != nil
                ? nil : MCPServer.error(id ?? .null, Failure(code: -32600, message: "the request has no method"))
        }
        guard let id else { return nil }
        guard id.text != nil || id.integer != nil else {
            return MCPServer.error(.null, Failure(code: -32600, message: "the id must be a string or a number"))
        }
        // Before it begins, and while it runs: then it is done, but nobody waits for the answer.
        if isCancelled(id) { return nil }
        let answer = self.answer(to: id, method, message["params"] ?? [:], notify)
        return isCancelled(id) ? nil : answer
    }

    private mutating func answer(
        to id: JSONText, _ method: String, _ params: JSONText, _ notify: (JSONText) -> Void
    ) -> JSONText {
        do {
            let version = try version(of: params, method)
            let progress = method == "tools/call" ? MCPProgress(params) : nil
            progress.map { notify($0.message(0)) }
            defer { progress.map { notify($0.message(1)) } }
            var result = try self.result(method, params)
            if version == MCPServer.modern { result = MCPServer.complete(result, method) }
            return ["jsonrpc": "2.0", "id": id, "result": result]
        } catch let failure as Failure {
            return MCPServer.error(id, failure)
        } catch {
            return MCPServer.error(
                id, Failure(code: -32603, message: (error as? HelixError)?.message ?? "internal error"))
        }
    }

    private static func error(_ id: JSONText, _ failure: Failure) -> JSONText {
        [
            "jsonrpc": "2.0", "id": id,
            "error": ["code": .integer(failure.code), "message": .string(failure.message), "data": failure.data],
        ]
    }

    /// The revision of a request.
    /// - Throws: ``Failure`` for one that is not spoken.
    private func version(of params: JSONText, _ method: String) throws -> String? {
        guard let asked = params["_meta"]?[MCPServer.versionKey]?.text else { return session }
        guard asked == MCPServer.modern else {
            throw Failure(
                code: -32022, message: "unsupported protocol version",
                data: ["supported": .strings(MCPServer.versions), "requested": .string(asked)])
        }
        return asked
    }

    /// The fields that answers of the newest revision have in common. Nothing is kept by the client: the store changes.
    private static func complete(_ result: JSONText, _ method: String) -> JSONText {
        var result = result.setting("resultType", "complete").setting(
            "_meta", (result["_meta"] ?? [:]).setting("io.modelcontextprotocol/serverInfo", identity))
        let isCached = ["server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"]
        if isCached.contains(method) || method == "resources/read" {
            let lasts: Int = method == "resources/read" || method == "resources/list" ? 0 : 60_000
            result = result.setting("ttlMs", .integer(lasts)).setting("cacheScope", "private")
        }
        return result
    }

    private static let identity: JSONText = [
        "name": "helix", "title": "helix: mail, calendar, tasks, time and chat", "version": .string(Helix.version),
    ]

    private static let capabilities: JSONText = [
        "tools": [:], "resources": [:], "prompts": [:], "completions": [:],
    ]

    private mutating func result(_ method: String, _ params: JSONText) throws -> JSONText {
        switch method {
        case "initialize":
            let asked = params["protocolVersion"]?.text ?? ""
            let agreed = MCPServer.versions.dropFirst().contains(asked) ? asked : MCPServer.versions[1]
            session = agreed
            return [
                "protocolVersion": .string(agreed), "capabilities": MCPServer.capabilities,
                "serverInfo": MCPServer.identity,
                "instructions": .string(caller.instructions),
            ]
        case "server/discover":
            return [
                "supportedVersions": .strings(MCPServer.versions), "capabilities": MCPServer.capabilities,
                "instructions": .string(caller.instructions),
            ]
        case "ping": return [:]
        case "tools/list":
            try requireFirstPage(params)
            return ["tools": .array(caller.tools.map { $0.described(input: MCPToolSchemas.input(of: $0)) })]
        case "tools/call": return try caller.call(params)
        case "resources/list":
            try requireFirstPage(params)
            return ["resources": .array(MCPResource.fixed.filter { $0.isOffered(to: caller.profile) }.map(\.described))]
        case "resources/templates/list":
            try requireFirstPage(params)
            return [
                "resourceTemplates": .array(
                    MCPResource.templates.filter { $0.isOffered(to: caller.profile) }.map(\.described))
            ]
        case "resources/read": return try caller.read(params)
        case "prompts/list":
            try requireFirstPage(params)
            return ["prompts": .array(MCPPrompt.all.map(\.described))]
        case "prompts/get": return try MCPPrompt.get(params)
        case "completion/complete": return try caller.complete(params)
        default: throw Failure(code: -32601, message: "unknown method '\(method)'")
        }
    }

    /// All lists have one page.
    private func requireFirstPage(_ params: JSONText) throws {
        if params["cursor"]?.text != nil { throw Failure.parameters("unknown cursor") }
    }
}

/// The progress of a call, for a client that asks for it.
private struct MCPProgress {
    private let token: JSONText
    private let name: String

    /// Nil for a call without a token.
    init?(_ params: JSONText) {
        guard let token = params["_meta"]?["progressToken"], token.text != nil || token.integer != nil else {
            return nil
        }
        (self.token, name) = (token, params["name"]?.text ?? "")
    }

    /// The notification of a part that is done, of one.
    func message(_ part: Int) -> JSONText {
        [
            "jsonrpc": "2.0", "method": "notifications/progress",
            "params": [
                "progressToken": token, "progress": .integer(part), "total": 1, "message": .string(name),
            ],
        ]
    }
}
