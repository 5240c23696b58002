import Foundation

/// A Maildir in a home's folder, written as a delivery agent writes it.
public struct TestMaildir {
    /// Its folder.
    public let path: String
    private let counter = Counter()

    private final class Counter: @unchecked Sendable { var value = 0 }

    /// An empty one.
    public init(_ home: HelixHome, name: String = "Mail") throws {
        path = home.folder.appendingPathComponent(name).path
        try make("")
    }

    /// Makes a mailbox.
    public func make(_ mailbox: String) throws {
        for part in ["cur", "new", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(mailbox)/\(part)", withIntermediateDirectories: true)
        }
    }

    /// Delivers a message.
    /// - Returns: the path of its file.
    @discardableResult
    public func deliver(_ message: String, to mailbox: String = "", flags: String? = nil) throws -> String {
        try deliver(bytes: Data(message.utf8), to: mailbox, flags: flags)
    }

    /// Delivers bytes.
    @discardableResult
    public func deliver(bytes: Data, to mailbox: String = "", flags: String? = nil) throws -> String {
        counter.value += 1
        let base = "17000000\(10 + counter.value).M\(counter.value)P1.test"
        let folder = mailbox.isEmpty ? path : "\(path)/\(mailbox)"
        let file = flags.map { "\(folder)/cur/\(base):2,\($0)" } ?? "\(folder)/new/\(base)"
        try bytes.write(to: URL(fileURLWithPath: file))
        return file
    }

    /// The names of the files of a mailbox.
    public func files(_ mailbox: String = "") throws -> [String] {
        try ["cur", "new"].flatMap { part in
            try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(mailbox)/\(part)")
        }.sorted()
    }
}

/// A plain message.
public func mail(
    _ subject: String, id: String, from: String = "Ana Rossi <ana@example.org>", to: String = "me@example.org",
    date: String = "Tue, 17 Nov 2026 09:00:00 +0100", headers: [String] = [], body: String = "Hello there.\n"
) -> String {
    let head =
        ["From: \(from)", "To: \(to)", "Subject: \(subject)", "Date: \(date)", "Message-ID: <\(id)>"] + headers
    return head.joined(separator: "\n") + "\n\n" + body
}
