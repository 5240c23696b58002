import Foundation
import TestSupport
import Testing

/// A server that the steps run on.
enum ForeignServer: String, CaseIterable, Sendable {
    case dovecot
    case cyrus
    case courier
    /// Cyrus once more, by JMAP.
    case jmap

    /// Whether its programs are there.
    var isInstalled: Bool {
        let root = Corpora.packageDirectory.appendingPathComponent(".build/servers").path
        switch self {
        case .dovecot: return TestServer.has("/usr/sbin/dovecot")
        case .cyrus, .jmap: return TestServer.has(root + "/usr/lib/cyrus/bin/master")
        // It needs folders of the system of its own.
        case .courier: return TestServer.has(root + "/usr/sbin/couriertcpd") && getuid() == 0
        }
    }

    static var installed: [ForeignServer] { allCases.filter(\.isInstalled) }
    var script: String { (self == .jmap ? "cyrus" : rawValue) + ".sh" }
    /// The beginning of all names of mailboxes for other programs.
    var prefix: String { self == .courier ? "INBOX." : "" }
    var delimiter: String { self == .courier ? "." : "/" }
    var ports: Int {
        switch self {
        case .dovecot: 2
        case .cyrus, .jmap: 3
        case .courier: 1
        }
    }
}

/// A server with a home whose account is on it.
final class ForeignServerSite {
    let kind: ForeignServer
    private(set) var server: TestServer
    let home: HelixHome
    private let folder: URL

    /// - Parameter settings: what is added to Dovecot's own.
    init(_ kind: ForeignServer, settings: String? = nil) throws {
        self.kind = kind
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("helix-server-\(UUID().uuidString)")
        if let settings {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(settings.utf8).write(to: folder.appendingPathComponent("more.conf"))
        }
        server = try TestServer(kind.script, in: folder, ports: kind.ports, keepsFolder: true)
        home = try HelixHome()
        if kind == .jmap {
            // A user is there from the first sign-in by IMAP on.
            try client("m.select('INBOX')")
            let added = try home.run(
                "account", "add", "work", "jmap", "http://127.0.0.1:\(server.ports[1])/jmap/", "--address",
                "ana@example.org", "--user", "ana", "--password-command", "echo secret")
            guard added.status == 0 else { throw OracleFailure(message: added.errors) }
            return
        }
        let added = try home.run(
            "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
            "127.0.0.1", "--imap-port", String(server.ports[0]), "--imap-security", "none", "--password-command",
            "echo secret",
            // All steps are tried on packed lines as well.
            "--compress", kind == .cyrus ? "yes" : "auto")
        guard added.status == 0 else { throw OracleFailure(message: added.errors) }
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server again in the same folder, where it has ended.
    func restart() throws {
        // What it has started may outlive it, and keep its ports.
        _ = try home.run(program: "/usr/bin/pkill", ["-9", "-f", folder.path + "/"])
        server.waitUntilGone()
        server = try TestServer(
            kind.script, in: folder, ports: kind.ports, keepsFolder: true, at: server.ports)
    }

    /// Gives Dovecot other settings while it runs.
    func change(settings: String) throws {
        try Data(settings.utf8).write(to: folder.appendingPathComponent("more.conf"))
        _ = try home.run(program: "/usr/bin/doveadm", ["-c", folder.path + "/dovecot.conf", "reload"])
    }

    /// Runs lines of Python with a client signed in as `m`; `box()` gives the server's name of a mailbox.
    @discardableResult
    func client(_ lines: String) throws -> String {
        let head = """
            import imaplib, base64, re, time
            for _ in range(50):
                try:
                    m = imaplib.IMAP4('127.0.0.1', \(server.ports[0])); m.login('ana', 'secret'); break
                except Exception: time.sleep(0.1)
            def box(name):
                if name == 'INBOX': return 'INBOX'
                def coded(match): return '&' + base64.b64encode(match[0].encode('utf-16-be')).decode().rstrip('=').replace('/', ',') + '-'
                name = re.sub(r'[^ -~]+', coded, name.replace('&', '&-'))
                return '"\(kind.prefix)' + name.replace('/', '\(kind.delimiter)') + '"'
            def put(where, subject, flags=None):
                text = f'From: Ben <ben@example.org>\\r\\nTo: ana@example.org\\r\\nSubject: {subject}\\r\\n'
                text += f'Message-ID: <{subject}@example.org>\\r\\n\\r\\nText of {subject}\\r\\n'
                assert m.append(box(where), flags, imaplib.Time2Internaldate(1760000000), text.encode())[0] == 'OK'
            def all(where):
                if m.select(box(where), readonly=True)[0] != 'OK': return None
                found = []
                for item in m.uid('FETCH', '1:*', '(FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])')[1] or []:
                    if isinstance(item, tuple):
                        flags = item[0].split(b'FLAGS (')[1].split(b')')[0].decode().replace('\\\\Recent', '').split()
                        found.append(' '.join([item[1].decode().strip()[9:]] + sorted(flags)))
                return sorted(found)
            def uid(where, subject):
                m.select(box(where))
                return m.uid('SEARCH', None, 'HEADER', 'Message-ID', f'<{subject}@example.org>')[1][0].decode()

            """
        let result = try home.run(program: "/usr/bin/python3", ["-c", head + lines])
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
        return result.output.trimmingCharacters(in: .newlines)
    }

    func id(_ subject: String) throws -> String {
        let found = try home.run("mail", "search", "subject:\(subject)", "--ids").output
        return found.split(separator: "\n").first.map(String.init) ?? "none"
    }

    /// Syncs, which must go well.
    func sync(_ more: String..., line: SourceLocation = #_sourceLocation) throws {
        let result = try home.run(["sync"] + more)
        #expect(result.status == 0, "\(kind): \(result.output)\(result.errors)", sourceLocation: line)
    }

    /// Syncs, and nothing may be left to do.
    func settles(line: SourceLocation = #_sourceLocation) throws {
        let result = try home.run("sync")
        #expect(
            result.output.contains("nothing new"), "\(kind): \(result.output)\(result.errors)", sourceLocation: line
        )
    }
}
