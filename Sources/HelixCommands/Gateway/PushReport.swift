import HelixGateway
import HelixModel
import HelixTerminal

/// A push target in a report.
struct PushItem: DescribedItem {
    var id: String
    var service: String
    var address: String
    var condition: String
    var isOwnDevice: Bool
    var createdAt: Instant?
    var failures: Int
    var problem: String?
    /// The key of a web hook's signatures, when it was just made.
    var secret: String?

    static let described = list {
        Field("kind", .choice(["push_target"]), "The kind of the item.") { _ in "push_target" }
        Field("id", .string, "The id.") { $0.id }
        Field("service", .string, "The service: apns, webpush, unifiedpush, ntfy or webhook.") { $0.service }
        Field("address", .string, "The host, or the first characters of a token.") { $0.address }
        Field("condition", .string, "The times: while its device is away, while all devices are, or always.") {
            $0.condition
        }
        Field("this_device", .bool, "Whether this device registered it.") { $0.isOwnDevice }
        Field("created_at", .string, required: false, "The time of registration.") { item, viewer in
            item.createdAt.map { viewer.iso($0) }
        }
        Field("failures", .integer, "The number of failures in a row.") { $0.failures }
        Field("problem", .string, required: false, "The reason for the last failure.") { $0.problem }
        Field("secret", .string, required: false, "The key of a new web hook's signatures.") { $0.secret }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

    /// Creates an item from a gateway's response; nil if that is none.
    init?(_ json: JSONText) {
        guard let id = json["id"]?.text, let service = json["kind"]?.text else { return nil }
        (self.id, self.service) = (id, service)
        address = json["address"]?.text ?? ""
        condition = json["condition"]?.text ?? ""
        isOwnDevice = json["is_this_device"]?.bool == true
        createdAt = json["created_at"]?.text.flatMap { ISO8601Reader.instant($0) }
        failures = Int(json["failures"]?.integer ?? 0)
        problem = json["problem"]?.text
    }

    /// The user's targets.
    /// - Throws: ``HelixError``.
    static func all(_ client: GatewayClient) throws -> [PushItem] {
        (try client.call("push.list")["targets"]?.elements ?? []).compactMap { PushItem($0) }
    }

    /// The target with an id.
    /// - Throws: ``HelixError`` of code `notFound` or `ambiguous`.
    static func one(_ prefix: String, _ client: GatewayClient) throws -> PushItem {
        let found = try all(client).filter { $0.id.hasPrefix(prefix.lowercased()) }
        guard let one = found.first else {
            throw HelixError(
                .notFound, "unknown push target '\(prefix)'", hint: "List them with 'helix gateway push list'.")
        }
        guard found.count == 1 else {
            throw HelixError(.ambiguous, "several push targets begin with '\(prefix)'", hint: "Type more characters.")
        }
        return one
    }
}

/// A report of push targets.
struct PushReport: CuttableReport {
    static let schema = "helix.gateway.push/1"
    var items: [PushItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.paragraph("No push targets.", style: .dim)
            return canvas.line(StyledText("'helix gateway push add ntfy https://ntfy.sh/TOPIC' adds one.", .dim))
        }
        var table = Table([
            .init("id"), .init("service"), .init("to", minimum: 12), .init("notified"), .init(),
        ])
        for item in items {
            let times = ["device": "while it is away", "user": "while you are away", "always": "always"]
            table.row([
                StyledText(String(item.id.prefix(6)), .dim), StyledText(item.service), StyledText(item.address),
                StyledText(times[item.condition] ?? item.condition, .dim),
                item.failures == 0 ? StyledText("") : StyledText("failed \(item.failures) ×", TextStyle(.yellow)),
            ])
        }
        table.draw(on: &canvas)
        // A reason is as long as it is: a table would cut it.
        for item in items where item.failures > 0 {
            canvas.paragraph("\(item.id.prefix(6)): \(item.problem ?? "")", indent: 2, style: TextStyle(.yellow))
        }
        for secret in items.compactMap(\.secret) { canvas.line(StyledText("Key: \(secret)")) }
    }
}

/// The outcome of a test notification in a report.
struct PushTestItem: DescribedItem {
    var id: String
    var service: String
    var address: String
    var status: String
    var reason: String?

    static let described = list {
        Field("kind", .choice(["push_test"]), "The kind of the item.") { _ in "push_test" }
        Field("id", .string, "The id of the push target.") { $0.id }
        Field("service", .string, "The service.") { $0.service }
        Field("address", .string, "The host, or the first characters of a token.") { $0.address }
        Field("status", .choice(["delivered", "gone", "refused", "failed"]), "The outcome.") { $0.status }
        Field("reason", .string, required: false, "The reason for a failure.") { $0.reason }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

    /// Creates an item from a gateway's response; nil if that is none.
    init?(_ json: JSONText) {
        guard let id = json["id"]?.text, let service = json["kind"]?.text, let status = json["status"]?.text else {
            return nil
        }
        (self.id, self.service, self.status) = (id, service, status)
        (address, reason) = (json["address"]?.text ?? "", json["reason"]?.text)
    }
}

/// A report of test notifications.
struct PushTestReport: CuttableReport {
    static let schema = "helix.gateway.push-test/1"
    var items: [PushTestItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init("id"), .init("service"), .init("to", minimum: 12), .init("outcome", minimum: 12)])
        for item in items {
            let isGood = item.status == "delivered"
            let text = item.status == "gone" ? "removed" : item.status
            table.row([
                StyledText(String(item.id.prefix(6)), .dim), StyledText(item.service), StyledText(item.address),
                StyledText(text, isGood ? TextStyle(.green) : TextStyle(.yellow)),
            ])
        }
        table.draw(on: &canvas)
        for item in items {
            guard let reason = item.reason else { continue }
            let what = item.status == "gone" ? "it does not exist any more: \(reason)" : reason
            canvas.paragraph("\(item.id.prefix(6)): \(what)", indent: 2, style: TextStyle(.yellow))
        }
    }
}
