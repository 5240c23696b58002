import HelixGatewayStore
import HelixModel
import HelixPostgres

/// The configuration of a gateway.
public struct GatewayConfiguration: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 for any free one.
    public var port = 18789
    /// The folder of its store.
    public var folder: String
    /// The database that several gateways share; nil for one gateway with SQLite in the folder.
    public var database: PostgresTarget?
    /// The maximum number of connections to the database for the stores of users.
    public var databaseConnections = 8
    /// The file with the certificates, the gateway's own first.
    public var certificate: String?
    /// The file with the certificate's key.
    public var key: String?
    /// The allowed origins of web pages: `https://app.example.org`. Programs other than browsers send none.
    public var origins: [String] = []
    /// Whether the addresses in a proxy's headers are trusted.
    public var trustsProxy = false
    /// The version of helix.
    public var version: String
    /// The assistant that users may chat with.
    public var assistant = AssistantConfiguration(url: nil, model: nil, key: nil, prompt: nil, history: 40)
    /// The sign-in with tokens of another service; nil for none.
    public var tokens: JWTConfiguration?
    /// Whether anybody may register.
    public var allowsSignUp = false
    /// The users whom the directory shows to others.
    public var directory = DirectoryScope.all
    /// The settings of push notifications.
    public var push = PushConfiguration()
    /// The maximum number of connections.
    public var mostConnections = 8192

    /// - Parameters:
    ///   - folder: the folder of the store.
    ///   - version: the version of helix.
    public init(folder: String, version: String) {
        self.folder = folder
        self.version = version
    }

    /// The maximum size of a client's frame before it has signed in.
    static let largestFirstFrame = 64 << 10
    /// The time within which a client must sign in, in seconds.
    static let handshakeTime: Int64 = 10
    /// The maximum time between two frames of the gateway, in seconds.
    static let tick: Int64 = 30
    /// The maximum deviation of a client's clock, in seconds.
    static let skew: Int64 = 600
    /// The maximum amount of data queued for a client, in bytes.
    static let mostBuffered = 16 << 20
    /// The maximum number of pending requests of a client.
    static let mostPending = 64
    /// The maximum number of concurrent connections from one network: an IPv4 address, or an IPv6 /64.
    static let mostOfNetwork = 512
    /// The maximum bytes queued for all clients together: beyond it, clients with much pending data are closed.
    static let mostUnsent = 256 << 20
    /// A client with more pending data than this, that reads less than this between two ticks, is closed.
    static let fewBytes = 64 << 10
    /// The window within which repeated events are coalesced, in milliseconds.
    static let moment: Int64 = 150
    /// The maximum size of a client's pending requests in bytes; a single one may be as large as a frame.
    static let mostPendingBytes = 4 << 20

    /// The maximum size of a client's frame after it has signed in.
    static func largestFrame(_ version: Int) -> Int { version >= 4 ? 1 << 20 : 512 << 10 }
}
