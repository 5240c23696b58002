import HelixModel

/// An error that a gateway returns.
public struct GatewayError: Error, Hashable, Sendable {
    /// The error codes that clients distinguish. Gateways may have others.
    public enum Code: String, Sendable {
        case invalidRequest = "INVALID_REQUEST"
        case notPaired = "NOT_PAIRED"
        case forbidden = "FORBIDDEN"
        case unavailable = "UNAVAILABLE"
        case rateLimited = "RATE_LIMIT_EXCEEDED"
        case notLinked = "NOT_LINKED"
        case agentTimeout = "AGENT_TIMEOUT"
    }

    /// The code, as the gateway sends it.
    public var code: String
    /// The message.
    public var message: String
    /// Details for programs.
    public var details: JSONText?
    /// Whether a retry may succeed.
    public var isRetryable: Bool
    /// The minimum delay before a retry, in milliseconds.
    public var retryAfter: Int?

    /// Creates an error with a known code.
    public init(
        _ code: Code, _ message: String, details: JSONText? = nil, isRetryable: Bool = false, retryAfter: Int? = nil
    ) {
        self.code = code.rawValue
        self.message = message
        self.details = details
        self.isRetryable = isRetryable
        self.retryAfter = retryAfter
    }

    /// Reads the error of a response; accepts any JSON.
    init(_ json: JSONText) {
        code = json["code"]?.text ?? "UNKNOWN"
        message = json["message"]?.text ?? json["summary"]?.text ?? "no reason given"
        details = json["details"]
        isRetryable = json["retryable"]?.bool ?? false
        retryAfter = json["retryAfterMs"]?.integer.map { Int(clamping: min(max(0, $0), 86_400_000)) }
    }

    /// The error as it is sent.
    var json: JSONText {
        [
            "code": .string(code), "message": .string(message), "details": details,
            "retryable": isRetryable ? true : nil, "retryAfterMs": retryAfter.map { .integer($0) },
        ]
    }

    /// Whether the method is unknown to the gateway, or hidden from this client: gateways answer a client with few rights alike
    /// for an unknown method.
    public var isUnknownMethod: Bool {
        message.hasPrefix("unknown method") || message == "missing scope: operator.admin"
    }

    /// The error for a user who called `method` of the gateway `label`.
    /// - Parameter account: the name of the account, if it is known.
    public func problem(calling method: String, of label: String, account: String? = nil) -> HelixError {
        let text = "\(label): \(message)"
        if isUnknownMethod {
            return HelixError(
                .notFound, "the gateway \(label) has no method \(method)",
                hint: "Use a helix gateway: chat gateways of the OpenClaw family have no mail, calendars or tasks.")
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
                    "\(label) allows this device only \(granted.joined(separator: ", ")); it has recorded the"
                        + " request \(request)",
                    hint: granted.contains("write")
                        ? "Ask the administrator to run 'helix gateway approve \(request)' there."
                        : "Use 'helix account edit \(account ?? "NAME") --read-only' to request no more, or ask the"
                            + " administrator to run 'helix gateway approve \(request)' there.")
            }
            return HelixError(
                .notAllowed, "\(label) has not approved this device yet; it has recorded the request \(request)",
                hint: "Ask the administrator to run 'helix gateway approve \(request)' there, or"
                    + " 'openclaw devices approve \(request)'. Then try again.")
        case Code.forbidden.rawValue: return HelixError(.notAllowed, text)
        case Code.rateLimited.rawValue:
            return HelixError(.busy, text, hint: "Try again in \(((retryAfter ?? 1000) + 999) / 1000) s.")
        case Code.unavailable.rawValue:
            return HelixError(isRetryable ? .busy : .offline, text)
        case _ where kind == "AUTH_RATE_LIMITED":
            return HelixError(.busy, text, hint: "Try again in \(((retryAfter ?? 1000) + 999) / 1000) s.")
        case _ where kind == "AUTH_UNAUTHORIZED":
            return HelixError(.authentication, text.replacing("unauthorized: ", with: ""))
        case _ where kind == "AUTH_USER_DISABLED":
            return HelixError(.authentication, text, hint: "Ask the administrator to enable the user again.")
        case _ where kind.hasPrefix("AUTH_") || kind.hasPrefix("DEVICE_AUTH") || message.hasPrefix("unauthorized"):
            return HelixError(
                .authentication, text,
                hint: "Check the password or the token; 'helix account edit' changes its source.")
        case _ where kind == "PROTOCOL_MISMATCH" || message.hasPrefix("protocol mismatch"):
            return HelixError(.protocol, text, hint: "Update the older of the two. helix speaks protocols 3 and 4.")
        case _ where message.hasPrefix("missing scope"): return HelixError(.notAllowed, text)
        case _ where kind == HelixError.Code.notFound.rawValue: return HelixError(.notFound, text)
        case _ where kind == HelixError.Code.conflict.rawValue: return HelixError(.conflict, text)
        case _ where kind == HelixError.Code.notAllowed.rawValue: return HelixError(.notAllowed, text)
        case Code.invalidRequest.rawValue: return HelixError(.badInput, text)
        default: return HelixError(.unexpected, text)
        }
    }
}
