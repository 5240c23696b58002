import ArgumentParser
import HelixGatewayServer
import HelixModel

extension PushContent: ExpressibleByArgument {}

/// The options of push notifications.
struct PushOptions: ParsableArguments {
    @Option(name: .long, help: "The content that push services can read: none, names, text.")
    var pushContent = PushContent.names

    @Flag(name: .long, help: "Allow push targets in private networks and without TLS.")
    var pushPrivate = false

    @Option(name: .long, help: "The contact for operators of push services: mailto: or https:.")
    var pushContact: String?

    @Option(name: .long, help: "The certificates of push services (PEM).")
    var pushCa: String?

    @Option(name: .long, help: "The key for Apple's push service (AuthKey_….p8).")
    var apnsKey: String?

    @Option(name: .long, help: "The identifier of that key.")
    var apnsKeyId: String?

    @Option(name: .long, help: "The identifier of the team that owns the app.")
    var apnsTeam: String?

    @Option(name: .long, help: "The address of the service, if it is not Apple's.")
    var apnsUrl: String?

    /// The settings of the gateway.
    /// - Throws: ``HelixError`` if the key cannot be read.
    func configuration() throws -> PushConfiguration {
        var settings = PushConfiguration()
        (settings.content, settings.allowsPrivate) = (pushContent, pushPrivate)
        (settings.contact, settings.authorities) = (pushContact, pushCa)
        if let apnsKey, let apnsKeyId, let apnsTeam {
            settings.apple = try PushConfiguration.Apple(
                file: apnsKey, keyID: apnsKeyId, team: apnsTeam, address: apnsUrl)
        }
        return settings
    }
}
