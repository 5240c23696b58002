import HelixModel

/// How a gateway is run.
public struct GatewayConfiguration: Sendable {
    /// The address that is listened at.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 18789
    /// The folder of its store.
    public var folder: String
    /// The file with the certificates, the gateway's own first.
    public var certificate: String?
    /// The file with the certificate's key.
    public var key: String?
    /// Where pages may come from that talk to it: `https://app.example.org`. Programs that are no browsers send none.
    public var origins: [String] = []
    /// Whether the addresses that a proxy names are believed.
    public var trustsProxy = false
    /// The version of helix.
    public var version: String
    /// The assistant that users may talk with.
    public var assistant = AssistantConfiguration(url: nil, model: nil, key: nil, prompt: nil, history: 40)
    /// Whether anybody may give themselves a place here.
    public var allowsSignUp = false
    /// How many connections there may be.
    public var mostConnections = 8192

    /// - Parameters:
    ///   - folder: of its store.
    ///   - version: of helix.
    public init(folder: String, version: String) {
        self.folder = folder
        self.version = version
    }

    /// No frame of a client may be larger before it has signed in.
    static let largestFirstFrame = 64 << 10
    /// Whoever has not signed in by then is sent away, in seconds.
    static let handshakeTime: Int64 = 10
    /// The gateway says something at least this often, in seconds.
    static let tick: Int64 = 30
    /// A client's clock may be off by so much, in seconds.
    static let skew: Int64 = 600
    /// What waits to be sent to a client may not be more, in bytes.
    static let mostBuffered = 16 << 20
    /// A client may have so many questions unanswered.
    static let mostPending = 64
    /// Connections from one network at the same time: an IPv4 address, or an IPv6 /64.
    static let mostOfNetwork = 512
    /// The most bytes that wait to be sent to all clients together: beyond it clients with much waiting are closed.
    static let mostUnsent = 256 << 20
    /// A client for which more than this waits, and that reads less than this between two ticks, is closed.
    static let fewBytes = 64 << 10
    /// The milliseconds within which events that happen several times are sent once.
    static let moment: Int64 = 150
    /// They may be so many bytes together; a single one is as large as a frame may be.
    static let mostPendingBytes = 4 << 20

    /// No frame of a client may be larger once it has signed in.
    static func largestFrame(_ version: Int) -> Int { version >= 4 ? 1 << 20 : 512 << 10 }
}
