import HelixModel

/// What a gateway says went wrong.
public struct GatewayError: Error, Hashable, Sendable {
    /// The classes of errors that clients tell apart. Gateways may have others.
    public enum Code: String, Sendable {
        case invalidRequest = "INVALID_REQUEST"
        case notPaired = "NOT_PAIRED"
        case forbidden = "FORBIDDEN"
        case unavailable = "UNAVAILABLE"
        case rateLimited = "RATE_LIMIT_EXCEEDED"
        case notLinked = "NOT_LINKED"
        case agentTimeout = "AGENT_TIMEOUT"
    }

    /// Its class, as the gateway names it.
    public var code: String
    /// What happened.
    public var message: String
    /// More, for programs.
    public var details: JSONText?
    /// Whether the same may go well later.
    public var isRetryable: Bool
    /// After so many milliseconds, not before.
    public var retryAfter: Int?

    /// An error of a known class.
    public init(
        _ code: Code, _ message: String, details: JSONText? = nil, isRetryable: Bool = false, retryAfter: Int? = nil
    ) {
        self.code = code.rawValue
        self.message = message
        self.details = details
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
    }

    /// What an answer holds; anything is taken.
    init(_ json: JSONText) {
        code = json["code"]?.text ?? "UNKNOWN"
        message = json["message"]?.text ?? json["summary"]?.text ?? "it does not say why"
        details = json["details"]
        isRetryable = json["retryable"]?.bool ?? false
        retryAfter = json["retryAfterMs"]?.integer.map { Int(clamping: min(max(0, $0), 86_400_000)) }
    }

    /// As it is sent.
    var json: JSONText {
        [
            "code": .string(code), "message": .string(message), "details": details,
            "retryable": isRetryable ? true : nil, "retryAfterMs": retryAfter.map { .integer($0) },
        ]
    }

    /// Whether the gateway has no such method, or lets this client not even see that it has it: gateways answer a client of
    /// few rights the same for a method that is not there.
    public var isUnknownMethod: Bool {
        message.hasPrefix("unknown method") || message == "missing scope: operator.admin"
    }

    /// What it means to a person who called `method` of the gateway `label`.
    /// - Parameter account: the name of the account that it concerns, where that is known.
    public func problem(calling method: String, of label: String, account: String? = nil) -> HelixError {
        let text = "\(label): \(message)"
        if isUnknownMethod {
            return HelixError(
                .notFound, "the gateway \(label) has no method \(method)",
                hint: "Chat gateways of the OpenClaw family have no mail, calendars or tasks; a helix gateway has.")
        }
        let kind = details?["code"]?.text ?? ""
        switch code {
        case Code.notPaired.rawValue:
            let request = details?["requestId"]?.text ?? details?["request_id"]?.text
            guard let request else { return HelixError(.notAllowed, text) }
            let granted = (details?["approvedScopes"]?.strings ?? []).map { $0.replacing("operator.", with: "") }
            if details?["reason"]?.text == "scope-upgrade", granted.contains("read") {
                return HelixError(
                    .notAllowed,
                    "\(label) knows this device, but lets it only \(granted.joined(separator: ", ")); it has noted the"
                        + " request \(request)",
                    hint: granted.contains("write")
                        ? "Whoever runs it lets it do more: 'helix gateway approve \(request)' there."
                        : "'helix account edit \(account ?? "NAME") --read-only' asks for no more than that; or whoever runs it lets it do"
                            + " more: 'helix gateway approve \(request)' there.")
            }
            return HelixError(
                .notAllowed, "\(label) does not know this device yet; it has noted the request \(request)",
                hint: "Whoever runs it lets it in: 'helix gateway approve \(request)' there, or"
                    + " 'openclaw devices approve \(request)'. Then try again.")
        case Code.forbidden.rawValue: return HelixError(.notAllowed, text)
        case Code.rateLimited.rawValue:
            return HelixError(.busy, text, hint: "Try again in \(((retryAfter ?? 1000) + 999) / 1000) s.")
        case Code.unavailable.rawValue:
            return HelixError(isRetryable ? .busy : .offline, text)
        case _ where kind == "AUTH_RATE_LIMITED":
            return HelixError(.busy, text, hint: "Try again in \(((retryAfter ?? 1000) + 999) / 1000) s.")
        case _ where kind == "AUTH_USER_DISABLED":
            return HelixError(.authentication, text, hint: "Whoever runs the gateway lets you in again.")
        case _ where kind.hasPrefix("AUTH_") || kind.hasPrefix("DEVICE_AUTH") || message.hasPrefix("unauthorized"):
            return HelixError(
                .authentication, text,
                hint: "Look at the password or the token: 'helix account edit' changes where it comes from.")
        case _ where kind == "PROTOCOL_MISMATCH" || message.hasPrefix("protocol mismatch"):
            return HelixError(.protocol, text, hint: "One of the two is too old. helix speaks protocols 3 and 4.")
        case _ where message.hasPrefix("missing scope"): return HelixError(.notAllowed, text)
        case _ where kind == HelixError.Code.notFound.rawValue: return HelixError(.notFound, text)
        case _ where kind == HelixError.Code.conflict.rawValue: return HelixError(.conflict, text)
        case Code.invalidRequest.rawValue: return HelixError(.badInput, text)
        default: return HelixError(.unexpected, text)
        }
    }
}
