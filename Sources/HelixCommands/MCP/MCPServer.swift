import FoundationEssentials
import HelixMCP
import HelixModel

/// A server of the Model Context Protocol over lines of JSON-RPC: of revision 2026-07-28, in which every request stands for
/// itself, and of 2025-11-25, which begins with a handshake (https://modelcontextprotocol.io/specification).
struct MCPServer {
    let caller: MCPCaller
    /// The revision that a handshake agreed on; nil before it.
    private var session: String?

    init(_ caller: MCPCaller) { self.caller = caller }

    /// Answers a message.
    ///
    /// - Parameters:
    ///   - isCancelled: whether a request was cancelled; such a one gets no answer.
    ///   - notify: sends a notification, about the progress of a call.
    /// - Returns: the answer; nil for a notification, and for a cancelled request.
    mutating func answer(
        _ line: [UInt8], isCancelled: (JSONText) -> Bool = { _ in false }, notify: (JSONText) -> Void = { _ in }
    ) -> JSONText? {
        let request: MCPRequest
        switch MCPMessage(line) {
        case .request(let read): request = read
        case .notification: return nil
        case .invalid(let failure, let id): return failure.answer(to: id)
        }
        // Before it begins, and while it runs: then it is done, but nobody waits for the answer.
        if isCancelled(request.id) { return nil }
        let answer = self.answer(to: request, notify)
        return isCancelled(request.id) ? nil : answer
    }

    private mutating func answer(to request: MCPRequest, _ notify: (JSONText) -> Void) -> JSONText {
        do {
            let version = try MCPRevision.check(request, agreed: session)
            let progress = request.method == "tools/call" ? MCPProgress(request.params) : nil
            progress.map { notify($0.message(0)) }
            defer { progress.map { notify($0.message(1)) } }
            return request.answer(try result(of: request), version: version, identity: MCPServer.identity)
        } catch let failure as MCPFailure {
            return failure.answer(to: request.id)
        } catch {
            let message = (error as? HelixError)?.message ?? "internal error"
            return MCPFailure(code: MCPFailure.internalError, message: message).answer(to: request.id)
        }
    }

    private static let identity: JSONText = [
        "name": "helix", "title": "helix: mail, calendar, tasks, time and chat", "version": .string(Helix.version),
    ]

    private static let capabilities: JSONText = [
        "tools": [:], "resources": [:], "prompts": [:], "completions": [:],
    ]

    private mutating func result(of request: MCPRequest) throws -> JSONText {
        let params = request.params
        switch request.method {
        case "initialize":
            let agreed = MCPRevision.agreed(on: params["protocolVersion"]?.text ?? "")
            session = agreed
            return [
                "protocolVersion": .string(agreed), "capabilities": MCPServer.capabilities,
                "serverInfo": MCPServer.identity,
                "instructions": .string(caller.instructions),
            ]
        case "server/discover":
            return [
                "supportedVersions": .strings(MCPRevision.all), "capabilities": MCPServer.capabilities,
                "instructions": .string(caller.instructions),
            ]
        case "ping": return [:]
        case "tools/list":
            try request.requireFirstPage()
            return ["tools": .array(caller.tools.map { $0.described(input: MCPToolSchemas.input(of: $0)) })]
        case "tools/call": return try caller.call(params)
        case "resources/list":
            try request.requireFirstPage()
            return ["resources": .array(MCPResource.fixed.filter { $0.isOffered(to: caller.profile) }.map(\.described))]
        case "resources/templates/list":
            try request.requireFirstPage()
            return [
                "resourceTemplates": .array(
                    MCPResource.templates.filter { $0.isOffered(to: caller.profile) }.map(\.described))
            ]
        case "resources/read": return try caller.read(params)
        case "prompts/list":
            try request.requireFirstPage()
            return ["prompts": .array(MCPPrompt.all.map(\.described))]
        case "prompts/get": return try MCPPrompt.get(params, among: MCPPrompt.all)
        case "completion/complete": return try caller.complete(params)
        default: throw MCPFailure.unknown(method: request.method)
        }
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
