import Foundation
import TestSupport
import Testing

/// The unread mail of the day: what matters first.
@Suite struct TodayMailTests {
    @Test func importantMailIsFirst() throws {
        let home = try HelixHome()
        let maildir = try TestMaildir(home)
        try maildir.make(".Sent")
        // The newest first: a newsletter, one to me, one from a contact, an answer to what I wrote, and a starred one.
        func deliver(
            _ subject: String, hour: Int, from: String, to: String = "list@x", flags: String = "",
            headers: [String] = []
        )
            throws
        {
            try maildir.deliver(
                mail(
                    subject, id: "\(hour)@x", from: from, to: to, date: "Wed, 18 Nov 2026 0\(hour):00:00 +0100",
                    headers: headers), flags: flags)
        }
        try deliver("Newsletter", hour: 9, from: "News <news@shop.example>")
        try deliver("To me", hour: 8, from: "Zed <zed@x.example>", to: "me@example.org")
        try deliver("Of a contact", hour: 7, from: "Ana <ana@example.org>")
        try deliver("An answer", hour: 6, from: "Bo <bo@x.example>", headers: ["In-Reply-To: <own@x>"])
        try deliver("Starred", hour: 5, from: "Cy <cy@x.example>", flags: "F")
        try maildir.deliver(
            mail("My question", id: "own@x", from: "me@example.org", to: "bo@x.example"), to: ".Sent", flags: "S")
        try home.perform("account", "add", "home", "maildir", maildir.path, "--address", "me@example.org")
        try home.perform("config", "set", "user.email", "me@example.org")
        try home.perform("contacts", "add", "Ana", "--email", "ana@example.org")
        let text = try home.perform("today").output
        let words = ["Starred", "An answer", "To me", "Of a contact", "Newsletter"]
        let places = words.compactMap { text.range(of: $0)?.lowerBound }
        #expect(places.count == words.count && places == places.sorted(), "\(text)")
        // Programs get them by date.
        let subjects = try home.perform("today", "--json").items().compactMap { $0["subject"] as? String }
        #expect(subjects == ["Newsletter", "To me", "Of a contact", "An answer", "Starred"])
    }
}
