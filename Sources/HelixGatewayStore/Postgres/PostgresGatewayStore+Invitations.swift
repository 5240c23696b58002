import HelixCrypto
import HelixModel

extension PostgresGatewayStore {
    func createInvitation(
        token: String, to conversation: EntityID, seesAll: Bool, uses: Int, until: Instant, by user: EntityID,
        now: Instant
    ) throws -> GatewayInvitation {
        let end = min(until, now + GatewayInvitation.longest)
        return GatewayInvitation(
            postgres: try call(
                "create_invitation(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    EntityID().text, Self.hash(token), conversation.text, seesAll, uses, end.seconds, user.text,
                    GatewayInvitation.mostOfConversation, now.seconds,
                ]))
    }

    func invitations(to conversation: EntityID, by user: EntityID, now: Instant) throws -> [GatewayInvitation] {
        let found = try call("invitations_json(?, ?, ?)", [conversation.text, user.text, now.seconds], repeats: true)
        return (found.elements ?? []).map { GatewayInvitation(postgres: $0) }
    }

    func revokeInvitation(_ id: EntityID, by user: EntityID) throws {
        _ = try call("revoke_invitation(?, ?)", [id.text, user.text])
    }

    func invitedGroup(token: String, now: Instant) throws -> InvitedGroup {
        let parts = try call("invited_group(?, ?)", [Self.hash(token), now.seconds], repeats: true).elements ?? []
        return InvitedGroup(
            name: parts.first?.text ?? "", members: parts.dropFirst().first?.integer.map { Int($0) } ?? 0,
            invitation: GatewayInvitation(postgres: parts.last ?? .null))
    }

    func join(
        token: String, by user: EntityID, now: Instant
    ) throws -> (conversation: GatewayConversation, isNew: Bool) {
        let parts =
            try call(
                "join_group(?, ?, ?, ?, ?)",
                [Self.hash(token), user.text, EntityID().text, now.seconds, GatewayLimits.members]
            ).elements ?? []
        return (GatewayConversation(postgres: parts.first ?? .null), parts.last?.bool ?? false)
    }

    private static func hash(_ token: String) -> String { SHA256.hash(Array(token.utf8)).hexadecimal }
}
