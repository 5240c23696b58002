import HelixGateway
import HelixModel

/// The error codes that the family's apps distinguish, as `details.appCode` beside the gateway's own code.
enum AppErrorCode: String, CaseIterable {
    /// The sign-in failed, or the device may not do that.
    case authentication = "AUTH_FAILED"
    /// Something could not be read.
    case load = "LOAD_FAILED"
    /// A message could not be sent or changed.
    case send = "SEND_FAILED"
    /// The gateway, or a server behind it, cannot be reached now.
    case offline = "OFFLINE"
    /// A change could not be stored.
    case sync = "SYNC_FAILED"

    /// The code for the failure of a method.
    /// - Parameter scope: the scope that the method needs; nil for an unknown one.
    init(_ error: GatewayError, of method: String, _ scope: GatewayProtocol.Scope?) {
        let detail = error.details?["code"]?.text ?? ""
        switch error.code {
        case GatewayError.Code.unavailable.rawValue, GatewayError.Code.notLinked.rawValue: self = .offline
        case GatewayError.Code.notPaired.rawValue, GatewayError.Code.forbidden.rawValue: self = .authentication
        case _ where detail.hasPrefix("AUTH_") || detail.hasPrefix("DEVICE_AUTH") || detail == "MISSING_SCOPE":
            self = .authentication
        case _ where scope == nil || scope == .read: self = .load
        case _ where method.hasPrefix("chat.") || method.hasPrefix("email.") || method.hasPrefix("sessions."):
            self = .send
        default: self = .sync
        }
    }
}

extension GatewayError {
    /// The same error with the apps' code in its details.
    func forApps(_ code: AppErrorCode) -> GatewayError {
        var error = self
        let details = error.details ?? .object([])
        // Details of any other form are kept as they are.
        if details.fields != nil { error.details = details.setting("appCode", .string(code.rawValue)) }
        return error
    }
}
