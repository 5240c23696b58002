import Foundation

/// Real files with expected results, kept outside the project: at `HELIX_CORPORA`, or beside the checkout.
///
/// Suites that need them are skipped where they are missing.
public enum Corpora {
    /// The folder, or nil where there is none.
    public static let directory: URL? = {
        let named = ProcessInfo.processInfo.environment["HELIX_CORPORA"].map { URL(fileURLWithPath: $0) }
        let beside = packageDirectory.deletingLastPathComponent().appendingPathComponent("shared/corpora")
        return [named, beside].compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    /// Whether the corpora are there.
    public static var isAvailable: Bool { directory != nil }

    /// Whether suites that take samples try all they have: with `HELIX_THOROUGH=1`, as `make test-faults` sets it.
    public static let isThorough = ProcessInfo.processInfo.environment["HELIX_THOROUGH"] == "1"

    /// Whether suites that take random samples take few: with `HELIX_BRIEF=1`, as `make test-unit` sets it.
    public static let isBrief = ProcessInfo.processInfo.environment["HELIX_BRIEF"] == "1"

    /// The number of samples to take, of so many in the whole suite.
    /// - Parameter all: the number with `HELIX_THOROUGH=1`, if that is more.
    public static func samples(_ count: Int, thorough all: Int? = nil) -> Int {
        isBrief ? max(1, count / 25) : isThorough ? all ?? count : count
    }

    /// The package's own folder.
    public static let packageDirectory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Where a file of the corpora lies; the corpora must be there.
    public static func file(_ path: String) -> URL {
        (directory ?? URL(fileURLWithPath: "/nonexistent")).appendingPathComponent(path)
    }

    /// The contents of one file of the corpora.
    public static func data(_ path: String) throws -> Data {
        guard let directory else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: directory.appendingPathComponent(path))
    }

    /// The value of one JSON file of the corpora; empty where the corpora are missing.
    public static func json<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: data(path))
    }
}
