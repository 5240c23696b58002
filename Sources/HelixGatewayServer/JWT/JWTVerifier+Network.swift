import Dispatch
import FoundationEssentials
import HelixModel
import HelixNetwork

extension JWTVerifier {
    /// The largest set of keys in bytes.
    private static let largestSet = 256 << 10

    /// Creates a verifier that reads the keys from their URL or file.
    convenience init(_ configuration: JWTConfiguration) {
        let queue = DispatchQueue(label: "helix.gateway.keys", qos: .utility)
        self.init(
            configuration, fetch: { try JWTVerifier.read($0, configuration.authorities) },
            start: { work in queue.async { work() } })
    }

    private static func read(_ place: String, _ authorities: String?) throws -> [UInt8] {
        guard place.hasPrefix("https://") || place.hasPrefix("http://") else {
            do { return Array(try Data(contentsOf: URL(filePath: place))) } catch {
                throw HelixError(.io, "the file of keys \(place) cannot be read")
            }
        }
        guard let url = URL(address: place) else {
            throw HelixError(.configuration, "'\(place)' is not a URL")
        }
        let client = try HTTPClient(url, user: "", credential: .none, authorities: authorities, patience: 20)
        let answer = try client.send("GET", url)
        guard answer.isGood, answer.body.count <= largestSet else {
            throw HelixError(.protocol, "\(place) answers with status \(answer.status)")
        }
        return answer.body
    }
}
