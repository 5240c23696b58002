import Foundation
import TestSupport
import Testing

extension ServerHabitTests {
    /// A server with habits, a home whose account is on it, and a client that is no helix.
    final class Site {
        let server: TestServer
        let home: HelixHome

        init(_ habits: String) throws {
            server = try TestServer("imap.py", ports: 1, habits.split(separator: " ").map(String.init))
            home = try HelixHome()
            try client(
                """
                for n in range(5): put('INBOX', f'M{n}')
                m.create('Gr&APYA3w-e'); m.create('Archive'); m.create('Trash'); m.create('Team'); m.create('Empty')
                put('Gr&APYA3w-e', 'G1'); put('Team', 'T1', '(\\\\Seen)'); put('Team', 'T2')
                """)
            let added = try home.run(
                "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
                "127.0.0.1", "--imap-port", String(server.ports[0]), "--imap-security", "none", "--password-command",
                "echo secret")
            guard added.status == 0 else { throw OracleFailure(message: added.errors) }
        }

        /// Changes the habits while it runs.
        func set(_ habits: String) throws { try server.setHabits(habits) }

        /// Runs lines of Python with a client signed in as `m`, while the server has no habits.
        @discardableResult
        func client(_ lines: String) throws -> String {
            let head = """
                import imaplib
                m = imaplib.IMAP4('127.0.0.1', \(server.ports[0])); m.login('ana', 'secret')
                def put(box, subject, flags=None):
                    text = f'From: Ben <ben@example.org>\\r\\nTo: ana@example.org\\r\\nSubject: {subject}\\r\\n'
                    text += f'Message-ID: <{subject}@example.org>\\r\\n\\r\\nText of {subject}\\r\\n'
                    assert m.append(box, flags, imaplib.Time2Internaldate(1760000000), text.encode())[0] == 'OK'
                def all(box):
                    assert m.select(box, readonly=True)[0] == 'OK', box
                    found = []
                    for item in m.uid('FETCH', '1:*', '(FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])')[1] or []:
                        if isinstance(item, tuple):
                            flags = item[0].split(b'FLAGS (')[1].split(b')')[0].decode().split()
                            found.append(' '.join([item[1].decode().strip()[9:]] + sorted(flags)))
                    return sorted(found)
                def uid(box, subject):
                    m.select(box)
                    return m.uid('SEARCH', None, 'HEADER', 'Message-ID', f'<{subject}@example.org>')[1][0].decode()

                """
            let result = try server.withHabits("caps=UIDPLUS,LITERAL+,MOVE") {
                try home.run(program: "/usr/bin/python3", ["-c", head + lines])
            }
            guard result.status == 0 else { throw OracleFailure(message: result.errors) }
            return result.output
        }

        func id(_ subject: String) throws -> String {
            let found = try home.run("mail", "search", "subject:\(subject)", "--ids").output
            return found.split(separator: "\n").first.map(String.init) ?? "none"
        }

        func subjects(_ mailbox: String) throws -> [String] {
            try home.run("mail", "list", "--mailbox", mailbox, "--limit", "100", "--json").items().compactMap {
                $0["subject"] as? String
            }.sorted()
        }
    }
}
