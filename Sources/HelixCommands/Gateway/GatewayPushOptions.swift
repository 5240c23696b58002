import ArgumentParser
import FoundationEssentials

/// The options of 'helix gateway serve' for push notifications.
struct GatewayPushOptions: ParsableArguments {
    /// The content of notifications that services of others can read.
    enum Content: String, ExpressibleByArgument, CaseIterable {
        case none, names, text
    }

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The content that push services can read: only that there is a message (none), the sender and the group (names), or the beginning of the text, too (text).",
            valueName: "content"))
    var pushContent: Content = .names

    @Flag(name: .long, help: "Allow push targets in private networks, on this machine and without TLS.")
    var pushPrivate = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The contact for operators of push services: mailto:ana@example.org.", valueName: "address"))
    var pushContact: String?

    @Option(
        name: .long, help: ArgumentHelp("The certificates of push services (PEM).", valueName: "file"),
        completion: .file())
    var pushCa: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The key for Apple's push service (AuthKey_….p8).", valueName: "file"),
        completion: .file())
    var apnsKey: String?

    @Option(name: .long, help: ArgumentHelp("The identifier of that key.", valueName: "id"))
    var apnsKeyId: String?

    @Option(name: .long, help: ArgumentHelp("The identifier of the team that owns the app.", valueName: "id"))
    var apnsTeam: String?

    @Option(
        name: .long, help: ArgumentHelp("The address of the service, if it is not Apple's.", valueName: "url"))
    var apnsUrl: String?

    func validate() throws {
        let given = [apnsKey, apnsKeyId, apnsTeam].compactMap { $0 }.count
        if given != 0, given != 3 {
            throw ValidationError("--apns-key, --apns-key-id and --apns-team require each other.")
        }
        if apnsUrl != nil, given == 0 { throw ValidationError("--apns-url requires --apns-key.") }
        for (name, value) in [("--apns-key-id", apnsKeyId), ("--apns-team", apnsTeam)] {
            if let value, value.isEmpty || !value.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
                throw ValidationError("\(name) must be letters and digits, like 3F7Q8JX2AB.")
            }
        }
        if let pushContact, !pushContact.hasPrefix("mailto:"), !pushContact.hasPrefix("https://") {
            throw ValidationError("--push-contact must begin with mailto: or https://.")
        }
    }

    /// The arguments of the program helix-gateway.
    var arguments: [String] {
        let texts: [(String, String?)] = [
            ("--push-contact", pushContact), ("--push-ca", pushCa), ("--apns-key", apnsKey),
            ("--apns-key-id", apnsKeyId), ("--apns-team", apnsTeam), ("--apns-url", apnsUrl),
        ]
        return ["--push-content", pushContent.rawValue] + (pushPrivate ? ["--push-private"] : [])
            + texts.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }
}
