import Foundation
import TestSupport
import Testing

/// A calendar server that the steps run on.
enum CalendarServer: String, CaseIterable, Sendable {
    case radicale
    case xandikos
    case cyrus
    case davical
    case sogo

    /// Whether its programs are there.
    var isInstalled: Bool {
        let root = Corpora.packageDirectory.appendingPathComponent(".build/servers").path
        switch self {
        case .radicale: return TestServer.has("/usr/bin/radicale")
        case .xandikos: return TestServer.has("/usr/bin/xandikos")
        case .cyrus: return TestServer.has(root + "/usr/lib/cyrus/bin/master")
        case .davical:
            return FileManager.default.fileExists(atPath: root + "/usr/share/davical")
                && TestServer.has("/usr/sbin/apache2")
        // It has its settings at a fixed path, over which another folder is laid.
        case .sogo: return TestServer.has("/usr/sbin/sogod") && TestServer.has("/usr/bin/memcached") && getuid() == 0
        }
    }

    static var installed: [CalendarServer] { allCases.filter(\.isInstalled) }
    static var scheduling: [CalendarServer] { installed.filter { $0 != .radicale && $0 != .xandikos } }

    /// The number of ports, of which the one for HTTP is `port`.
    var ports: Int { self == .cyrus ? 3 : 1 }
    var port: Int { self == .cyrus ? 1 : 0 }
    /// Where one begins.
    var start: String { self == .sogo ? "/SOGo/dav/" : "/" }
    /// The calendar of a user, for a client that knows where it is.
    func calendar(_ user: String) -> String {
        switch self {
        case .radicale: "/\(user)/calendar/"
        case .xandikos: "/user/calendars/calendar/"
        case .cyrus: "/dav/calendars/user/\(user)/Default/"
        case .davical: "/caldav.php/\(user)/calendar/"
        case .sogo: "/SOGo/dav/\(user)/Calendar/personal/"
        }
    }
}

/// A calendar server with a home whose account is on it.
final class ForeignCalendarSite {
    let kind: CalendarServer
    private(set) var server: TestServer
    let home: HelixHome
    private let folder: URL

    init(_ kind: CalendarServer) throws {
        self.kind = kind
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "helix-dav-\(UUID().uuidString.prefix(8))")
        server = try TestServer(kind.rawValue + ".sh", in: folder, ports: kind.ports, keepsFolder: true)
        home = try HelixHome()
        try client(
            """
            if '\(kind)' == 'radicale':
                for user in ('ana', 'ben'):
                    ask('MKCALENDAR', f'/{user}/calendar/', '<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav"/>', user=user)
            # Some servers have a user's calendar only after a moment, or the first sign-in.
            for _ in range(100):
                try:
                    if ask('PROPFIND', BOX, '<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/></D:prop></D:propfind>', Depth='0')[0] == 207: break
                except OSError: pass
                time.sleep(0.1)
            """)
        try add(home, "ana")
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Gives a home an account of a user.
    func add(_ home: HelixHome, _ user: String) throws {
        try home.run("config", "set", "user.email", "\(user)@example.org")
        let sign = kind == .xandikos ? [] : ["--user", user, "--password-command", "echo secret"]
        let address = "http://127.0.0.1:\(server.ports[kind.port])\(kind.start)"
        let added = try home.run(["account", "add", "cal", "caldav", address] + sign)
        guard added.status == 0 else { throw OracleFailure(message: added.errors) }
    }

    /// Starts the server again in the same folder, where it has ended.
    func restart() throws {
        _ = try home.run(program: "/usr/bin/pkill", ["-9", "-f", folder.path + "/"])
        server.stop()
        // What still listens is the old one, which is about to go.
        for _ in 0..<200 where server.ports.contains(where: TestServer.isOpen) { usleep(25_000) }
        server = try TestServer(
            kind.rawValue + ".sh", in: folder, ports: kind.ports, keepsFolder: true, at: server.ports)
    }

    /// Runs lines of Python that speak HTTP themselves; `BOX` is ana's calendar.
    @discardableResult
    func client(_ lines: String) throws -> String {
        let head = """
            import http.client, base64, re, sys, time, urllib.parse
            BOX, BENS = '\(kind.calendar("ana"))', '\(kind.calendar("ben"))'
            def ask(method, path, body='', user='ana', **fields):
                c = http.client.HTTPConnection('127.0.0.1', \(server.ports[kind.port]), timeout=20)
                fields['Authorization'] = 'Basic ' + base64.b64encode(f'{user}:secret'.encode()).decode()
                fields.setdefault('Content_Type', 'text/xml; charset=utf-8' if body.startswith('<') else 'text/calendar; charset=utf-8')
                c.request(method, path, body.encode(), {name.replace('_', '-'): value for name, value in fields.items()})
                a = c.getresponse()
                return a.status, a.read().decode()
            def wrapped(lines): return '\\r\\n'.join(['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x'] + lines + ['END:VCALENDAR', ''])
            def event(uid, title, *more, start='20261120T100000Z'):
                return wrapped(['BEGIN:VEVENT', 'UID:' + uid, 'DTSTAMP:20260101T000000Z', 'DTSTART:' + start,
                                'DURATION:PT1H', 'SUMMARY:' + title, *more, 'END:VEVENT'])
            def task(uid, title, *more):
                return wrapped(['BEGIN:VTODO', 'UID:' + uid, 'DTSTAMP:20260101T000000Z', 'SUMMARY:' + title, *more, 'END:VTODO'])
            def put(name, text, box=BOX, user='ana'):
                status, said = ask('PUT', box + name, text, user=user)
                assert status in (200, 201, 204), (status, said)
            def names(box=BOX, user='ana'):
                body = '<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/></D:prop></D:propfind>'
                said = ask('PROPFIND', box, body, user=user, Depth='1')[1]
                found = re.findall(r'<(?:\\w+:)?href[^>]*>([^<]+)<', said)
                paths = {re.sub('^https?://[^/]+', '', path) for path in found}
                return sorted(path for path in paths if path.rstrip('/') != box.rstrip('/') and not path.endswith('/'))
            def texts(box=BOX, user='ana'): return [ask('GET', path, user=user)[1] for path in names(box, user)]
            def titles(box=BOX, user='ana'):
                return sorted(re.search(r'SUMMARY[^:]*:(.*?)\\r?\\n', text)[1] for text in texts(box, user))
            def text(uid, box=BOX, user='ana'): return next((t for t in texts(box, user) if 'UID:' + uid in t), '')

            """
        let result = try home.run(program: "/usr/bin/python3", ["-c", head + lines])
        guard result.status == 0 else { throw OracleFailure(message: "\(kind): \(result.errors)") }
        return result.output.trimmingCharacters(in: .newlines)
    }

    func id(_ title: String) throws -> String {
        try #require(HelixHome.ids(home.run("cal", "search", title, "--json")).first)
    }

    /// The name that the server's calendar has here.
    var calendar: String {
        get throws {
            let names = try home.run("cal", "calendars", "--json").items().compactMap { $0["name"] as? String }
            return try #require(names.first { $0.lowercased().contains("cal") } ?? names.first)
        }
    }

    /// What is in the calendar here: events and tasks by their titles.
    func titles() throws -> [String] {
        let calendars = try home.run("cal", "calendars", "--json").items().compactMap { $0["name"] as? String }
        let events = try calendars.flatMap {
            try home.run("cal", "search", "calendar:\"\($0)\"", "--limit", "0", "--json").items()
        }
        let tasks = try home.run("tasks", "list", "status:all", "--limit", "0", "--json").items()
        return Set((events + tasks).compactMap { $0["title"] as? String }).sorted()
    }

    /// Syncs, which must go well.
    func sync(_ more: String..., line: SourceLocation = #_sourceLocation) throws {
        let result = try home.run(["sync"] + more)
        #expect(result.status == 0, "\(kind): \(result.output)\(result.errors)", sourceLocation: line)
    }

    /// Syncs until both sides agree, which is soon, and the count says so.
    func settles(line: SourceLocation = #_sourceLocation) throws {
        // SOGo writes some objects anew that it takes, and counts its changes by seconds.
        for _ in 0..<(kind == .sogo ? 3 : 1) { try sync(line: line) }
        let last = try home.run("sync")
        #expect(last.output.contains("nothing new"), "\(kind): \(last.output)\(last.errors)", sourceLocation: line)
        let check = try home.run("account", "check", "cal")
        #expect(check.status == 0, "\(kind): \(check.output)\(check.errors)", sourceLocation: line)
    }
}
