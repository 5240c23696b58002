import HelixModel

/// A connection to a server that speaks JMAP (RFC 8620), over HTTP or in the frames of a gateway. It belongs to one thread.
public protocol JMAPConnection: AnyObject {
    /// The limits and the account of the server.
    var session: JMAPSession { get }
    /// Whether the server has reported a new session state (RFC 8620 §2).
    var isOutdated: Bool { get }
    /// The number of round trips.
    var roundTrips: Int { get }

    /// Sends several calls in one request, each with its arguments; the account is added to them.
    /// - Throws: ``HelixError``, ``ServerRefusal`` if the request as a whole is refused.
    func call(_ calls: [(name: String, arguments: JSONText)], using: [String]) throws -> JMAPAnswers
    /// Uploads bytes.
    /// - Returns: the id of the blob.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func upload(_ bytes: [UInt8], type: String) throws -> String
    /// The bytes of several blobs; nil for those that were deleted.
    /// - Throws: ``HelixError``.
    func download(_ blobs: [JMAPClient.Blob]) throws -> [[UInt8]?]
    /// Closes the connection.
    func end()
}

extension JMAPConnection {
    /// Sends several calls of the mail capability in one request.
    /// - Throws: ``HelixError``, ``ServerRefusal`` if the request as a whole is refused.
    public func call(_ calls: [(name: String, arguments: JSONText)]) throws -> JMAPAnswers {
        try call(calls, using: [JMAPClient.mail])
    }

    /// Uploads a message.
    /// - Returns: the id of the blob.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    public func upload(_ bytes: [UInt8]) throws -> String { try upload(bytes, type: "message/rfc822") }

    /// Does nothing: the system closes the connections of a client that is released.
    public func end() {}
}

/// The responses to a request: the arguments, by the index of the call.
public struct JMAPAnswers {
    private var byCall: [Int: [(name: String, arguments: JSONText)]] = [:]
    let sessionState: String?

    /// Parses a response object (RFC 8620 §3.4).
    /// - Throws: ``HelixError`` of code `protocol`.
    public init(_ json: JSONText) throws {
        sessionState = json["sessionState"]?.text
        guard let responses = json["methodResponses"]?.elements else {
            throw HelixError(.protocol, "a JMAP response has no answers")
        }
        for response in responses {
            guard let parts = response.elements, parts.count >= 3, let name = parts[0].text,
                let place = parts[2].text.flatMap({ Int($0) })
            else { throw HelixError(.protocol, "a JMAP response has no name") }
            byCall[place, default: []].append((name, parts[1]))
        }
    }

    /// The arguments of the response to a call.
    /// - Throws: ``ServerRefusal`` if it was refused.
    public func of(_ call: Int) throws -> JSONText {
        guard let answers = byCall[call], let first = answers.first else {
            throw HelixError(.protocol, "the server did not answer a part of the request")
        }
        if first.name == "error" { throw JMAPClient.refusal(first.arguments, "the request") }
        return first.arguments
    }

    /// Whether the call was refused for that reason (RFC 8620 §3.6.2).
    public func isRefused(_ call: Int, for type: String) -> Bool {
        byCall[call]?.first.map { $0.name == "error" && $0.arguments["type"]?.text == type } ?? false
    }
}
