import Foundation
import TestSupport
import Testing

extension JMAPHabitTests {
    /// A server with habits, and a home whose account is on it.
    final class Site {
        let server: TestServer
        let home: HelixHome

        init(_ habits: String, path: String = "/session") throws {
            server = try TestServer("jmap.py", ports: 1, habits.split(separator: " ").map(String.init))
            home = try HelixHome()
            for number in 0..<7 { try put("Inbox", "M\(number)") }
            try put("Team", "T1", ["$seen"])
            try put("Team", "T2", ["$flagged", "todo"])
            let added = try home.run(
                "account", "add", "work", "jmap", "http://127.0.0.1:\(server.ports[0])\(path)", "--address",
                "ana@example.org", "--user", "ana", "--password-command", "echo secret")
            guard added.status == 0 else { throw OracleFailure(message: added.errors) }
        }

        /// A message that comes from elsewhere.
        func put(_ box: String, _ subject: String, _ keywords: [String] = []) throws {
            let text =
                "From: Ben <ben@example.org>\r\nTo: ana@example.org\r\nSubject: \(subject)\r\n"
                + "Message-ID: <\(subject)@example.org>\r\n\r\nText of \(subject)\r\n"
            _ = try post("/put", ["box": box, "text": text, "keywords": keywords])
        }

        /// Mailboxes get other names elsewhere, all at once.
        func rename(_ names: [String: String]) throws { _ = try post("/rename", names) }

        /// The subjects and keywords of a mailbox on the server.
        func look(_ box: String) throws -> [String] { try post("/look", [:])[box] as? [String] ?? [] }

        private func post(_ path: String, _ body: [String: Any]) throws -> [String: Any] {
            let json = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
            let run = try home.run(
                program: "/usr/bin/curl",
                ["-s", "--data-binary", json, "http://127.0.0.1:\(server.ports[0])\(path)"])
            let found = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            return try #require(found, "\(run.output)\(run.errors)")
        }

        func id(_ subject: String) throws -> String {
            let found = try home.run("mail", "search", "subject:\(subject)", "--ids").output
            return found.split(separator: "\n").first.map(String.init) ?? "none"
        }

        func subjects(_ mailbox: String) throws -> [String] {
            try home.run("mail", "list", "--mailbox", mailbox, "--limit", "all", "--json").items().compactMap {
                $0["subject"] as? String
            }.sorted()
        }

        func sync(_ more: String..., line: SourceLocation = #_sourceLocation) throws {
            let result = try home.run(["sync"] + more)
            #expect(result.status == 0, "\(result.output)\(result.errors)", sourceLocation: line)
        }

        func settles(line: SourceLocation = #_sourceLocation) throws {
            let result = try home.run("sync")
            #expect(result.output.contains("nothing new"), "\(result.output)\(result.errors)", sourceLocation: line)
        }

        /// What was sent: the envelopes and texts.
        func sent() throws -> [[String: Any]] {
            let folder = server.folder.appendingPathComponent("sent")
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map {
                try JSONSerialization.jsonObject(with: Data(contentsOf: $0)) as? [String: Any] ?? [:]
            }
        }

        /// The methods that were called and the addresses that were got.
        func log() throws -> [String] {
            try String(contentsOf: server.folder.appendingPathComponent("log.txt"), encoding: .utf8)
                .split(separator: "\n").map(String.init)
        }
    }
}
