import HelixMail
import HelixModel
import HelixNetwork

/// Sends mail through the JMAP server (RFC 8621 §7).
struct JMAPSubmission {
    let client: any JMAPConnection

    /// A sender identity.
    struct Identity {
        var id: String
        var address: String
    }

    private static let using = [JMAPClient.mail, JMAPClient.submission]

    /// The identities that the server allows the user.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func identities() throws -> [Identity] {
        guard client.session.capabilities.contains(JMAPClient.submission) else { return [] }
        let answer = try client.call([("Identity/get", ["ids": .null])], using: Self.using).of(0)
        return (answer["list"]?.elements ?? []).compactMap { json in
            guard let id = json["id"]?.text, let address = json["email"]?.text else { return nil }
            return Identity(id: id, address: address)
        }
    }

    /// Sends a message. It is stored among the server's drafts until the server has accepted it.
    ///
    /// - Parameter willEnd: called right before the request to send: from then on the message's fate is unknown.
    /// - Throws: ``HelixError``, and what `willEnd` throws.
    func send(
        from sender: String, to recipients: [String], _ bytes: [UInt8], willEnd: () throws -> Void
    ) throws -> SMTPSession.Outcome {
        do { return try sent(from: sender, to: recipients, bytes, willEnd) } catch let refusal as ServerRefusal {
            var outcome = SMTPSession.Outcome()
            outcome.refusal = (refusal.text, refusal.isPassing)
            return outcome
        }
    }

    private func sent(
        from sender: String, to recipients: [String], _ bytes: [UInt8], _ willEnd: () throws -> Void
    ) throws -> SMTPSession.Outcome {
        var outcome = SMTPSession.Outcome()
        guard client.session.capabilities.contains(JMAPClient.submission) else {
            outcome.refusal = (
                "the server cannot send mail for this user; to set one that can: helix account edit NAME --smtp-host HOST",
                false
            )
            return outcome
        }
        guard let identity = try identity(for: sender) else {
            outcome.refusal = ("the server allows this user no sender address", false)
            return outcome
        }
        guard let drafts = try drafts() else {
            outcome.refusal = ("the server has no drafts mailbox to send from", false)
            return outcome
        }
        let blob = try client.upload(bytes)
        let email: JSONText = [
            "blobId": .string(blob), "mailboxIds": [drafts.id: true], "keywords": ["$draft": true, "$seen": true],
        ]
        let envelope: JSONText = [
            "mailFrom": ["email": .string(sender)],
            "rcptTo": .array(recipients.map { ["email": .string($0)] }),
        ]
        try willEnd()
        switch try submit(email, envelope, as: identity) {
        case .accepted(let id): outcome.accepted = "accepted by the server as \(id ?? "a submission")"
        case .refused(let refusal): refuse(refusal, recipients, &outcome)
        }
        return outcome
    }

    /// The identity of an address; if there is none, one for any address of a domain, or the first one.
    private func identity(for sender: String) throws -> Identity? {
        let known = try identities()
        let own =
            known.first { $0.address.lowercased() == sender.lowercased() } ?? known.first { $0.address.hasPrefix("*@") }
        return own ?? known.first
    }

    /// The mailbox for the message until it is sent.
    private func drafts() throws -> JMAPMailbox? {
        let boxes = try JMAPMailbox.list(client.call([("Mailbox/get", ["ids": .null])]).of(0))
        return boxes.first { $0.mailbox.role == .drafts } ?? boxes.first { $0.mailbox.role == .inbox }
    }

    /// The server's answer to a submission.
    private enum Answer {
        /// Accepted, with the id of the submission.
        case accepted(String?)
        case refused(JSONText)
    }

    /// Imports a message as a draft and submits it in the same request.
    private func submit(_ email: JSONText, _ envelope: JSONText, as identity: Identity) throws -> Answer {
        func submission(of email: String) -> JSONText {
            ["emailId": .string(email), "identityId": .string(identity.id), "envelope": envelope]
        }
        var answers = try client.call(
            [
                ("Email/import", ["emails": ["mail": email]]),
                (
                    "EmailSubmission/set",
                    ["create": ["out": submission(of: "#mail")], "onSuccessDestroyEmail": ["#out"]]
                ),
            ], using: Self.using)
        let imported = try answers.of(0)
        let draft = imported["created"]?["mail"]?["id"]?.text
        var place = 1
        // A server may store equal messages only once (RFC 8621 §4.8): then that one is sent, and stays.
        if let existing = imported["notCreated"]?["mail"]?["existingId"]?.text {
            answers = try client.call(
                [("EmailSubmission/set", ["create": ["out": submission(of: existing)]])], using: Self.using)
            place = 0
        }
        let refusal: JSONText
        do {
            let sent = try answers.of(place)
            if let created = sent["created"]?["out"], !created.isNull { return .accepted(created["id"]?.text) }
            refusal = sent["notCreated"]?["out"] ?? imported["notCreated"]?["mail"] ?? ["type": "serverFail"]
        } catch let error as ServerRefusal {
            refusal = ["type": .string("serverFail"), "description": .string(error.text)]
        }
        // The temporary draft of a message that was not sent is removed.
        if let draft {
            _ = try? client.call([("Email/set", ["destroy": .strings([draft])])])
        }
        return .refused(refusal)
    }

    /// Adds a refusal to the outcome: of some recipients, or of the message.
    private func refuse(_ refusal: JSONText, _ recipients: [String], _ outcome: inout SMTPSession.Outcome) {
        let reason = JMAPClient.refusal(refusal, "a message")
        let refused = refusal["invalidRecipients"]?.strings ?? []
        guard refusal["type"]?.text == "invalidRecipients", !refused.isEmpty else {
            outcome.refusal = (reason.text, reason.isPassing)
            return
        }
        outcome.refused = refused.map { ($0, reason.text, false) }
        // Nobody received it; the message is sent again to the rest.
        outcome.refused += recipients.filter { !refused.contains($0) }.map { ($0, "not sent yet", true) }
    }
}
