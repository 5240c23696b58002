import HelixGateway
import HelixMail
import HelixModel
import HelixStore

/// The calls of one `mail.call` request: the part of JMAP that helix uses as a client (RFC 8620 §3, RFC 8621).
struct MailCalls {
    var call: MethodCall
    let store: Store
    let account: Account
    /// The ids of objects that earlier calls of the request created, by their creation ids.
    var created: [String: String] = [:]

    /// The limits of one call.
    static let (mostInGet, mostInSet) = (250, 250)

    /// An error of one call (RFC 8620 §3.6.2).
    struct Refusal: Error {
        var type: String
        var text = ""

        var json: JSONText { ["type": .string(type), "description": text.isEmpty ? nil : .string(text)] }

        /// The error for a failed change.
        init(_ error: any Error) {
            if let known = error as? Refusal {
                self = known
                return
            }
            let error = error as? HelixError
            text = error?.message ?? "the change failed"
            switch error?.code {
            case .notAllowed?: type = "forbidden"
            case .notFound?: type = "notFound"
            case .usage?, .badInput?: type = "invalidProperties"
            case .conflict?: type = "invalidArguments"
            case .busy?: type = "serverUnavailable"
            default: type = "serverFail"
            }
        }

        init(type: String, text: String = "") { (self.type, self.text) = (type, text) }
    }

    /// Runs the calls, each of which may refer to the results of earlier ones.
    /// - Throws: ``GatewayError`` for an invalid request.
    mutating func run(_ calls: [JSONText]) throws -> [JSONText] {
        var responses: [JSONText] = []
        for one in calls {
            guard let parts = one.elements, parts.count == 3, let name = parts[0].text, let id = parts[2].text else {
                throw GatewayError(.invalidRequest, "a call must be [name, arguments, id]")
            }
            do {
                let arguments = try resolve(parts[1], responses)
                responses.append([.string(name), try answer(name, arguments), .string(id)])
            } catch { responses.append(["error", Refusal(error).json, .string(id)]) }
        }
        return responses
    }

    private mutating func answer(_ name: String, _ arguments: JSONText) throws -> JSONText {
        let isChange = name.hasSuffix("/set") || name.hasSuffix("/import")
        if isChange, !call.session.can(.write) { throw Refusal(type: "accountReadOnly") }
        switch name {
        case "Mailbox/get": return try mailboxes(arguments)
        case "Mailbox/set": return try setMailboxes(arguments)
        case "Email/get": return try emails(arguments)
        case "Email/query": return try query(arguments)
        case "Email/changes": return try changes(arguments)
        case "Email/set": return try setEmails(arguments)
        case "Email/import": return try importEmails(arguments)
        case "Identity/get": return ["list": .array(identities)]
        case "EmailSubmission/set": return try submit(arguments)
        default: throw Refusal(type: "unknownMethod")
        }
    }

    /// Replaces the references to results of earlier calls (RFC 8620 §3.7).
    private func resolve(_ arguments: JSONText, _ responses: [JSONText]) throws -> JSONText {
        guard let fields = arguments.fields else { throw Refusal(type: "invalidArguments") }
        return .object(
            try fields.map { field in
                guard field.name.hasPrefix("#") else { return field }
                let source = responses.compactMap(\.elements).first { $0[2] == field.value["resultOf"] }
                let path = field.value["path"]?.text?.split(separator: "/").map(String.init) ?? []
                guard let source, source[0] == field.value["name"], path.count == 1, let value = source[1][path[0]]
                else { throw Refusal(type: "invalidResultReference") }
                return JSONText.Field(name: String(field.name.dropFirst()), value: value)
            })
    }

    /// The ids that a call names.
    func ids(_ arguments: JSONText) throws -> [String] {
        guard let ids = arguments["ids"]?.strings else { throw Refusal(type: "invalidArguments", text: "ids") }
        guard ids.count <= MailCalls.mostInGet else { throw Refusal(type: "requestTooLarge") }
        return ids
    }

    // MARK: Messages

    private func emails(_ arguments: JSONText) throws -> JSONText {
        let ids = try ids(arguments)
        let properties = arguments["properties"]?.strings
        let found = try store.servedMessages(ids, of: account)
        let known = Set(found.map(\.id))
        return [
            "state": .string(try store.servedState(of: account)),
            "list": .array(try found.map { try json($0, properties) }),
            "notFound": .strings(ids.filter { !known.contains($0) }),
        ]
    }

    private func json(_ message: ServedMessage, _ properties: [String]?) throws -> JSONText {
        let words = MailKeywords.keywords(message.flags, message.labels)
        var fields: [JSONText.Field] = []
        func add(_ name: String, _ value: @autoclosure () throws -> JSONText) rethrows {
            guard name == "id" || properties?.contains(name) ?? (name != "headers") else { return }
            fields.append(JSONText.Field(name: name, value: try value()))
        }
        add("id", .string(message.id))
        add("blobId", .string(message.id))
        add("mailboxIds", .object([JSONText.Field(name: String(message.mailbox), value: true)]))
        add("keywords", .object(words.map { JSONText.Field(name: $0, value: true) }))
        add("receivedAt", EmailWire.text(message.date))
        add("size", .integer(message.size))
        add("messageId", message.messageID.map { .strings([$0]) } ?? .null)
        try add("headers", .array(MailKeywords.headers(of: try store.messageFile(message.message))))
        return .object(fields)
    }

    private func query(_ arguments: JSONText) throws -> JSONText {
        let filter = arguments["filter"]
        let mailbox = try filter?["inMailbox"]?.text.map { text in
            guard let number = Int64(text) else { throw Refusal(type: "invalidArguments", text: "inMailbox") }
            return number
        }
        var messageID: String?
        if let header = filter?["header"]?.strings {
            guard header.count == 2, header[0].lowercased() == "message-id" else {
                throw Refusal(type: "unsupportedFilter")
            }
            messageID = header[1]
        }
        let position = Int(clamping: arguments["position"]?.integer ?? 0)
        let most = min(MailCalls.mostInGet, Int(clamping: arguments["limit"]?.integer ?? Int64(MailCalls.mostInGet)))
        let found = try store.servedIDs(
            of: account, mailbox: mailbox, messageID: messageID, position: max(0, position), most: max(0, most))
        return [
            "queryState": .string(try store.servedState(of: account)), "position": .integer(position),
            "ids": .strings(found.ids), "total": .integer(found.total), "limit": .integer(most),
        ]
    }

    private func changes(_ arguments: JSONText) throws -> JSONText {
        guard let since = arguments["sinceState"]?.text else { throw Refusal(type: "invalidArguments") }
        let most = min(MailCalls.mostInGet, Int(clamping: arguments["maxChanges"]?.integer ?? 125))
        guard let found = try store.servedChanges(of: account, since: since, most: max(1, most)) else {
            throw Refusal(type: "cannotCalculateChanges")
        }
        return [
            "oldState": .string(since), "newState": .string(found.state), "hasMoreChanges": .bool(found.hasMore),
            "created": .strings(found.created), "updated": .strings(found.updated),
            "destroyed": .strings(found.destroyed),
        ]
    }

    private var identities: [JSONText] {
        guard account.settings.canSend, let address = account.settings.address else { return [] }
        return [["id": .string(address), "email": .string(address)]]
    }
}
