import HelixModel

/// A message between a gateway and its clients, one JSON object each (docs/gateway.md).
public enum GatewayFrame: Sendable {
    /// A client's request.
    case request(id: String, method: String, params: JSONText?)
    /// The gateway's response.
    case response(id: String, Result<JSONText, GatewayError>)
    /// An event from the gateway; events for a single client have no number.
    case event(String, payload: JSONText, sequence: Int64?)

    /// Parses a frame as clients do: unknown fields are ignored.
    /// - Throws: ``HelixError`` of code `protocol`.
    public init(_ bytes: [UInt8]) throws {
        guard let json = try? JSONText(bytes) else { throw GatewayFrame.problem("a frame is not JSON") }
        switch json["type"]?.text {
        case "req":
            guard let id = json["id"]?.text, let method = json["method"]?.text else {
                throw GatewayFrame.problem("a request has no id or no method")
            }
            self = .request(id: id, method: method, params: json["params"])
        case "res":
            guard let id = json["id"]?.text else { throw GatewayFrame.problem("a response has no id") }
            if json["ok"]?.bool == true {
                self = .response(id: id, .success(json["payload"] ?? .null))
            } else {
                // Some gateways return the error in the payload only.
                let error = GatewayError(json["error"] ?? json["payload"]?["error"] ?? json["payload"] ?? .null)
                self = .response(id: id, .failure(error))
            }
        case "event":
            guard let name = json["event"]?.text else { throw GatewayFrame.problem("an event has no name") }
            self = .event(name, payload: json["payload"] ?? .null, sequence: json["seq"]?.integer)
        default: throw GatewayFrame.problem("a frame has an unknown type")
        }
    }

    /// The frame as it is sent.
    public var bytes: [UInt8] {
        var out: [UInt8] = []
        json.write(to: &out)
        return out
    }

    private var json: JSONText {
        switch self {
        case .request(let id, let method, let params):
            ["type": "req", "id": .string(id), "method": .string(method), "params": params]
        case .response(let id, .success(let payload)):
            ["type": "res", "id": .string(id), "ok": true, "payload": payload]
        case .response(let id, .failure(let error)):
            ["type": "res", "id": .string(id), "ok": false, "error": error.json]
        case .event(let name, let payload, let sequence):
            [
                "type": "event", "event": .string(name), "payload": payload,
                "seq": sequence.map { JSONText.integer($0) },
            ]
        }
    }

    private static func problem(_ text: String) -> HelixError {
        HelixError(.protocol, "the gateway broke its protocol: \(text)")
    }
}
