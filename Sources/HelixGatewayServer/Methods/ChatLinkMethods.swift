import HelixGateway
import HelixGatewayStore
import HelixModel

/// `chat.link.*`: invitations to groups by link (docs/gateway.md, "People").
enum ChatLinkMethods {
    static let all: [GatewayMethod] = [
        .chat("chat.link.create", .write) { call, store in
            let id = try call.params.neededIdentity("conversation")
            let seesAll = try call.params.bool("history") ?? false
            let uses = try call.params.integer("uses", in: 1...GatewayLimits.members) ?? 1
            let time = try call.params.integer("expires_in", in: 60...GatewayInvitation.longest) ?? 7 * 86_400
            try call.params.end()
            // 160 random bits, which nobody can guess.
            let token = EntityID().text + EntityID().text
            let made = try store.createInvitation(
                token: token, to: id, seesAll: seesAll, uses: uses, until: call.now + time,
                by: call.session.user.id, now: call.now)
            return ["invitation": json(made), "token": .string(token)]
        },
        .chat("chat.link.list", .read) { call, store in
            let id = try call.params.neededIdentity("conversation")
            try call.params.end()
            let list = try store.invitations(to: id, by: call.session.user.id, now: call.now)
            return ["invitations": .array(list.map(json))]
        },
        .chat("chat.link.revoke", .write) { call, store in
            let id = try call.params.neededIdentity("id")
            try call.params.end()
            try store.revokeInvitation(id, by: call.session.user.id)
            return ["ok": true]
        },
        .chat("chat.link.join", .write) { call, store in
            let token = try call.params.needed("token", most: 128)
            try call.params.end()
            let (conversation, isNew) = try store.join(token: token, by: call.session.user.id, now: call.now)
            if isNew { call.tell(conversation) }
            return ["conversation": ChatWire.json(conversation), "joined": .bool(isNew)]
        },
        .chat("chat.link.show", .read) { call, store in
            let token = try call.params.needed("token", most: 128)
            try call.params.end()
            let group = try store.invitedGroup(token: token, now: call.now)
            return [
                "name": .string(group.name), "members": .integer(group.members),
                "made_by": .string(group.invitation.madeBy), "expires_at": ChatWire.time(group.invitation.expiresAt),
                "history": .bool(group.invitation.seesAll),
            ]
        },
    ]

    private static func json(_ invitation: GatewayInvitation) -> JSONText {
        [
            "id": .string(invitation.id.text), "conversation": .string(invitation.conversation.text),
            "made_by": .string(invitation.madeBy), "made_at": ChatWire.time(invitation.madeAt),
            "expires_at": ChatWire.time(invitation.expiresAt), "uses_left": .integer(invitation.usesLeft),
            "history": .bool(invitation.seesAll),
        ]
    }
}
