import Foundation

/// A folder or a CalDAV server of one's own for one test.
public final class CalendarSite {
    /// A place that several homes sync with.
    public enum Place: String, CaseIterable, CustomStringConvertible, Sendable {
        case folder, radicale, xandikos
        /// The raw value.
        public var description: String { rawValue }
    }

    /// The server; nil of a folder.
    public let server: TestServer?
    /// The folder.
    public let folder: URL
    /// What it is.
    public let place: Place

    /// Starts it, with one calendar.
    public init(_ place: Place) throws {
        self.place = place
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("helix-vdir-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("calendar"), withIntermediateDirectories: true)
        switch place {
        case .folder: server = nil
        case .radicale: server = try TestServer("radicale.sh", ports: 1)
        case .xandikos: server = try TestServer("xandikos.sh", ports: 1)
        }
        if place == .radicale {
            let body = """
                <?xml version="1.0"?><C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:set><D:prop>\
                <D:displayname>calendar</D:displayname></D:prop></D:set></C:mkcalendar>
                """
            try curl("MKCALENDAR", "/ana/calendar/", body)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Asks the server something.
    public func curl(_ method: String, _ path: String, _ body: String) throws {
        let home = try HelixHome()
        let file = try home.write(body, to: "body")
        let address = "http://127.0.0.1:\(server?.ports[0] ?? 0)\(path)"
        let result = try home.run(
            program: "/usr/bin/python3",
            [
                "-c",
                """
                import base64, sys, urllib.request
                r = urllib.request.Request(sys.argv[2], data=open(sys.argv[3], 'rb').read(), method=sys.argv[1])
                r.add_header('Authorization', 'Basic ' + base64.b64encode(b'ana:secret').decode())
                r.add_header('Content-Type', 'text/calendar')
                urllib.request.urlopen(r)
                """, method, address, file,
            ])
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
    }

    /// A home with an account for contacts there, with an address book.
    public func contactHome() throws -> HelixHome {
        let home = try HelixHome()
        let address = "http://127.0.0.1:\(server?.ports[0] ?? 0)/"
        let arguments: [String] =
            switch place {
            case .folder: ["vdir", folder.path]
            case .radicale: ["carddav", address, "--user", "ana", "--password-command", "echo secret"]
            case .xandikos: ["carddav", address]
            }
        let result = try home.run(["account", "add", "dav"] + arguments)
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
        return home
    }

    /// A home with an account there.
    ///
    /// - Parameter given: another address of the same server.
    public func home(_ more: [String] = [], at given: String? = nil) throws -> HelixHome {
        let home = try HelixHome()
        let address = given ?? "http://127.0.0.1:\(server?.ports[0] ?? 0)/"
        let arguments: [String] =
            switch place {
            case .folder: ["vdir", folder.path]
            case .radicale: ["caldav", address, "--user", "ana", "--password-command", "echo secret"]
            case .xandikos: ["caldav", address]
            }
        let result = try home.run(["account", "add", "cal"] + arguments + more)
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
        return home
    }
}
