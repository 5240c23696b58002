import Foundation
import TestSupport
import Testing

@testable import HelixCommands

/// A link that is opened by its number is the one that has this number in the text.
@Suite struct MessageLinkTests {
    private func home(_ html: String) throws -> (home: HelixHome, id: String) {
        let home = try HelixHome()
        let box = try TestMaildir(home)
        try box.deliver(
            mail(
                "Order", id: "o@x", headers: ["MIME-Version: 1.0", "Content-Type: text/html; charset=utf-8"], body: html
            ))
        try home.perform("account", "add", "home", "maildir", box.path, "--address", "me@example.org")
        let id = try #require(try home.perform("mail", "list", "--json").items().first?["id"] as? String)
        try home.perform("config", "set", "files.open", "true")
        return (home, id)
    }

    private func opened(_ home: HelixHome, _ id: String, _ number: Int) throws -> String {
        let outcome = try home.perform("mail", "open", id, "--link", "\(number)")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output + outcome.errors
    }

    @Test func theNumbersOfTheTextCount() throws {
        let (home, id) = try home(
            """
            <p>We are at https://shop.example/ always. Please <a href="https://shop.example/confirm">confirm</a> or
            <a href="https://shop.example/cancel">cancel the order</a>.</p>
            """)
        let text = try home.perform("mail", "read", id).output
        #expect(text.contains("confirm[1]") && text.contains("cancel the order[2]"), "\(text)")
        #expect(try opened(home, id, 1).contains("https://shop.example/confirm"))
        #expect(try opened(home, id, 2).contains("https://shop.example/cancel"))
        let third = try opened(home, id, 3)
        #expect(third.contains("https://shop.example/") && !third.contains("con"), "\(third)")
        #expect(try home.perform("mail", "open", id, "--link", "4").status == 66)
        let screen = try ScreenDriver(home, at: .mail)
        try screen.press("enter")
        #expect(screen.text.contains("https://shop.example/ [3] always"), "\(screen.text)")
        #expect(!screen.text.contains("confirm [1]") && screen.text.contains("[1] https://shop.example/confirm"))
    }

    @Test func anAddressThatLeadsElsewhereIsNoLinkOfItsOwn() throws {
        let (home, id) = try home("<p>See <a href=\"https://evil.example/\">https://bank.example/</a> now.</p>")
        let text = try home.perform("mail", "read", id).output
        #expect(text.contains("https://bank.example/ [1] now"), "\(text)")
        #expect(try opened(home, id, 1).contains("https://evil.example/"))
        #expect(try home.perform("mail", "open", id, "--link", "2").status == 66)
    }
}
