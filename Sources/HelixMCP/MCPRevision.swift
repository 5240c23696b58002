import HelixModel

/// The revisions of the Model Context Protocol that helix speaks: 2026-07-28, in which every request stands for itself, and those
/// before it, which begin with a handshake (https://modelcontextprotocol.io/specification).
public enum MCPRevision {
    /// The revision without a handshake.
    public static let stateless = "2026-07-28"
    /// All of them, the newest first.
    public static let all = [stateless, "2025-11-25", "2025-06-18"]
    /// The key of a request's revision.
    public static let key = "io.modelcontextprotocol/protocolVersion"

    /// The revision for a handshake: the requested one, or the newest with a handshake.
    public static func agreed(on requested: String) -> String {
        all.dropFirst().contains(requested) ? requested : all[1]
    }

    /// The revision of a request.
    /// - Parameter agreed: the revision of the handshake; nil without one.
    /// - Throws: ``MCPFailure`` for one that is not spoken.
    public static func check(_ request: MCPRequest, agreed: String?) throws -> String? {
        guard let asked = request.version else { return agreed }
        guard asked == stateless else { throw unsupported(asked) }
        return asked
    }

    /// The error for a revision that is not spoken.
    public static func unsupported(_ version: String) -> MCPFailure {
        MCPFailure(
            code: MCPFailure.unsupportedVersion, message: "unsupported protocol version",
            data: ["supported": .strings(all), "requested": .string(version)])
    }

    /// Adds the fields that answers without a handshake have in common. Lists of entities are kept by no client: they change.
    static func complete(_ result: JSONText, of method: String, _ identity: JSONText) -> JSONText {
        var result = result.setting("resultType", "complete").setting(
            "_meta", (result["_meta"] ?? [:]).setting("io.modelcontextprotocol/serverInfo", identity))
        let isFixed = ["server/discover", "tools/list", "prompts/list", "resources/templates/list"].contains(method)
        if isFixed || ["resources/list", "resources/read"].contains(method) {
            result = result.setting("ttlMs", .integer(isFixed ? 60_000 : 0)).setting("cacheScope", "private")
        }
        return result
    }
}
