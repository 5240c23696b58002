import HelixGateway
import HelixModel

/// A request as it arrived.
struct Request: Sendable {
    var id: String
    var method: String
    var params: JSONText?

    /// The defect of a frame, with the identity of the request if it can be read.
    struct Defect: Error {
        var id: String
        var reason: String
    }

    /// Parses a frame strictly.
    static func read(_ bytes: [UInt8]) -> Result<Request, Defect> {
        guard let json = try? JSONText(bytes), let fields = json.fields else {
            return .failure(Defect(id: "invalid", reason: "not a JSON object"))
        }
        let id = json["id"]?.text.flatMap { (1...256).contains($0.utf8.count) ? $0 : nil }
        func defect(_ reason: String) -> Result<Request, Defect> {
            .failure(Defect(id: id ?? "invalid", reason: reason))
        }
        guard Set(fields.map(\.name)).count == fields.count else { return defect("duplicate property") }
        for field in fields {
            switch field.name {
            case "type", "id", "method", "params": break
            case "traceparent":
                guard field.value.text?.utf8.count ?? 999 <= 128 else { return defect("traceparent is too long") }
            default: return defect("unexpected property '\(field.name.prefix(64))'")
            }
        }
        guard json["type"]?.text == "req" else { return defect("type must be 'req'") }
        guard let id else { return defect("id must be a string") }
        guard let method = json["method"]?.text, (1...128).contains(method.utf8.count) else {
            return defect("method must be a string")
        }
        return .success(Request(id: id, method: method, params: json["params"]))
    }
}
