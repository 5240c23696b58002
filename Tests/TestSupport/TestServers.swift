import Foundation
import Synchronization

/// A server of one's own for one test, on free ports of this machine; gone with the test.
public final class TestServer {
    /// Where its files lie.
    public let folder: URL
    /// The ports it was given.
    public let ports: [Int]
    private let process: Process
    private let keepsFolder: Bool

    /// The folders that the end of the process removes: those of servers that all tests share are never released.
    private static let folders = Mutex<Set<URL>>([])
    private static let removesFolders: Void = {
        atexit { TestServer.folders.withLock { for folder in $0 { try? FileManager.default.removeItem(at: folder) } } }
    }()

    /// Whether a program is installed.
    public static func has(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Starts a script of `Tests/Servers` and waits until its ports can be reached.
    ///
    /// - Parameters:
    ///   - keepsFolder: whether its files stay when it goes.
    ///   - port: the first port, if it must be that one.
    ///   - given: all ports, if they must be these.
    ///   - python: the interpreter of a script in Python.
    public init(
        _ script: String, in folder: URL? = nil, ports count: Int = 2, _ more: [String] = [], keepsFolder: Bool = false,
        port: Int? = nil, at given: [Int]? = nil, python: String = "/usr/bin/python3"
    ) throws {
        self.keepsFolder = keepsFolder
        let place =
            folder
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("helix-server-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        self.folder = place
        if folder == nil {
            _ = TestServer.removesFolders
            TestServer.folders.withLock { _ = $0.insert(place) }
        }
        ports = given ?? (0..<count).map { $0 == 0 ? port ?? TestServer.freePort() : TestServer.freePort() }
        let path = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/" + script).path
        process = Process()
        process.executableURL = URL(fileURLWithPath: script.hasSuffix(".py") ? python : "/bin/sh")
        process.arguments = [path, place.path] + ports.map(String.init) + more
        process.standardOutput = FileHandle.nullDevice
        let errors = place.appendingPathComponent("errors.txt")
        try Data().write(to: errors)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        for _ in 0..<1200 {
            if ports.allSatisfy(TestServer.isOpen) { return }
            if !process.isRunning { break }
            usleep(50_000)
        }
        throw OracleFailure(
            message: "\(script) did not start: \((try? String(contentsOf: errors, encoding: .utf8)) ?? "")")
    }

    deinit {
        stop()
        if !keepsFolder { try? FileManager.default.removeItem(at: folder) }
    }

    /// Stops it; its files stay until the test ends.
    public func stop() {
        // Some end their own processes when they are asked; others do not listen.
        for signal in [SIGTERM, SIGKILL] {
            guard process.isRunning else { return }
            Foundation.kill(process.processIdentifier, signal)
            for _ in 0..<60 where process.isRunning { usleep(20_000) }
        }
    }

    /// Ends it in a moment, as a power cut would.
    public func kill(afterMilliseconds pause: Int) throws {
        let killer = Process()
        killer.executableURL = URL(fileURLWithPath: "/bin/sh")
        killer.arguments = ["-c", "sleep \(Double(pause) / 1000); kill -9 \(process.processIdentifier)"]
        try killer.run()
    }

    private var habitsFile: URL { folder.appendingPathComponent("habits.txt") }

    /// Changes the habits of a server in memory while it runs.
    public func setHabits(_ habits: String) throws {
        try habits.write(to: habitsFile, atomically: true, encoding: .utf8)
    }

    /// Runs `body` while a server in memory has other habits, and gives it its own back.
    public func withHabits<Value>(_ habits: String, _ body: () throws -> Value) throws -> Value {
        let former = try? String(contentsOf: habitsFile, encoding: .utf8)
        try setHabits(habits)
        defer {
            if let former { try? setHabits(former) } else { try? FileManager.default.removeItem(at: habitsFile) }
        }
        return try body()
    }

    /// Waits until it has ended.
    public func waitUntilGone() { process.waitUntilExit() }

    /// The certificate to trust.
    public var certificate: String { folder.path + "/cert.pem" }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    private static func with<Value>(_ port: Int, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value
    {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Whether somebody listens on a port.
    public static func isOpen(_ port: Int) -> Bool { with(port) { connect($0, $1, $2) == 0 } }

    /// A port that nobody listens on.
    public static func freePort() -> Int {
        while true {
            // Below those that the system gives to connections: one of them may meet itself there, and look like a server.
            let port = Int.random(in: 20_000...32_000)
            if with(port, { bind($0, $1, $2) == 0 }) { return port }
        }
    }
}

/// A Dovecot with two homes that sync with it.
public final class MailSite {
    /// The server.
    public let imap: TestServer
    /// The server that sends, if there is one.
    public let smtp: TestServer?

    /// - Parameters:
    ///   - isPlain: without the newer extensions.
    ///   - sends: whether there is a server that sends.
    ///   - prefix: what the names of mailboxes begin with: `INBOX.`.
    public init(isPlain: Bool = false, sends: Bool = false, prefix: String = "") throws {
        imap = try TestServer("dovecot.sh", isPlain ? ["yes", prefix] : prefix.isEmpty ? [] : ["", prefix])
        // Both trust the same certificate.
        smtp = sends ? try MailSite.smtp(imap) : nil
    }

    private static func smtp(_ imap: TestServer) throws -> TestServer {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("helix-smtp-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for name in ["cert.pem", "key.pem"] {
            try FileManager.default.copyItem(
                at: imap.folder.appendingPathComponent(name), to: place.appendingPathComponent(name))
        }
        return try TestServer("smtp.py", in: place)
    }

    /// A home with the account 'work' on the server.
    ///
    /// - Parameter given: a home that is there already.
    public func home(security: String = "tls", in given: HelixHome? = nil) throws -> HelixHome {
        let home = try given ?? HelixHome()
        var arguments = [
            "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
            "localhost",
            "--imap-port", String(imap.ports[security == "tls" ? 1 : 0]), "--imap-security", security, "--ca",
            imap.certificate, "--password-command", "echo secret",
        ]
        if let smtp {
            arguments += [
                "--smtp-host", "localhost", "--smtp-port", String(smtp.ports[security == "tls" ? 1 : 0]),
                "--smtp-security", security,
            ]
        }
        let result = try home.run(arguments)
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
        return home
    }

    /// Runs lines of Python with a second client signed in as `m` (imaplib), and gives what they print.
    @discardableResult
    public func client(_ lines: String) throws -> String {
        let home = try HelixHome()
        let head = """
            import imaplib, time
            m = imaplib.IMAP4('127.0.0.1', \(imap.ports[0]))
            m.login('ana', 'secret')
            def put(box, subject, flags=None, id=None, at=1760000000):
                text = f'From: Ben <ben@example.org>\\r\\nTo: ana@example.org\\r\\nSubject: {subject}\\r\\n'
                text += f'Message-ID: <{id or subject.replace(" ", ".")}@example.org>\\r\\n\\r\\nText of {subject}\\r\\n'
                assert m.append(box, flags, imaplib.Time2Internaldate(at), text.encode())[0] == 'OK'
            def all(box):
                m.select(box, readonly=True)
                found = []
                for item in m.uid('FETCH', '1:*', '(FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])')[1] or []:
                    if isinstance(item, tuple):
                        flags = item[0].split(b'FLAGS (')[1].split(b')')[0].decode().replace('\\\\Recent', '').split()
                        found.append(item[1].decode().strip()[9:] + ' ' + ' '.join(sorted(flags)))
                return sorted(word.strip() for word in found)

            """
        let result = try home.run(program: "/usr/bin/python3", ["-c", head + lines])
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
        return result.output
    }
}
