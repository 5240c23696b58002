import HelixGateway
import HelixGatewayStore
import HelixModel

/// `users.*`: the user's own account, and, for the administrator, the others.
enum UserMethods {
    static let all: [GatewayMethod] = [
        .accounts("users.me", .read) { call, _ in
            try call.params.end()
            let user = call.session.user
            return [
                "id": .string(user.id.text), "name": .string(user.name), "is_admin": .bool(user.isAdmin),
                "device_id": .string(call.session.device),
                "scopes": .strings(call.session.scopes.map(\.rawValue).sorted()),
            ]
        },
        .accounts("users.list", .read) { call, store in
            try call.params.end()
            // Names are visible, as recipients of messages; everything else is for the administrator.
            let isAdmin = call.session.can(.admin) && call.session.user.isAdmin
            return [
                "users": .array(
                    try store.users().filter { isAdmin || !$0.isDisabled }.map { user in
                        [
                            "id": .string(user.id.text), "name": .string(user.name),
                            "online": .bool(call.services.clients.isPresent(user.id)),
                            "is_disabled": isAdmin ? .bool(user.isDisabled) : nil,
                            "devices": isAdmin ? .integer(user.deviceCount) : nil,
                        ]
                    })
            ]
        },
        .password("users.password", .write) { call, store in
            let former = try call.params.needed("old_password", most: 1024)
            let new = try call.params.needed("new_password", most: 1024)
            try call.params.end()
            let user = call.session.user
            let now = call.now
            // A stolen device must not guess the password, over any number of connections.
            let failures = call.services.failedLogins
            if let wait = failures.wait(user.id, now: now) {
                throw GatewayError(
                    .invalidRequest, "unauthorized: too many failed attempts", details: ["code": "AUTH_RATE_LIMITED"],
                    isRetryable: true, retryAfter: wait * 1000)
            }
            guard try GatewayPassword.isRight(former, try store.passwordHash(ofUser: user.name)) else {
                failures.noteFailure(user.id, now: now)
                throw GatewayError(
                    .invalidRequest, "unauthorized: password mismatch", details: ["code": "AUTH_PASSWORD_MISMATCH"])
            }
            failures.forget(user.id)
            // Other sessions of this user end; the device that knows both passwords stays signed in.
            try store.setPassword(
                of: user.id, hash: try GatewayPassword.hash(new), keeping: call.session.device, now: call.now)
            for client in call.services.clients.clients(of: user.id) { call.services.sessions.check(client) }
            return ["ok": true]
        },
    ]
}
