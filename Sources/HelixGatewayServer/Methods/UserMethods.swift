import FoundationEssentials
import HelixGateway
import HelixGatewayStore
import HelixModel

/// `users.*`: the user's own account, and, for the administrator, the others.
enum UserMethods {
    static let all: [GatewayMethod] = [
        .accounts("users.me", .read) { call, store in
            try call.params.end()
            return me(call, try store.profile(of: call.session.user.id))
        },
        .accounts("users.list", .read) { call, store in
            try call.params.end()
            // Administrators see everybody, and more of each.
            let isAdmin = call.session.can(.admin) && call.session.user.isAdmin
            let directory = call.services.directory
            let people = try store.people(for: call.session.user.id, in: isAdmin ? .all : directory)
            var list = people.map { person($0, call, isAdmin: isAdmin) }
            if isAdmin {
                list += try store.users().filter(\.isDisabled).map { user in
                    ["id": .string(user.id.text), "name": .string(user.name), "online": false, "is_disabled": true]
                }
            }
            return ["users": .array(list), "directory": .string(directory.rawValue)]
        },
        .accounts("users.update", .write) { call, store in
            let name = try call.params.text("display_name", most: 400)
            let email = try call.params.text("email", most: 254)
            let status = try call.params.text("status", most: 1000)
            let avatar = try call.params.text("avatar", most: GatewayProfile.largestAvatar * 2)
            try call.params.end()
            let bytes = try avatar.map { text in
                guard let data = Data(base64Encoded: text) else { throw call.params.wrong("avatar", "is not base64") }
                return [UInt8](data)
            }
            let profile = try store.changeProfile(
                of: call.session.user.id,
                ProfileChange(displayName: name, email: email, status: status, avatar: bytes), now: call.now)
            return me(call, profile)
        },
        .accounts("users.avatar", .read) { call, store in
            let id = try call.params.neededIdentity("user")
            try call.params.end()
            let isVisible = try store.people(for: call.session.user.id, in: call.services.directory)
                .contains { $0.user.id == id }
            guard isVisible, let avatar = try store.profile(of: id).avatar, let bytes = try store.avatar(of: id) else {
                throw HelixError(.notFound, "the user has no picture")
            }
            return [
                "type": .string(avatar.type), "sha256": .string(avatar.sha256),
                "data": .string(Data(bytes).base64EncodedString()),
            ]
        },
        .accounts("users.block", .write) { call, store in
            let name = try call.params.needed("name", most: 64)
            let isBlocked = try call.params.bool("blocked") ?? true
            try call.params.end()
            let other = try store.setBlocked(isBlocked, name, by: call.session.user.id, now: call.now)
            for user in [other.id, call.session.user.id] { call.services.shares.recheck(user) }
            return [
                "id": .string(other.id.text), "name": .string(other.name), "blocked": .bool(isBlocked),
                "online": .bool(call.services.clients.isPresent(other.id)),
            ]
        },
        .password("users.end", .write) { call, store in
            let password = try call.params.needed("password", most: 1024)
            try call.params.end()
            try check(password, call, store)
            try store.endAccount(of: call.session.user.id, now: call.now)
            call.endsSessions = true
            return ["ok": true]
        },
        .password("users.password", .write) { call, store in
            let former = try call.params.needed("old_password", most: 1024)
            let new = try call.params.needed("new_password", most: 1024)
            try call.params.end()
            let user = call.session.user
            try check(former, call, store)
            // Other sessions of this user end; the device that knows both passwords stays signed in.
            try store.setPassword(
                of: user.id, hash: try GatewayPassword.hash(new), keeping: call.session.device, now: call.now)
            call.endsSessions = true
            return ["ok": true]
        },
    ]
    /// The user's own account.
    private static func me(_ call: MethodCall, _ profile: GatewayProfile) -> JSONText {
        let user = call.session.user
        return [
            "id": .string(user.id.text), "name": .string(user.name), "is_admin": .bool(user.isAdmin),
            "display_name": .string(profile.displayName), "email": .string(profile.email),
            "status": .string(profile.status), "avatar": profile.avatar.map { .string($0.sha256) },
            "device_id": .string(call.session.device),
            "scopes": .strings(call.session.scopes.map(\.rawValue).sorted()),
        ]
    }

    /// A user as others see them.
    private static func person(_ person: GatewayPerson, _ call: MethodCall, isAdmin: Bool) -> JSONText {
        let (user, profile) = (person.user, person.profile)
        let isOwn = user.id == call.session.user.id
        return [
            "id": .string(user.id.text), "name": .string(user.name),
            "display_name": profile.displayName.isEmpty ? nil : .string(profile.displayName),
            "status": profile.status.isEmpty ? nil : .string(profile.status),
            "avatar": profile.avatar.map { .string($0.sha256) },
            "email": (isAdmin || isOwn) && !profile.email.isEmpty ? .string(profile.email) : nil,
            "online": .bool(call.services.clients.isPresent(user.id)),
            "blocked": person.isBlocked ? true : nil,
            "is_disabled": isAdmin ? .bool(user.isDisabled) : nil,
            "devices": isAdmin ? .integer(user.deviceCount) : nil,
        ]
    }

    /// Checks the user's password. A stolen device must not guess it, over any number of connections.
    private static func check(
        _ password: String, _ call: MethodCall, _ store: any GatewayUserStore & GatewayFailureStore
    ) throws {
        let user = call.session.user
        let key = "password of \(user.id.text)"
        if let wait = FailureGuard(try store.signInFailures([key], now: call.now)).wait([key], now: call.now) {
            throw GatewayError(
                .invalidRequest, "unauthorized: too many failed attempts", details: ["code": "AUTH_RATE_LIMITED"],
                isRetryable: true, retryAfter: wait * 1000)
        }
        guard try GatewayPassword.isRight(password, try store.passwordHash(ofUser: user.name)) else {
            try store.noteSignInFailure([key], now: call.now)
            throw GatewayError(
                .invalidRequest, "unauthorized: password mismatch", details: ["code": "AUTH_PASSWORD_MISMATCH"])
        }
        try store.forgetSignInFailures([key])
    }
}
