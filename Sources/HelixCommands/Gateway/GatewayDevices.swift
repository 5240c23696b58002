import ArgumentParser
import HelixGateway
import HelixGatewayStore
import HelixModel
import HelixStore
import HelixTerminal

/// The options that select devices: those of the local gateway's users, or the user's own at an account.
struct DeviceOptions: ParsableArguments {
    @OptionGroup var which: GatewayOptions

    @Flag(name: .long, help: "For all users of the gateway on this machine.")
    var local = false

    func validate() throws {
        if local, which.account != nil { throw ValidationError("--local and --account exclude each other.") }
    }

    /// The place of the devices: without an account, it is the local gateway.
    func place(_ context: CommandContext) throws -> Place {
        if local || which.account == nil,
            try local
                || context.store().accounts().allSatisfy({ $0.kind != .gateway })
                    && context.gatewayPlace().hasStore
        {
            return .local(try context.gatewayStore())
        }
        return .remote(try context.gateway(try context.gatewayAccount(which.account), asksForPassword: false))
    }

    enum Place {
        case local(any GatewayStore)
        case remote(GatewayClient)
    }
}

/// `helix gateway devices`
struct GatewayDevices: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "devices", abstract: "List paired devices and pairing requests.",
        discussion: """
            At a gateway that runs on this machine, --local lists those of all users. A device is called as its machine; \
            'helix config set gateway.device-name laptop' gives this one another name.

              helix gateway devices
              helix gateway devices --local
            """)
    static let reports: [PrintedReport] = [.json(DeviceReport.self)]

    @OptionGroup var options: DeviceOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.present(DeviceReport(items: try DeviceList.read(try options.place(context), now: context.now)))
    }
}

/// `helix gateway approve`
struct GatewayApprove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "approve", abstract: "Approve a device's pairing request.",
        discussion: """
              helix gateway approve k3f7
              helix gateway approve k3f7 --read-only
            """)
    static let reports: [PrintedReport] = [.json(DeviceReport.self)]

    @Argument(help: "The id of the request, or a prefix of it.")
    var request: String

    @Flag(name: .long, help: "Allow read access only.")
    var readOnly = false

    @OptionGroup var options: DeviceOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let place = try options.place(context)
        let scopes = readOnly ? [GatewayProtocol.Scope.read.rawValue] : nil
        switch place {
        case .local(let store):
            _ = try store.answer(pairing: request, of: nil, admits: true, scopes: scopes, now: context.now)
        case .remote(let client):
            let id = try DeviceList.request(request, client)
            if context.isDryRun { return try context.presentPlan("approve the pairing request \(id)") }
            _ = try client.call(
                "device.pair.approve",
                ["requestId": .string(id), "scopes": scopes.map { JSONText.strings($0) }])
        }
        try context.present(DeviceReport(items: try DeviceList.read(place, now: context.now)))
    }
}

/// `helix gateway reject`
struct GatewayReject: ChangingCommand {
    static let about = CommandConfiguration(commandName: "reject", abstract: "Reject a device's pairing request.")
    static let reports: [PrintedReport] = [.json(DeviceReport.self)]

    @Argument(help: "The id of the request, or a prefix of it.")
    var request: String

    @OptionGroup var options: DeviceOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let place = try options.place(context)
        switch place {
        case .local(let store):
            _ = try store.answer(pairing: request, of: nil, admits: false, scopes: nil, now: context.now)
        case .remote(let client):
            let id = try DeviceList.request(request, client)
            if context.isDryRun { return try context.presentPlan("reject the pairing request \(id)") }
            _ = try client.call("device.pair.reject", ["requestId": .string(id)])
        }
        try context.present(DeviceReport(items: try DeviceList.read(place, now: context.now)))
    }
}

/// `helix gateway revoke`
struct GatewayRevoke: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a paired device.",
        discussion: "  helix gateway revoke 5647 --yes")
    static let reports: [PrintedReport] = [.json(DeviceReport.self)]

    @Argument(help: "The id of the device, or a prefix of it.")
    var device: String

    @Flag(name: [.long, .customShort("y")], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: DeviceOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let place = try options.place(context)
        let found = try DeviceList.read(place, now: context.now)
            .filter { $0.request == nil && $0.device.hasPrefix(device.lowercased()) }
        guard let one = found.first, device.utf8.count >= 4 else {
            throw HelixError(.notFound, "unknown device '\(device)'", hint: "List them with 'helix gateway devices'.")
        }
        guard found.count == 1 else {
            throw HelixError(.ambiguous, "several devices begin with '\(device)'", hint: "Type more characters.")
        }
        try context.confirm("Revoke '\(one.name)'? It must sign in again with the password.", yes: yes)
        switch place {
        case .local(let store): try store.revoke(one.device, user: EntityID(stored: one.user ?? ""), now: context.now)
        case .remote(let client):
            if context.isDryRun { return try context.presentPlan("revoke the device '\(one.name)'") }
            _ = try client.call("device.token.revoke", ["deviceId": .string(one.device), "role": "operator"])
        }
        let rest = try? DeviceList.read(place, now: context.now)
        try context.present(DeviceReport(items: rest ?? []))
    }
}

/// The devices, of a local or a remote gateway.
enum DeviceList {
    static func read(_ place: DeviceOptions.Place, now: Instant) throws -> [DeviceItem] {
        switch place {
        case .local(let store):
            let users = try store.users()
            let waiting = try store.pairings(of: nil, now: now).map { request in
                DeviceItem(
                    device: request.device.id, name: request.device.name, platform: request.device.platform,
                    scopes: request.device.scopes, request: request.id, user: request.user.text,
                    userName: users.first { $0.id == request.user }?.name, seenAt: request.madeAt, isOwn: false)
            }
            let paired = try users.flatMap { user in
                try store.devices(of: user.id).map { device in
                    DeviceItem(
                        device: device.id, name: device.name, platform: device.platform, scopes: device.scopes,
                        request: nil, user: user.id.text, userName: user.name, seenAt: device.seenAt, isOwn: false)
                }
            }
            return waiting + paired
        case .remote(let client):
            let answer = try client.call("device.pair.list")
            let waiting = (answer["pending"]?.elements ?? []).map { DeviceItem($0, isWaiting: true) }
            return waiting + (answer["paired"]?.elements ?? []).map { DeviceItem($0, isWaiting: false) }
        }
    }

    /// The full id of a request.
    static func request(_ prefix: String, _ client: GatewayClient) throws -> String {
        let all = try client.call("device.pair.list")["pending"]?.elements ?? []
        // A list shows the id of the request, its JSON that of the device as well.
        let found = all.filter { request in
            [request["requestId"]?.text, request["deviceId"]?.text].compactMap { $0 }.contains {
                $0 == prefix || prefix.utf8.count >= 4 && $0.hasPrefix(prefix)
            }
        }
        guard found.count == 1, let id = found.first?["requestId"]?.text else {
            throw HelixError(
                .notFound, "unknown pairing request '\(prefix)'",
                hint: "List the requests with 'helix gateway devices'.")
        }
        return id
    }
}

/// A device in a report.
struct DeviceItem: DescribedItem {
    var device: String
    var name: String
    var platform: String
    var scopes: [String]
    var request: String?
    var user: String?
    var userName: String?
    var seenAt: Instant?
    var isOwn: Bool

    /// The permissions in words: `read write pairing`, or those of an agent, `read mail tasks, change tasks`.
    var rights: String {
        let words = scopes.map { $0.split(separator: ".", maxSplits: 1).map(String.init) }
        let ofAgent = ["read", "change"].compactMap { verb in
            let domains = words.compactMap { $0.count == 2 && $0[0] == verb ? $0[1] : nil }
            return domains.isEmpty ? nil : verb + " " + domains.joined(separator: " ")
        }
        return ofAgent.isEmpty ? words.compactMap(\.last).joined(separator: " ") : ofAgent.joined(separator: ", ")
    }

    static let described = list {
        Field("kind", .choice(["device"]), "The kind of the item.") { _ in "device" }
        Field("id", .string, "The id: the SHA-256 of its key, or one at random for an agent.") { $0.device }
        Field("name", .string, "The name.") { $0.name }
        Field("platform", .string, "The platform.") { $0.platform }
        Field("state", .choice(["paired", "asks"]), "Whether it is paired, or requests pairing.") {
            $0.request == nil ? "paired" : "asks"
        }
        Field("request", .string, required: false, "The id of its pairing request.") { $0.request }
        Field("user", .string, required: false, "The user.") { $0.userName }
        Field("scopes", .array(.string), "The granted or requested permissions.") { $0.scopes }
        Field("seen_at", .string, required: false, "The last connection.") { item, viewer in
            item.seenAt.map { viewer.iso($0) }
        }
        Field("this_device", .bool, "Whether it is this device.") { $0.isOwn }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

extension DeviceItem {
    /// Creates an item from a gateway's response.
    init(_ json: JSONText, isWaiting: Bool) {
        device = json["deviceId"]?.text ?? ""
        name = json["displayName"]?.text ?? json["platform"]?.text ?? ""
        platform = json["platform"]?.text ?? ""
        scopes = json["scopes"]?.strings ?? []
        request = isWaiting ? json["requestId"]?.text ?? "" : nil
        let moment = json[isWaiting ? "ts" : "lastSeenAtMs"]?.integer ?? json["approvedAtMs"]?.integer
        seenAt = moment.map { Instant($0 / 1000) }
        isOwn = json["current"]?.bool == true
    }
}

/// A report of devices.
struct DeviceReport: CuttableReport {
    static let schema = "helix.gateway.device/1"
    var items: [DeviceItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { return canvas.paragraph("No devices.", style: .dim) }
        var table = Table([
            .init("id"), .init("device", minimum: 8), .init("user"), .init("may", minimum: 32), .init("last seen"),
            .init(),
        ])
        for item in items {
            let isWaiting = item.request != nil
            table.row([
                StyledText(item.request.map { String($0.prefix(8)) } ?? String(item.device.prefix(8)), .dim),
                StyledText(item.name), StyledText(item.userName ?? "", .dim), StyledText(item.rights),
                StyledText(item.seenAt.map { viewer.day(viewer.zone.date($0)) + " " + viewer.clock($0) } ?? "", .dim),
                isWaiting
                    ? StyledText("requests pairing", TextStyle(.yellow, bold: true))
                    : StyledText(item.isOwn ? "this one" : "", .dim),
            ])
        }
        table.draw(on: &canvas)
        if items.contains(where: { $0.request != nil }) {
            canvas.line(StyledText("'helix gateway approve ID' approves a request.", .dim))
        }
    }
}
