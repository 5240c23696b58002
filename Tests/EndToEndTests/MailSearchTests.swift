import Foundation
import TestSupport
import Testing

/// The search language over real messages.
@Suite struct MailSearchTests {
    private func filled() throws -> HelixHome {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Archive")
        try maildir.deliver(
            mail("Site visit", id: "1@x", body: "Bring the café key, please.\n"), flags: "S")
        try maildir.deliver(
            mail(
                "=?utf-8?B?4LiB4Liy4Lij4Lib4Lij4Liw4LiK4Li44Lih?=", id: "2@x", from: "Bo <bo@example.com>",
                date: "Sun, 15 Nov 2026 09:00:00 +0100", body: "明日の会議室は三階です。\n"))
        try maildir.deliver(
            mail(
                "Plans", id: "3@x", from: "Bo <bo@example.com>", to: "Ana Rossi <ana@example.org>",
                date: "Wed, 14 Jan 2026 09:00:00 +0100",
                headers: [
                    "MIME-Version: 1.0", "Content-Type: multipart/mixed; boundary=b", "List-Id: Dev <dev.example.org>",
                ],
                body: """
                    --b
                    Content-Type: text/html

                    <p>Only <b>hypertext</b> here</p>
                    --b
                    Content-Type: application/pdf; name="floor.pdf"
                    Content-Disposition: attachment; filename="floor.pdf"
                    Content-Transfer-Encoding: base64

                    JVBERi0xLjQK
                    --b--

                    """), to: ".Archive", flags: "FS")
        #expect(try home.run("account", "add", "home", "maildir", maildir.path).status == 0)
        return home
    }

    @Test func eachFieldFindsWhatItSays() throws {
        let home = try filled()
        func found(_ query: String...) throws -> String {
            let result = try home.run(["mail", "search"] + query + ["--json"])
            try #require(result.status == 0, "\(query): \(result.errors)")
            return try result.items().compactMap { ($0["message_id"] as? String)?.prefix(1) }.sorted().joined()
        }
        #expect(try found("cafe") == "1")
        #expect(try found("CAFÉ") == "1")
        #expect(try found("\"café key\"") == "1")
        #expect(try found("\"key café\"") == "")
        #expect(try found("hyper*") == "3")
        #expect(try found("hypertext") == "3")
        #expect(try found("会議") == "2")
        #expect(try found("室は三") == "2")
        #expect(try found("ประชุม") == "2")
        #expect(try found("from:ana") == "1")
        #expect(try found("to:ana") == "3")
        #expect(try found("with:ana") == "13")
        #expect(try found("from:bo@example.com") == "23")
        #expect(try found("subject:\"site visit\"") == "1")
        #expect(try found("subject:café") == "")
        #expect(try found("has:attachment") == "3")
        #expect(try found("filename:pdf") == "3")
        #expect(try found("is:unread") == "2")
        #expect(try found("is:starred") == "3")
        #expect(try found("in:archive") == "3")
        #expect(try found("list:dev.example") == "3")
        #expect(try found("after:2026-11-16") == "1")
        #expect(try found("before:2026-02-01") == "3")
        #expect(try found("date:2026-11") == "12")
        #expect(try found("after:mon") == "1", "the last Monday")
        #expect(try found("larger:300") == "3")
        #expect(try found("-from:bo") == "1")
        #expect(try found("not", "from:bo") == "1")
        #expect(try found("from:bo -is:starred") == "2")
        #expect(try found("café or hypertext") == "13")
        #expect(try found("(café or is:unread) -from:ana") == "2")
        #expect(try found("café is:unread") == "")
        #expect(try found("from:bo (is:starred or subject:nothing)") == "3")
        #expect(try found("account:home in:inbox") == "12")
    }

    @Test func theSameWordsFindTheSameMessagesAsInNotmuch() throws {
        let home = try HelixHome()
        let path = home.folder.path + "/Mail"
        let generator = Corpora.packageDirectory.appendingPathComponent("Benchmarks/generate_mail.py").path
        #expect(try home.run(program: "/usr/bin/env", ["python3", generator, "400", path]).status == 0)
        #expect(try home.run("account", "add", "home", "maildir", path).status == 0)
        let config = try home.write(
            """
            [database]
            path=\(path)
            [user]
            name=Ada
            primary_email=ada@example.org
            [new]
            tags=
            [search]
            exclude_tags=
            """, to: "notmuch-config")
        home.environment["NOTMUCH_CONFIG"] = config
        let made = try home.run(program: "/usr/bin/env", ["notmuch", "new", "--quiet"])
        try #require(made.status == 0, "notmuch is part of the packages that 'make test' installs: \(made.errors)")
        let questions = [
            ("meeting", "\"meeting\""), ("violin", "\"violin\""), ("Köln", "\"Köln\""), ("Grüße", "\"Grüße\""),
            ("Встреча", "\"Встреча\""), ("anna", "\"anna\""), ("subject:team", "subject:\"team\""),
            ("from:anna", "from:\"anna\""), ("\"the meeting\"", "\"the meeting\""),
            ("piano guitar", "\"piano\" \"guitar\""), ("piano or guitar", "\"piano\" or \"guitar\""),
            ("meeting -team", "\"meeting\" and not \"team\""), ("nothinglikethis", "\"nothinglikethis\""),
        ]
        var total = 0
        for (own, other) in questions {
            let found = try home.run("mail", "search", own, "--json", "--limit", "1000").items()
            let mine = Set(found.compactMap { $0["message_id"] as? String })
            let theirs = try home.run(
                program: "/usr/bin/env", ["notmuch", "search", "--output=messages", "--", other])
            let expected = Set(theirs.output.split(separator: "\n").map { String($0.dropFirst(3)) })
            #expect(mine == expected, "\(own): \(mine.count) and \(expected.count)")
            total += expected.count
        }
        #expect(total > 500, "the words are common enough to say something")
    }

    @Test func meIsWhoTheSettingsSay() throws {
        let home = try filled()
        let unknown = try home.run("mail", "search", "to:me")
        #expect(unknown.status == 64 && unknown.errors.contains("user.email"))
        try home.run("config", "set", "user.email", "ana@example.org")
        #expect(try home.run("mail", "search", "to:me", "--json").items().count == 1)
        #expect(try home.run("mail", "search", "from:me", "--json").items().count == 1)
    }

    @Test func countsAndIdsAreForScripts() throws {
        let home = try filled()
        #expect(try home.run("mail", "search", "from:bo", "--count").output == "2\n")
        #expect(try home.run("mail", "search", "nothinglikethis", "--count").output == "0\n")
        let ids = try home.run("mail", "search", "from:bo", "--ids").output.split(separator: "\n")
        #expect(ids.count == 2 && ids.allSatisfy { $0.count == 16 })
        let marked = try home.run(["mail", "mark", "read", "-"], input: ids.joined(separator: "\n"))
        #expect(marked.status == 0)
        #expect(try home.run("mail", "search", "is:unread", "--count").output == "0\n")
    }

    @Test(arguments: [
        "froom:ana", "has:nothing", "\"open", "(open", "a )", "is:", "larger:much", "after:someday", "in:nowhere",
        "or", "not", "-", "...", "@unknown", "sub*t", String(repeating: "(", count: 20_000) + "x",
    ])
    func whatIsWrongIsSaid(query: String) throws {
        let home = try filled()
        let result = try home.run("mail", "search", "--", query)
        #expect([64, 65, 66].contains(result.status), "\(query): \(result.status) \(result.output)")
        #expect(!result.errors.isEmpty)
    }

    @Test func whatIsTakenOutIsNotFoundAnyMore() throws {
        let home = try filled()
        for folder in ["cur", "new"] {
            let path = home.folder.path + "/Mail/" + folder
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                try FileManager.default.removeItem(atPath: path + "/" + name)
            }
        }
        #expect(try home.run("mail", "search", "cafe", "--count").output == "0\n")
        #expect(try home.run("mail", "search", "hypertext", "--count").output == "1\n")
        #expect(try home.run("doctor").status == 0)
    }

    @Test(arguments: [
        // The text, what is looked for, and what is shown of it.
        ("one two three four five six seven", "three", "one two [three] four five six seven"),
        ("a b c d e f g h i j k l m n o p q r s t", "h", "…d e f g [h] i j k l m n o p q…"),
        ("Grüße aus Köln.\nZweite Zeile", "koln", "Grüße aus [Köln].\nZweite Zeile"),
        ("x the site visit is the site visit", "\"site visit\"", "x the [site visit] is the [site visit]"),
        ("site site visit", "site \"site visit\"", "[site] [site] [visit]"),
        ("東京都の天気はとても良いです", "天気", "東京都の[天気]はとても良いです"), ("invoices and invoice", "invoic*", "[invoices] and [invoice]"),
        ("nothing of it", "subject:visit", ""),
    ])
    func whereItWasFoundIsShown(text: String, query: String, shown: String) throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.deliver(
            mail("A visit", id: "a@x", headers: ["Content-Type: text/plain; charset=utf-8"], body: text))
        try home.run("account", "add", "home", "maildir", maildir.path)
        for order in ["date", "rank"] {
            let found = try home.run("mail", "search", query, "--by", order, "--color", "always")
            let plain = shown.filter { $0 != "[" && $0 != "]" }.split(whereSeparator: \.isWhitespace).joined(
                separator: " ")
            let json =
                try home.run("mail", "search", query, "--by", order, "--json").items().first?["snippet"] as? String
            if !shown.isEmpty {
                #expect(json?.split(whereSeparator: \.isWhitespace).joined(separator: " ") == plain)
                for hit in shown.split(separator: "[").dropFirst() {
                    let word = hit.prefix { $0 != "]" }
                    #expect(found.output.contains("\u{1B}[1;33m\(word)"), "\(word)")
                }
            }
        }
    }

    @Test func wordsAreFoundWhereTheyStand() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        let calendar =
            "BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:a\nDTSTART:20261120T090000Z\nSUMMARY:Planning quark\n"
            + " tronic\nLOCATION;LANGUAGE=it:Sala\\, Grande\nDESCRIPTION:bring\\nlunch\nEND:VEVENT\nEND:VCALENDAR\n"
        try maildir.deliver(
            mail("Invited", id: "a@x", headers: ["Content-Type: text/calendar; method=REQUEST"], body: calendar))
        try maildir.deliver(
            mail("Named", id: "b@x", headers: ["Content-Type: text/plain; name=notes.txt"], body: "marmalade\n"))
        try maildir.deliver(
            mail("Street", id: "c@x", headers: ["Content-Type: text/plain; charset=utf-8"], body: "Große Straße\n"))
        try maildir.deliver(
            "From: someone  Fri Aug 23 11:00:00 2002\n" + mail("Twice", id: "d@x", from: "Bo <harley@x.org>"))
        try home.run("account", "add", "home", "maildir", maildir.path)
        try home.run("mail", "label", "subject:street", "+billing")
        for (query, subject) in [
            ("quarktronic", "Invited"), ("grande", "Invited"), ("lunch", "Invited"), ("marmalade", "Named"),
            ("grosse", "Street"), ("strasse", "Street"), ("straße", "Street"), ("STRASSE", "Street"),
            ("from:harley", "Twice"), ("label:bill*", "Street"),
        ] {
            let found = try home.run("mail", "search", query, "--json").items().compactMap { $0["subject"] as? String }
            #expect(found == [subject], "\(query)")
        }
        #expect(try home.run("mail", "search", "label:bill", "--count").output == "0\n")
    }

    @Test func theBestComeFirstAndOfEqualsTheNewest() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        func put(_ name: String, _ subject: String, _ body: String, _ day: Int) throws {
            try maildir.deliver(
                mail(subject, id: "\(name)@x", date: "\(day) Oct 2026 10:00:00 +0000", body: body))
        }
        try put("many", "Notes", Array(repeating: "budget", count: 9).joined(separator: " "), 1)
        for day in 2...9 { try put("one\(day)", "Notes \(day)", "the budget of day \(day)", day) }
        try put("head", "Budget of budget, budget", "nothing else", 10)
        try put("none", "Notes", "nothing of it", 11)
        try home.run("account", "add", "home", "maildir", maildir.path)
        func subjects(_ query: String, _ limit: Int) throws -> [String] {
            try home.run("mail", "search", query, "--by", "rank", "--limit", String(limit), "--json").items().map {
                $0["subject"] as? String ?? ""
            }
        }
        let all = ["Budget of budget, budget", "Notes"] + (2...9).reversed().map { "Notes \($0)" }
        #expect(try subjects("budget", 50) == all)
        #expect(try subjects("budg*", 4) == Array(all.prefix(4)))
        #expect(try subjects("\"the budget\"", 3) == ["Notes 9", "Notes 8", "Notes 7"])
        #expect(try subjects("subject:budget", 3) == ["Budget of budget, budget"])
        #expect(try subjects("budget -subject:notes", 3) == ["Budget of budget, budget"])
        #expect(try subjects("nowhere", 3).isEmpty)
    }
}
